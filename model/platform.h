#pragma once

#include "model/arena.h"
#include "model/cpu_id.h"
#include "model/cpuset.h"
#include "model/freq.h"
#include "model/idle.h"
#include "model/objects.h"
#include "model/options.h"
#include "model/pcc.h"
#include "model/request_register.h"
#include "model/tables.h"
#include "model/work.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The snapshot: everything that was collected from one machine. Collectors fill it, platform_freeze
 * adds the derived fields, and from then on it is const: rules and reports only read it. Everything
 * it points to lies in its arena.
 */

enum platform_source { SOURCE_FIRMWARE = 0, SOURCE_FOLDER, SOURCE_DUMP };

#define CPU_NONE UINT32_MAX
#define MADT_NONE UINT32_MAX
#define PROCESSOR_NONE UINT32_MAX
#define CPU_UID_UNKNOWN UINT32_MAX /* a CPU that neither the MADT nor a processor gives a uid */

/* A processor in the ACPI namespace: a Processor object or an ACPI0007 device (ACPI 6.5, 8.4). */
enum processor_kind { PROCESSOR_OBJECT = 0, PROCESSOR_DEVICE };

struct processor {
    const char *path; /* without trailing underscores */
    enum processor_kind kind;
    enum avail uid_avail; /* PROCESSOR_DEVICE: _UID; PROCESSOR_OBJECT: PRESENT, the ProcId */
    uint64_t uid;
    const char *uid_text; /* when _UID is a String, else NULL */
    /* A Processor object may have a _UID as well. Linux takes its ProcId; this is kept beside it. */
    enum avail
        second_uid_avail; /* PRESENT: an Integer; MALFORMED: second_uid_text or another type */
    uint64_t second_uid;
    const char *second_uid_text;
    uint32_t pblk_address; /* PROCESSOR_OBJECT only */
    uint8_t pblk_length;
    enum avail sta_avail;
    uint32_t sta;
    uint32_t madt_index; /* into platform.madt.entries, or MADT_NONE */
    uint32_t apic_id;    /* valid when madt_index is not MADT_NONE */
    bool is_enabled;     /* present by _STA and enabled in the MADT (without a MADT: present) */
    uint32_t cpu;        /* Linux CPU number, or CPU_NONE when not enabled */
    bool has_osc;        /* a processor _OSC method exists */
    bool has_pdc;
    const char *osc_error; /* "AE_..." of the handshake on this processor, or NULL */
    const char *pdc_error;
    struct object_result objects[OBJECT_KINDS];
    /* _CPC registers as read where they live; index enum cpc_register. Integers are PRESENT too. */
    enum avail cpc_avail[CPC_REGISTERS];
    uint64_t cpc_value[CPC_REGISTERS];
};

/* A logical CPU of the machine, numbered as Linux does: boot CPU 0, then enabled MADT entries. */
enum cpu_answer {
    CPU_ANSWERED = 0,
    CPU_NOT_ASKED, /* a dump, or --cpus left it out */
    CPU_DID_NOT_ANSWER,
    CPU_DISABLED,   /* MP services say disabled or unhealthy */
    CPU_NOT_PRESENT /* in the MADT, but unknown to MP services */
};

struct cpu {
    uint32_t apic_id;
    uint32_t uid;
    uint32_t processor; /* into platform.processors, or PROCESSOR_NONE */
    bool is_boot;
    enum cpu_answer answer;
    uint32_t kind; /* into platform.cpuid_kinds */
    uint32_t package_id;
    uint32_t core_type; /* CPUID 1AH EAX[31:24]; 0 when not hybrid */
};

struct msr_value {
    enum avail avail;
    uint64_t value;
};

struct extra_msr {
    uint32_t cpu;
    uint32_t msr;
    struct msr_value value;
};

struct handshake {
    bool is_done; /* something was evaluated at all */
    uint32_t proc_caps;
    uint32_t platform_caps;
    bool has_platform_osc;
    const char *platform_error; /* "AE_..." or a word for a reply error; NULL when it went well */
    uint32_t platform_reply;    /* capability word of the last reply */
    uint32_t platform_status;   /* error dword of the last reply */
    uint32_t osc_count;         /* processors on which _OSC was evaluated */
    uint32_t pdc_count;
    uint32_t dynamic_tables; /* SSDTs that AML loaded */
};

/* A message that the interpreter printed while loading or evaluating, folded by text. */
struct aml_message {
    const char *text;
    uint32_t count;
};

struct aml_accounting {
    uint64_t memory_reads, memory_writes;
    uint64_t io_reads, io_writes;
    uint64_t pci_reads, pci_writes;
    uint64_t denied;
    uint64_t unrecorded;
    uint64_t absent_memory;   /* accesses to addresses that the memory map does not have */
    const char *first_denied; /* what and where, or NULL */
    const char *first_absent;
};

/* A step that an earlier run on this machine did not come back from: a hang, a reset, a power cut. */
struct interrupted {
    const char *step;   /* as model/journal.h writes it */
    const char *run_of; /* when that run began: "2026-12-01 03:00 UTC"; NULL: not known */
    bool was_left_out;
};

/* clock.from where rules look at it. */
#define CLOCK_FROM_PM_TIMER "measured against the PM timer"
#define CLOCK_FROM_HPET "measured against the HPET"
#define CLOCK_FROM_PIT "measured against the PIT"
#define CLOCK_FROM_RTC "measured against the real-time clock"
#define CLOCK_FROM_P0 "definition of P0"

struct clock {
    const char *name; /* "tsc" */
    uint64_t hz;
    const char *from; /* "CPUID 15H", "measured against PM timer", ... */
    uint64_t uncertainty_ppm;
    const char *status;     /* "used", "absent", "does not count", "disagrees", ... */
    uint32_t runs;          /* measured: how many runs were made ... */
    uint32_t rejected;      /* ... and how many of them were disturbed and left out */
    uint64_t tolerance_ppm; /* how far off the source may be by its nature; 0: not known */
    const char *why;        /* the one used: why it is, or NULL */
    bool has_smi_count;     /* measured: `smi` holds */
    uint32_t smi;           /* SMIs during the measurement, MSR 34H */
};

/* The TSCs of all CPUs against the boot CPU's: drivers/tsc_sync.h. A difference is only what is proved. */
struct tsc_sync {
    uint32_t compared;   /* CPUs; 0: not looked at */
    uint32_t differing;  /* ... of them for certain */
    uint64_t widest_tsc; /* how closely the least well bounded of them is known */
    uint64_t worst_tsc;  /* the largest proved difference */
    uint32_t worst_cpu;
    bool is_worst_behind; /* its TSC shows less than the boot CPU's */
};

#define PLATFORM_CLOCKS 16

enum frequency_kind { FREQUENCY_BOOST = 0, FREQUENCY_PSTATE };

struct frequency_row {
    uint64_t khz;
    enum frequency_kind kind;
    uint64_t control;
    uint32_t pss_index; /* index of the _PSS row it stands for; boost: that of P0 */
};

/* The extended frequency table: mission S1; kernel 1.4 and 1.5. Of the first CPU with a _PSS. */
struct frequency {
    uint32_t processor; /* whose objects it was made of, or PROCESSOR_NONE: no table */
    uint32_t count;
    const struct frequency_row *rows;
    uint32_t skipped_rows;    /* _PSS rows not taken (not below the last taken one, or zero) */
    const char *no_table_why; /* why there are no rows, or NULL */
    enum avail boost_avail;
    uint64_t
        boost_ratio_1024; /* (numerator << 10) / nominal_perf; 0 when there is no boost entry */
    uint64_t boost_numerator;
    const char *boost_numerator_why;
    bool
        is_boost_numerator_verified; /* false: the CPU's scale is not known, the firmware's value is used */
    uint64_t firmware_numerator; /* highest_perf as the firmware or MSR C001_02B0 gives it */
    const char *no_boost_why;    /* why there is no boost entry, or NULL */
    uint64_t max_boost_khz;      /* the boost entry: remedy A and B of S1 are the same number */
    uint64_t raw_boost_khz;      /* with the firmware's own highest_perf as numerator */
    uint64_t turbo_limit_khz;    /* Intel: MSR 1ADH [7:0] times bus clock; 0 when not known */
    bool is_turbo_limited; /* the boost entry is turbo_limit_khz, because the ratio gave more */
    uint64_t
        cpuinfo_max_khz; /* Linux 6.16's form: nominal_freq (else P0) * ratio; 0 without boost */
    uint64_t
        midpoint_ratio_1024; /* ((numerator << 10) / nominal_perf + 1024) / 2; 0 without boost */
    /* What frequency invariance takes for the maximum: model/linux/invariance.h. */
    const char *invariance_method;  /* "amd_midpoint", "core", ...; "none" when there is no ratio */
    uint64_t invariance_ratio_1024; /* 0: none */
    uint64_t invariance_max_khz;    /* 0: the base clock is not known */
    const char *invariance_why;
    bool
        is_invariance_active; /* false: Linux leaves it off on this CPU; why says for what reason */
};

/* What processors are found by: model/processor_index.h. Numbers in ascending order, by key. */
enum processor_key {
    PROCESSOR_UID = 0,
    PROCESSOR_PSD_DOMAIN,
    PROCESSOR_CSD_DOMAIN,
    PROCESSOR_KEYS
};

struct processor_order {
    uint32_t count;
    const uint64_t *items; /* low half of the number << 32 | processor; NULL: not made */
};

struct linux_views;  /* model/linux/view.h */
struct windows_view; /* model/windows.h */
struct columns;      /* model/columns.h */

struct platform {
    struct arena *arena;
    enum platform_source source;
    const char *source_name; /* the folder or file; "" for firmware */
    bool is_replay;          /* the record of a run on the machine itself: as good as that run */
    const char *vendor;      /* machine's, from SMBIOS type 1; NULL when unknown */
    const char *product;
    const char *firmware_version; /* SMBIOS type 0 */
    const char *firmware_date;
    bool has_smbios;            /* SMBIOS structures were read */
    uint32_t smbios_max_mhz;    /* type 4, the largest Max Speed; 0: none is given */
    bool is_tables_from_medium; /* --tables: not this firmware's own */
    bool is_emulated;           /* under a hypervisor or emulator: timed figures mean nothing */
    const struct options *options;
    const char *expectation; /* text of the file of --expect, for the snapshot; NULL: none */
    size_t expectation_bytes;
    uint32_t expectation_yyyymmdd; /* the day by which it was judged; 0: not known */

    const char *acpi_error; /* why there are no ACPI tables at all, or NULL */
    uint8_t rsdp_revision;
    bool has_rsdp;
    bool is_rsdp_checksum_ok;
    uint32_t tables_count;
    const struct acpi_table *tables;
    struct fadt fadt;
    struct madt madt;
    struct pcct pcct;
    struct hpet hpet;
    struct handshake handshake;
    struct aml_accounting aml;
    uint32_t aml_messages_count;
    const struct aml_message *aml_messages;

    uint32_t processors_count;
    struct processor *processors;
    struct processor_order processor_orders[PROCESSOR_KEYS]; /* made by platform_freeze */
    uint32_t sets_count;
    const struct object_set *const *sets; /* every distinct object, by kind then index, raw first */

    uint32_t cpus_count;
    struct cpu *cpus;
    uint32_t cpuid_kinds_count;
    const struct cpuid_set *cpuid_kinds;      /* kind 0 is the boot CPU's */
    struct cpu_identity identity;             /* of the boot CPU */
    const struct cpu_identity *kind_identity; /* one per kind */

    uint32_t msrs_count;
    const uint32_t *msrs;         /* MSR numbers that were asked for, ascending */
    struct msr_value *msr_values; /* [cpu * msrs_count + i] */
    /* MSRs of _CPC registers that are not among msrs, for the snapshot. */
    uint32_t extra_msrs_count;
    const struct extra_msr *extra_msrs;
    bool is_fault_handler_proved; /* an instruction that surely faults was turned into a value */

    uint32_t clocks_count;
    struct clock clocks[PLATFORM_CLOCKS];
    uint64_t tsc_hz; /* the best known rate, 0 when unknown */
    const char *tsc_from;
    struct tsc_sync tsc_sync;

    struct frequency frequency;
    const struct linux_views *linux_views; /* the assumed column; NULL until linux_views_compute */
    const struct windows_view *windows;    /* idle states; NULL until windows_view_compute */
    const struct columns *columns;         /* model/columns.h; NULL until columns_compute */

    uint32_t idle_count;
    const struct idle_sample_set *idle;
    const char *idle_skipped; /* why there is nothing in idle[], or why it ended early, or NULL */
    const char *idle_energy_why; /* why no idle state has an energy, or NULL */
    uint32_t idle_not_timed_count;
    const struct idle_not_timed *idle_not_timed;
    uint32_t idle_reach_count;
    struct idle_reach *idle_reach;
    uint32_t port_costs_count;
    const struct port_cost *port_costs;
    struct sample_store samples; /* the buckets behind idle[] and port_costs[]: samples.csv */
    struct tsc_gaps tsc_gaps;    /* on the boot CPU, before the timed passes */

    /* Steps that earlier, unfinished runs on this machine ended in (efi/journal.c). */
    uint32_t interrupted_count;
    struct interrupted *interrupted;
    uint64_t nmi_count; /* non-maskable interrupts on the boot CPU outside the timed stretches */

    struct request_account requests;
    uint32_t pcc_count; /* subspaces through which commands were sent */
    struct pcc_account *pcc;
    uint32_t requests_left_count;
    const struct request_left *requests_left;

    uint32_t freq_count; /* by CPU, then as asked for */
    struct freq_sample *freq;
    uint32_t freq_boosts_count;
    struct freq_boost *freq_boosts;
    uint32_t freq_settlings_count;
    const struct freq_settling *freq_settlings;
    uint32_t work_count;
    struct work_sample *work;
    const char *
        work_skipped; /* why there is nothing in work[], or why energy is missing everywhere, or NULL */
    uint32_t freq_refusals_count;
    const struct freq_refusal *freq_refusals;
    const char *freq_skipped; /* why there are none, or why measuring ended early, or NULL */

    bool is_mp_services_absent; /* only the boot CPU could be asked */
    const char *mp_note;    /* how the other CPUs were run, or what went wrong; NULL on a dump */
    const char *incomplete; /* not NULL: something could not be kept (memory); said in the report */
};

/* Whether the facts are those of a run on the machine itself, live or replayed, and not of a dump that lacks
 * memory, clocks and CPUs. */
bool platform_is_firsthand(const struct platform *platform);

/* Prepares an empty snapshot in `arena`. options must outlive it. */
void platform_init(struct platform *platform, struct arena *arena, const struct options *options);

/* Whether this is a hypervisor's or an emulator's machine, by what has been collected so far: the boot CPU's
 * identity, the tables, the names in SMBIOS. platform_freeze keeps the answer in is_emulated. */
bool platform_seems_emulated(const struct platform *platform);

/* Derives what follows from the facts: identity, is_emulated, the extended frequency table, the
 * order of the processors. */
void platform_freeze(struct platform *platform);

/* The MSR's value on a CPU; avail UNTRIED when it was never asked there. */
struct msr_value platform_msr(const struct platform *platform, uint32_t cpu, uint32_t msr);

/* The processor of a CPU number, or NULL. */
const struct processor *platform_processor(const struct platform *platform, uint32_t cpu);

/* The CPUID leaves of a CPU, or NULL when none were read. */
const struct cpuid_set *platform_cpuid(const struct platform *platform, uint32_t cpu);

/* The object set of processor and kind as the firmware gave it, or NULL. */
const struct object_set *platform_object(const struct processor *processor, enum object_kind kind);

/* The same as Linux sees it: the repaired one where repair changed or rescued it. */
const struct object_set *platform_object_as_linux(const struct processor *processor,
                                                  enum object_kind kind);

/* A table by signature (the first), or NULL. */
const struct acpi_table *platform_table(const struct platform *platform, const char *signature);
