#pragma once

/* `assay show REPORT...`: renders stored reports; several make a table. Exit status of interfaces.md. */
int show_command(int count, char **words);
