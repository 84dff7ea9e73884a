/* Objects that never end, fail, or would break the interpreter. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "HOSTILE", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            OperationRegion (FARM, SystemMemory, 0xFEDCBA9876540000, 8)
            Field (FARM, DWordAcc, NoLock, Preserve) { FARV, 32 }

            Method (SPIN)
            {
                While (One) { }
            }

            Method (_PSS)
            {
                SPIN ()
                Return (Package () { })
            }

            Method (_PCT)
            {
                Local0 = 0
                Divide (1, Local0, Local1, Local2)
                Return (Local2)
            }

            Method (_PPC)
            {
                Return (FARV)
            }

            Method (_PSD)
            {
                Return (_PSD ())
            }

            Method (_CPC)
            {
                Return (Buffer (0x7FFFFFFF) { })
            }

            Name (_CST, Package () { })

            Method (_CSD)
            {
            }

            Method (BUSY, 1)
            {
                If (Arg0 != 0)
                {
                    BUSY (Arg0 - 1)
                    BUSY (Arg0 - 1)
                }
            }

            Method (_LPI)
            {
                BUSY (60)
                Return (Package () { 0, 0, 0 })
            }
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)

            /* A legal loop: many turns, little time. */
            Method (_PPC)
            {
                Local0 = 0
                While (Local0 < 60000)
                {
                    Local0++
                }
                Return (Local0)
            }

            /* Polls something that never comes, with Sleep. */
            Method (_PCT)
            {
                While (One)
                {
                    Sleep (100)
                }
            }

            Method (_PSD)
            {
                Return (MISS)
            }

            /* An empty dependency row makes repair count down from -1. */
            Name (_CSD, Package () { Package () { } })
        }
    }

    External (\_SB.C001.MISS, IntObj)
}
