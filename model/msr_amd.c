#include "model/msr_rules.h"

#include <stddef.h>

/* APM vol. 3, appendix E.4.6: CPUID 80000007H EDX[10], read-only effective frequency counters. */
static const struct cpu_feature has_eff_freq_ro = {0x80000007, 0, 3, 10};

#define BKDG "BKDG/PPR of the family, \"MSRs - MSRC001_xxxx\""

/* First and last display family; Hygon's 18h lies between AMD's 17h and 19h. */
#define AMD(number, text, package, first, last, feature)                                           \
    {                                                                                              \
        .entry = {.msr = (number), .name = (text), .source = BKDG, .is_per_package = (package)},   \
        .vendors = MSR_VENDOR(VENDOR_AMD) | MSR_VENDOR(VENDOR_HYGON), .gate = (feature),           \
        .first_family = (first), .last_family = (last)                                             \
    }

#define PSTATE_DEF(n)                                                                              \
    AMD(0xC0010064 + (n), "PStateDef" #n, true, 0x10, 0x1A, &CPU_FEATURE_HW_PSTATE)

/* Family 10h has five of them (BKDG 31116, MSRC001_00[68:64]). */
#define PSTATE_DEF_LATE(n)                                                                         \
    AMD(0xC0010064 + (n), "PStateDef" #n, true, 0x11, 0x1A, &CPU_FEATURE_HW_PSTATE)

/*
 * Families 0Fh to 1Ah. What differs by family: INT_PENDING_MSG ended with the C1E of family 16h; COFVID
 * status is not in the PPRs of family 17h and later.
 */
static const struct msr_rule rules[] = {
    AMD(0xC00000E7, "MPerfReadOnly", false, 0x12, 0x1A, &has_eff_freq_ro),
    AMD(0xC00000E8, "APerfReadOnly", false, 0x12, 0x1A, &has_eff_freq_ro),
    AMD(0xC0010010, "SYS_CFG", false, 0x0F, 0x1A, NULL),
    AMD(0xC0010015, "HWCR", false, 0x0F, 0x1A, NULL),
    AMD(0xC0010055, "INT_PENDING_MSG", false, 0x0F, 0x16, NULL),
    AMD(0xC0010061, "PStateCurLim", false, 0x10, 0x1A, &CPU_FEATURE_HW_PSTATE),
    AMD(0xC0010062, "PStateCtl", false, 0x10, 0x1A, &CPU_FEATURE_HW_PSTATE),
    AMD(0xC0010063, "PStateStat", false, 0x10, 0x1A, &CPU_FEATURE_HW_PSTATE),
    PSTATE_DEF(0),
    PSTATE_DEF(1),
    PSTATE_DEF(2),
    PSTATE_DEF(3),
    PSTATE_DEF(4),
    PSTATE_DEF_LATE(5),
    PSTATE_DEF_LATE(6),
    PSTATE_DEF_LATE(7),
    AMD(0xC0010071, "COFVID_STATUS", false, 0x10, 0x16, NULL),
    AMD(0xC0010073, "CStateBaseAddr", false, 0x10, 0x1A, NULL),
    AMD(0xC0010299, "RAPL_PWR_UNIT", true, 0x17, 0x1A, &CPU_FEATURE_AMD_RAPL),
    AMD(0xC001029A, "CORE_ENERGY_STAT", false, 0x17, 0x1A, &CPU_FEATURE_AMD_RAPL),
    AMD(0xC001029B, "PKG_ENERGY_STAT", true, 0x17, 0x1A, &CPU_FEATURE_AMD_RAPL),
    AMD(0xC00102B0, "CPPC_CAPABILITY_1", false, 0x17, 0x1A, &CPU_FEATURE_CPPC),
    AMD(0xC00102B1, "CPPC_ENABLE", true, 0x17, 0x1A, &CPU_FEATURE_CPPC),
    AMD(0xC00102B2, "CPPC_CAPABILITY_2", false, 0x17, 0x1A, &CPU_FEATURE_CPPC),
    AMD(0xC00102B3, "CPPC_REQUEST", false, 0x17, 0x1A, &CPU_FEATURE_CPPC),
    AMD(0xC00102B4, "CPPC_STATUS", false, 0x17, 0x1A, &CPU_FEATURE_CPPC),
};

const struct msr_table msr_amd_table = {rules, sizeof(rules) / sizeof(rules[0])};
