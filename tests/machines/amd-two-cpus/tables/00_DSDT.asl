/*
 * A clean AMD machine with two CPUs, in the shape published for the EPYC 7742: P0 2250, P1 2000, P2 1500 MHz,
 * performance 255 over 168, C2 entered by an I/O read, one dependency domain a CPU.
 */
DefinitionBlock ("", "DSDT", 2, "ASSAY", "AMD2CPUS", 0x00000001)
{
    Scope (\_SB)
    {
        Name (APSS, Package ()
        {
            Package () {2250, 3400, 1, 1, 0, 0},
            Package () {2000, 2720, 1, 1, 1, 1},
            Package () {1500, 1680, 1, 1, 2, 2}
        })
        Name (APCT, Package ()
        {
            ResourceTemplate () {Register (FFixedHW, 64, 0, 0xC0010062)},
            ResourceTemplate () {Register (FFixedHW, 64, 0, 0xC0010063)}
        })
        Name (ACPC, Package ()
        {
            23, 3,
            255, 168, 112, 30,
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            ResourceTemplate () {Register (FFixedHW, 8, 16, 0xC00102B3)},
            ResourceTemplate () {Register (FFixedHW, 8, 8, 0xC00102B3)},
            ResourceTemplate () {Register (FFixedHW, 8, 0, 0xC00102B3)},
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            ResourceTemplate () {Register (FFixedHW, 64, 0, 0xE7)},
            ResourceTemplate () {Register (FFixedHW, 64, 0, 0xE8)},
            ResourceTemplate () {Register (FFixedHW, 2, 0, 0xC00102B4)},
            ResourceTemplate () {Register (FFixedHW, 1, 0, 0xC00102B1)},
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            ResourceTemplate () {Register (FFixedHW, 8, 24, 0xC00102B3)},
            ResourceTemplate () {Register (SystemMemory, 0, 0, 0)},
            400, 2250
        })
        Name (ACST, Package ()
        {
            2,
            Package () {ResourceTemplate () {Register (FFixedHW, 2, 2, 0)}, 1, 1, 0},
            Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0x414, 1)}, 2, 400, 0}
        })

        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Method (_STA) {Return (0x0F)}
            Method (_PSS) {Return (APSS)}
            Method (_PCT) {Return (APCT)}
            Method (_PPC) {Return (0)}
            Method (_CPC) {Return (ACPC)}
            Method (_CST) {Return (ACST)}
            Name (_PSD, Package () {Package () {5, 0, 0, 0xFE, 1}})
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)
            Method (_STA) {Return (0x0F)}
            Method (_PSS) {Return (APSS)}
            Method (_PCT) {Return (APCT)}
            Method (_PPC) {Return (0)}
            Method (_CPC) {Return (ACPC)}
            Method (_CST) {Return (ACST)}
            Name (_PSD, Package () {Package () {5, 0, 1, 0xFE, 1}})
        }
    }
}
