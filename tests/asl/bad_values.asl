/* Memory without end, and divisions by zero. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "VALUES", 1)
{
    Scope (\_SB)
    {
        Device (C000)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 0)
            Name (NULL, Zero)

            Method (_PSS)
            {
                Return (Buffer (0x7FFFFFFF) { })
            }

            /* Doubles a string 40 times. */
            Method (_PCT)
            {
                Local0 = "0123456789ABCDEF"
                Local1 = 0
                While (Local1 < 40)
                {
                    Local0 = Concatenate (Local0, Local0)
                    Local1++
                }

                Return (Local0)
            }

            Method (_PSD)
            {
                Divide (1, NULL, Local0, Local1)
                Return (Local1)
            }

            Method (_CST)
            {
                Return (Package () { 1 % NULL })
            }

            Method (_CSD)
            {
                Local0 = 0
                Return (Mod (7, Local0))
            }

            Name (_PPC, Zero)
        }

        Device (C001)
        {
            Name (_HID, "ACPI0007")
            Name (_UID, 1)
            Name (_PPC, One)
        }
    }

    Name (\ZERO, Zero)
    \ZERO = 5 / \ZERO
}
