/*
 * CPU 2's _CST resets the machine (port CF9h, ICH9 datasheet, 13.7.5 RST_CNT) as broken firmware may hang it. The
 * others are sound.
 */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "RESETS", 0x00000001)
{
    External (\_SB.CPUS.C000, DeviceObj)
    External (\_SB.CPUS.C001, DeviceObj)
    External (\_SB.CPUS.C002, DeviceObj)
    External (\_SB.CPUS.C003, DeviceObj)

    Scope (\_SB)
    {
        OperationRegion (RSTC, SystemIO, 0xCF9, 1)
        Field (RSTC, ByteAcc, NoLock, Preserve) { RCNT, 8 }

        Name (CST1, Package ()
        {
            1,
            Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 1, 100 }
        })
    }

    Scope (\_SB.CPUS.C000) { Method (_CST) { Return (\_SB.CST1) } }
    Scope (\_SB.CPUS.C001) { Method (_CST) { Return (\_SB.CST1) } }
    Scope (\_SB.CPUS.C003) { Method (_CST) { Return (\_SB.CST1) } }

    Scope (\_SB.CPUS.C002)
    {
        Method (_CST, 0, Serialized)
        {
            RCNT = 0x02
            RCNT = 0x06
            Return (\_SB.CST1)
        }
    }
}
