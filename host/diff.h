#pragma once

/* `assay diff OLD NEW`. Exit status: 0 the same, 1 something changed, 2 wrong use, 3 could not be read. */
int diff_command(int count, char **words);
