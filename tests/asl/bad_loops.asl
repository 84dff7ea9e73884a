/* Loops without end: in a table's own code, and two more of methods. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "LOOPS", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)

            Method (TICK, 1)
            {
                Local0 = TICK (Arg0 + 1)
                Return (Local0 + 1)
            }

            /* Recursion whose result is still wanted. */
            Method (_PSS)
            {
                Return (TICK (0))
            }

            /* A poll that sleeps a millisecond at a time. */
            Method (_PCT)
            {
                While (One)
                {
                    Sleep (1)
                }

                Return (Zero)
            }

            Name (_PPC, Zero)
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)
            Name (_PPC, One)
        }
    }

    While (One)
    {
    }
}
