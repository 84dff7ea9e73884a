#pragma once

/* `assay check`: loads, evaluates, judges, writes the reports. Gives the exit status of interfaces.md. */
int check_command(int count, char **words);

/* `assay rules [ID]` */
int rules_command(int count, char **words);
