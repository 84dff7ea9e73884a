#include "model/msr_rules.h"

#include <stddef.h>

/* CPUID bits that only these entries need. SDM vol. 2A, CPUID. */
static const struct cpu_feature has_vmx = {1, 0, 2, 5};        /* 1 ECX[5] */
static const struct cpu_feature has_smx = {1, 0, 2, 6};        /* 1 ECX[6] */
static const struct cpu_feature has_hwp_notify = {6, 0, 0, 8}; /* 6 EAX[8] */
static const struct cpu_feature has_ptm = {6, 0, 0, 6};        /* 6 EAX[6] */

#define INTEL MSR_VENDOR(VENDOR_INTEL)
#define LIKE_INTEL (INTEL | MSR_VENDOR(VENDOR_CENTAUR) | MSR_VENDOR(VENDOR_ZHAOXIN))
#define LIKE_AMD (MSR_VENDOR(VENDOR_AMD) | MSR_VENDOR(VENDOR_HYGON))
#define EVERYONE (LIKE_INTEL | LIKE_AMD)

#define SDM "SDM vol. 4, 2.1 Architectural MSRs"
#define APM "APM vol. 2, appendix A MSR Cross-Reference"

/* An architectural MSR: vendors, number, name, package-wide, source, gate and the second gate. */
#define ARCH(who, number, text, package, from, feature, feature2)                                  \
    {                                                                                              \
        .entry = {.msr = (number),                                                                 \
                  .name = (text),                                                                  \
                  .source = (from),                                                                \
                  .is_per_package = (package),                                                     \
                  .is_architectural = true},                                                       \
        .vendors = (who), .gate = (feature), .gate2 = (feature2), .first_family = 6,               \
        .last_family = UINT32_MAX                                                                  \
    }

static const struct msr_rule rules[] = {
    ARCH(EVERYONE, 0x1B, "IA32_APIC_BASE", false, SDM "; " APM, &CPU_FEATURE_APIC, NULL),
    ARCH(INTEL, 0x3A, "IA32_FEATURE_CONTROL", false, SDM, &has_vmx, &has_smx),
    ARCH(EVERYONE, 0x3B, "IA32_TSC_ADJUST", false, SDM, &CPU_FEATURE_TSC_ADJUST, NULL),
    ARCH(INTEL, 0x8B, "IA32_BIOS_SIGN_ID", false, SDM, &CPU_FEATURE_MSR, NULL),
    ARCH(LIKE_AMD, 0x8B, "PATCH_LEVEL", false, APM, &CPU_FEATURE_MSR, NULL),
    ARCH(EVERYONE, 0xE7, "IA32_MPERF", false, SDM "; " APM, &CPU_FEATURE_APERFMPERF, NULL),
    ARCH(EVERYONE, 0xE8, "IA32_APERF", false, SDM "; " APM, &CPU_FEATURE_APERFMPERF, NULL),
    ARCH(LIKE_INTEL, 0x198, "IA32_PERF_STATUS", false, SDM, &CPU_FEATURE_EIST, NULL),
    ARCH(LIKE_INTEL, 0x199, "IA32_PERF_CTL", false, SDM, &CPU_FEATURE_EIST, NULL),
    ARCH(INTEL, 0x19A, "IA32_CLOCK_MODULATION", false, SDM, &CPU_FEATURE_ACPI, NULL),
    ARCH(INTEL, 0x19C, "IA32_THERM_STATUS", false, SDM, &CPU_FEATURE_ACPI, NULL),
    ARCH(LIKE_INTEL, 0x1A0, "IA32_MISC_ENABLE", false, SDM, &CPU_FEATURE_MSR, NULL),
    ARCH(INTEL, 0x1B0, "IA32_ENERGY_PERF_BIAS", false, SDM, &CPU_FEATURE_EPB, NULL),
    ARCH(INTEL, 0x1B1, "IA32_PACKAGE_THERM_STATUS", true, SDM, &has_ptm, NULL),
    ARCH(INTEL, 0x6E0, "IA32_TSC_DEADLINE", false, SDM, &CPU_FEATURE_TSC_DEADLINE, NULL),
    ARCH(INTEL, 0x770, "IA32_PM_ENABLE", true, SDM, &CPU_FEATURE_HWP, NULL),
    ARCH(INTEL, 0x771, "IA32_HWP_CAPABILITIES", false, SDM, &CPU_FEATURE_HWP, NULL),
    ARCH(INTEL, 0x772, "IA32_HWP_REQUEST_PKG", true, SDM, &CPU_FEATURE_HWP_PACKAGE, NULL),
    ARCH(INTEL, 0x773, "IA32_HWP_INTERRUPT", false, SDM, &has_hwp_notify, NULL),
    ARCH(INTEL, 0x774, "IA32_HWP_REQUEST", false, SDM, &CPU_FEATURE_HWP, NULL),
    ARCH(INTEL, 0x777, "IA32_HWP_STATUS", false, SDM, &CPU_FEATURE_HWP, NULL),
};

const struct msr_table msr_common_table = {rules, sizeof(rules) / sizeof(rules[0])};
