#pragma once

#include "rules/rule.h"

#include <stdarg.h>
#include <stddef.h>

/*
 * What every check has in common: going through the subjects of a rule, adding findings in the rule's
 * name, and saying PASS or SKIP at the end. A body that says nothing about its subject lets it hold.
 * The judge gives PASS when something held and nothing was found, and SKIP with the first reason given
 * when nothing could be judged. Processors that are not enabled are not judged.
 */

#define JUDGE_TEXT_BYTES 200
#define JUDGE_MARKED_SETS 2048

struct judge {
    const struct rule *rule;
    const struct platform *platform;
    struct findings *findings;
    const struct processor *processor; /* the subject, or the first that has the set; may be NULL */
    const struct object_set *set; /* the subject of a set rule; findings then name all its CPUs */
    uint32_t cpu;                 /* FINDING_NO_CPU: the machine as a whole */
    const char *object;           /* overrides rule->object and the path */
    uint32_t held;                /* subjects that held */
    uint32_t found;               /* findings other than PASS and SKIP */
    uint32_t skipped;
    const char *skip_reason; /* the first one; static text */
    uint64_t held_sets[JUDGE_MARKED_SETS / 64];
};

/* A formatted text on the stack, for expected values. */
struct judge_text {
    char text[JUDGE_TEXT_BYTES];
};

/* Formats as textbuf_printf does, cut to what fits, and returns text->text. */
const char *judge_text(struct judge_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The check functions of a rule table. */
void judge_sets(const struct rule *rule, const struct platform *platform,
                struct findings *findings);
void judge_processors(const struct rule *rule, const struct platform *platform,
                      struct findings *findings);
void judge_cpus(const struct rule *rule, const struct platform *platform,
                struct findings *findings);
void judge_machine(const struct rule *rule, const struct platform *platform,
                   struct findings *findings);

/* Adds a finding about the current subject: what should be, and what is. */
void judge_fail(struct judge *judge, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void judge_warn(struct judge *judge, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void judge_note(struct judge *judge, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The current subject cannot be judged, for this reason (static text). */
void judge_skip(struct judge *judge, const char *reason);

/* In a machine body: the subject that follows is this processor (its CPU and path), or NULL for none. */
void judge_about(struct judge *judge, const struct processor *processor);

/* In a machine body: something was looked at and held, although other things may not. */
void judge_holds(struct judge *judge);

/* Whether the values of an object are the machine's own: always on a live machine; in a dump only when
 * their evaluation read no hardware, since a dump does not hold registers and firmware's memory. */
bool judge_is_certain(const struct platform *platform, const struct object_result *result);

/* Why a processor has no set of this kind to judge: absent, failed, ... Static text. */
const char *judge_missing(const struct judge *judge, enum object_kind kind);

/* The set as the firmware gave it, only when its values are certain; NULL otherwise. */
const struct object_set *judge_certain_object(const struct judge *judge,
                                              const struct processor *processor,
                                              enum object_kind kind);

/* The next enabled processor at or after *index (which moves beyond it), or NULL at the end. */
const struct processor *judge_next_processor(const struct platform *platform, uint32_t *index);

/* How many enabled processors have the object. */
uint32_t judge_count_with(const struct platform *platform, enum object_kind kind);

/* Whether any enabled processor has the object. */
bool judge_any_has(const struct platform *platform, enum object_kind kind);

/* Whether a processor is one of the same kind of core as another, as far as CPUID says. */
bool judge_is_same_kind(const struct platform *platform, const struct processor *a,
                        const struct processor *b);

/* Whether CPUID is known, so that kinds of cores can be told apart. */
bool judge_knows_kinds(const struct platform *platform);

/* A value of an MSR on the subject CPU; on failure the judge has been told to skip, with the reason. */
bool judge_msr(struct judge *judge, uint32_t cpu, uint32_t msr, uint64_t *ret_value);

/* Row or element numbers collected while one object is walked, for one finding instead of many. */
struct judge_rows {
    uint32_t count;
    uint32_t first;
    char text[80]; /* "2, 4-6, 9" */
    uint32_t open_first;
    uint32_t open_last;
};

void judge_rows_add(struct judge_rows *rows, uint32_t row);

/* The text of all rows added, e.g. "rows 2, 4-6"; call once at the end. */
const char *judge_rows_text(struct judge_rows *rows);

/* "{FFixedHW, 64 bits at 0, access 0, 0xC0010062}" */
const char *judge_register(struct judge_text *text, const struct gas *gas);
