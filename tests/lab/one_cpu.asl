/*
 * One CPU of QEMU's q35: a P-state list, registers and a limit as an old Intel server has them, a _CST whose C2
 * is an I/O read of QEMU's pc-testdev, and a _CSD that never returns.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "ONECPU", 0x00000001)
{
    External (\_SB.CPUS.C000, DeviceObj)

    Scope (\_SB.CPUS.C000)
    {
        Name (_PSS, Package ()
        {
            Package () {2201, 95000, 10, 10, 0x2300, 0x2300},
            Package () {2200, 90000, 10, 10, 0x1600, 0x1600},
            Package () {1200, 40000, 10, 10, 0x0C00, 0x0C00}
        })
        Name (_PCT, Package ()
        {
            ResourceTemplate () {Register (FFixedHW, 16, 0, 0x199)},
            ResourceTemplate () {Register (FFixedHW, 16, 0, 0x198)}
        })
        Method (_PPC, 0, NotSerialized) {Return (1)}
        Name (_CST, Package ()
        {
            2,
            Package () {ResourceTemplate () {Register (FFixedHW, 1, 2, 0)}, 1, 3, 1000},
            Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0xE0, 1)}, 2, 40, 500}
        })
        Method (_CSD, 0, Serialized)
        {
            While (One) {}
            Return (Package () {})
        }
    }
}
