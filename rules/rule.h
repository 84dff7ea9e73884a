#pragma once

#include "model/finding.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A rule is one table entry: what must hold, where that is written, why it matters, how bad it is when it
 * does not, and what to change. The id is for ever: it is never reused, and a rule that is withdrawn
 * keeps its number.
 */
struct rule;
struct judge;

/* Judges the platform by `rule` and adds findings: at least one, PASS or SKIP when nothing is wrong. */
typedef void (*rule_check)(const struct rule *rule, const struct platform *platform,
                           struct findings *findings);

struct rule {
    const char *id;     /* "PSS-004" */
    const char *title;  /* the requirement, in the present tense */
    const char *spec;   /* document, version, section, heading */
    const char *why;    /* what goes wrong otherwise, for the machine's user */
    const char *advice; /* what to change in the firmware */
    const char
        *known_as; /* kernel message, fwts label or BITS test that corresponds; NULL when none */
    enum severity severity;
    rule_check
        check; /* one of judge_sets, judge_processors, judge_cpus, judge_machine, or an own one */

    /* For the check functions of rules/judge.h: exactly one of the four bodies is set. */
    void (*judge_set)(struct judge *judge, const struct object_set *set);
    void (*judge_processor)(struct judge *judge, const struct processor *processor);
    void (*judge_cpu)(struct judge *judge, uint32_t cpu);
    void (*judge_machine)(struct judge *judge);
    bool
        is_of_run; /* about the run itself: accuses also where memory ran out; other rules then only note */
    enum object_kind kind; /* judge_sets: which object is judged */
    bool is_shape; /* judge_sets: holds whatever hardware registers the values were read from */
    const char *object; /* what findings name when the subject has no path of its own */
};

/* Every rule, ordered by subject as the tables are listed, then by id. */
uint32_t rules_count(void);
const struct rule *rules_at(uint32_t index);

/* The rule with this id, or NULL. */
const struct rule *rules_find(const char *id);

/* Judges by every rule. Pure: two runs over one platform give identical findings. */
void rules_run(const struct platform *platform, struct findings *findings);
