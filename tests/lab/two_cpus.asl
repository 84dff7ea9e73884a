/*
 * Two CPUs that get their objects only after the handshake: _PDC of the first one loads the table in BUFR,
 * which tests/lab/qemu.sh fills in from two_cpus_inner.asl.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "TWOCPUS", 0x00000001)
{
    External (\_SB.CPUS.C000, DeviceObj)

    Scope (\_SB)
    {
        Name (PCAP, 0)

        Method (_OSC, 4, Serialized)
        {
            CreateDWordField (Arg3, 4, CAP0)
            PCAP = CAP0
            Return (Arg3)
        }
    }

    Scope (\_SB.CPUS.C000)
    {
        Name (DONE, 0)
        Name (HNDL, 0)
        Name (BUFR, Buffer () {0})

        Method (_PDC, 1, Serialized)
        {
            CreateDWordField (Arg0, 8, CAP0)
            If ((CAP0 != 0) && (DONE == 0))
            {
                DONE = One
                Load (BUFR, HNDL)
            }
        }
    }
}
