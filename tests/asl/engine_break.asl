/* Code of a table itself, as a Switch over a name that is nowhere becomes: the If fails, its While is given up with it,
 * and the Break looks for the While for ever. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "BREAK", 1)
{
    External (UNDF)

    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
        }
    }

    While (One)
    {
        If (UNDF == Zero) { }
        Break
    }
}
