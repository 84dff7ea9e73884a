#pragma once

#include "model/columns.h"
#include "model/linux/view.h"

/* Inside model/columns*.c only: what the makers of the parts share. */

/* What is written at the moment: the CPUs whose claims are alike, and where the rows go. */
struct columns_builder {
    struct platform *platform;
    const struct linux_view *view;
    const struct column_measurements *measured;
    struct columns *columns;
    struct column_row *rows;
    uint32_t capacity;
    struct cpuset group;
    uint32_t group_size;
    const struct processor *first; /* of the group's first CPU */
    uint64_t bus_khz;
    bool has_room; /* false: memory is short, and nothing more is added */
};

/* How a measured value of one CPU relates to the row's other two cells. */
enum column_class {
    COLUMN_CLASS_DIFFER = 0,
    COLUMN_CLASS_AGREE,
    COLUMN_CLASS_OPEN,
    COLUMN_CLASSES
};

/* The CPUs of one class and the extremes of their values. */
struct column_side {
    struct cpuset cpus;
    uint32_t count;
    uint64_t low;
    uint64_t high;
    uint64_t allowed; /* what it was compared with, for the reason */
    const char *word; /* instead of a number */
};

/* Sorts measured values into classes while a row is being made. */
struct column_split {
    struct column_side sides[COLUMN_CLASSES];
    struct cpuset seen;
    uint32_t seen_count;
};

struct column_cell column_number(uint64_t value);
struct column_cell column_word(const char *word);                     /* an answer */
struct column_cell column_nothing(enum avail avail, const char *why); /* why there is none */

/* Formats into the arena; "" when memory is short. */
const char *columns_text(const struct columns_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void columns_split_init(const struct columns_builder *builder, struct column_split *split);

/* `cpu` CPU_NONE stands for the whole group. Values of CPUs outside the group are ignored. */
void columns_split_add(const struct columns_builder *builder, struct column_split *split,
                       uint32_t cpu, enum column_class class, uint64_t value, const char *word);

/*
 * Adds one row for each class that has CPUs, and one for those without a measured value (measured cell of `row`
 * as given). A row that is marked COLUMN_DIFFER already, because claimed and assumed disagree, stays so;
 * `measured_why` is the reason for those of class COLUMN_CLASS_DIFFER.
 */
void columns_add(struct columns_builder *builder, const struct column_row *row,
                 const struct column_split *split, const char *measured_why);

/* Compares claimed with assumed when both are numbers and sets mark and why. */
void columns_compare_claim(const struct columns_builder *builder, struct column_row *row,
                           const char *why);

/* COLUMN_CLASS_OPEN where figures mean nothing, else by `agrees`. */
enum column_class columns_class(const struct columns_builder *builder, bool agrees);

/* The _PSS of the group as Linux sees it, or NULL; one of its fields. */
const struct pss *columns_pss(const struct columns_builder *builder);
bool columns_pss_number(const struct pss *pss, uint32_t row, enum pss_field field,
                        uint64_t *ret_value);

/* A number of the view; what cpuinfo.max is for the cores of the group. */
struct column_cell column_of_number(const struct linux_number *number);
struct column_cell columns_assumed_maximum(const struct columns_builder *builder);

/* The largest number of a cell; 0 when it has none. */
uint64_t column_high(const struct column_cell *cell);

/* Whether two clocks agree within the tolerance. */
bool columns_is_near(const struct columns_builder *builder, uint64_t khz, uint64_t measured_khz,
                     uint64_t uncertainty_ppm);

/* The figures of the snapshot, in its arena. */
void columns_measured_take(struct platform *platform, struct column_measurements *ret_measured);

/* The makers of the parts, for the group of the builder. */
void columns_pstates(struct columns_builder *builder);
void columns_boost(struct columns_builder *builder);
void columns_timing(struct columns_builder *builder);
void columns_idle(struct columns_builder *builder);
