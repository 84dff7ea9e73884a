/*
 * The demonstration machine of `make run`: a two-socket AMD server with eight CPUs, in the shape that was
 * published for the EPYC 7742: P0 2250, P1 2000 and P2 1500 MHz, highest performance 255 over a nominal
 * performance of 168 (so a boost of 3.4 GHz), C2 entered by an I/O read. Added to the tables of
 * QEMU's q35, whose processors are \_SB.CPUS.C000 to C007; port E0H is QEMU's pc-testdev.
 *
 * The CPUs are alike but for one deliberate fault: the last CPU's _PSD names the dependency domain of its
 * neighbour, as a copied line does, so that domain 6 has two members where it says one.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "DEMO7742", 0x00000001)
{
    External (\_SB.CPUS.C000, DeviceObj)
    External (\_SB.CPUS.C001, DeviceObj)
    External (\_SB.CPUS.C002, DeviceObj)
    External (\_SB.CPUS.C003, DeviceObj)
    External (\_SB.CPUS.C004, DeviceObj)
    External (\_SB.CPUS.C005, DeviceObj)
    External (\_SB.CPUS.C006, DeviceObj)
    External (\_SB.CPUS.C007, DeviceObj)

    Scope (\_SB)
    {
        /* MHz, mW, latency us, bus-master latency us, control, status */
        Name (APSS, Package ()
        {
            Package () {2250, 3400, 1, 1, 0, 0},
            Package () {2000, 2720, 1, 1, 1, 1},
            Package () {1500, 1680, 1, 1, 2, 2}
        })

        /* P-state control and status MSRs: AMD PPR, MSRC001_0062 and MSRC001_0063. */
        Name (APCT, Package ()
        {
            ResourceTemplate () {Register (FFixedHW, 64, 0, 0xC0010062)},
            ResourceTemplate () {Register (FFixedHW, 64, 0, 0xC0010063)}
        })

        /* Performance levels as integers, requests in MSRC001_02B3, counters MPERF and APERF. */
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

        /* C1 by HLT, C2 by an 8-bit read of the port. */
        Name (ACST, Package ()
        {
            2,
            Package () {ResourceTemplate () {Register (FFixedHW, 0, 0, 0)}, 1, 1, 0},
            Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0xE0, 1)}, 2, 400, 0}
        })
    }

    Scope (\_SB.CPUS.C000)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 0, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C001)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 1, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C002)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 2, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C003)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 3, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C004)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 4, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C005)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 5, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C006)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 6, 0xFE, 1}})
    }

    Scope (\_SB.CPUS.C007)
    {
        Method (_PSS, 0, NotSerialized) {Return (\_SB.APSS)}
        Method (_PCT, 0, NotSerialized) {Return (\_SB.APCT)}
        Method (_PPC, 0, NotSerialized) {Return (0)}
        Method (_CPC, 0, NotSerialized) {Return (\_SB.ACPC)}
        Method (_CST, 0, NotSerialized) {Return (\_SB.ACST)}
        Name (_PSD, Package () {Package () {5, 0, 6, 0xFE, 1}})
    }
}
