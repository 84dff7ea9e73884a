/*
 * Four CPUs for Bochs, whose PM timer the firmware puts at port B008H: C1 by HLT, and C2 by an I/O read of port 80H,
 * which is really read and does not stop the CPU.
 */
DefinitionBlock ("", "DSDT", 2, "ASSAY", "BOCHS4", 0x00000001)
{
    Scope (\_SB)
    {
        Name (BCST, Package ()
        {
            2,
            Package () {ResourceTemplate () {Register (FFixedHW, 0, 0, 0)}, 1, 1, 0},
            Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0x80, 1)}, 2, 100, 0}
        })
        Device (C000) {Name (_HID, "ACPI0007") Name (_UID, 0) Method (_CST) {Return (BCST)}}
        Device (C001) {Name (_HID, "ACPI0007") Name (_UID, 1) Method (_CST) {Return (BCST)}}
        Device (C002) {Name (_HID, "ACPI0007") Name (_UID, 2) Method (_CST) {Return (BCST)}}
        Device (C003) {Name (_HID, "ACPI0007") Name (_UID, 3) Method (_CST) {Return (BCST)}}
    }
}
