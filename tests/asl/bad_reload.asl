/* A table that loads itself again: by its own code as it loads, and by a method each time it is called. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "RELOAD", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Name (_PPC, Zero)

            Method (_PSS)
            {
                OperationRegion (SELF, SystemMemory, 0x10000000, 0x1000)
                Load (SELF, Local0)
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

    OperationRegion (\SLF, SystemMemory, 0x10000000, 0x1000)
    Load (\SLF, Local0)
}
