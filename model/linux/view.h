#pragma once

#include "model/linux/governor.h"
#include "model/linux/message_table.h"
#include "model/linux/version.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The assumed column: what one Linux release makes of this firmware, without booting it. Pure over the frozen
 * snapshot; every number comes with the reason it was chosen, and what a dump does not hold is said, never
 * guessed. Numbers are those of the first CPU that the driver takes unless a field says otherwise.
 */

#define LINUX_WHY_MAX 16    /* reasons kept for the choice of the driver */
#define LINUX_LIMITS 8      /* distinct pairs of cpuinfo.max and min over the CPUs */
#define LINUX_METHODS 8     /* invariance methods tried */
#define LINUX_CSTATES 16    /* rows of a C-state list */
#define LINUX_RUNS 8        /* governor runs */
#define LINUX_RUN_STEPS 16  /* frequencies kept of one run */
#define LINUX_MESSAGES 48   /* distinct kernel messages */
#define LINUX_PERF_POINTS 4 /* highest, nominal, lowest_nonlinear, lowest */

enum linux_driver {
    LINUX_DRIVER_NONE = 0,
    LINUX_DRIVER_ACPI_CPUFREQ,
    LINUX_DRIVER_INTEL_PSTATE,
    LINUX_DRIVER_AMD_PSTATE,
    LINUX_DRIVER_POWERNOW_K8
};

enum linux_mode { LINUX_MODE_TABLE = 0, LINUX_MODE_ACTIVE, LINUX_MODE_PASSIVE };

/* Why something is so: static text or text in the arena. */
struct linux_why {
    uint32_t count;
    const char *text[LINUX_WHY_MAX];
};

/* A frequency or time that a dump may not hold. */
struct linux_number {
    enum avail
        avail; /* PRESENT: value; UNTRIED: the snapshot lacks what the answer needs; ABSENT */
    uint64_t value;
    const char *why; /* the source when PRESENT, the reason otherwise */
};

struct linux_row {
    uint64_t khz;
    enum frequency_kind kind;
    uint32_t pss_index; /* in the list as Linux sees it (sorted by ACPICA) */
    uint64_t control;
};

struct linux_dropped_row {
    uint32_t pss_index;
    uint64_t mhz;
    const char *why;
};

/* acpi-cpufreq's table, whether or not it is the driver in use. */
struct linux_table {
    const char *no_table_why; /* NULL when there is a table */
    uint32_t cpu;             /* whose table it is */
    uint32_t count;
    const struct linux_row *rows;
    uint32_t p0_row; /* 1 behind a boost row */
    uint32_t dropped_count;
    const struct linux_dropped_row *dropped;
    uint64_t boost_ratio_1024; /* 0: none; no_boost_why says why */
    uint64_t numerator;
    const char *numerator_why;
    const char *no_boost_why;
    bool is_boost_unknown;  /* the dump lacks the registers of _CPC: cpuinfo_max_khz is no claim */
    bool forces_ratio_1024; /* acpi-cpufreq tells the scheduler that there is no boost */
    uint64_t cpuinfo_max_khz;
    uint64_t cpuinfo_min_khz;
    uint64_t scaling_max_khz; /* the policy's own maximum */
    const char *cpuinfo_max_why;
    uint64_t limit_khz; /* by _PPC; 0: no limit */
    uint64_t transition_latency_ns;
    bool is_latency_capped;
    bool is_fast_switch;
};

/* Frequency policies: which CPUs share one. */
struct linux_policies {
    uint32_t count;
    uint32_t largest_cpus;
    uint32_t affected_cpus;   /* CPUs of the first policy, by software coordination */
    uint32_t related_cpus;    /* CPUs of the first CPU's _PSD domain */
    const char *coordination; /* "SW_ALL", "SW_ANY", "HW_ALL", "none" */
    const char *why;
};

struct linux_limit {
    uint32_t first_cpu;
    uint32_t cpus;
    uint64_t max_khz;
    uint64_t min_khz;
};

struct linux_method {
    const char *name;
    bool is_taken;
    const char *why;
};

/* The ratio that makes utilisation frequency-invariant. */
struct linux_invariance {
    const char *method; /* as struct invariance, or "none" */
    uint64_t base;      /* ratio or nominal_perf */
    uint64_t turbo;     /* ratio or numerator */
    uint64_t computed_ratio_1024;
    uint64_t
        ratio_1024; /* in force: 1024 where turbo is off or acpi-cpufreq says so; 0: not invariant */
    uint64_t base_khz;
    uint64_t max_khz;
    enum avail avail; /* UNTRIED: MSRs that it needs are not in the snapshot */
    const char *why;
    uint32_t methods_count;
    struct linux_method methods[LINUX_METHODS];
    bool is_per_cpu; /* hybrid capacity scaling: ratios differ by CPU */
};

struct linux_perf_point {
    const char *name;
    uint64_t perf;
    uint64_t khz;       /* by cppc_perf_to_khz */
    uint64_t back_perf; /* that frequency by cppc_khz_to_perf */
};

/* CPPC as this kernel reads it, from the first CPU with a _CPC. */
struct linux_cppc {
    const char *unusable_why; /* NULL when the _CPC is taken */
    uint32_t cpu;
    uint32_t points_count;
    struct linux_perf_point points[LINUX_PERF_POINTS];
    const char *khz_from;   /* where the points' kHz come from; NULL: they have none */
    const char *no_khz_why; /* then why */
    bool is_proportional; /* affine and proportional conversion agree at highest_perf within 1 % */
    bool is_ranked;
    uint32_t rankings_count; /* distinct highest_perf values over the CPUs */
    uint64_t ranking_min;
    uint64_t ranking_max;
};

/* amd-pstate's own numbers, whether or not it is the driver in use. */
struct linux_amd_pstate {
    bool is_possible;        /* the driver would start if asked for */
    bool is_msr;             /* CPPC by MSR, not shared memory */
    bool is_cpc_missing;     /* a CPU has no _CPC that Linux takes */
    bool is_unknown;         /* the dump lacks the registers of _CPC: there are no frequencies */
    bool is_off_by_default;  /* it could be tried, and this release does not without being asked */
    bool is_enable_failing;  /* CPPC cannot be switched on */
    bool is_frequency_wrong; /* minimum, maximum and nominal do not fit together */
    bool is_nonlinear_wrong; /* lowest_nonlinear does not lie between minimum and nominal */
    const char *frequency_why; /* which do not, or why they cannot be read; NULL: they fit */
    const char *why;           /* first reason against it, or NULL */
    uint64_t highest_perf, nominal_perf, lowest_nonlinear_perf, lowest_perf;
    const char *highest_why;
    uint64_t min_khz, max_khz, nominal_khz, lowest_nonlinear_khz;
    uint64_t latency_ns;
    uint64_t delay_us; /* passive and guided mode only */
    const char *delay_why;
};

enum linux_entry { LINUX_ENTRY_HALT = 0, LINUX_ENTRY_MWAIT, LINUX_ENTRY_IO };

struct linux_cstate {
    const char *name; /* "C1", "C6" */
    uint32_t type;    /* ACPI type; 0 where there is none */
    enum linux_entry entry;
    uint64_t address; /* MWAIT hint or port */
    uint64_t latency_us;
    uint64_t residency_us;
    const char *from; /* "_CST", "FADT", "table", "_LPI", "default" */
    uint32_t index;   /* in its source */
    bool is_kept;
    bool is_latency_sorted; /* the latency is another state's: they were out of order */
    const char *why;        /* dropped: why; kept: what is special, or NULL */
};

struct linux_idle {
    const char *driver; /* "intel_idle", "acpi_idle", "none" */
    const char *why;
    uint32_t cpu;
    uint32_t count;
    const struct linux_cstate *states; /* of the driver in use */
    uint32_t acpi_count;
    const struct linux_cstate *acpi_states; /* acpi_idle's, whatever the driver */
    uint32_t cst_sets;                      /* distinct _CST over the CPUs */
    const char
        *uncertain_why; /* the states come from registers that a dump does not hold; or NULL */
    uint32_t max_cstate;
    const char *max_cstate_why; /* NULL: no limit */
    enum avail dummy_rule_avail;
    bool dummy_rule; /* this kernel on this CPU reads the PM timer after a C-state port */
    bool dummy_wait; /* and a port is really read */
    uint16_t dummy_port;
    const char *dummy_why;
    const char *bus_master; /* what C3 does with caches and bus masters; NULL without a C3 */
    bool is_lapic_trusted;  /* the LAPIC timer goes on in every kept state */
    const char *lapic_why;
    const char *lpi_why; /* what becomes of _LPI; NULL without one */
    const char *csd_why; /* what becomes of _CSD; NULL without one */
};

struct linux_governor_run {
    uint32_t util;
    uint64_t delivered_khz;
    uint64_t start_khz;
    uint32_t visited_count;
    uint64_t visited_khz[LINUX_RUN_STEPS];
    uint64_t steady_khz;
    bool is_settled;
    bool is_trapped; /* ends below P0 and even full load does not bring it back from there */
};

struct linux_governor {
    const char *default_name; /* "schedutil", "performance", "powersave" */
    const char *default_why;
    enum governor_form form;
    const char *formula;
    const char *no_runs_why; /* NULL when there are runs */
    bool is_invariant;
    uint64_t reference_khz;
    uint64_t invariance_khz;
    uint64_t delivered_khz;
    bool is_trap;
    uint32_t leaves_p0_below;
    uint32_t falls_to_lowest_below;
    uint32_t runs_count;
    struct linux_governor_run runs[LINUX_RUNS];
};

struct linux_message {
    enum linux_message_kind kind;
    enum linux_level level;
    const char *text;    /* as printed, with this machine's numbers */
    const char *meaning; /* what it means and what follows */
    uint32_t cpus;       /* how often it is printed; 1 for once */
    uint32_t first_cpu;  /* CPU_NONE: the machine as a whole */
};

struct linux_view {
    struct linux_version version;
    char version_text[24];
    enum linux_driver driver;
    enum linux_mode mode;
    const char *driver_name;    /* "acpi-cpufreq", "intel_pstate", "amd-pstate", "none" */
    const char *scaling_driver; /* what sysfs shows: "intel_cpufreq", "amd-pstate-epp", ... */
    struct linux_why why;
    struct linux_number cpuinfo_max;
    struct linux_number cpuinfo_min;
    struct linux_number scaling_max;
    struct linux_number latency_ns;
    struct linux_number delay_us;
    uint32_t limits_count;
    struct linux_limit limits[LINUX_LIMITS];
    struct linux_number epp; /* the energy preference that firmware left; why names it */
    bool is_boost_supported;
    enum avail boost_on_avail;
    bool is_boost_on;
    const char *boost_why;
    struct linux_table table;
    struct linux_policies policies;
    struct linux_invariance invariance;
    struct linux_cppc cppc;
    struct linux_amd_pstate amd;
    struct linux_idle idle;
    struct linux_cstate idle_states[LINUX_CSTATES];  /* what idle.acpi_states points to */
    struct linux_cstate intel_states[LINUX_CSTATES]; /* intel_idle's */
    struct linux_governor governor;
    uint32_t messages_count;
    struct linux_message messages[LINUX_MESSAGES];
    uint32_t uncertain_count; /* rules that shaped this view and whose release is not certain */
    const char *uncertain[LINUX_WHY_MAX];
};

/* The two remedies of the 2021 EPYC regression on this machine's numbers, by the rules of 5.11-rc4. */
struct linux_remedies {
    const char *none_why; /* NULL when they apply */
    uint64_t boost_ratio_1024;
    uint64_t boost_khz;
    uint64_t invariance_khz;
    struct linux_governor without;
    struct linux_governor extended_table; /* A: one more row in front */
    struct linux_governor max_boost;      /* B: a maximum of the governor's own */
};

struct linux_views {
    uint32_t count;
    const struct linux_view *views; /* the chosen version first, then the profiles, oldest first */
    struct linux_remedies remedies;
};

/*
 * Computes the views into platform->linux_views: `first` (newest known when its major is 0), then every profile
 * that is not it. Call once after platform_freeze. On a lack of memory platform->incomplete says so and
 * linux_views stays NULL.
 */
void linux_views_compute(struct platform *platform, struct linux_version first);

/* The same for `version` alone. */
void linux_views_compute_one(struct platform *platform, struct linux_version version);

/* The version that options->linux_version names, or LINUX_NEWEST when it is empty or no version. */
struct linux_version linux_views_version(const struct platform *platform);

const char *linux_mode_name(enum linux_mode mode);    /* "table", "active", "passive" */
const char *linux_entry_name(enum linux_entry entry); /* "hlt", "mwait", "io" */
