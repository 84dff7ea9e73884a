#pragma once

#include "model/status.h"

#include <stddef.h>
#include <stdio.h>

/* Whole files in memory that is given back with free: for thousands of them one after another. Larger than
 * FILE_BYTES_MAX gives FULL. */
enum status malloc_file_read(FILE *file, char **ret_text, size_t *ret_length) MUST_CHECK;
enum status malloc_file_open(const char *path, char **ret_text, size_t *ret_length) MUST_CHECK;

/* One phrase for a status of these. */
const char *malloc_file_problem(enum status status);
