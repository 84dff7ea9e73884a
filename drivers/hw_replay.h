#pragma once

#include "drivers/hw.h"
#include "model/arena.h"
#include "model/platform.h"

/*
 * The replay back end: answers every access from what a machine folder holds. cpuid.txt and msr.txt give
 * CPUID and MSRs (MSR lines without a CPU answer for every CPU that has none of its own); memory regions
 * answer memory reads; trace.txt answers I/O, PCI and other memory in recorded order. Whatever was not
 * recorded gives NOT_FOUND or ABSENT and is counted, never silently zero: the caller substitutes.
 */
struct replay_region {
    uint64_t paddr;
    const uint8_t *bytes;
    uint32_t length;
};

struct replay_msr {
    uint32_t cpu; /* CPU_NONE: any CPU */
    uint32_t msr;
    bool is_fault;
    uint64_t value;
};

enum trace_kind { TRACE_MEMORY = 0, TRACE_IO, TRACE_PCI };

/*
 * One recorded access, in order. Text form, one a line: "mem r 0xADDRESS BYTES 0xVALUE", "io w 0xPORT BYTES
 * 0xVALUE", "pci r SSSS:BB:DD.F 0xOFFSET BYTES 0xVALUE"; # starts a comment. In place of the value, "absent"
 * for an access that nothing answered, and "denied" for a memory write that the policy kept from memory.
 */
enum trace_answer { TRACE_ANSWERED = 0, TRACE_ABSENT, TRACE_DENIED };

struct trace_access {
    enum trace_kind kind;
    bool is_write;
    uint8_t bytes;
    uint64_t address; /* PCI: segment << 32 | bus << 24 | device << 19 | function << 16 | offset */
    uint64_t value;
    enum trace_answer answer;
};

struct replay_cpuid_kind {
    uint32_t
        first_cpu; /* ascending: CPUs first_cpu.. up to the next kind's first_cpu have these leaves */
    struct cpuid_set leaves;
};

struct hw_replay {
    struct hw hw; /* hand out &replay->hw */
    uint32_t regions_count;
    const struct replay_region *regions;
    uint32_t msrs_count;
    const struct replay_msr *msrs;
    uint32_t kinds_count;
    const struct replay_cpuid_kind *kinds;
    uint32_t trace_count;
    const struct trace_access *trace;
    /* How each CPU answered when the folder was recorded; CPUs beyond are run. */
    uint32_t answers_count;
    const enum cpu_answer *answers;
    bool is_record;       /* MSRs that are not recorded were not tried */
    uint32_t *trace_used; /* one flag an access, [trace_count], from the arena */
    uint32_t current_cpu;
    uint64_t unrecorded; /* memory, I/O and PCI accesses that nothing answered */
    uint64_t
        unrecorded_cpuid; /* CPUID leaves and MSRs likewise; the snapshot shows them as absent */
    uint64_t unrecorded_msrs;
    /* The rest is hw_replay_start's: indexes over the above, and writable copies of the regions. */
    uint8_t **region_bytes;
    uint32_t *msr_slots;
    uint32_t msr_mask;
    uint32_t *trace_slots;
    uint32_t *trace_next;
    uint32_t trace_mask;
};

/* Makes replay->hw answer from the fields above, which the caller has filled. */
/* For engine_config.may_write, with the replay as context: whether the write was let through when it was
 * recorded. */
bool hw_replay_may_write(void *replay, uint64_t paddr, uint32_t bytes);

enum status hw_replay_start(struct hw_replay *replay, struct arena *arena) MUST_CHECK;
