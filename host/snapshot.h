#pragma once

/* `assay snapshot DIR [--root DIR]`: the running Linux machine as a machine folder. Exit status: 0, 2 wrong use,
 * 3 there are no tables or DIR cannot be written. */
int snapshot_command(int count, char **words);
