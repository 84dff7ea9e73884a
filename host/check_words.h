#pragma once

#include "model/options.h"
#include "model/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words of `assay check`: interfaces.md, "The host program". */
#define CHECK_SHARED_MAX 8

enum check_format {
    CHECK_JSON = 0,
    CHECK_TEXT,
    CHECK_HTML,
    CHECK_JUNIT,
    CHECK_TAP,
    CHECK_CSV,
    CHECK_FORMATS
};

struct check_words {
    const char *outputs[CHECK_FORMATS]; /* file or "-"; NULL: not asked for */
    const char *expect;                 /* expectation file or "-"; NULL: none */
    bool is_quiet;
    bool wants_help;
    uint32_t paths_count;
    const char **paths; /* into the caller's array */
    struct options options;
    uint32_t shared_count; /* the words that options was made of */
    char shared[CHECK_SHARED_MAX][OPTIONS_TEXT_MAX + 16];
};

/* The options of a recorded run, with the given words over them. Words of a record that are wrong are left out:
 * the number of them is returned. */
uint32_t check_words_over(const struct check_words *words, uint32_t recorded_count,
                          const char *const *recorded, struct options *ret_options);

/*
 * Takes `count` words; `paths` has room for as many. BAD_INPUT with one line in `message` for a wrong word,
 * a missing value or a missing MACHINE.
 */
enum status check_words_take(int count, char **words, const char **paths,
                             struct check_words *ret_words, char *message,
                             size_t message_bytes) MUST_CHECK;

const char *check_words_help(void);
