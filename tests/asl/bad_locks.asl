/* Mutexes that are kept, and waits for what never comes. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "LOCKS", 1)
{
    Scope (\_SB)
    {
        Mutex (MUTA, 0)
        Mutex (MUTB, 0)

        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Event (EVTA)

            Method (_PPC)
            {
                Acquire (MUTA, 0xFFFF)
                Return (One)
            }

            /* Released by a path that is not taken. */
            Method (_PSS)
            {
                Acquire (MUTB, 0xFFFF)
                If (_UID != 0)
                {
                    Release (MUTB)
                }

                Return (Package () { })
            }

            Method (_PCT)
            {
                Wait (EVTA, 0xFFFF)
                Return (Package () { })
            }

            /* Sound: acquired twice, released twice. */
            Method (_PSD)
            {
                Acquire (MUTA, 1000)
                Acquire (MUTA, 1000)
                Release (MUTA)
                Release (MUTA)
                Return (Package () { })
            }
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)

            Method (_PPC)
            {
                Acquire (MUTA, 0xFFFF)
                Release (MUTA)
                Return (One)
            }
        }
    }
}
