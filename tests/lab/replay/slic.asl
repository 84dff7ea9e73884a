/* An older form of a licence key: no file of Assay may hold it. */
[0004]                          Signature : "SLIC"
[0004]                       Table Length : 00000000
[0001]                           Revision : 03
[0001]                           Checksum : 00
[0006]                             Oem ID : "ASSAY"
[0008]                       Oem Table ID : "LICENCE"
[0004]                       Oem Revision : 00000001
[0004]                    Asl Compiler ID : "INTL"
[0004]              Asl Compiler Revision : 00000001

/* "SECRETKEY" again */
Software Licensing Structure : 53 45 43 52 45 54 4B 45 59
