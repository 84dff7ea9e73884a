/* The same with Continue, in a While that is entered twice. */
DefinitionBlock ("", "SSDT", 2, "ASSAY", "CONTINUE", 1)
{
    External (UNDF)
    Name (TURN, Zero)

    While (TURN < 2)
    {
        TURN++
        While (One)
        {
            If (UNDF) { }
            Continue
        }
    }
}
