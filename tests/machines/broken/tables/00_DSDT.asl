/*
 * Everything wrong that must end in a finding and never in a crash or a hang: a _PSS out of order with a short row,
 * a _PCT of strings, a _CST that is empty, a _PSD that loops for ever, a _PPC that divides by zero, a _CPC that
 * touches memory which is not there, a _CSD that calls itself.
 */
DefinitionBlock ("", "DSDT", 2, "ASSAY", "BROKEN", 0x00000001)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Name (_PSS, Package ()
            {
                Package () {1000, 1000, 1, 1, 2, 2},
                Package () {2000, 2000, 1, 1, 1, 1},
                Package () {3000}
            })
            Name (_PCT, Package () {"control", "status\\\"end"})
            Name (_CST, Package () {0})
            Method (_PPC)
            {
                Local0 = Zero
                Return (1 / Local0)
            }
            Method (_PSD, 0, Serialized)
            {
                While (One) {Noop}
                Return (Package () {Package () {5, 0, 0, 0xFE, 1}})
            }

            OperationRegion (NONE, SystemMemory, 0xFEDCBA9876000000, 0x10)
            Field (NONE, DWordAcc, NoLock, Preserve) {NON0, 32}
            Method (_CPC, 0, Serialized) {Return (Package () {23, 3, NON0, "string", Package () {1}})}
            Method (_CSD, 0, Serialized) {Return (_CSD ())}
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, "one")
            Name (_PSS, 7)
            Name (_CST, Package () {3, Package () {}, 5, "C3"})
            Name (_CPC, Package () {})
        }
    }
}
