#pragma once

#include "acpi/engine.h"
#include "model/arena.h"
#include "model/status.h"
#include "model/textbuf.h"

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Files on the medium: what was there before (options, tables), and the results. A path is relative to the
 * root of a volume, with '\' or '/'.
 */

/* Reads a whole file of the boot volume into the arena. NOT_FOUND, FULL when it is larger than max_bytes, IO. */
enum status files_read(const char *path, size_t max_bytes, struct arena *arena,
                       const uint8_t **ret_bytes, size_t *ret_length) MUST_CHECK;

/* Whether the boot volume has such a file or folder. */
bool files_exists(const char *path);

/*
 * Reads every .aml file of a folder of the boot volume, sorted by name (a machine folder's tables/ inside it is
 * preferred). NOT_FOUND when there is no such folder or nothing in it.
 */
enum status files_read_tables(const char *path, struct arena *arena, uint32_t *ret_count,
                              const struct table_blob **ret_blobs) MUST_CHECK;

/* The folders in a folder of the boot volume, the last in the alphabet first, at most FILES_FOLDERS_MAX. NOT_FOUND when
 * there is no such folder. */
#define FILES_FOLDERS_MAX 1000U
enum status files_folders(const char *path, struct arena *arena, uint32_t *ret_count,
                          const char *const **ret_names) MUST_CHECK;

/* Gives an open file another name in its folder. */
bool files_rename(EFI_FILE *file, const char *name);

/* Writes one whole report; may be called again from the start when a medium failed half-way. */
typedef void (*files_writer)(const void *context, struct textbuf *out);

struct results;

/*
 * Makes the results folder `out`\<UTC time>-<product>[-n] on the boot volume, or on the next volume that takes
 * it, which is said. Never opens an existing one. NOT_FOUND when no volume does: results then go to the serial port.
 */
enum status results_open(struct arena *arena, const char *out, const char *product,
                         struct results **ret_results) MUST_CHECK;

/*
 * Writes a file and flushes it. When the medium is full, fails or is gone, that is said at once, and the results have
 * another place: the next writable volume, at last the serial port as base64 between marker lines. NOT_FOUND then: all
 * files are to be written again, from the first on, so that one place has all of them. IO when no place at all took
 * it.
 */
enum status results_write(struct results *results, const char *name, files_writer writer,
                          const void *context) MUST_CHECK;

/* Ends writing; the place can still be asked for. */
void results_close(struct results *results);

/* Where the results are, for people: "\assay\results\...", the same with " on the volume "LABEL"" (or " on another
 * volume") when that is not the boot volume, or "the serial port". */
const char *results_place(const struct results *results);

/* For a page about a crash: the same of the run under way, or NULL before its results were begun. */
const char *results_so_far(void);
