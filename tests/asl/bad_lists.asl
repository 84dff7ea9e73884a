/* A _CST of 60,000 states, and a _PSS of as many rows: none of them is there. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "LISTS", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Name (_PPC, Zero)
            Name (_CST, Package (60001) { 60000 })

            Method (_PSS)
            {
                Return (Package (60000) { })
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
