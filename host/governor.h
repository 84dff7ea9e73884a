#pragma once

/* `assay governor`: prints the loop step by step. Gives the exit status of interfaces.md. */
int governor_command(int count, char **given);

/* Its words, for --help. */
const char *governor_help(void);
