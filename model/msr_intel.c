#include "model/msr_rules.h"

#include <stddef.h>

/* Groups of model-specific MSRs that models have or have not together. */
#define INFO (UINT64_C(1) << 0)        /* CEH */
#define FSB (UINT64_C(1) << 1)         /* CDH */
#define CST (UINT64_C(1) << 2)         /* E2H */
#define IO_CAPTURE (UINT64_C(1) << 3)  /* E4H */
#define SMI (UINT64_C(1) << 4)         /* 34H */
#define TEMP (UINT64_C(1) << 5)        /* 1A2H */
#define POWER (UINT64_C(1) << 6)       /* 1FCH */
#define MISC_PWR (UINT64_C(1) << 7)    /* 1AAH */
#define PREFETCH (UINT64_C(1) << 8)    /* 1A4H */
#define TRL (UINT64_C(1) << 9)         /* 1ADH */
#define TRL1 (UINT64_C(1) << 10)       /* 1AEH: more ratios, or the core counts of groups */
#define TRL2 (UINT64_C(1) << 11)       /* 1AFH */
#define TRL_ATOM (UINT64_C(1) << 12)   /* 66AH to 66DH */
#define TRL_HYBRID (UINT64_C(1) << 13) /* 650H */
#define TDP (UINT64_C(1) << 14)        /* 648H to 64CH */
#define IRTL (UINT64_C(1) << 15)       /* 60AH to 60CH */
#define C1_RES (UINT64_C(1) << 16)     /* 660H */
#define C3_RES (UINT64_C(1) << 17)     /* 3FCH */
#define C6_RES (UINT64_C(1) << 18)     /* 3FDH */
#define C7_RES (UINT64_C(1) << 19)     /* 3FEH */
#define C6_KNL (UINT64_C(1) << 20)     /* 3FFH */
#define PC2 (UINT64_C(1) << 21)        /* 60DH */
#define PC3 (UINT64_C(1) << 22)        /* 3F8H */
#define PC6 (UINT64_C(1) << 23)        /* 3F9H */
#define PC7 (UINT64_C(1) << 24)        /* 3FAH */
#define PC6_ATOM (UINT64_C(1) << 25)   /* 3FAH with another meaning */
#define PC8 (UINT64_C(1) << 26)        /* 630H, 633H */
#define PC9 (UINT64_C(1) << 27)        /* 631H, 634H */
#define PC10 (UINT64_C(1) << 28)       /* 632H, 635H */
#define MODULE_C6 (UINT64_C(1) << 29)  /* 664H */
#define DEMOTION (UINT64_C(1) << 30)   /* 668H, 669H */
#define R_PKG (UINT64_C(1) << 31)      /* 606H, 610H, 611H */
#define R_INFO (UINT64_C(1) << 32)     /* 613H, 614H */
#define R_DRAM (UINT64_C(1) << 33)     /* 618H, 619H, 61BH, 61CH */
#define R_CORE (UINT64_C(1) << 34)     /* 638H, 639H */
#define R_GFX (UINT64_C(1) << 35)      /* 640H, 641H */
#define R_PSYS (UINT64_C(1) << 36)     /* 64DH, 65CH */
#define LIMIT_HSW (UINT64_C(1) << 37)  /* 690H */
#define LIMIT_GFX (UINT64_C(1) << 38)  /* 6B0H, 6B1H */
#define LIMIT_SKL (UINT64_C(1) << 39)  /* 64FH */
#define C0_RES (UINT64_C(1) << 40)     /* 658H to 65BH */
#define PL4 (UINT64_C(1) << 41)        /* 601H */

#define NEHALEM (INFO | CST | IO_CAPTURE | SMI | TEMP | POWER | MISC_PWR | PREFETCH)
#define ATOM (INFO | CST | IO_CAPTURE | SMI | TEMP)
#define PC8_TO_10 (PC8 | PC9 | PC10)
#define SANDY                                                                                      \
    (NEHALEM | TRL | C3_RES | C6_RES | C7_RES | PC2 | PC3 | PC6 | PC7 | IRTL | R_PKG | R_INFO)
#define CLIENT (R_CORE | R_GFX)
#define HASWELL (SANDY | CLIENT | TDP | LIMIT_HSW | LIMIT_GFX | PL4)
#define NEW_CORE                                                                                   \
    (NEHALEM | TRL | C6_RES | TDP | IRTL | R_PKG | R_INFO | R_CORE | R_DRAM | R_GFX | R_PSYS |     \
     LIMIT_SKL | C0_RES | PL4 | PC2 | PC3 | PC6)
#define SKYLAKE (NEW_CORE | C3_RES | C7_RES | PC7 | PC8_TO_10)
#define ICELAKE (NEW_CORE | C1_RES | C7_RES | PC7 | PC8_TO_10)
#define ALDERLAKE (NEW_CORE | C1_RES | C7_RES | PC8 | PC10 | TRL_HYBRID)
#define ARROWLAKE (NEW_CORE | C1_RES | C7_RES | PC10 | TRL_HYBRID)
#define SERVER (NEHALEM | TRL | TRL1 | C6_RES | PC2 | PC6 | TDP | IRTL | R_PKG | R_INFO | R_DRAM)
#define SILVERMONT (ATOM | FSB | C1_RES | C6_RES | R_PKG | R_CORE)
#define GOLDMONT (ATOM | POWER | TRL | C1_RES | C6_RES | IRTL | R_PKG | R_INFO)

/*
 * What each model of family 6 has: SDM vol. 4, chapter 2, the table of each DisplayFamily_DisplayModel, as
 * condensed in Linux 6.12 tools/power/x86/turbostat (struct platform_features of each model).
 */
static const struct {
    uint8_t model;
    uint64_t groups;
} models[] = {
    {0x0E, FSB},
    {0x0F, FSB},
    {0x16, FSB},
    {0x17, FSB},
    {0x1A, NEHALEM | TRL | C3_RES | C6_RES | PC3 | PC6},
    {0x1C, FSB},
    {0x1D, FSB},
    {0x1E, NEHALEM | TRL | C3_RES | C6_RES | PC3 | PC6},
    {0x1F, NEHALEM | TRL | C3_RES | C6_RES | PC3 | PC6},
    {0x25, NEHALEM | TRL | C3_RES | C6_RES | PC3 | PC6},
    {0x26, FSB},
    {0x27, FSB},
    {0x2A, SANDY | CLIENT},
    {0x2C, NEHALEM | TRL | C3_RES | C6_RES | PC3 | PC6},
    {0x2D, SANDY | R_CORE | R_DRAM},
    {0x2E, NEHALEM | C3_RES | C6_RES | PC3 | PC6},
    {0x2F, NEHALEM | C3_RES | C6_RES | PC3 | PC6},
    {0x35, FSB},
    {0x36, FSB},
    {0x37, SILVERMONT | TRL_ATOM | PC6_ATOM | MODULE_C6 | DEMOTION},
    {0x3A, SANDY | CLIENT | TDP},
    {0x3C, HASWELL},
    {0x3D, HASWELL | PC8_TO_10},
    {0x3E, SANDY | TRL1 | R_CORE | R_DRAM},
    {0x3F, SANDY | TRL1 | TRL2 | TDP | R_DRAM | LIMIT_HSW},
    {0x45, HASWELL | PC8_TO_10},
    {0x46, HASWELL},
    {0x47, HASWELL},
    {0x4A, SILVERMONT | TRL_ATOM | PC6_ATOM | DEMOTION},
    {0x4C, SILVERMONT | TRL_ATOM | PC6_ATOM | MODULE_C6 | DEMOTION},
    {0x4D, SILVERMONT | TRL | PC6_ATOM},
    {0x4E, SKYLAKE},
    {0x4F, NEHALEM | TRL | C3_RES | C6_RES | PC2 | PC3 | PC6 | TDP | IRTL | R_PKG | R_INFO |
               R_DRAM | LIMIT_HSW},
    {0x55, SERVER},
    {0x56, NEHALEM | TRL | C3_RES | C6_RES | PC2 | PC3 | PC6 | TDP | IRTL | R_PKG | R_INFO |
               R_DRAM | LIMIT_HSW},
    {0x57, ATOM | TRL | C6_KNL | PC3 | PC6 | TDP | R_PKG | R_INFO | R_DRAM},
    {0x5A, SILVERMONT | TRL_ATOM | PC6_ATOM | DEMOTION},
    {0x5C, GOLDMONT | TRL1 | C3_RES | C7_RES | PC2 | PC3 | PC6 | PC7 | PC8_TO_10},
    {0x5E, SKYLAKE},
    {0x5F, GOLDMONT | TRL1 | PC2 | PC6 | R_DRAM | R_CORE},
    {0x66, ICELAKE},
    {0x6A, SERVER | C1_RES},
    {0x6C, SERVER | C1_RES},
    {0x75, FSB},
    {0x7A, GOLDMONT | C3_RES | C7_RES | PC2 | PC3 | PC6 | PC7 | PC8_TO_10},
    {0x7D, ICELAKE},
    {0x7E, ICELAKE},
    {0x85, ATOM | TRL | C6_KNL | PC3 | PC6 | TDP | R_PKG | R_INFO | R_DRAM},
    {0x86, GOLDMONT | TRL1},
    {0x8A, ICELAKE},
    {0x8C, ICELAKE},
    {0x8D, ICELAKE},
    {0x8E, SKYLAKE},
    {0x8F, SERVER | C1_RES | R_PSYS},
    {0x96, GOLDMONT | C7_RES | PC2 | PC3 | PC6 | PC7 | PC8_TO_10 | R_CORE | R_DRAM | R_GFX},
    {0x97, ALDERLAKE},
    {0x9A, ALDERLAKE},
    {0x9C, GOLDMONT | C7_RES | PC2 | PC3 | PC6 | PC7 | PC8_TO_10 | R_CORE | R_DRAM | R_GFX},
    {0x9D, ICELAKE},
    {0x9E, SKYLAKE},
    {0xA5, SKYLAKE},
    {0xA6, SKYLAKE},
    {0xA7, ICELAKE},
    {0xAA, ICELAKE | TRL_HYBRID},
    {0xAC, ICELAKE | TRL_HYBRID},
    {0xAD, SERVER | C1_RES},
    {0xAE, SERVER | C1_RES},
    {0xAF, SERVER | C1_RES | MODULE_C6},
    {0xB5, ARROWLAKE},
    {0xB6, (SERVER | C1_RES | MODULE_C6) & ~(PC2 | PC6)},
    {0xB7, ALDERLAKE},
    {0xBA, ALDERLAKE},
    {0xBD, ARROWLAKE},
    {0xBE, ALDERLAKE & ~TRL_HYBRID},
    {0xBF, ALDERLAKE},
    {0xC5, ARROWLAKE},
    {0xC6, ARROWLAKE},
    {0xCF, SERVER | C1_RES | R_PSYS},
};

uint64_t msr_intel_groups(uint32_t model)
{
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        if (models[i].model == model) {
            return models[i].groups;
        }
    }
    return 0;
}

#define SDM "SDM vol. 4, chapter 2, table of the model"
#define LINUX "Linux 6.12 drivers/cpufreq/intel_pstate.c atom_get_max_pstate"

#define MODEL(number, text, package, from, of)                                                     \
    {                                                                                              \
        .entry = {.msr = (number), .name = (text), .source = (from), .is_per_package = (package)}, \
        .vendors = MSR_VENDOR(VENDOR_INTEL), .groups = (of), .first_family = 6, .last_family = 6   \
    }

static const struct msr_rule rules[] = {
    MODEL(0x34, "SMI_COUNT", false, SDM, SMI),
    MODEL(0xCD, "FSB_FREQ", true, SDM, FSB),
    MODEL(0xCE, "PLATFORM_INFO", true, SDM, INFO),
    MODEL(0xE2, "PKG_CST_CONFIG_CONTROL", false, SDM, CST),
    MODEL(0xE4, "PMG_IO_CAPTURE_BASE", false, SDM, IO_CAPTURE),
    MODEL(0x1A2, "TEMPERATURE_TARGET", true, SDM, TEMP),
    MODEL(0x1A4, "MISC_FEATURE_CONTROL", false, SDM, PREFETCH),
    MODEL(0x1AA, "MISC_PWR_MGMT", true, SDM, MISC_PWR),
    MODEL(0x1AD, "TURBO_RATIO_LIMIT", true, SDM, TRL),
    MODEL(0x1AE, "TURBO_RATIO_LIMIT1", true, SDM, TRL1),
    MODEL(0x1AF, "TURBO_RATIO_LIMIT2", true, SDM, TRL2),
    MODEL(0x1FC, "POWER_CTL", true, SDM, POWER),
    MODEL(0x3F8, "PKG_C3_RESIDENCY", true, SDM, PC3),
    MODEL(0x3F9, "PKG_C6_RESIDENCY", true, SDM, PC6),
    MODEL(0x3FA, "PKG_C7_RESIDENCY", true, SDM " (package C6 on Silvermont)", PC7 | PC6_ATOM),
    MODEL(0x3FC, "CORE_C3_RESIDENCY", false, SDM, C3_RES),
    MODEL(0x3FD, "CORE_C6_RESIDENCY", false, SDM, C6_RES),
    MODEL(0x3FE, "CORE_C7_RESIDENCY", false, SDM, C7_RES),
    MODEL(0x3FF, "CORE_C6_RESIDENCY", false, SDM " (Xeon Phi)", C6_KNL),
    MODEL(0x601, "VR_CURRENT_CONFIG", true, SDM, PL4),
    MODEL(0x606, "RAPL_POWER_UNIT", true, SDM, R_PKG),
    MODEL(0x60A, "PKGC3_IRTL", true, SDM, IRTL),
    MODEL(0x60B, "PKGC6_IRTL", true, SDM, IRTL),
    MODEL(0x60C, "PKGC7_IRTL", true, SDM, IRTL),
    MODEL(0x60D, "PKG_C2_RESIDENCY", true, SDM, PC2),
    MODEL(0x610, "PKG_POWER_LIMIT", true, SDM, R_PKG),
    MODEL(0x611, "PKG_ENERGY_STATUS", true, SDM, R_PKG),
    MODEL(0x613, "PKG_PERF_STATUS", true, SDM, R_INFO),
    MODEL(0x614, "PKG_POWER_INFO", true, SDM, R_INFO),
    MODEL(0x618, "DRAM_POWER_LIMIT", true, SDM, R_DRAM),
    MODEL(0x619, "DRAM_ENERGY_STATUS", true, SDM, R_DRAM),
    MODEL(0x61B, "DRAM_PERF_STATUS", true, SDM, R_DRAM),
    MODEL(0x61C, "DRAM_POWER_INFO", true, SDM, R_DRAM),
    MODEL(0x630, "PKG_C8_RESIDENCY", true, SDM, PC8),
    MODEL(0x631, "PKG_C9_RESIDENCY", true, SDM, PC9),
    MODEL(0x632, "PKG_C10_RESIDENCY", true, SDM, PC10),
    MODEL(0x633, "PKGC8_IRTL", true, SDM, PC8),
    MODEL(0x634, "PKGC9_IRTL", true, SDM, PC9),
    MODEL(0x635, "PKGC10_IRTL", true, SDM, PC10),
    MODEL(0x638, "PP0_POWER_LIMIT", true, SDM, R_CORE),
    MODEL(0x639, "PP0_ENERGY_STATUS", true, SDM, R_CORE),
    MODEL(0x640, "PP1_POWER_LIMIT", true, SDM, R_GFX),
    MODEL(0x641, "PP1_ENERGY_STATUS", true, SDM, R_GFX),
    MODEL(0x648, "CONFIG_TDP_NOMINAL", true, SDM, TDP),
    MODEL(0x649, "CONFIG_TDP_LEVEL1", true, SDM, TDP),
    MODEL(0x64A, "CONFIG_TDP_LEVEL2", true, SDM, TDP),
    MODEL(0x64B, "CONFIG_TDP_CONTROL", true, SDM, TDP),
    MODEL(0x64C, "TURBO_ACTIVATION_RATIO", true, SDM, TDP),
    MODEL(0x64D, "PLATFORM_ENERGY_COUNTER", true, SDM, R_PSYS),
    MODEL(0x64F, "CORE_PERF_LIMIT_REASONS", true, SDM, LIMIT_SKL),
    MODEL(0x650, "SECONDARY_TURBO_RATIO_LIMIT", true, SDM, TRL_HYBRID),
    MODEL(0x658, "WEIGHTED_CORE_C0", true, SDM, C0_RES),
    MODEL(0x659, "ANY_CORE_C0", true, SDM, C0_RES),
    MODEL(0x65A, "ANY_GFXE_C0", true, SDM, C0_RES),
    MODEL(0x65B, "CORE_GFXE_OVERLAP_C0", true, SDM, C0_RES),
    MODEL(0x65C, "PLATFORM_POWER_LIMIT", true, SDM, R_PSYS),
    MODEL(0x660, "CORE_C1_RESIDENCY", false, SDM, C1_RES),
    MODEL(0x664, "MC6_RESIDENCY_COUNTER", false, SDM, MODULE_C6),
    MODEL(0x668, "CC6_DEMOTION_POLICY_CONFIG", true, SDM, DEMOTION),
    MODEL(0x669, "MC6_DEMOTION_POLICY_CONFIG", true, SDM, DEMOTION),
    MODEL(0x66A, "ATOM_CORE_RATIOS", true, LINUX, TRL_ATOM),
    MODEL(0x66B, "ATOM_CORE_VIDS", true, LINUX, TRL_ATOM),
    MODEL(0x66C, "ATOM_CORE_TURBO_RATIOS", true, LINUX, TRL_ATOM),
    MODEL(0x66D, "ATOM_CORE_TURBO_VIDS", true, LINUX, TRL_ATOM),
    MODEL(0x690, "CORE_PERF_LIMIT_REASONS", true, SDM, LIMIT_HSW),
    MODEL(0x6B0, "GRAPHICS_PERF_LIMIT_REASONS", true, SDM, LIMIT_GFX),
    MODEL(0x6B1, "RING_PERF_LIMIT_REASONS", true, SDM, LIMIT_GFX),
};

const struct msr_table msr_intel_table = {rules, sizeof(rules) / sizeof(rules[0])};
