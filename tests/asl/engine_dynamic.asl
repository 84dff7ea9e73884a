/* Loads a table from memory in the handshake, as Intel's reference code does. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "DYNAMIC", 1)
{
    Scope (\_SB)
    {
        Name (CAPS, 0)
        Name (QURY, 0)

        Method (_OSC, 4, Serialized)
        {
            CreateDWordField (Arg3, 0, STS0)
            CreateDWordField (Arg3, 4, CAP0)
            QURY = (STS0 & One)
            CAPS = CAP0
            Return (Arg3)
        }

        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Name (DONE, 0)
            Name (HNDL, 0)
            OperationRegion (TABL, SystemMemory, 0x10000000, 0x10000)

            Method (_PDC, 1, Serialized)
            {
                CreateDWordField (Arg0, 8, CAP0)
                If (((CAP0 & 0x01) != 0) && (DONE == 0))
                {
                    DONE = 1
                    Load (TABL, HNDL)
                }
            }

            /* What the handshake left behind, as a control value. */
            Method (_PPC)
            {
                Return (CAPS)
            }
        }
    }
}
