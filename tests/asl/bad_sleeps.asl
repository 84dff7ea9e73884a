/* Sleeps: an hour at once, an hour in pieces without a loop, a Stall at a time, and one that is allowed. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "SLEEPS", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)

            Method (_PSS)
            {
                Sleep (3600000)
                Return (Package () { })
            }

            Method (HALF, 1)
            {
                If (Arg0 != 0)
                {
                    HALF (Arg0 - 1)
                    HALF (Arg0 - 1)
                }
                Else
                {
                    Sleep (1)
                }
            }

            /* 4096 times a millisecond. */
            Method (_PCT)
            {
                HALF (12)
                Return (Package () { })
            }

            Method (_PPC)
            {
                Sleep (20)
                Return (One)
            }

            Method (_PSD)
            {
                Local0 = 0
                While (Local0 < 50000)
                {
                    Stall (100)
                    Local0++
                }

                Return (Package () { })
            }
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)
            Name (_PPC, One)
        }
    }
}
