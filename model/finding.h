#pragma once

#include "model/arena.h"
#include "model/cpuset.h"

#include <stdbool.h>
#include <stdint.h>

enum verdict { VERDICT_PASS = 0, VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO, VERDICT_SKIP, VERDICTS };
enum severity { SEVERITY_CRITICAL = 0, SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_LOW };

/* "PASS", "FAIL", ... and "critical", "high", ... */
const char *verdict_name(enum verdict verdict);
const char *severity_name(enum severity severity);

/*
 * One judgement about one object. Equal judgements of several CPUs are one finding with a set of
 * CPUs. All strings outlive the findings: rule texts are static, the others lie in the findings'
 * own text store.
 */
struct finding {
    const char *id; /* the rule's, e.g. "PSS-004"; never reused */
    enum verdict verdict;
    enum severity severity;
    const char *title;
    struct cpuset cpus;   /* empty when the finding is about the machine as a whole */
    const char *object;   /* namespace path, table field, MSR; "" when none */
    const char *expected; /* what should be, with where that comes from */
    const char *actual;   /* what is, with where that was read; for SKIP the reason */
    const char *spec;
    const char *why;
    const char *advice; /* FAIL and WARN: what to change, and what a user notices */
    uint32_t sequence;  /* set by findings_add: 0 for the first one added, 1 for the next, ... */
};

/* A place of the hash table over the findings; `item` is the index + 1, 0 for a free place. */
struct finding_slot {
    uint64_t hash;
    uint32_t item;
};

struct findings {
    struct finding *items;
    uint32_t count;
    uint32_t capacity;
    char *text;
    uint32_t text_used_bytes;
    uint32_t text_capacity_bytes;
    uint32_t dropped; /* findings that no longer fitted; itself reported */
    uint32_t dropped_by_verdict[VERDICTS];
    uint32_t cpus; /* capacity of each CPU set */
    struct arena *arena;
    uint64_t *cpu_words; /* of all the sets, cpuset_words(cpus) each */
    struct finding_slot *slots;
    uint32_t slots_count; /* a power of two, at least twice the capacity */
};

/* Room for `capacity` findings over CPUs 0..cpus-1, all from the arena. NO_MEMORY when it is short. */
enum status findings_init(struct findings *findings, struct arena *arena, uint32_t capacity,
                          uint32_t cpus) MUST_CHECK;

/*
 * Adds `proto` (whose strings may be temporary except id, title, spec, why, advice) for CPU `cpu`, or
 * for the whole machine with cpu FINDING_NO_CPU. A finding equal in id, verdict, object kind name,
 * expected and actual only gains the CPU: its `object` then is that of its first CPU. The object kind
 * name is the last segment of a namespace path that starts with an underscore, with what follows it
 * ("_PSS[3]" of "\\_SB.PLTF.C000._PSS[3]"); nothing for the path of a device of one CPU; anything else
 * as it is. A judgement of the whole machine is never equal to one of a CPU.
 */
#define FINDING_NO_CPU UINT32_MAX
void findings_add(struct findings *findings, const struct finding *proto, uint32_t cpu);

struct totals {
    uint32_t by_verdict[VERDICTS];
};

struct totals findings_totals(const struct findings *findings);

/* Puts FAIL, WARN, INFO, SKIP, PASS in this order, by severity, then id, then first CPU. */
void findings_sort(struct findings *findings);
