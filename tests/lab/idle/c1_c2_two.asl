/*
 * Idle states for QEMU's q35 with two CPUs: C1 by HLT, and C2 by an I/O read of port E0H, which is a
 * scratch register of pc-testdev: it is really read and does not stop the CPU.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "LABTWO", 0x00000001)
{
    External (\_SB.CPUS.C000, DeviceObj)
    External (\_SB.CPUS.C001, DeviceObj)

    Scope (\_SB)
    {
        Name (LCST, Package ()
        {
            2,
            Package () {ResourceTemplate () {Register (FFixedHW, 0, 0, 0)}, 1, 1, 0},
            Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0xE0, 1)}, 2, 100, 0}
        })
    }

    Scope (\_SB.CPUS.C000) {Method (_CST) {Return (LCST)}}
    Scope (\_SB.CPUS.C001) {Method (_CST) {Return (LCST)}}
}
