[0004]                          Signature : "FACP"   
[0004]                       Table Length : 00000114
[0001]                           Revision : 06
[0001]                           Checksum : 8A
[0006]                             Oem ID : "ASSAY "
[0008]                       Oem Table ID : "MACHINE "
[0004]                       Oem Revision : 00000000
[0004]                    Asl Compiler ID : "INTL"
[0004]              Asl Compiler Revision : 00000001

[0004]                       FACS Address : 00000000
[0004]                       DSDT Address : 00000000
[0001]                              Model : 00
[0001]                         PM Profile : 04
[0002]                      SCI Interrupt : 0000
[0004]                   SMI Command Port : 00000000
[0001]                  ACPI Enable Value : 00
[0001]                 ACPI Disable Value : 00
[0001]                     S4BIOS Command : 00
[0001]                    P-State Control : 00
[0004]           PM1A Event Block Address : 00000400
[0004]           PM1B Event Block Address : 00000000
[0004]         PM1A Control Block Address : 00000404
[0004]         PM1B Control Block Address : 00000000
[0004]          PM2 Control Block Address : 00000800
[0004]             PM Timer Block Address : 0000B008
[0004]                 GPE0 Block Address : 00000420
[0004]                 GPE1 Block Address : 00000000
[0001]             PM1 Event Block Length : 04
[0001]           PM1 Control Block Length : 02
[0001]           PM2 Control Block Length : 01
[0001]              PM Timer Block Length : 04
[0001]                  GPE0 Block Length : 08
[0001]                  GPE1 Block Length : 00
[0001]                   GPE1 Base Offset : 00
[0001]                       _CST Support : 00
[0002]                         C2 Latency : 0064
[0002]                         C3 Latency : 03E9
[0002]                     CPU Cache Size : 0000
[0002]                 Cache Flush Stride : 0000
[0001]                  Duty Cycle Offset : 00
[0001]                   Duty Cycle Width : 00
[0001]                RTC Day Alarm Index : 00
[0001]              RTC Month Alarm Index : 00
[0001]                  RTC Century Index : 00
[0002]         Boot Flags (decoded below) : 0000
            Legacy Devices Supported (V2) : 0
         8042 Present on ports 60/64 (V2) : 0
                     VGA Not Present (V4) : 0
                   MSI Not Supported (V4) : 0
             PCIe ASPM Not Supported (V4) : 0
                CMOS RTC Not Present (V5) : 0
[0001]                           Reserved : 00
[0004]              Flags (decoded below) : 00000000
   WBINVD instruction is operational (V1) : 1
           WBINVD flushes all caches (V1) : 0
                 All CPUs support C1 (V1) : 1
               C2 works on MP system (V1) : 1
         Control Method Power Button (V1) : 0
         Control Method Sleep Button (V1) : 0
     RTC wake not in fixed reg space (V1) : 0
         RTC can wake system from S4 (V1) : 0
                     32-bit PM Timer (V1) : 1
                   Docking Supported (V1) : 0
            Reset Register Supported (V2) : 0
                         Sealed Case (V3) : 0
                 Headless - No Video (V3) : 0
     Use native instr after SLP_TYPx (V3) : 0
           PCIEXP_WAK Bits Supported (V4) : 0
                  Use Platform Timer (V4) : 0
            RTC_STS valid on S4 wake (V4) : 0
             Remote Power-on capable (V4) : 0
              Use APIC Cluster Model (V4) : 0
  Use APIC Physical Destination Mode (V4) : 0
                    Hardware Reduced (V5) : 0
                   Low Power S0 Idle (V5) : 0

[0012]                     Reset Register :
[0001]                           Space ID : 01
[0001]                          Bit Width : 08
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 01
[0008]                            Address : 0000000000000CF9

[0001]               Value to cause reset : 00
[0002]          ARM Flags (decoded below) : 0000
                           PSCI Compliant : 0
                    Must use HVC for PSCI : 0

[0001]                FADT Minor Revision : 01
[0008]                       FACS Address : 00000000
[0008]                       DSDT Address : 00000000
[0012]                   PM1A Event Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 20
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 02
[0008]                            Address : 0000000000000400

[0012]                   PM1B Event Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 00
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 00
[0008]                            Address : 0000000000000000

[0012]                 PM1A Control Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 10
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 02
[0008]                            Address : 0000000000000404

[0012]                 PM1B Control Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 00
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 00
[0008]                            Address : 0000000000000000

[0012]                  PM2 Control Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 08
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 00
[0008]                            Address : 0000000000000800

[0012]                     PM Timer Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 20
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 03
[0008]                            Address : 000000000000B008

[0012]                         GPE0 Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 40
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 01
[0008]                            Address : 0000000000000420

[0012]                         GPE1 Block :
[0001]                           Space ID : 01
[0001]                          Bit Width : 00
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 00
[0008]                            Address : 0000000000000000


[0012]             Sleep Control Register :
[0001]                           Space ID : 01
[0001]                          Bit Width : 08
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 01
[0008]                            Address : 0000000000000000

[0012]              Sleep Status Register :
[0001]                           Space ID : 01
[0001]                          Bit Width : 08
[0001]                         Bit Offset : 00
[0001]               Encoded Access Width : 01
[0008]                            Address : 0000000000000000

[0008]                      Hypervisor ID : 0000000000000000
