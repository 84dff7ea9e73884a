#pragma once

#include "model/finding.h"
#include "model/platform.h"
#include "tests/sim/heap.h"

/*
 * Sound machines made by code, with nothing to find, and edits of one thing at a time:
 *   BARE    two processors of a lone SSDT: no FADT, MADT, CPUID or MSR
 *   AMD     four CPUs of family 19h model 21h, CPPC in MSRs
 *   PCC     the same with family 17h model 71h, CPPC through PCC, P_BLK and an _LPI
 *   INTEL   four CPUs of model 9Eh with HWP, MWAIT and I/O C-states
 *   HYBRID  the same as two P cores and two E cores, model 97h
 *   ATOM    two CPUs of model 37h, whose bus clock is selected
 */
enum fixture_machine {
    MACHINE_BARE = 0,
    MACHINE_AMD,
    MACHINE_PCC,
    MACHINE_INTEL,
    MACHINE_HYBRID,
    MACHINE_ATOM,
    MACHINES
};

#define FIXTURE_CPUS 8
#define FIXTURE_ALL UINT32_MAX
#define FIXTURE_SETS 64
#define FIXTURE_MSRS 48
#define FIXTURE_LEAVES 24

struct fixture_msr {
    uint32_t msr;
    struct msr_value value[FIXTURE_CPUS];
};

struct fixture {
    struct heap heap;
    struct options options;
    struct platform platform;
    struct object_set sets[FIXTURE_SETS];
    uint32_t sets_count;
    const struct object_set *set_list[FIXTURE_SETS];
    struct processor processors[FIXTURE_CPUS];
    struct cpu cpus[FIXTURE_CPUS];
    struct madt_entry entries[FIXTURE_CPUS];
    struct pcct_subspace subspaces[2];
    struct acpi_table tables[4];
    struct fixture_msr msrs[FIXTURE_MSRS];
    uint32_t msrs_count;
    uint32_t msr_numbers[FIXTURE_MSRS];
    struct cpuid_leaf leaves[2][FIXTURE_LEAVES];
    struct cpuid_set kinds[2];
    struct idle_sample_set idle[4];
    struct port_cost costs[3];
    struct freq_sample freq[3];
    struct freq_boost boosts[7];
    struct freq_settling settlings[1];
    struct aml_message messages[1];
};

void fixture_init(struct fixture *fixture, enum fixture_machine machine);
void fixture_free(struct fixture *fixture);

/* Gives processor `cpu` (or all) the object that the text describes: tests/rules/aml_text.h. */
void fixture_object(struct fixture *fixture, uint32_t cpu, enum object_kind kind, const char *text);

/* What ACPICA's repair makes of the object of all processors. */
void fixture_repaired(struct fixture *fixture, enum object_kind kind, const char *text);

void fixture_msr(struct fixture *fixture, uint32_t cpu, uint32_t msr, uint64_t value);

/* The CPUID leaf of kind 0, made when it is not there. */
struct cpuid_leaf *fixture_leaf(struct fixture *fixture, uint32_t leaf);

/*
 * Edits, separated by ';':
 *   pss TEXT | pss@1 TEXT | pss@1 absent | pss@1 AE_NOT_FOUND     an object of all processors or of one
 *   fadt FIELD NUMBER | xfadt REGISTER SPACE WIDTH OFFSET ADDRESS   by the names of report.json
 *   msr NUMBER VALUE | msr@1 NUMBER VALUE | msr NUMBER none
 *   cpuid LEAF eax|ebx|ecx|edx VALUE
 *   value@1 INDEX NUMBER                                            what a _CPC register read
 */
void fixture_edit(struct fixture *fixture, const char *edits);

/* Freezes the platform and judges it into findings (in the fixture's heap). */
void fixture_judge(struct fixture *fixture, struct findings *ret_findings);

/* A window of a tenth of a second in which a clock of `khz` was counted. */
void fixture_count(const struct fixture *fixture, uint64_t khz, struct freq_counts *ret_counts);

/* Whether a finding with this id and verdict is there. */
bool fixture_has(const struct findings *findings, const char *id, enum verdict verdict);
