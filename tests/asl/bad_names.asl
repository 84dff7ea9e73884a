/* Names of engine_basic.asl once more: a device, an object of a processor, and one within this table. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "NAMES", 1)
{
    External (\_SB.C000, DeviceObj)

    Scope (\_SB.C000)
    {
        Name (_PPC, 3)
        Name (_PCT, Package () { })
    }

    Scope (\_SB)
    {
        Device (C002)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 9)
            Name (_PPC, One)
        }

        Name (TWIN, One)
        Name (TWIN, Zero)
    }
}
