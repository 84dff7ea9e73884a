#include "report/msr_fields.h"

#include "model/bits.h"
#include "model/msr_rules.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Kinds of Intel model whose model-specific registers have the same layout. SDM vol. 4 (June 2024), chapter 2, has a
 * table for each microarchitecture; where Linux 6.12 tools/power/x86/turbostat condenses it, the kinds follow that:
 * its trl_msrs say how turbo ratios are kept.
 */
enum {
    OLD = 1U << 0,      /* Core 2, Bonnell, Saltwell: without MSR CEH */
    CORE = 1U << 1,     /* Nehalem and later: a ratio for each number of cores */
    SERVER = 1U << 2,   /* Skylake-X and later servers */
    SLM = 1U << 3,      /* Silvermont, Airmont */
    GLM = 1U << 4,      /* Goldmont, Tremont */
    PHI = 1U << 5,      /* Knights Landing, Knights Mill */
    EIGHT = 1U << 6,    /* 1ADH: ratios of one to eight cores */
    GROUPED = 1U << 7,  /* 1ADH: ratios of groups, 1AEH: their numbers of cores */
    SIXTEEN = 1U << 8,  /* 1AEH: ratios of nine to sixteen cores */
    EIGHTEEN = 1U << 9, /* 1AFH: ratios of 17 and 18 cores */
    BIG = CORE | SERVER,
    NEWER = BIG | GLM | PHI,
    ALL = OLD | NEWER | SLM
};

static const struct {
    uint8_t model;
    uint16_t kinds;
} special[] = {
    {0x0E, OLD},
    {0x0F, OLD},
    {0x16, OLD},
    {0x17, OLD},
    {0x1C, OLD},
    {0x1D, OLD},
    {0x26, OLD},
    {0x27, OLD},
    {0x35, OLD},
    {0x36, OLD},
    {0x75, OLD},
    {0x37, SLM},
    {0x4A, SLM},
    {0x4C, SLM},
    {0x4D, SLM | EIGHT},
    {0x5A, SLM},
    {0x5C, GLM | GROUPED},
    {0x5F, GLM | GROUPED},
    {0x7A, GLM | EIGHT},
    {0x86, GLM | GROUPED},
    {0x96, GLM | EIGHT},
    {0x9C, GLM | EIGHT},
    {0x57, PHI},
    {0x85, PHI},
    {0x3E, CORE | EIGHT | SIXTEEN},
    {0x3F, CORE | EIGHT | SIXTEEN | EIGHTEEN},
    {0x55, SERVER | GROUPED},
    {0x6A, SERVER | GROUPED},
    {0x6C, SERVER | GROUPED},
    {0x8F, SERVER | GROUPED},
    {0xAD, SERVER | GROUPED},
    {0xAE, SERVER | GROUPED},
    {0xAF, SERVER | GROUPED},
    {0xB6, SERVER | GROUPED},
    {0xCF, SERVER | GROUPED},
};

/* A model that the allow-list does not know has only architectural registers. */
static uint16_t kinds_of(const struct cpu_identity *identity)
{
    if (identity->vendor != VENDOR_INTEL || identity->family != 6) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++) {
        if (special[i].model == identity->model) {
            return special[i].kinds;
        }
    }
    return msr_intel_groups(identity->model) == 0 ? 0 : CORE | EIGHT;
}

/* What is a number to count with, and what is read as bits. */
#define FIELD(number, vendor, from, to, kinds, first, last, text, is_hex)                          \
    {                                                                                              \
        (number), (vendor), (from), (to), (kinds), (first), (last), (is_hex), (text)               \
    }
#define BOTH(number, first, last, text)                                                            \
    FIELD(number, VENDOR_UNKNOWN, 0, 255, 0, first, last, text, false)
#define BOTH_HEX(number, first, last, text)                                                        \
    FIELD(number, VENDOR_UNKNOWN, 0, 255, 0, first, last, text, true)
/* Architectural: SDM vol. 4, table 2-2. */
#define ARCH(number, first, last, text)                                                            \
    FIELD(number, VENDOR_INTEL, 0, 255, 0, first, last, text, false)
#define ARCH_HEX(number, first, last, text)                                                        \
    FIELD(number, VENDOR_INTEL, 0, 255, 0, first, last, text, true)
#define INTEL(kinds, number, first, last, text)                                                    \
    FIELD(number, VENDOR_INTEL, 0, 255, kinds, first, last, text, false)
#define INTEL_HEX(kinds, number, first, last, text)                                                \
    FIELD(number, VENDOR_INTEL, 0, 255, kinds, first, last, text, true)
#define AMD(number, from, to, first, last, text)                                                   \
    FIELD(number, VENDOR_AMD, from, to, 0, first, last, text, false)
#define AMD_HEX(number, from, to, first, last, text)                                               \
    FIELD(number, VENDOR_AMD, from, to, 0, first, last, text, true)

#define EIGHT_BYTES(kinds, number, a, b, c, d, e, f, g, h)                                         \
    INTEL(kinds, number, 7, 0, a), INTEL(kinds, number, 15, 8, b),                                 \
        INTEL(kinds, number, 23, 16, c), INTEL(kinds, number, 31, 24, d),                          \
        INTEL(kinds, number, 39, 32, e), INTEL(kinds, number, 47, 40, f),                          \
        INTEL(kinds, number, 55, 48, g), INTEL(kinds, number, 63, 56, h)

/* A power limit in the low half, and its lock: SDM vol. 3B, 15.10.3 to 15.10.5. */
#define POWER_LIMIT(number)                                                                        \
    INTEL(ALL, number, 14, 0, "limit, power units"), INTEL(ALL, number, 15, 15, "on"),             \
        INTEL(ALL, number, 16, 16, "clamped"), INTEL(ALL, number, 23, 17, "window code"),          \
        INTEL(ALL, number, 31, 31, "locked")

/* SDM vol. 3B, 15.10.3, MSR_PKG_POWER_INFO; MSR_DRAM_POWER_INFO is laid out alike. */
#define POWER_INFO(number)                                                                         \
    INTEL(ALL, number, 14, 0, "specified power, power units"),                                     \
        INTEL(ALL, number, 30, 16, "minimum, power units"),                                        \
        INTEL(ALL, number, 46, 32, "maximum, power units"),                                        \
        INTEL(ALL, number, 53, 48, "largest window, time units")

/* Interrupt response limits: SDM vol. 4, MSR_PKGCn_IRTL; the unit is 1, 32, 1024, 32768, ... ns for 0, 1, 2, 3. */
#define IRTL(number)                                                                               \
    INTEL(ALL, number, 9, 0, "limit"), INTEL(ALL, number, 12, 10, "unit 32^n ns"),                 \
        INTEL(ALL, number, 15, 15, "valid")

/* A counter of 32 bits. */
#define COUNTER(kinds, number, text) INTEL(kinds, number, 31, 0, text)

/*
 * What both CORE_PERF_LIMIT_REASONS have: SDM vol. 4, MSRs 64FH (Skylake) and 690H (Haswell); Linux 6.12 turbostat,
 * print_perf_limit. The log bits stand 16 above.
 */
#define LIMIT_REASONS(number)                                                                      \
    INTEL(BIG, number, 0, 0, "PROCHOT"), INTEL(BIG, number, 1, 1, "thermal"),                      \
        INTEL(BIG, number, 6, 6, "VR thermal"), INTEL(BIG, number, 10, 10, "power limit 1"),       \
        INTEL(BIG, number, 11, 11, "power limit 2"), INTEL(BIG, number, 12, 12, "turbo limit"),    \
        INTEL(BIG, number, 13, 13, "turbo transitions"),                                           \
        INTEL(BIG, number, 16, 16, "PROCHOT log"), INTEL(BIG, number, 17, 17, "thermal log"),      \
        INTEL(BIG, number, 22, 22, "VR thermal log"),                                              \
        INTEL(BIG, number, 26, 26, "power limit 1 log"),                                           \
        INTEL(BIG, number, 27, 27, "power limit 2 log"),                                           \
        INTEL(BIG, number, 28, 28, "turbo limit log"),                                             \
        INTEL(BIG, number, 29, 29, "turbo transitions log")

/*
 * A P-state definition, MSRC001_0064 to 006B. Families 10h, 11h, 15h, 16h: BKDG 31116 and its successors, as in Linux
 * 6.12 cpupower helpers/amd.c (union core_pstate). 17h to 19h: PPR, likewise, and coreboot soc/amd/.../msr.h. 1Ah:
 * cpupower. The layouts of 12h and 14h differ and are not listed.
 */
#define PSTATE_OF(number, family)                                                                  \
    AMD(number, family, family, 5, 0, "CpuFid"), AMD(number, family, family, 8, 6, "CpuDid"),      \
        AMD(number, family, family, 15, 9, "CpuVid")
#define PSTATE_DEF(number)                                                                         \
    PSTATE_OF(number, 0x10), PSTATE_OF(number, 0x11), PSTATE_OF(number, 0x15),                     \
        PSTATE_OF(number, 0x16), AMD(number, 0x17, 0x19, 7, 0, "CpuFid"),                          \
        AMD(number, 0x17, 0x19, 13, 8, "CpuDfsId"), AMD(number, 0x1A, 0x1A, 11, 0, "CpuFid"),      \
        AMD(number, 0x17, 0x1A, 21, 14, "CpuVid"), AMD(number, 0x17, 0x1A, 29, 22, "IddValue"),    \
        AMD(number, 0x17, 0x1A, 31, 30, "IddDiv"), AMD(number, 0x10, 0x1A, 63, 63, "PstateEn")

/* In the order of the numbers; for one CPU in the order of the bits. */
static const struct msr_field fields[] = {
    /* SDM vol. 3A, 11.4.4; APM vol. 2, 16.3.1 */
    BOTH(0x1B, 8, 8, "boot CPU"),
    BOTH(0x1B, 10, 10, "x2APIC"),
    BOTH(0x1B, 11, 11, "enabled"),
    BOTH_HEX(0x1B, 51, 12, "base page"),
    INTEL(ALL, 0x34, 31, 0, "SMIs"),
    ARCH(0x3A, 0, 0, "locked"),
    ARCH(0x3A, 1, 1, "VMX in SMX"),
    ARCH(0x3A, 2, 2, "VMX outside SMX"),
    ARCH(0x3A, 18, 18, "SGX"),
    ARCH_HEX(0x8B, 63, 32, "microcode"),
    AMD_HEX(0x8B, 0, 255, 31, 0, "patch level"),
    /* SDM vol. 4, MSR_FSB_FREQ; Silvermont has four bits: Linux 6.12 turbostat, slm_bclk */
    INTEL(OLD, 0xCD, 2, 0, "bus clock code"),
    INTEL(SLM, 0xCD, 3, 0, "bus clock code"),
    /* SDM vol. 4, MSR_PLATFORM_INFO; [31]: Linux 6.12 msr-index.h */
    INTEL(NEWER | SLM, 0xCE, 15, 8, "maximum non-turbo ratio"),
    INTEL(NEWER, 0xCE, 28, 28, "turbo ratios programmable"),
    INTEL(NEWER, 0xCE, 29, 29, "TDP limits programmable"),
    INTEL(BIG, 0xCE, 31, 31, "CPUID faulting"),
    INTEL(NEWER, 0xCE, 47, 40, "maximum efficiency ratio"),
    /* SDM vol. 4, MSR_PKG_CST_CONFIG_CONTROL of each microarchitecture; the width of the limit and [16] as in Linux
     * 6.12 turbostat, dump_cst_cfg */
    INTEL(CORE | GLM, 0xE2, 3, 0, "package C-state limit"),
    INTEL(SERVER | SLM | PHI, 0xE2, 2, 0, "package C-state limit"),
    INTEL(NEWER | SLM, 0xE2, 10, 10, "I/O reads become MWAIT"),
    INTEL(NEWER | SLM, 0xE2, 15, 15, "locked"),
    INTEL(SERVER, 0xE2, 16, 16, "HLT and C1 become C6"),
    INTEL(BIG, 0xE2, 25, 25, "C3 demotion"),
    INTEL(BIG | PHI, 0xE2, 26, 26, "C1 demotion"),
    INTEL(BIG, 0xE2, 27, 27, "C3 undemotion"),
    INTEL(BIG | PHI, 0xE2, 28, 28, "C1 undemotion"),
    INTEL(SERVER | PHI, 0xE2, 29, 29, "package demotion"),
    INTEL(SERVER, 0xE2, 30, 30, "package undemotion"),
    /* SDM vol. 4, MSR_PMG_IO_CAPTURE_BASE */
    INTEL_HEX(NEWER | SLM, 0xE4, 15, 0, "P_LVL2 port"),
    INTEL(NEWER | SLM, 0xE4, 18, 16, "deepest state by port"),
    ARCH_HEX(0x198, 15, 0, "current state"),
    ARCH_HEX(0x199, 15, 0, "requested state"),
    ARCH(0x199, 32, 32, "turbo off"),
    /* SDM vol. 3B, 15.8.3 */
    ARCH(0x19A, 3, 1, "duty code"),
    ARCH(0x19A, 4, 4, "modulation on"),
    /* SDM vol. 3B, 15.8.5.2 */
    ARCH(0x19C, 0, 0, "thermal"),
    ARCH(0x19C, 1, 1, "thermal log"),
    ARCH(0x19C, 2, 2, "PROCHOT"),
    ARCH(0x19C, 3, 3, "PROCHOT log"),
    ARCH(0x19C, 4, 4, "critical"),
    ARCH(0x19C, 5, 5, "critical log"),
    ARCH(0x19C, 10, 10, "power limit"),
    ARCH(0x19C, 11, 11, "power limit log"),
    ARCH(0x19C, 22, 16, "degrees below the maximum"),
    ARCH(0x19C, 31, 31, "reading valid"),
    ARCH(0x1A0, 0, 0, "fast strings"),
    ARCH(0x1A0, 3, 3, "thermal control"),
    ARCH(0x1A0, 7, 7, "performance monitoring"),
    ARCH(0x1A0, 16, 16, "SpeedStep on"),
    ARCH(0x1A0, 18, 18, "MONITOR on"),
    ARCH(0x1A0, 22, 22, "CPUID limited"),
    INTEL(NEWER | SLM, 0x1A0, 38, 38, "turbo off"),
    INTEL(NEWER | SLM, 0x1A2, 23, 16, "maximum temperature C"),
    /* Linux 6.12 turbostat, decode_misc_pwr_mgmt_msr: only this bit keeps its meaning */
    INTEL(NEWER, 0x1AA, 0, 0, "hardware coordination off"),
    EIGHT_BYTES(EIGHT, 0x1AD, "ratio of 1 core", "2 cores", "3", "4", "5", "6", "7", "8"),
    EIGHT_BYTES(GROUPED, 0x1AD, "ratio of group 1", "group 2", "group 3", "group 4", "group 5",
                "group 6", "group 7", "group 8"),
    /* SDM vol. 4, MSR_TURBO_RATIO_LIMIT of Knights Landing: each group by its difference from the one before */
    INTEL(PHI, 0x1AD, 7, 1, "cores of group 1"),
    INTEL(PHI, 0x1AD, 15, 8, "its ratio"),
    INTEL(PHI, 0x1AD, 20, 16, "group 2 cores more"),
    INTEL(PHI, 0x1AD, 23, 21, "ratio less"),
    INTEL(PHI, 0x1AD, 28, 24, "group 3 cores more"),
    INTEL(PHI, 0x1AD, 31, 29, "ratio less"),
    INTEL(PHI, 0x1AD, 36, 32, "group 4 cores more"),
    INTEL(PHI, 0x1AD, 39, 37, "ratio less"),
    INTEL(PHI, 0x1AD, 44, 40, "group 5 cores more"),
    INTEL(PHI, 0x1AD, 47, 45, "ratio less"),
    INTEL(PHI, 0x1AD, 52, 48, "group 6 cores more"),
    INTEL(PHI, 0x1AD, 55, 53, "ratio less"),
    INTEL(PHI, 0x1AD, 60, 56, "group 7 cores more"),
    INTEL(PHI, 0x1AD, 63, 61, "ratio less"),
    EIGHT_BYTES(GROUPED, 0x1AE, "cores of group 1", "group 2", "group 3", "group 4", "group 5",
                "group 6", "group 7", "group 8"),
    EIGHT_BYTES(SIXTEEN, 0x1AE, "ratio of 9 cores", "10 cores", "11", "12", "13", "14", "15", "16"),
    INTEL(EIGHTEEN, 0x1AF, 7, 0, "ratio of 17 cores"),
    INTEL(EIGHTEEN, 0x1AF, 15, 8, "18 cores"),
    ARCH(0x1B0, 3, 0, "energy preference"),
    ARCH(0x1B1, 0, 0, "thermal"),
    ARCH(0x1B1, 1, 1, "thermal log"),
    ARCH(0x1B1, 2, 2, "PROCHOT"),
    ARCH(0x1B1, 3, 3, "PROCHOT log"),
    ARCH(0x1B1, 10, 10, "power limit"),
    ARCH(0x1B1, 11, 11, "power limit log"),
    ARCH(0x1B1, 22, 16, "degrees below the maximum"),
    INTEL(NEWER, 0x1FC, 1, 1, "C1 becomes C1E"),
    /* SDM vol. 3B, 15.10.1; Silvermont counts its energy in another unit (Linux 6.12 intel_rapl, rapl_check_unit_atom) */
    INTEL(ALL, 0x606, 3, 0, "power unit 1/2^n W"),
    INTEL(BIG | GLM | PHI, 0x606, 12, 8, "energy unit 1/2^n J"),
    INTEL(SLM, 0x606, 12, 8, "energy unit code"),
    INTEL(ALL, 0x606, 19, 16, "time unit 1/2^n s"),
    IRTL(0x60A),
    IRTL(0x60B),
    IRTL(0x60C),
    INTEL(ALL, 0x610, 14, 0, "limit 1, power units"),
    INTEL(ALL, 0x610, 15, 15, "on"),
    INTEL(ALL, 0x610, 16, 16, "clamped"),
    INTEL(ALL, 0x610, 23, 17, "window code"),
    INTEL(ALL, 0x610, 46, 32, "limit 2, power units"),
    INTEL(ALL, 0x610, 47, 47, "on"),
    INTEL(ALL, 0x610, 48, 48, "clamped"),
    INTEL(ALL, 0x610, 55, 49, "window code"),
    INTEL(ALL, 0x610, 63, 63, "locked"),
    COUNTER(ALL, 0x611, "energy units"),
    COUNTER(ALL, 0x613, "time units held back"),
    POWER_INFO(0x614),
    POWER_LIMIT(0x618),
    COUNTER(ALL, 0x619, "energy units"),
    COUNTER(ALL, 0x61B, "time units held back"),
    POWER_INFO(0x61C),
    IRTL(0x633),
    IRTL(0x634),
    IRTL(0x635),
    POWER_LIMIT(0x638),
    COUNTER(ALL, 0x639, "energy units"),
    POWER_LIMIT(0x640),
    COUNTER(ALL, 0x641, "energy units"),
    /* SDM vol. 4, MSR_CONFIG_TDP_*; Linux 6.12 turbostat, dump_config_tdp */
    INTEL(ALL, 0x648, 7, 0, "nominal ratio"),
    INTEL(ALL, 0x649, 14, 0, "power, power units"),
    INTEL(ALL, 0x649, 23, 16, "ratio"),
    INTEL(ALL, 0x64A, 14, 0, "power, power units"),
    INTEL(ALL, 0x64A, 23, 16, "ratio"),
    INTEL(ALL, 0x64B, 1, 0, "TDP level"),
    INTEL(ALL, 0x64B, 31, 31, "locked"),
    INTEL(ALL, 0x64C, 7, 0, "maximum non-turbo ratio"),
    INTEL(ALL, 0x64C, 31, 31, "locked"),
    COUNTER(ALL, 0x64D, "energy units"),
    LIMIT_REASONS(0x64F),
    EIGHT_BYTES(EIGHT, 0x650, "ratio of 1 core", "2 cores", "3", "4", "5", "6", "7", "8"),
    /* Linux 6.12 turbostat, decode_c6_demotion_policy_msr and dump_atom_turbo_ratio_limits */
    INTEL(SLM, 0x668, 0, 0, "core C6 demotion on"),
    INTEL(SLM, 0x669, 0, 0, "module C6 demotion on"),
    INTEL(SLM, 0x66A, 5, 0, "minimum ratio"),
    INTEL(SLM, 0x66A, 13, 8, "low-frequency ratio"),
    INTEL(SLM, 0x66A, 21, 16, "base ratio"),
    INTEL(SLM, 0x66C, 5, 0, "ratio of 1 core"),
    INTEL(SLM, 0x66C, 13, 8, "2 cores"),
    INTEL(SLM, 0x66C, 21, 16, "3"),
    INTEL(SLM, 0x66C, 29, 24, "4"),
    LIMIT_REASONS(0x690),
    /* SDM vol. 3B, 15.4; Linux 6.12 msr-index.h, HWP_* */
    ARCH(0x770, 0, 0, "HWP on"),
    ARCH(0x771, 7, 0, "highest"),
    ARCH(0x771, 15, 8, "guaranteed"),
    ARCH(0x771, 23, 16, "most efficient"),
    ARCH(0x771, 31, 24, "lowest"),
    ARCH(0x772, 7, 0, "minimum"),
    ARCH(0x772, 15, 8, "maximum"),
    ARCH(0x772, 23, 16, "desired"),
    ARCH(0x772, 31, 24, "energy preference"),
    ARCH(0x772, 41, 32, "activity window"),
    ARCH(0x773, 0, 0, "interrupt on a changed guarantee"),
    ARCH(0x773, 1, 1, "interrupt on an excursion"),
    ARCH(0x774, 7, 0, "minimum"),
    ARCH(0x774, 15, 8, "maximum"),
    ARCH(0x774, 23, 16, "desired"),
    ARCH(0x774, 31, 24, "energy preference"),
    ARCH(0x774, 41, 32, "activity window"),
    ARCH(0x774, 42, 42, "the package's request counts"),
    ARCH(0x777, 0, 0, "guarantee changed"),
    ARCH(0x777, 2, 2, "excursion to the minimum"),
    /* BKDG/PPR, HWCR; Linux 6.12 msr-index.h, MSR_K7_HWCR_* */
    AMD(0xC0010015, 0x0F, 0x1A, 0, 0, "SmmLock"),
    AMD(0xC0010015, 0x10, 0x1A, 24, 24, "TscFreqSel"),
    AMD(0xC0010015, 0x10, 0x1A, 25, 25, "CpbDis"),
    AMD(0xC0010015, 0x17, 0x1A, 30, 30, "IRPerfEn"),
    /* BKDG 32559 and 31116, Interrupt Pending; Linux 6.12 msr-index.h, K8_INTP_C1E_ACTIVE_MASK */
    AMD(0xC0010055, 0x0F, 0x10, 27, 27, "SmiOnCmpHalt"),
    AMD(0xC0010055, 0x0F, 0x10, 28, 28, "C1eOnCmpHalt"),
    /* BKDG/PPR, P-state Current Limit, Control and Status */
    AMD(0xC0010061, 0x10, 0x1A, 2, 0, "CurPstateLimit"),
    AMD(0xC0010061, 0x10, 0x1A, 6, 4, "PstateMaxVal"),
    AMD(0xC0010062, 0x10, 0x1A, 2, 0, "PstateCmd"),
    AMD(0xC0010063, 0x10, 0x1A, 2, 0, "CurPstate"),
    PSTATE_DEF(0xC0010064),
    PSTATE_DEF(0xC0010065),
    PSTATE_DEF(0xC0010066),
    PSTATE_DEF(0xC0010067),
    PSTATE_DEF(0xC0010068),
    PSTATE_DEF(0xC0010069),
    PSTATE_DEF(0xC001006A),
    PSTATE_DEF(0xC001006B),
    /* BKDG/PPR, C-state Base Address */
    AMD_HEX(0xC0010073, 0x10, 0x1A, 15, 0, "C-state port"),
    /* PPR 17h model 31h, RAPL_PWR_UNIT; Linux 6.12 turbostat, rapl_probe_amd */
    AMD(0xC0010299, 0x17, 0x1A, 3, 0, "power unit 1/2^n W"),
    AMD(0xC0010299, 0x17, 0x1A, 12, 8, "energy unit 1/2^n J"),
    AMD(0xC0010299, 0x17, 0x1A, 19, 16, "time unit 1/2^n s"),
    AMD(0xC001029A, 0x17, 0x19, 31, 0, "energy units"),
    AMD(0xC001029B, 0x17, 0x19, 31, 0, "energy units"),
    /* Linux 6.12 msr-index.h, AMD_CPPC_*; coreboot soc/amd/.../msr.h */
    AMD(0xC00102B0, 0x17, 0x1A, 7, 0, "lowest"),
    AMD(0xC00102B0, 0x17, 0x1A, 15, 8, "lowest non-linear"),
    AMD(0xC00102B0, 0x17, 0x1A, 23, 16, "nominal"),
    AMD(0xC00102B0, 0x17, 0x1A, 31, 24, "highest"),
    AMD(0xC00102B1, 0x17, 0x1A, 0, 0, "CPPC on"),
    AMD(0xC00102B3, 0x17, 0x1A, 7, 0, "maximum"),
    AMD(0xC00102B3, 0x17, 0x1A, 15, 8, "minimum"),
    AMD(0xC00102B3, 0x17, 0x1A, 23, 16, "desired"),
    AMD(0xC00102B3, 0x17, 0x1A, 31, 24, "energy preference"),
};

static bool is_on(const struct msr_field *field, const struct cpu_identity *identity)
{
    enum cpu_vendor vendor = identity->vendor == VENDOR_HYGON ? VENDOR_AMD : identity->vendor;

    return (field->vendor == VENDOR_UNKNOWN || field->vendor == vendor) &&
           identity->family >= field->family_low && identity->family <= field->family_high &&
           (field->kinds == 0 || (field->kinds & kinds_of(identity)) != 0);
}

const struct msr_field *msr_field_at(const struct cpu_identity *identity, uint32_t msr,
                                     uint32_t index)
{
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (fields[i].msr == msr && is_on(&fields[i], identity) && index-- == 0) {
            return &fields[i];
        }
    }
    return NULL;
}

static void one_field(const struct msr_field *field, uint64_t bits, struct textbuf *out)
{
    if (field->high == field->low) {
        textbuf_printf(out, "[%u] ", (unsigned)field->low);
    } else {
        textbuf_printf(out, "[%u:%u] ", (unsigned)field->high, (unsigned)field->low);
    }
    textbuf_printf(out, field->is_hex ? "%s 0x%llX" : "%s %llu", field->name,
                   (unsigned long long)bits);
}

uint32_t msr_fields_text(const struct cpu_identity *identity, uint32_t msr, uint64_t value,
                         struct textbuf *out)
{
    uint64_t rest = value;
    uint32_t count = 0;
    const struct msr_field *field;

    while ((field = msr_field_at(identity, msr, count)) != NULL) {
        uint64_t bits = bits_get(value, field->high, field->low);

        textbuf_string(out, count == 0 ? "" : ", ");
        one_field(field, bits, out);
        rest &= ~(bits << field->low);
        count++;
    }
    if (count > 0 && rest != 0) {
        textbuf_printf(out, ", other bits 0x%llX", (unsigned long long)rest);
    }
    return count;
}
