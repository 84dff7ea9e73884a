#pragma once

#include "model/finding.h"
#include "model/platform.h"

#include <stdint.h>

/*
 * A rule is one table entry: what must hold, where that is written, why it matters, how bad it is when it
 * does not, and what to change. The id is for ever: it is never reused, and a rule that is withdrawn
 * keeps its number.
 */
struct rule;

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
    rule_check check;
};

/* Every rule, ordered by id. */
uint32_t rules_count(void);
const struct rule *rules_at(uint32_t index);

/* The rule with this id, or NULL. */
const struct rule *rules_find(const char *id);

/* Judges by every rule. Pure: two runs over one platform give identical findings. */
void rules_run(const struct platform *platform, struct findings *findings);
