#pragma once

#include "model/cpuset.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Three columns side by side, for a reader and for every writer: what the firmware claims, what Linux assumes
 * (the version chosen with --linux), what was measured. A row is one subject on one range of CPUs, with a mark
 * where two of its cells disagree. Frequencies agree when they differ by at most column_tolerance_khz; times as
 * enum column_unit says. A figure taken under an emulator is shown and not compared.
 */
enum column_part { COLUMN_PSTATES = 0, COLUMN_BOOST, COLUMN_TIMING, COLUMN_IDLE, COLUMN_PARTS };

/*
 * COLUMN_NS cells are upper bounds (latencies, delays): a claim and an assumption must be equal; a measured
 * 99th percentile above twice the bound and a microsecond disagrees (as in rule IDL-005), a shorter one keeps it.
 */
enum column_unit { COLUMN_WORD = 0, COLUMN_KHZ, COLUMN_NS };

enum column_mark { COLUMN_NOT_COMPARED = 0, COLUMN_AGREE, COLUMN_DIFFER };

/* `word` stands for a number where it is not NULL: a word or two, or why there is no number. */
struct column_cell {
    enum avail avail; /* PRESENT: a number or a word that is an answer */
    uint64_t low;     /* smallest and largest over the CPUs of the row, in the row's unit */
    uint64_t high;
    const char *word;
};

struct column_row {
    enum column_part part;
    const char *subject; /* "P0", "2 cores active", "C2, port 0x414" */
    enum column_unit unit;
    struct column_cell claimed;
    struct column_cell assumed;
    struct column_cell measured;
    enum column_mark mark;
    const char *why; /* which two disagree and by how much; NULL unless mark is COLUMN_DIFFER */
    struct cpuset cpus;
};

struct columns {
    const char *linux_version; /* whose assumptions these are */
    uint32_t count;
    const struct column_row *rows;
    uint32_t differ_count;
    uint32_t
        left_out_cpus; /* CPUs whose claims are of yet another kind than the table has room for */
    const char *measured_note; /* what is to be known about the measured column, or NULL */
};

/* A measured figure. value: kHz, or ns for COLUMN_MEASURED_SETTLE (the 99th percentile). */
enum column_measured {
    COLUMN_MEASURED_ROW = 0, /* index: row of the _PSS as Linux sees it */
    COLUMN_MEASURED_ALONE,   /* index 1: this core alone in its package */
    COLUMN_MEASURED_ACTIVE,  /* index: cores of the package that were active */
    COLUMN_MEASURED_SETTLE,  /* index unused: from a changed request to a settled clock */
    COLUMN_MEASURED_NOMINAL  /* index unused: the rate that the reference counter has */
};

struct column_measurement {
    enum column_measured what;
    uint32_t cpu; /* CPU_NONE: of the package or the machine as a whole */
    uint32_t index;
    uint64_t value;
    uint64_t uncertainty_ppm;
};

struct column_measurements {
    uint32_t count;
    const struct column_measurement *items;
    const char *none_why; /* why there are no frequencies among them, or NULL */
};

/* The table over a snapshot whose views are computed; NULL without memory or without a view. Idle figures are
 * taken from the snapshot itself. `measured` is only read during the call. */
const struct columns *columns_make(struct platform *platform,
                                   const struct column_measurements *measured);

/* Puts the table of what the snapshot holds into platform->columns. Call it after linux_views_compute. */
void columns_compute(struct platform *platform);

/* max(half a bus clock, 0.5 % of `khz`, the uncertainty): issue E's tolerance. */
uint64_t column_tolerance_khz(uint64_t bus_khz, uint64_t khz, uint64_t uncertainty_ppm);

/* Rows that belong under one heading: of the same part and the same CPUs. */
bool columns_is_alike(const struct column_row *a, const struct column_row *b);

/* Whether no row before `index` is alike: here its heading goes. */
bool columns_is_first(const struct columns *columns, uint32_t index);

const char *column_part_name(enum column_part part); /* "P-states", ...: headings */
const char *column_mark_name(enum column_mark mark); /* "agree", "differ", "not compared" */
