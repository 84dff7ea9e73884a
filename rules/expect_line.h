#pragma once

#include "model/cpuset.h"
#include "rules/expect_path.h"

/* One line of an expectation file, taken apart. */
enum expect_operator {
    EXPECT_EQUAL = 0,
    EXPECT_NOT_EQUAL,
    EXPECT_BELOW,
    EXPECT_AT_MOST,
    EXPECT_ABOVE,
    EXPECT_AT_LEAST,
    EXPECT_WITHIN, /* pct of low */
    EXPECT_IN      /* low..high */
};

struct expect_number {
    uint64_t value;
    enum expect_dimension dimension; /* EXPECT_PLAIN: no unit was given */
    uint64_t unit;
};

#define EXPECT_WORD_BYTES 64
#define EXPECT_CORE_ANY 0U
#define EXPECT_CORE_P 0x40U /* CPUID 1AH EAX[31:24]: Core */
#define EXPECT_CORE_E 0x20U /* Atom */

struct expect_line {
    bool is_empty;
    bool is_waiver;
    bool has_cpus;
    struct cpuset cpus;
    uint32_t core_type;
    char path[EXPECT_WORD_BYTES]; /* of a waiver: the rule's id */
    enum expect_operator comparison;
    struct expect_number low;
    struct expect_number high;
    uint64_t pct;
    uint32_t until_yyyymmdd;
    char reason[EXPECT_WORD_BYTES * 2];
};

/*
 * Takes one line (without its end) apart. `cpus` is an empty set of the machine's capacity that the line's CPUs go
 * into. BAD_INPUT with a message that names the word.
 */
enum status expect_line_parse(const char *text, size_t length, struct cpuset cpus,
                              struct expect_line *ret_line, char *message,
                              size_t message_bytes) MUST_CHECK;
