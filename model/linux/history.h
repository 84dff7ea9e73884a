#pragma once

#include "model/linux/version.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What changed in Linux's power management, and when: one entry a rule. Every version-dependent decision of
 * the assumed column asks here, so that a version number stands nowhere else. Sources are the commits named;
 * where a boundary is known only from list threads or other trees the entry says so.
 */
enum linux_rule {
    LINUX_RULE_INTEL_INVARIANCE = 0, /* utilisation is frequency-invariant on Intel */
    LINUX_RULE_AMD_INVARIANCE,       /* and on AMD, by the midpoint of boost and nominal */
    LINUX_RULE_HYBRID_CAPACITY,      /* per-CPU capacity and ratio on hybrid parts */
    LINUX_RULE_BOOST_ROW,            /* acpi-cpufreq puts a boost row in front of P0 */
    LINUX_RULE_BOOST_MAX,            /* acpi-cpufreq raises cpuinfo.max_freq instead */
    LINUX_RULE_NUMERATOR_FIXED,      /* AMD boost numerator 166 or 255 by model */
    LINUX_RULE_NUMERATOR_PREFCORE,   /* amd-pstate: 166 or 196 with preferred cores */
    LINUX_RULE_NUMERATOR_DETECTED,   /* numerator by detected preferred cores */
    LINUX_RULE_NUMERATOR_CORE_TYPE,  /* and by core type */
    LINUX_RULE_NOMINAL_BASE,         /* the boost base is _CPC nominal_freq, not P0 */
    LINUX_RULE_NOMINAL_BASE_MHZ,     /* ... with its MHz taken for kHz */
    LINUX_RULE_DUMMY_WAIT,           /* PM-timer read after the C-state port, on whatever CPU */
    LINUX_RULE_DUMMY_WAIT_NO_GUEST,  /* not in a guest */
    LINUX_RULE_DUMMY_WAIT_INTEL,     /* on Intel only */
    LINUX_RULE_FORM_UTIL_QUARTER,    /* schedutil raises the utilisation, not the maximum */
    LINUX_RULE_FORM_CLIPPED,         /* and clips it to the capacity */
    LINUX_RULE_FORM_CLIPPED_EARLY,   /* ... and loses the headroom where nothing is invariant */
    LINUX_RULE_RATE_CAP_10MS,        /* default rate limit: 1000 latencies, at most 10 ms */
    LINUX_RULE_RATE_CAP_2MS,         /* at most 2 ms */
    LINUX_RULE_RATE_HALF_MORE,       /* one and a half latencies */
    LINUX_RULE_AMD_PSD_TRUSTED,      /* _PSD is believed on AMD family 19h and later */
    LINUX_RULE_AMD_PSTATE,           /* the amd-pstate driver exists */
    LINUX_RULE_AMD_PSTATE_EPP,       /* and has an active mode */
    LINUX_RULE_AMD_PSTATE_DEFAULT,   /* and is used without being asked for */
    LINUX_RULE_AMD_PSTATE_NO_SHARED, /* but not on shared-memory systems */
    LINUX_RULE_AMD_PSTATE_SERVER,    /* servers of family 1Ah and later are no longer refused */
    LINUX_RULE_AMD_PSTATE_CLAMP,     /* its numerator never exceeds the CPU's own highest_perf */
    LINUX_RULE_AMD_PSTATE_LNL_CHECK, /* lowest_nonlinear must lie between min and nominal */
    LINUX_RULE_AMD_PSTATE_1000US,    /* transition delay 1000 us and latency 20000 ns */
    LINUX_RULE_AMD_PSTATE_CEIL,      /* perf to frequency is rounded up */
    LINUX_RULE_PREFCORE,             /* amd-pstate ranks preferred cores */
    LINUX_RULE_FAST_CPPC,            /* transition delay 600 us with FAST_CPPC */
    LINUX_RULE_INTEL_PASSIVE,        /* intel_pstate without HWP is passive by default */
    LINUX_RULE_HWP_NEEDS_EPP,        /* HWP is switched on only with EPP */
    LINUX_RULE_HYBRID_SCALING,       /* HWP levels of P cores are not 100 MHz steps */
    LINUX_RULE_CPPC_SCALING,         /* ... nor those of parts that do not say what core they are */
    LINUX_RULE_INTEL_IDLE_CST,       /* intel_idle takes states from _CST */
    LINUX_RULE_CST_LATENCY_SORT,     /* C-state latencies out of order are sorted */
    LINUX_RULE_CPPC_OSC_GATE,        /* _CPC is read only after \_SB._OSC acknowledged it */
    LINUX_RULE_CPC_REV4_STRICT,      /* a _CPC beyond revision 3 is read as revision 3 */
    LINUX_RULE_CPPC_AFFINE,          /* performance to kHz along one line, not in two pieces */
    LINUX_RULE_CPPC_FLAT,            /* and in proportion where both frequencies are the same */
    LINUX_RULE_AMD_7K62,             /* amd-pstate knows the EPYC 7K62 with a firmware of 2019 */
    LINUX_RULE_APIC_ORDER,           /* the order of the MADT is checked */
    LINUX_RULE_SCHEDUTIL_DEFAULT,    /* schedutil is the default governor where the driver allows */
    LINUX_RULE_RATIO_SAID,           /* the invariance ratio is printed */
    LINUX_RULE_CST_SKIP_SAID,        /* why an entry of _CST is skipped is printed */
    LINUX_RULE_AMD_PSTATE_OFF_SAID,  /* that amd-pstate stays off is printed */
    LINUX_RULE_CPPC_OFF_SAID,        /* that firmware switched CPPC off is printed */
    LINUX_RULE_TOPOLOGY_SAID, /* CPUID's topology levels and ids are compared, and it is said */
    LINUX_RULES
};

#define LINUX_INTERVALS 8

/* From `since` up to but not including `until`; an `until` of 0.0 has not come yet. */
struct linux_interval {
    struct linux_version since;
    struct linux_version until;
    bool is_uncertain; /* a boundary of this interval may be off by a release */
};

struct linux_rule_entry {
    const char *name;   /* what holds, in the present tense */
    const char *commit; /* its commit(s), or "" where only the effect is known */
    const char *note;   /* what is uncertain, or what follows; "" when nothing */
    struct linux_interval intervals[LINUX_INTERVALS]; /* ends with an interval since 0.0 */
};

const struct linux_rule_entry *linux_rule_at(enum linux_rule rule);

/* Whether the rule was in force in this release. */
bool linux_rule_holds(enum linux_rule rule, struct linux_version version);

/* Whether the answer of linux_rule_holds is uncertain: the version lies in an interval whose boundaries are
 * not certain, or less than two releases (or ten stable ones) away from one that is in doubt. */
bool linux_rule_is_uncertain(enum linux_rule rule, struct linux_version version);
