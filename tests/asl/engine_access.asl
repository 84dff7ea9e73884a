/* Reads and writes of every kind of operation region. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "ACCESS", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            OperationRegion (MEMO, SystemMemory, 0x20000000, 0x10)
            Field (MEMO, DWordAcc, NoLock, Preserve) { MEM0, 32, MEM1, 32 }
            OperationRegion (CMOS, SystemIO, 0x70, 2)
            Field (CMOS, ByteAcc, NoLock, Preserve) { CIDX, 8, CDAT, 8 }
            OperationRegion (PORT, SystemIO, 0x1880, 4)
            Field (PORT, DWordAcc, NoLock, Preserve) { PRT0, 32 }

            Method (_PPC)
            {
                Return (MEM0)
            }

            /* Reads back what it wrote. */
            Method (_PCT)
            {
                MEM1 = 0x12345678
                Return (MEM1)
            }

            Method (_PSD)
            {
                CIDX = 0x2E
                CDAT = 0x55
                CIDX = 0x0F
                CDAT = 0x66
                Return (PRT0)
            }
        }
    }
}
