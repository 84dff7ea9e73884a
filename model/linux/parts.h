#pragma once

#include "model/boost_numerator.h"
#include "model/linux/history.h"
#include "model/linux/invariance.h"
#include "model/linux/view.h"

/*
 * Inside model/linux only: what the makers of a view share. Facts are what no kernel version changes; they are
 * taken once for all views, so that 1024 CPUs are walked few times.
 */

/* The ratios that intel_pstate reads: kernel-facts 4.5. UNTRIED where the snapshot lacks an MSR. */
struct intel_ratios {
    enum avail avail;
    const char *why;    /* what is missing, or how they were read */
    uint64_t min;       /* of the bus clock */
    uint64_t physical;  /* guaranteed by the part: base */
    uint64_t non_turbo; /* the configured TDP level's */
    uint64_t turbo;
    uint64_t scaling_khz; /* kHz a ratio; 0: the bus clock is not known */
};

struct linux_facts {
    struct linux_table
        table; /* acpi-cpufreq's without any boost; rows[-1] is free for a boost row */
    bool has_intel_controls;        /* _PSS controls look like Intel ratios, not like AMD numbers */
    bool has_pct;                   /* the first processor has a _PCT: the device is created */
    struct linux_policies policies; /* from _PSD, before any override */
    uint32_t smt_siblings;
    bool is_ranked; /* the CPUs differ in highest_perf */
    uint32_t rankings_count;
    uint64_t ranking_min;
    uint64_t ranking_max;
    uint64_t first_highest;             /* of the first CPU */
    const struct processor *cpc;        /* the first processor with a _CPC */
    struct intel_ratios ratios;         /* of CPU 0 */
    struct linux_invariance invariance; /* Intel's: the same in every version that has it */
    uint64_t *ladder_khz;               /* intel_pstate passive: every ratio from turbo down */
    uint32_t ladder_count;
    uint32_t ladder_p0_row;
    uint32_t duplicate_uids; /* processors whose uid an earlier one has */
    uint64_t duplicate_uid;  /* the first such uid */
    uint32_t shared_count; /* processors that lead to the CPU of an earlier one with another uid */
    const uint32_t *shared_cpus; /* those CPUs */
};

/* What every maker gets: the snapshot, the facts, and the view to fill. */
struct linux_builder {
    struct platform *platform; /* only its arena and `incomplete` may be changed */
    const struct linux_facts *facts;
    struct linux_view *view;
    struct linux_cstate *scratch; /* LINUX_CSTATES of them, for lists that only give messages */
};

/*
 * Adds a message where this release prints it, or counts one more of an equal one. The format is the kernel's
 * text with this machine's numbers; level, meaning and releases are the table's. cpu CPU_NONE: of the machine.
 */
void linux_say(const struct linux_builder *builder, enum linux_message_kind kind, uint32_t cpu,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether the view has a message of that kind: for those that Linux prints once, whatever their numbers. */
bool linux_was_said(const struct linux_builder *builder, enum linux_message_kind kind);

/* Formats into the arena; a static word when memory is short. */
const char *linux_text(const struct linux_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void linux_why_add(struct linux_why *why, const char *text);

/* Whether the rule is in force for this view; remembers it as uncertain where it is. */
bool linux_builder_holds(const struct linux_builder *builder, enum linux_rule rule);

struct linux_number linux_number_of(uint64_t value, const char *why);
struct linux_number linux_number_missing(enum avail avail, const char *why);

bool linux_msr(const struct platform *platform, uint32_t cpu, uint32_t msr, uint64_t *ret_value);
bool linux_is_model(const struct platform *platform, const uint8_t *models, size_t count);

/* Why this kernel does not take the processor's _CPC (acpi_cppc_processor_probe), or NULL. */
const char *linux_cpc_refused_why(const struct linux_builder *builder,
                                  const struct processor *processor);

/* The PCC subspace of a _CPC that is taken but for its channel, or UINT32_MAX where it has none. */
uint32_t linux_cpc_pcc_id(const struct linux_builder *builder, const struct processor *processor);

/* And why its capabilities cannot be used (cppc_get_perf_caps), or NULL. */
const char *linux_caps_why(const struct linux_builder *builder, const struct processor *processor);

/* Whether the capabilities are there but a dump does not hold the registers they live in: then nothing may be
 * claimed that rests on them. */
bool linux_caps_unknown(const struct linux_builder *builder, const struct processor *processor);

/* The boost numerator of a processor by this version's rule, for acpi-cpufreq and for invariance. */
uint64_t linux_numerator(const struct linux_builder *builder, const struct processor *processor,
                         const char **ret_why);

/* amd-pstate's in the versions in which it had one of its own. */
uint64_t linux_numerator_amd_pstate(const struct linux_builder *builder,
                                    const struct processor *processor, const char **ret_why);

/* Taken once for all views. */
void linux_facts_take(struct platform *platform, struct linux_facts *ret_facts);
void linux_table_take(struct platform *platform, struct linux_facts *facts);
void linux_policies_take(const struct platform *platform, struct linux_facts *facts);
void linux_intel_ratios_take(struct platform *platform, struct linux_facts *facts);
void linux_intel_invariance_take(const struct platform *platform, struct linux_facts *facts);

/* The makers, in the order in which linux_views_compute calls them. */
void linux_cppc_make(const struct linux_builder *builder);
void linux_table_make(const struct linux_builder *builder);
void linux_policies_make(const struct linux_builder *builder);
void linux_amd_pstate_make(const struct linux_builder *builder);
void linux_driver_make(const struct linux_builder *builder);
void linux_invariance_make(const struct linux_builder *builder);
void linux_governor_make(const struct linux_builder *builder);
void linux_idle_make(const struct linux_builder *builder);
void linux_messages_make(const struct linux_builder *builder);
void linux_fadt_messages_make(const struct linux_builder *builder);
void linux_processor_messages_make(const struct linux_builder *builder);

void linux_machine_messages_make(const struct linux_builder *builder);
void linux_pcct_messages_make(const struct linux_builder *builder);
void linux_topology_messages_make(const struct linux_builder *builder);

/* Why Linux has no channel for this PCC subspace, or NULL. */
const char *linux_pcc_channel_why(const struct platform *platform, uint32_t id);

/* Machines that Linux treats otherwise by their SMBIOS strings. */
enum linux_quirk {
    LINUX_QUIRK_ZV5000 = 0,  /* C-states up to C1 */
    LINUX_QUIRK_L8400B,      /* the same */
    LINUX_QUIRK_CLEVO_5600D, /* C-states up to C2 */
    LINUX_QUIRK_X6DLP,       /* P-states of a package coupled although _PSD does not say so */
    LINUX_QUIRK_7K62,        /* _CPC frequencies replaced */
    LINUX_QUIRKS
};
bool linux_quirk_applies(const struct platform *platform, enum linux_quirk which);

/* AMD erratum 400 with C1E in use. */
bool linux_has_e400(const struct platform *platform);

/* Adds the messages of every CPU's _CST. */
void linux_cst_messages_make(const struct linux_builder *builder);

/* Whether intel_pstate takes this machine; fills driver, mode, limits of the view when it does. */
bool linux_intel_pstate_takes(const struct linux_builder *builder);

/* intel_idle's list from its own table and _CST, or NULL with the reason it does not run. */
const char *linux_intel_idle_make(const struct linux_builder *builder,
                                  const struct linux_cstate *cst, uint32_t cst_count);

/* Fills thresholds and runs of a governor whose input (util and start_row apart) is given. */
void linux_governor_fill(const struct governor_input *input, struct linux_governor *governor);

/* Both remedies of S1. */
void linux_remedies_make(const struct linux_builder *builder, struct linux_remedies *ret_remedies);
