/* Processors of every kind, with objects that are shared, repaired and refused by the interpreter. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "BASIC", 1)
{
    Scope (\_SB)
    {
        Processor (CPU0, 7, 0x410, 6)
        {
            Name (_PPC, 0)
        }

        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)

            Method (_STA)
            {
                Return (0x0F)
            }

            /* Out of order: repair sorts this very package, which C001 returns as well. */
            Name (PSSN, Package ()
            {
                Package () { 2000, 30000, 10, 10, 0x14, 0x14 },
                Package () { 3000, 40000, 10, 10, 0x1E, 0x1E }
            })

            Method (_PSS)
            {
                Return (PSSN)
            }

            Name (_PCT, Package ()
            {
                ResourceTemplate () { Register (FFixedHW, 0, 0, 0x199) },
                ResourceTemplate () { Register (SystemIO, 16, 0, 0x1880, 2) }
            })
            Name (_PSD, Package () { Package () { 5, 0, 0, 0xFD, 2 } })
        }

        Device (C001)
        {
            Name (_HID, "PNP0C00")
            Name (_CID, Package () { "FOO0001", "ACPI0007" })
            Name (_UID, "socket 0")

            Method (_PSS)
            {
                Return (\_SB.C000.PSSN)
            }

            Name (_PSD, Package () { Package () { 5, 0, 0, 0xFD, 2 } })

            /* Type 0 states are dropped by repair, and the count is made right. */
            Method (_CST)
            {
                Return (Package ()
                {
                    2,
                    Package () { ResourceTemplate () { Register (FFixedHW, 1, 2, 0) }, 1, 1, 1000 },
                    Package () { ResourceTemplate () { Register (SystemIO, 8, 0, 0x414) }, 0, 2, 500 }
                })
            }
        }

        Device (NOPE)
        {
            Name (_HID, "ACPI0010")
        }
    }
}
