/*
 * Eight CPUs that differ: each has a highest performance of its own and shares a _PSD domain with its
 * neighbour. The first one's _PPC writes to a port of QEMU's pc-testdev, which --read-only refuses.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "EIGHT", 0x00000001)
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
        Name (NULR, ResourceTemplate () {Register (SystemMemory, 0, 0, 0)})

        Method (CPPC, 1, Serialized)
        {
            Name (CPCP, Package () {23, 3, 0, 168, 112, 30, 0,
                ResourceTemplate () {Register (FFixedHW, 8, 16, 0xC00102B3)},
                0, 0, 0, 0, 0,
                ResourceTemplate () {Register (FFixedHW, 64, 0, 0xE7)},
                ResourceTemplate () {Register (FFixedHW, 64, 0, 0xE8)},
                0, 0, 0, 0, 0, 0, 400, 2250})
            CPCP [2] = 255 - Arg0
            Local0 = 6
            While (Local0 < 21)
            {
                If ((Local0 == 6) || ((Local0 > 7) && (Local0 < 13)) || (Local0 > 14))
                {
                    CPCP [Local0] = NULR
                }
                Local0++
            }
            Return (CPCP)
        }

        Method (PSDP, 1, Serialized)
        {
            Name (ROWS, Package () {Package () {5, 0, 0, 0xFE, 2}})
            DerefOf (ROWS [0]) [2] = Arg0
            Return (ROWS)
        }
    }

    Scope (\_SB.CPUS.C000)
    {
        OperationRegion (TEST, SystemIO, 0xE0, 1)
        Field (TEST, ByteAcc, NoLock, Preserve) {PORT, 8}
        Method (_PPC, 0, Serialized)
        {
            PORT = 0x5A
            Return (0)
        }
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (0))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (0))}
    }

    Scope (\_SB.CPUS.C001)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (1))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (0))}
    }

    Scope (\_SB.CPUS.C002)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (2))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (1))}
    }

    Scope (\_SB.CPUS.C003)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (3))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (1))}
    }

    Scope (\_SB.CPUS.C004)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (4))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (2))}
    }

    Scope (\_SB.CPUS.C005)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (5))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (2))}
    }

    Scope (\_SB.CPUS.C006)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (6))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (3))}
    }

    Scope (\_SB.CPUS.C007)
    {
        Method (_CPC, 0, NotSerialized) {Return (\_SB.CPPC (7))}
        Method (_PSD, 0, NotSerialized) {Return (\_SB.PSDP (3))}
    }
}
