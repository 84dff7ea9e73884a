#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Words of the commands that take options with values, and paths: show, diff, fleet, snapshot. */
struct word_option {
    const char *name;   /* "--json" */
    const char **value; /* where its value goes; NULL: a flag */
    bool *flag;
};

struct words {
    const char *command; /* for messages */
    uint32_t options_count;
    const struct word_option *options;
    uint32_t paths_count;
    const char **paths; /* room for as many as there are words */
};

/* false with a message on standard error for a wrong word or a missing value. "--name=value" and "--name value"
 * are the same; "-" is a path. */
bool words_take(struct words *words, int count, char **given);
