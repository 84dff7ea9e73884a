#include "model/linux/message_table.h"

#define EVERY LINUX_RULES, false

#define NO_POLICY "Linux gets no P-states from this processor: acpi-cpufreq does not start on it."
#define NO_PCC "The whole PCC controller fails, and with it every _CPC that has PCC registers."
#define NO_STATES "This CPU has no C-states at all: there is no fallback to the FADT's P_LVLx."
#define ALONE "All CPUs fall back to policies of one CPU, whatever the hardware couples."
#define ONE_LOST "That C-state is lost, the others stay."
#define NO_HPET "The HPET is not used."

static const struct linux_message_entry entries[LINUX_MESSAGE_KINDS] = {
    [LINUX_MESSAGE_PCT_INVALID] = {LINUX_LEVEL_ERROR, EVERY, "Invalid _PCT data",
                                   "_PCT is not a package of two registers", NO_POLICY},
    [LINUX_MESSAGE_PSS_EVALUATION] = {LINUX_LEVEL_WARNING, EVERY, "_PSS evaluation failed: S",
                                      "_PCT is there, _PSS is missing or its AML fails", NO_POLICY},
    [LINUX_MESSAGE_PSS_SHAPE] = {LINUX_LEVEL_ERROR, EVERY, "Invalid _PSS data",
                                 "_PSS is not a package", NO_POLICY},
    [LINUX_MESSAGE_PSS_ROW] = {LINUX_LEVEL_WARNING, EVERY, "Invalid _PSS data: AE_BAD_DATA",
                               "a _PSS row is not six Integers",
                               "A row is not six Integers, so Linux refuses the whole _PSS."},
    [LINUX_MESSAGE_PSS_FREQUENCY] =
        {LINUX_LEVEL_FW_BUG, EVERY, "Invalid BIOS _PSS frequency found for processor N: 0xX MHz",
         "a _PSS row has 0 MHz or more than 4294967",
         "The row is dropped; later rows move up and keep their own control values."},
    [LINUX_MESSAGE_PSS_NONE_VALID] = {LINUX_LEVEL_FW_BUG, EVERY,
                                      "No valid BIOS _PSS frequency found for processor N",
                                      "every row of _PSS has such a frequency", NO_POLICY},
    [LINUX_MESSAGE_PPC_EVALUATION] = {LINUX_LEVEL_WARNING, EVERY, "_PPC evaluation failed: S",
                                      "the AML of _PPC fails", NO_POLICY},
    [LINUX_MESSAGE_PSD_INVALID] = {LINUX_LEVEL_ERROR, EVERY, "Invalid _PSD data",
                                   "_PSD is not one package of five Integers", ALONE},
    [LINUX_MESSAGE_PSD_ENTRIES] = {LINUX_LEVEL_ERROR, EVERY, "Unknown _PSD:num_entries",
                                   "_PSD NumEntries is not 5", ALONE},
    [LINUX_MESSAGE_PSD_REVISION] = {LINUX_LEVEL_ERROR, EVERY, "Unknown _PSD:revision",
                                    "_PSD Revision is not 0", ALONE},
    [LINUX_MESSAGE_PSD_COORDINATION] = {LINUX_LEVEL_ERROR, EVERY, "Invalid _PSD:coord_type",
                                        "_PSD CoordType is not FCH, FDH or FEH", ALONE},
    [LINUX_MESSAGE_BIOS_UPDATE] =
        {LINUX_LEVEL_FW_BUG, EVERY, "BIOS needs update for CPU frequency support",
         "EIST and _PPC are there, _PCT or _PSS is not usable",
         "_PPC is there but _PCT or _PSS is not usable: firmware has P-states and does not publish "
         "them whole."},
    [LINUX_MESSAGE_LATENCY_CAPPED] =
        {LINUX_LEVEL_INFO, EVERY, "P-state transition latency capped at 20 uS",
         "acpi-cpufreq, control by MSR, a latency above 20 us",
         "_PSS claims more than 20 us for a transition by MSR, which Linux does not believe."},
    [LINUX_MESSAGE_PSD_OVERRIDDEN] =
        {LINUX_LEVEL_INFO, EVERY, "overriding BIOS provided _PSD data",
         "acpi-cpufreq on AMD before family 19h (before 5.10 on every family)",
         "On this AMD family Linux makes a policy of each CPU whatever _PSD says."},
    [LINUX_MESSAGE_P0_NOT_MAX] =
        {LINUX_LEVEL_FW_WARN, LINUX_RULE_BOOST_ROW, false, "P-state 0 is not max freq",
         "acpi-cpufreq put a boost row in front of P0",
         "A false alarm that this kernel may print: it compares _PSS row 0 with the boost row that "
         "it put in front itself. Firmware is not at fault."},
    [LINUX_MESSAGE_AL30] =
        {LINUX_LEVEL_INFO, EVERY,
         "Xeon(R) 7100 Errata AL30, processors may lock up on frequency changes: disabling "
         "acpi-cpufreq",
         "Intel family 0FH model 6 stepping 8 with a _PCT",
         "The part itself, not the firmware: there are no P-states."},
    [LINUX_MESSAGE_K8_NO_PSS] =
        {LINUX_LEVEL_FW_BUG, EVERY, "No compatible ACPI _PSS objects found.",
         "AMD family 0Fh, more than one CPU, no usable _PSS",
         "powernow-k8 has no P-states: switch Cool'n'Quiet on in the firmware setup."},
    [LINUX_MESSAGE_K8_LATENCY] = {LINUX_LEVEL_FW_WARN, EVERY, "Invalid zero transition latency",
                                  "AMD family 0Fh, every latency of _PSS is 0",
                                  "_PSS gives no latency at all; powernow-k8 takes 1 us."},
    [LINUX_MESSAGE_CPC_MISSING] =
        {LINUX_LEVEL_WARNING, LINUX_RULE_AMD_PSTATE, false,
         "the _CPC object is not present in SBIOS or ACPI disabled",
         "AMD family 17h model 30h and later, a CPU without a _CPC that Linux takes",
         "amd-pstate needs a _CPC that Linux accepts on every CPU; acpi-cpufreq takes over."},
    [LINUX_MESSAGE_CPPC_OFF] =
        {LINUX_LEVEL_WARNING, LINUX_RULE_CPPC_OFF_SAID, false,
         "The CPPC feature is supported but currently disabled by the BIOS.",
         "CPUID 80000008H EBX[27] is 0 on an AMD model that has CPPC registers",
         "The CPU has CPPC registers, firmware leaves CPUID 80000008H EBX[27] off: switch CPPC on "
         "in the firmware setup."},
    [LINUX_MESSAGE_AMD_PSTATE_OFF] =
        {LINUX_LEVEL_INFO, LINUX_RULE_AMD_PSTATE_OFF_SAID, false,
         "driver load is disabled, boot with specific mode to enable this",
         "amd-pstate could run; the FADT's profile is unspecified or a server, CPPC is in shared "
         "memory (6.5 to 6.10), or the release is before 6.5",
         "amd-pstate stays off unless amd_pstate= is given, by this release's default or because "
         "of the FADT's profile; acpi-cpufreq takes over."},
    [LINUX_MESSAGE_AMD_PSTATE_ENABLE] =
        {LINUX_LEVEL_ERROR, LINUX_RULE_AMD_PSTATE_DEFAULT, false, "failed to enable driver mode(N)",
         "amd-pstate without CPPC MSRs, CPPCEnable of _CPC is no register",
         "_CPC has no register to enable CPPC with, which a system without CPPC MSRs needs."},
    [LINUX_MESSAGE_AMD_PSTATE_FREQUENCY] =
        {LINUX_LEVEL_ERROR, LINUX_RULE_AMD_PSTATE_DEFAULT, false,
         "min_freq(N) or max_freq(N) or nominal_freq(N) value is incorrect",
         "amd-pstate starts, one of them is 0 or the minimum is above the maximum",
         "_CPC's frequencies do not fit together, so amd-pstate's policies fail and acpi-cpufreq "
         "takes over. A _CPC of revision 2 has no frequencies at all."},
    [LINUX_MESSAGE_AMD_PSTATE_NONLINEAR] =
        {LINUX_LEVEL_ERROR, LINUX_RULE_AMD_PSTATE_LNL_CHECK, false,
         "lowest_nonlinear_freq(N) value is out of range [min_freq(N), nominal_freq(N)]",
         "amd-pstate starts, lowest_nonlinear is not above min or is above nominal",
         "_CPC's frequencies do not fit together, so amd-pstate's policies fail and acpi-cpufreq "
         "takes over."},
    [LINUX_MESSAGE_AMD_NO_BOOST] =
        {LINUX_LEVEL_ERROR, LINUX_RULE_AMD_PSTATE_DEFAULT, false,
         "Boost mode is not supported by this processor or SBIOS",
         "amd-pstate runs, CPUID 80000007H EDX[9] is 0",
         "Printed to whoever switches boost: CPUID 80000007H EDX[9] is 0, no core performance "
         "boost."},
    [LINUX_MESSAGE_PCC_ZERO_LENGTH] = {LINUX_LEVEL_ERROR, EVERY, "[PCCT:0x00] Invalid zero length",
                                       "a PCCT subspace has length 0",
                                       "A subspace of no length: there is no PCC at all."},
    [LINUX_MESSAGE_PCC_PARSE] = {LINUX_LEVEL_WARNING, EVERY,
                                 "Error parsing PCC subspaces from PCCT",
                                 "a PCCT subspace has length 0",
                                 "There is no PCC, so a _CPC with PCC registers is lost."},
    [LINUX_MESSAGE_PCC_NONE] = {LINUX_LEVEL_WARNING, EVERY, "Invalid PCCT: N PCC subspaces",
                                "the PCCT has no subspace of types 0 to 5, or more than 256",
                                "There is no PCC, so a _CPC with PCC registers is lost."},
    [LINUX_MESSAGE_PCC_NO_INTERRUPT] =
        {LINUX_LEVEL_ERROR, EVERY, "Platform Interrupt flag must be set to 1",
         "a PCCT subspace of type 4, PCCT flag 0 clear",
         "A responder subspace without platform interrupts. " NO_PCC},
    [LINUX_MESSAGE_PCC_GSI] = {LINUX_LEVEL_ERROR, EVERY, "PCC GSI N not registered",
                               "PCCT flag 0 set, a subspace of types 1 to 4 with interrupt 0",
                               NO_PCC},
    [LINUX_MESSAGE_PCC_LEVEL] = {LINUX_LEVEL_ERROR, EVERY,
                                 "PCC subspace has level IRQ with no ACK register",
                                 "PCCT flag 0 set, a subspace of type 1 with a level interrupt",
                                 NO_PCC},
    [LINUX_MESSAGE_PCC_WIDTH] = {LINUX_LEVEL_ERROR, EVERY,
                                 "Error: Cannot access register of N bit width",
                                 "a doorbell in memory that is not 8, 16, 32 or 64 bits wide",
                                 NO_PCC},
    [LINUX_MESSAGE_PCC_CHANNEL] =
        {LINUX_LEVEL_ERROR, EVERY, "Failed to find PCC channel for subspace N",
         "_CPC names a PCC subspace beyond those of the PCCT, or the controller fails",
         "The _CPC is dropped: its PCC subspace is not there."},
    [LINUX_MESSAGE_HWP_BY_BIOS] =
        {LINUX_LEVEL_INFO, EVERY, "HWP enabled by BIOS", "MSR 770H bit 0 is set",
         "Firmware switched HWP on before the OS, which cannot switch it off."},
    [LINUX_MESSAGE_HWP_NOT_ENABLED] =
        {LINUX_LEVEL_INFO, LINUX_RULE_HWP_NEEDS_EPP, false, "HWP not enabled",
         "HWP without the energy preference (CPUID 6 EAX[10]), MSR 770H bit 0 clear",
         "HWP without an energy preference is left alone; intel_pstate goes by ratios."},
    [LINUX_MESSAGE_MODEL_UNSUPPORTED] =
        {LINUX_LEVEL_INFO, EVERY, "CPU model not supported",
         "no HWP, and the model is not in intel_pstate's list or has no APERF and MPERF",
         "intel_pstate does not take this CPU; acpi-cpufreq takes over where _PSS is usable."},
    [LINUX_MESSAGE_BY_PLATFORM] =
        {LINUX_LEVEL_INFO, EVERY, "P-states controlled by the platform",
         "MSR 1AAH bit 8 or 18 on a server model, or a vendor's FADT with its own control",
         "Firmware keeps P-states to itself: intel_pstate does not load. The setup calls it OS "
         "control of power."},
    [LINUX_MESSAGE_INVALID_MSRS] = {LINUX_LEVEL_INFO, EVERY, "Invalid MSRs",
                                    "no HWP, a minimum, maximum or turbo ratio is 0",
                                    "intel_pstate does not take a CPU without ratios."},
    [LINUX_MESSAGE_HYBRID_NO_HWP] =
        {LINUX_LEVEL_WARNING, LINUX_RULE_HYBRID_SCALING, false,
         "Problematic setup: Hybrid processor with disabled HWP",
         "intel_pstate on a hybrid part without HWP",
         "A hybrid part without HWP has no usable scale between its core types: switch HWP (Speed "
         "Shift) on in the firmware setup."},
    [LINUX_MESSAGE_TURBO_OFF] =
        {LINUX_LEVEL_NOTICE, EVERY, "Turbo disabled by BIOS or unavailable on processor",
         "intel_pstate, MSR 1A0H bit 38 is set",
         "Printed to whoever switches turbo on: firmware set MSR 1A0H bit 38."},
    [LINUX_MESSAGE_ESTIMATED_RATIO] =
        {LINUX_LEVEL_INFO, LINUX_RULE_RATIO_SAID, false,
         "Estimated ratio of average max frequency by base frequency (times 1024): N",
         "frequency invariance is on",
         "The ratio that makes utilisation frequency-invariant, as first computed."},
    [LINUX_MESSAGE_TSC_ADJUST_BOOT] =
        {LINUX_LEVEL_FW_BUG, EVERY, "TSC ADJUST: CPU0: N force to 0",
         "MSR 3BH of the boot CPU is not 0",
         "Firmware left the boot CPU's TSC shifted; Linux sets it back to 0."},
    [LINUX_MESSAGE_TSC_ADJUST_DIFFERS] =
        {LINUX_LEVEL_FW_BUG, EVERY, "TSC ADJUST differs within socket(s), fixing all errors",
         "MSR 3BH differs between CPUs of a package",
         "Firmware gave CPUs of one package different TSC shifts."},
    [LINUX_MESSAGE_TSC_NOT_P0] =
        {LINUX_LEVEL_FW_BUG, EVERY, "TSC doesn't count with P0 frequency!",
         "AMD or Hygon with an invariant TSC, HWCR bit 24 clear",
         "HWCR bit 24 is 0: TSC and MPERF no longer run at P0, so effective clocks come out "
         "wrong."},
    [LINUX_MESSAGE_TSC_DEADLINE] =
        {LINUX_LEVEL_FW_BUG, EVERY,
         "TSC_DEADLINE disabled due to Errata; please update microcode to version: 0xX (or later)",
         "an Intel model with the erratum and older microcode, not in a guest",
         "The microcode that firmware loaded has an erratum; Linux goes without the deadline "
         "timer."},
    [LINUX_MESSAGE_TSC_HALTS] =
        {LINUX_LEVEL_INFO, EVERY, "tsc: Marking TSC unstable due to TSC halts in idle",
         "acpi_idle has a state beyond C1, the TSC is not invariant",
         "The TSC is not invariant and a state beyond C1 is used: another clock keeps the time."},
    [LINUX_MESSAGE_FSB_INDEX] = {LINUX_LEVEL_ERROR, EVERY, "Error MSR_FSB_FREQ index N is unknown",
                                 "an Atom model, MSR CDH holds a code that is not its own",
                                 "The bus clock code is not one of this model: the TSC is "
                                 "calibrated."},
    [LINUX_MESSAGE_HPET_SPACE] = {LINUX_LEVEL_WARNING, EVERY,
                                  "HPET timers must be located in memory.",
                                  "the HPET table's address is not in memory", NO_HPET},
    [LINUX_MESSAGE_HPET_ZERO] = {LINUX_LEVEL_WARNING, EVERY, "HPET id: 0xX base: 0 is invalid",
                                 "the HPET table's address is 0", NO_HPET},
    [LINUX_MESSAGE_HPET_BOGUS] =
        {LINUX_LEVEL_WARNING, EVERY,
         "HPET id: 0xX base: 0xfed0000000000000 is bogus, try hpet=force on the kernel command "
         "line to fix it up to 0xfed00000.",
         "the HPET table's address is that one",
         "The address is shifted by 32 bits: the HPET is not used."},
    [LINUX_MESSAGE_MTRR_FIX] =
        {LINUX_LEVEL_FW_WARN, EVERY,
         "MTRR: CPU 0: SYSCFG[MtrrFixDramModEn] not cleared by BIOS, clearing this bit",
         "AMD, MSR C001_0010 bit 19 is set",
         "Firmware left the fixed-range MTRRs open for changes."},
    [LINUX_MESSAGE_E400] = {LINUX_LEVEL_INFO, EVERY,
                            "System has AMD C1E erratum E400. Workaround enabled.",
                            "AMD families 0Fh and 10h, C1E in use by MSR C001_0055",
                            "The timer stops in C1E: the broadcast timer is used from C1 on."},
    [LINUX_MESSAGE_MWAIT_UNSUPPORTED] =
        {LINUX_LEVEL_FW_BUG, EVERY, "ACPI MWAIT C-state 0xX not supported by HW (0xX)",
         "an FFixedHW entry of _CST whose hint has no sub-state in CPUID 5 EDX",
         "_CST names an MWAIT hint for which CPUID leaf 5 has no sub-state: the state is lost."},
    [LINUX_MESSAGE_CST_INVALID] = {LINUX_LEVEL_WARNING, EVERY, "Invalid _CST output",
                                   "_CST is not a package of at least two elements", NO_STATES},
    [LINUX_MESSAGE_CST_INCONSISTENT] = {LINUX_LEVEL_WARNING, EVERY, "Inconsistent _CST data",
                                        "the count of _CST is 0 or not that of its entries",
                                        NO_STATES},
    [LINUX_MESSAGE_CST_NO_ROOM] = {LINUX_LEVEL_WARNING, EVERY,
                                   "No room for more idle states (limit: 7)",
                                   "_CST has more than seven states",
                                   "The deeper states are lost."},
    [LINUX_MESSAGE_CST_COUNT] = {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
                                 "_CST CN package count(N) is not 4, skip...",
                                 "an entry of _CST has not four elements", ONE_LOST},
    [LINUX_MESSAGE_CST_NO_BUFFER] = {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
                                     "_CST CN package element[0] type(X) is not buffer, skip...",
                                     "the register of an entry is no Buffer", ONE_LOST},
    [LINUX_MESSAGE_CST_NO_TYPE] = {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
                                   "_CST C[N] package element[1] type(X) is not integer, skip...",
                                   "the type of an entry is no Integer", ONE_LOST},
    [LINUX_MESSAGE_CST_SPACE] =
        {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
         "_CST CN space_id(X) neither FIXED_HARDWARE nor SYSTEM_IO, skip...",
         "the register of an entry is in another address space", ONE_LOST},
    [LINUX_MESSAGE_CST_HARDWARE] =
        {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
         "_CST CN declares FIXED_HARDWARE C-state but not supported in hardware, skip...",
         "an FFixedHW entry of type 2 or 3 for which MWAIT cannot be used",
         "The deeper state is lost, the CPU stays in a shallower one."},
    [LINUX_MESSAGE_CST_NO_LATENCY] = {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
                                      "_CST CN package element[2] type(X) not integer, skip...",
                                      "the latency of an entry is no Integer", ONE_LOST},
    [LINUX_MESSAGE_CST_NO_POWER] = {LINUX_LEVEL_INFO, LINUX_RULE_CST_SKIP_SAID, false,
                                    "_CST CN package element[3] type(X) not integer, skip...",
                                    "the power of an entry is no Integer", ONE_LOST},
    [LINUX_MESSAGE_LATENCY_ORDER] =
        {LINUX_LEVEL_NOTICE, LINUX_RULE_CST_LATENCY_SORT, false,
         "FW issue: working around C-state latencies out of order",
         "a state of the same or a higher type has a shorter latency than the one before",
         "A deeper state claims a shorter latency: Linux hands the latencies out anew."},
    [LINUX_MESSAGE_MAX_CSTATE] =
        {LINUX_LEVEL_NOTICE, EVERY, "processor limited to max C-state N",
         "a machine or CPU that Linux knows to hang or to lose its timer in deeper states",
         "Deeper states are not used: the CPU has an erratum, or Linux knows the machine by its "
         "SMBIOS strings to hang in them."},
    [LINUX_MESSAGE_PBLK_LENGTH] =
        {LINUX_LEVEL_ERROR, EVERY, "Invalid PBLK length [N]",
         "a Processor object whose P_BLK is not six bytes long",
         "The processor block is ignored: no C-states by P_LVLx, no throttling."},
    [LINUX_MESSAGE_UID_EVALUATION] =
        {LINUX_LEVEL_ERROR, EVERY, "Failed to evaluate processor _UID (0xX)",
         "_UID of an ACPI0007 device is missing or no Integer",
         "The processor device is ignored: its _UID is missing or no Integer."},
    [LINUX_MESSAGE_UID_DUPLICATE] =
        {LINUX_LEVEL_ERROR, EVERY, "Failed to get unique processor _UID (0xX)",
         "two processors have the same _UID or ProcId",
         "Processors with a _UID or ProcId that another one has are ignored."},
    [LINUX_MESSAGE_UID_UNDEFINED] =
        {LINUX_LEVEL_INFO, EVERY, "Entry not well-defined, consider updating BIOS",
         "several processors have the _UID or ProcId FFH",
         "Several processors have the id FFH, which stands for none: Linux ignores them."},
    [LINUX_MESSAGE_WRONG_ACPI_ID] =
        {LINUX_LEVEL_WARNING, EVERY, "BIOS reported wrong ACPI id N for the processor",
         "two processors lead to one APIC number by the MADT",
         "The second processor object of that CPU is ignored, with its P- and C-states."},
    [LINUX_MESSAGE_STA_ENABLED] =
        {LINUX_LEVEL_FW_BUG, EVERY, "Device status [0xX]: not present and enabled",
         "_STA of a processor says enabled (bit 1) and not present (bit 0)",
         "_STA says enabled but not present: the device is taken for disabled."},
    [LINUX_MESSAGE_X2APIC_IGNORED] =
        {LINUX_LEVEL_WARNING, EVERY, "x2apic entry ignored",
         "an enabled x2APIC entry of the MADT with a number above FEH, MSR 1BH bit 10 clear",
         "Firmware starts the OS without x2APIC mode: the CPU cannot be reached and is lost."},
    [LINUX_MESSAGE_APIC_ORDER] =
        {LINUX_LEVEL_FW_BUG, LINUX_RULE_APIC_ORDER, false,
         "APIC enumeration order not specification compliant",
         "the first enabled MADT entry is not the boot CPU, or MSR 1BH bit 8 of that CPU is clear",
         "The first processor of the MADT is not the boot CPU, or does not say that it is: then "
         "only one CPU is started."},
    [LINUX_MESSAGE_APIC_ID_BEFORE] =
        {LINUX_LEVEL_FW_BUG, LINUX_RULE_TOPOLOGY_SAID, true,
         "CPUN: APIC id mismatch. Firmware: X APIC: X",
         "CPUID's APIC number of a CPU is not the one that the MADT gives it",
         "CPU and firmware number the CPUs differently: packages and cores come out wrong."},
    [LINUX_MESSAGE_APIC_ID] =
        {LINUX_LEVEL_FW_BUG, LINUX_RULE_TOPOLOGY_SAID, false,
         "CPUN: APIC ID mismatch. CPUID: 0xX APIC: 0xX",
         "CPUID's APIC number of a CPU is not the one that the MADT gives it",
         "CPU and firmware number the CPUs differently: packages and cores come out wrong."},
    [LINUX_MESSAGE_APIC_OFF] = {LINUX_LEVEL_INFO, EVERY, "APIC disabled by BIOS",
                                "CPUID 1 EDX[9] is 0",
                                "No local APIC: one CPU, and the timer of the 1980s."},
    [LINUX_MESSAGE_TOPOLOGY_ID] =
        {LINUX_LEVEL_FW_BUG, LINUX_RULE_TOPOLOGY_SAID, false,
         "CPUID leaf 0xX subleaf N APIC ID mismatch X != X",
         "the subleaves of CPUID BH, 1FH or 80000026H disagree in the x2APIC number",
         "CPUID contradicts itself about which CPU this is; packages and cores may come out "
         "wrong."},
    [LINUX_MESSAGE_TOPOLOGY_SHIFT] =
        {LINUX_LEVEL_FW_BUG, LINUX_RULE_TOPOLOGY_SAID, false,
         "CPUID leaf 0xX subleaf 0 has shift level 0 but N CPUs. Fixing it up.",
         "the thread level of CPUID counts several threads and has shift 0",
         "CPUID says two threads a core and leaves no bit to tell them apart; Linux makes one."},
    [LINUX_MESSAGE_TOPOLOGY_TYPE] =
        {LINUX_LEVEL_ERROR, LINUX_RULE_TOPOLOGY_SAID, false,
         "Topology: leaf 0xX:N Unknown domain type N",
         "a level type that CPUID BH, 1FH or 80000026H does not have",
         "A level of the topology is taken for the one above the last known."},
    [LINUX_MESSAGE_TOPOLOGY_DOMAIN] =
        {LINUX_LEVEL_FW_BUG, LINUX_RULE_TOPOLOGY_SAID, false,
         "CPUN: Topology domain N shift N != N",
         "a CPU's topology shifts differ from the boot CPU's",
         "CPUs of one machine count cores and packages differently; Linux goes by the boot CPU."},
    [LINUX_MESSAGE_FADT_LONG] =
        {LINUX_LEVEL_WARNING, EVERY,
         "ACPI BIOS Warning (bug): FADT (revision N) is longer than ACPI 6.1 (FADT version 6) "
         "length, truncating length N to 276",
         "the FADT is longer than 276 bytes",
         "Harmless: what the interpreter does not know is cut off."},
    [LINUX_MESSAGE_FADT_DSDT] =
        {LINUX_LEVEL_WARNING, EVERY,
         "ACPI BIOS Warning (bug): 32/64X DSDT address mismatch in FADT: 0xX/0xX, using 64-bit "
         "address",
         "the FADT's DSDT and X_DSDT are both given and differ",
         "Two DSDTs: Linux loads the one that X_DSDT names."},
    [LINUX_MESSAGE_FADT_TOO_LONG] =
        {LINUX_LEVEL_ERROR, EVERY,
         "ACPI Error: S - 32-bit FADT register is too long (N bytes, N bits) to convert to GAS "
         "struct - 255 bits max, truncating",
         "a 32-bit register block of more than 31 bytes without its 64-bit address",
         "The length is no sensible one; Linux takes 255 bits."},
    [LINUX_MESSAGE_FADT_ADDRESS] =
        {LINUX_LEVEL_WARNING, EVERY,
         "ACPI BIOS Warning (bug): 32/64X address mismatch in FADT/S: 0xX/0xX, using 64-bit "
         "address",
         "the two addresses of a register block differ",
         "The two addresses of one register disagree; Linux takes the 64-bit one."},
    [LINUX_MESSAGE_FADT_LENGTH] =
        {LINUX_LEVEL_WARNING, EVERY,
         "ACPI BIOS Warning (bug): 32/64X length mismatch in FADT/S: N/N",
         "a block's length in bytes is not the width of its 64-bit register",
         "The block's length and the register's width disagree; Linux takes the width."},
    [LINUX_MESSAGE_FADT_REQUIRED] =
        {LINUX_LEVEL_ERROR, EVERY,
         "ACPI BIOS Error (bug): Required FADT field S has zero address and/or length: 0xX/0xX",
         "PM1a event or control block without address or length",
         "A register block that ACPI demands is missing."},
    [LINUX_MESSAGE_FADT_OPTIONAL] =
        {LINUX_LEVEL_WARNING, EVERY,
         "ACPI BIOS Warning (bug): Optional FADT field S has valid S but zero S: 0xX/0xX",
         "PM2, PM timer or a GPE block has one of address and length",
         "Harmless: the optional block is not used."},
    [LINUX_MESSAGE_FADT_WIDTH] =
        {LINUX_LEVEL_WARNING, EVERY,
         "ACPI BIOS Warning (bug): Invalid length for FADT/S: N, using default N",
         "a PM1, PM2 or PM timer register of another width than ACPI demands",
         "The register's width is not the one that ACPI demands."},
    [LINUX_MESSAGE_TABLE_CHECKSUM] = {LINUX_LEVEL_WARNING, EVERY,
                                      "ACPI BIOS Warning (bug): Incorrect checksum in table [S]",
                                      "the bytes of a table do not add up to 0",
                                      "The table is used all the same."},
};

const struct linux_message_entry *linux_message_at(enum linux_message_kind kind)
{
    return &entries[(unsigned)kind < LINUX_MESSAGE_KINDS ? kind : 0];
}

bool linux_message_exists(enum linux_message_kind kind, struct linux_version version)
{
    const struct linux_message_entry *entry = linux_message_at(kind);

    return entry->rule == LINUX_RULES || linux_rule_holds(entry->rule, version) != entry->is_before;
}

const char *linux_level_name(enum linux_level level)
{
    static const char *const names[] = {
        [LINUX_LEVEL_FW_BUG] = "FW_BUG", [LINUX_LEVEL_FW_WARN] = "FW_WARN",
        [LINUX_LEVEL_ERROR] = "ERROR",   [LINUX_LEVEL_WARNING] = "WARNING",
        [LINUX_LEVEL_NOTICE] = "NOTICE", [LINUX_LEVEL_INFO] = "INFO"};

    return names[level];
}
