#pragma once

#include "model/platform.h"

#include <stddef.h>
#include <stdint.h>

/*
 * What of a run lies neither in the tables nor in CPUID, the MSRs or the trace: who the machine is, how its CPUs
 * answered, what was timed. These lists name the fields, once for the writer of the snapshot and for the
 * reader of the host program, so that a replay gives the same report. A field that is added to one of the
 * structures belongs into its list in record.c; the sizes asserted there remind of it.
 */
enum record_type {
    RECORD_BOOL = 0,
    RECORD_U8,
    RECORD_U16,
    RECORD_U32, /* enumerations too, as their number */
    RECORD_U64,
    RECORD_TEXT, /* const char *, NULL when absent */
    RECORD_DISTRIBUTION,
    RECORD_BINS, /* uint32_t[HISTOGRAM_SHAPE_BINS] */
    RECORD_STEPS /* uint64_t[TSC_GAPS_BINS] */
};

struct record_field {
    const char *name;
    size_t offset;
    enum record_type type;
};

struct record_list {
    uint32_t count;
    const struct record_field *fields;
};

/* struct platform itself: only fields that replay cannot derive. */
struct record_list record_platform(void);
struct record_list record_clock(void);
struct record_list record_idle(void);
struct record_list record_port_cost(void);
struct record_list record_gaps(void);
struct record_list record_not_timed(void);
struct record_list record_freq(void);
struct record_list record_freq_boost(void);
struct record_list record_freq_settling(void);
struct record_list record_freq_refusal(void);
struct record_list record_interrupted(void);
struct record_list record_request_left(void);
struct record_list record_pcc(void);
struct record_list record_work(void);

/* The field's number in `item`, a structure that `field` is of; only for what is one number. */
uint64_t record_get(const struct record_field *field, const void *item);

/* Sets it, cut to the field's width. */
void record_set(const struct record_field *field, void *item, uint64_t value);

/* The frequencies of `recorded` into a platform that has none of its own, and the rate of the TSC that they were
 * counted by where no better one is known. Call it before platform_freeze. */
void record_apply_frequencies(const struct platform *recorded, struct platform *platform);

/* Puts what `recorded` holds of a run over a platform that a replay of it has collected. Call it after the
 * collectors and before platform_freeze. */
void record_apply(const struct platform *recorded, struct platform *platform);
