/*
 * An older Intel machine: Processor objects whose P-states and C-states are in an SSDT that the firmware loads
 * from memory when the operating system calls _PDC. The third processor is disabled in the MADT.
 */
DefinitionBlock ("", "DSDT", 1, "ASSAY", "INTELDYN", 0x00000001)
{
    Scope (\_PR)
    {
        Processor (CPU0, 0x01, 0x00000410, 0x06) {}
        Processor (CPU1, 0x02, 0x00000410, 0x06) {}
        Processor (CPU2, 0x03, 0x00000410, 0x06) {}
    }

    Name (\LDED, 0)
    Name (\HNDL, 0)
    Name (\CAPS, 0)
    OperationRegion (\STBL, SystemMemory, 0x7F0000, 0x1000)

    Method (\LDIT, 1, Serialized)
    {
        CreateDWordField (Arg0, 0x08, CAPW)
        CAPS = CAPW
        If (((CAPW & 0x01) != 0) && (LDED == 0))
        {
            LDED = 1
            Load (STBL, HNDL)
        }
    }

    Scope (\_PR.CPU0)
    {
        Method (_PDC, 1, Serialized) {LDIT (Arg0)}
    }

    Scope (\_PR.CPU1)
    {
        Method (_PDC, 1, Serialized) {LDIT (Arg0)}
    }
}
