#pragma once

#include "model/avail.h"

#include <stdbool.h>
#include <stdint.h>

/* One CPUID leaf as read: SDM vol. 2A, CPUID; APM vol. 3, appendix E. */
struct cpuid_leaf {
    uint32_t leaf;
    uint32_t subleaf;
    uint32_t eax;
    uint32_t ebx;
    uint32_t ecx;
    uint32_t edx;
};

/* All leaves of one kind of CPU. CPUs whose leaves differ only in their ids share one. */
struct cpuid_set {
    uint32_t count;
    const struct cpuid_leaf *leaves;
};

enum cpu_vendor {
    VENDOR_UNKNOWN = 0,
    VENDOR_INTEL,
    VENDOR_AMD,
    VENDOR_HYGON,
    VENDOR_CENTAUR,
    VENDOR_ZHAOXIN
};

/* A CPUID feature bit as a constant: leaf, subleaf, register (0 eax, 1 ebx, 2 ecx, 3 edx), bit. */
struct cpu_feature {
    uint32_t leaf;
    uint8_t subleaf;
    uint8_t reg;
    uint8_t bit;
};

extern const struct cpu_feature CPU_FEATURE_MONITOR;       /* 1 ECX[3] */
extern const struct cpu_feature CPU_FEATURE_EIST;          /* 1 ECX[7] */
extern const struct cpu_feature CPU_FEATURE_X2APIC;        /* 1 ECX[21] */
extern const struct cpu_feature CPU_FEATURE_TSC_DEADLINE;  /* 1 ECX[24] */
extern const struct cpu_feature CPU_FEATURE_HYPERVISOR;    /* 1 ECX[31] */
extern const struct cpu_feature CPU_FEATURE_TSC;           /* 1 EDX[4] */
extern const struct cpu_feature CPU_FEATURE_MSR;           /* 1 EDX[5] */
extern const struct cpu_feature CPU_FEATURE_APIC;          /* 1 EDX[9] */
extern const struct cpu_feature CPU_FEATURE_ACPI;          /* 1 EDX[22] */
extern const struct cpu_feature CPU_FEATURE_MWAIT_EXT;     /* 5 ECX[0] */
extern const struct cpu_feature CPU_FEATURE_MWAIT_BREAK;   /* 5 ECX[1] */
extern const struct cpu_feature CPU_FEATURE_IDA;           /* 6 EAX[1] */
extern const struct cpu_feature CPU_FEATURE_ARAT;          /* 6 EAX[2] */
extern const struct cpu_feature CPU_FEATURE_HWP;           /* 6 EAX[7] */
extern const struct cpu_feature CPU_FEATURE_HWP_EPP;       /* 6 EAX[10] */
extern const struct cpu_feature CPU_FEATURE_HWP_PACKAGE;   /* 6 EAX[11] */
extern const struct cpu_feature CPU_FEATURE_APERFMPERF;    /* 6 ECX[0] */
extern const struct cpu_feature CPU_FEATURE_EPB;           /* 6 ECX[3] */
extern const struct cpu_feature CPU_FEATURE_TSC_ADJUST;    /* 7 EBX[1] */
extern const struct cpu_feature CPU_FEATURE_HYBRID;        /* 7 EDX[15] */
extern const struct cpu_feature CPU_FEATURE_HW_PSTATE;     /* 80000007 EDX[7] */
extern const struct cpu_feature CPU_FEATURE_INVARIANT_TSC; /* 80000007 EDX[8] */
extern const struct cpu_feature CPU_FEATURE_CPB;           /* 80000007 EDX[9] */
extern const struct cpu_feature CPU_FEATURE_AMD_RAPL;      /* 80000007 EDX[14] */
extern const struct cpu_feature CPU_FEATURE_FAST_CPPC;     /* 80000007 EDX[15] */
extern const struct cpu_feature CPU_FEATURE_RDPRU;         /* 80000008 EBX[4] */
extern const struct cpu_feature CPU_FEATURE_CPPC;          /* 80000008 EBX[27] */
extern const struct cpu_feature CPU_FEATURE_HETERO_CORES;  /* 80000026 EAX[30] */

/* Who made the CPU and which one it is. */
struct cpu_identity {
    enum avail avail; /* ABSENT: no CPUID was given (a bare dump) */
    enum cpu_vendor vendor;
    char vendor_text[13];
    uint32_t family; /* display family: base + extended when base is 0Fh */
    uint32_t model;  /* display model */
    uint32_t stepping;
    char brand[49]; /* trimmed; empty when there is none */
    bool is_hypervisor;
    char hypervisor_text[13]; /* leaf 40000000H EBX ECX EDX; empty when none */
    uint32_t max_leaf;
    uint32_t max_extended_leaf;
};

/* The leaf, or NULL when it was not read or is beyond the maximum leaf. */
const struct cpuid_leaf *cpuid_find(const struct cpuid_set *set, uint32_t leaf, uint32_t subleaf);

/* Whether a feature bit is set; false when the leaf is absent. */
bool cpuid_has(const struct cpuid_set *set, struct cpu_feature feature);

/* Decodes vendor, family, model, stepping, brand and hypervisor. Sources: SDM vol. 2A CPUID leaf 0, 1,
 * 80000002H-4H; the hypervisor bit and leaf 40000000H are a convention, not Intel's. */
void cpu_identity_decode(const struct cpuid_set *set, struct cpu_identity *ret_identity);

/* "GenuineIntel" -> VENDOR_INTEL, ... */
enum cpu_vendor cpu_vendor_of(const char *vendor_text);
