#pragma once

#include "host/sheet.h"

/*
 * Any part of a report as headings and tables, whatever its keys are: so that a report of another schema is
 * shown whole too. Depth and size are those of the JSON, which its reader bounds.
 */
void show_tree(const struct sheet *sheet, const char *name, const json_t *value);

/* A value in one cell. */
void show_tree_cell(json_t *row, const json_t *value);
