/* What _PDC loads: two P-states with the ratio in bits 15:8 of the control, C1 and an I/O C2. */
DefinitionBlock ("", "SSDT", 1, "ASSAY", "CPUPM", 0x00000001)
{
    External (\_PR.CPU0, ProcessorObj)
    External (\_PR.CPU1, ProcessorObj)

    Scope (\_PR)
    {
        Name (XPSS, Package ()
        {
            Package () {2000, 31000, 10, 10, 0x0A25, 0x0A25},
            Package () {1600, 24000, 10, 10, 0x0820, 0x0820},
            Package () {1200, 18000, 10, 10, 0x061B, 0x061B}
        })
        Name (XPCT, Package ()
        {
            ResourceTemplate () {Register (FFixedHW, 0, 0, 0)},
            ResourceTemplate () {Register (FFixedHW, 0, 0, 0)}
        })
        Name (XCST, Package ()
        {
            2,
            Package () {ResourceTemplate () {Register (FFixedHW, 1, 2, 0, 1)}, 1, 1, 1000},
            Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0x414)}, 2, 20, 500}
        })
        Name (XPSD, Package () {Package () {5, 0, 0, 0xFC, 2}})
    }

    Scope (\_PR.CPU0)
    {
        Method (_PSS) {Return (XPSS)}
        Method (_PCT) {Return (XPCT)}
        Method (_PPC) {Return (0)}
        Method (_PSD) {Return (XPSD)}
        Method (_CST) {Return (XCST)}
    }

    Scope (\_PR.CPU1)
    {
        Method (_PSS) {Return (XPSS)}
        Method (_PCT) {Return (XPCT)}
        Method (_PPC) {Return (0)}
        Method (_PSD) {Return (XPSD)}
        Method (_CST) {Return (XCST)}
    }
}
