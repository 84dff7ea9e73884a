/* What two_cpus.asl loads: P-states for both CPUs, and a limit that tells what _OSC was given. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "INNER", 0x00000001)
{
    External (\_SB.CPUS.C000, DeviceObj)
    External (\_SB.CPUS.C001, DeviceObj)
    External (\_SB.PCAP, IntObj)

    Scope (\_SB.CPUS.C000)
    {
        Name (_PSS, Package () {Package () {3000, 65000, 10, 10, 0x1E00, 0x1E00}})
        Method (_PPC, 0, NotSerialized) {Return (\_SB.PCAP)}
    }

    Scope (\_SB.CPUS.C001)
    {
        Name (_PSS, Package () {Package () {2000, 35000, 10, 10, 0x1400, 0x1400}})
    }
}
