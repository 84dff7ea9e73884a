#pragma once

#include <stdint.h>

/* `assay fleet`: many machines or reports at once. Exit status: 0 no FAIL, 1 at least one, 2 wrong use, 3 not
 * all could be read. */
int fleet_command(int count, char **words);

/* The same table for check and show with several paths; `html` NULL: text on standard output. */
int fleet_show(const char *const *paths, uint32_t count, const char *html);
