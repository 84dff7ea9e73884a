/* What engine_dynamic.asl loads: objects for its processor, and one more processor. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "INNER", 1)
{
    External (\_SB.C000, DeviceObj)

    Scope (\_SB.C000)
    {
        Name (_PSS, Package () { Package () { 1000, 500, 10, 10, 1, 1 } })
    }

    Scope (\_SB)
    {
        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)
        }
    }
}
