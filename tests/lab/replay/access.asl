/*
 * What a replay must get from the trace, because nothing else holds it: the clock's seconds, a register of a PCI
 * device, memory that is there, memory that is not, writes that the policy denies, and a table that AML loads.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "REPLAY", 1)
{
    External (\_SB.CPUS.C000, DeviceObj)
    External (\_SB.CPUS.C001, DeviceObj)
    External (\_SB.PCI0, DeviceObj)

    Scope (\_SB.PCI0)
    {
        Device (ASAY)
        {
            Name (_ADR, 0)
            OperationRegion (CONF, PCI_Config, 0, 4)
            Field (CONF, WordAcc, NoLock, Preserve) { VEND, 16 }
        }
    }

    Scope (\_SB.CPUS.C000)
    {
        OperationRegion (RTCP, SystemIO, 0x70, 2)
        Field (RTCP, ByteAcc, NoLock, Preserve) { INDX, 8, DATA, 8 }
        OperationRegion (HIGH, SystemMemory, 0x90000000, 8)
        Field (HIGH, DWordAcc, NoLock, Preserve) { GONE, 32 }
        OperationRegion (ROMX, SystemMemory, 0x00100000, 8)
        Field (ROMX, DWordAcc, NoLock, Preserve) { KEPT, 32 }
        Name (HNDL, 0)

        /* Another value at every start. */
        Method (_PPC, 0, Serialized)
        {
            INDX = 0
            Return (DATA & 1)
        }

        Name (_PCT, Package ()
        {
            ResourceTemplate () { Register (FFixedHW, 64, 0, 0xC0010062, ,) },
            ResourceTemplate () { Register (FFixedHW, 64, 0, 0xC0010063, ,) }
        })

        Name (ROWS, Package ()
        {
            Package () { 3000, 1000, 10, 10, 0, 0 },
            Package () { 2000, 700, 10, 10, 0, 1 },
            Package () { 1000, 400, 10, 10, 0, 2 }
        })

        Method (_PSS, 0, Serialized)
        {
            INDX = 0
            DerefOf (ROWS [0]) [4] = DATA
            DerefOf (ROWS [1]) [4] = \_SB.PCI0.ASAY.VEND
            DerefOf (ROWS [2]) [4] = GONE
            GONE = 1
            KEPT = 1
            Return (ROWS)
        }

        Method (_PDC, 1, Serialized)
        {
            Load (TABL, HNDL)
        }

        Name (TABL, Buffer ()
        {
            0x53, 0x53, 0x44, 0x54, 0x5d, 0x00, 0x00, 0x00, 0x02, 0x2f, 0x41, 0x53,
            0x53, 0x41, 0x59, 0x00, 0x49, 0x4e, 0x4e, 0x45, 0x52, 0x00, 0x00, 0x00,
            0x01, 0x00, 0x00, 0x00, 0x49, 0x4e, 0x54, 0x4c, 0x25, 0x09, 0x20, 0x20,
            0xa0, 0x14, 0x00, 0x15, 0x5c, 0x2f, 0x03, 0x5f, 0x53, 0x42, 0x5f, 0x43,
            0x50, 0x55, 0x53, 0x43, 0x30, 0x30, 0x30, 0x06, 0x00, 0x10, 0x23, 0x5c,
            0x2f, 0x03, 0x5f, 0x53, 0x42, 0x5f, 0x43, 0x50, 0x55, 0x53, 0x43, 0x30,
            0x30, 0x30, 0x08, 0x5f, 0x50, 0x53, 0x44, 0x12, 0x0d, 0x01, 0x12, 0x0a,
            0x05, 0x0a, 0x05, 0x00, 0x00, 0x0a, 0xfd, 0x0a, 0x02
        })
    }
}
