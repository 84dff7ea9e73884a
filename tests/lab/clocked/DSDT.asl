/*
 * Two CPUs with three rows through IA32_PERF_CTL, for Bochs, whose registers come from msrs: APERF and MPERF that
 * stand still, PERF_STATUS that never changes, PERF_CTL that holds what is written.
 */
DefinitionBlock ("", "DSDT", 2, "ASSAY", "CLOCKED", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Name (_PCT, Package () {
                ResourceTemplate () { Register (FFixedHW, 0, 0, 0) },
                ResourceTemplate () { Register (FFixedHW, 0, 0, 0) } })
            Name (_PSS, Package () {
                Package () { 2400, 10000, 10, 10, 0x1800, 0x1800 },
                Package () { 1800, 7000, 10, 10, 0x1200, 0x1200 },
                Package () { 1200, 4000, 10, 10, 0x0C00, 0x0C00 } })
            Name (_PPC, 0)
        }
        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)
            Method (_PCT) { Return (\_SB.C000._PCT) }
            Method (_PSS) { Return (\_SB.C000._PSS) }
            Name (_PPC, 0)
        }
    }
}
