#pragma once

#include "model/arena.h"
#include "model/status.h"

#include <stddef.h>
#include <stdint.h>

struct file_bytes {
    const uint8_t *bytes;
    size_t length;
};

/* More than any machine folder holds in one file; a larger one is refused with STATUS_FULL. */
#define FILE_BYTES_MAX ((size_t)256 * 1024 * 1024)

/* Reads a whole file ("-": standard input) into the arena. NOT_FOUND, IO, FULL or NO_MEMORY otherwise. */
enum status file_read(const char *path, struct arena *arena,
                      struct file_bytes *ret_file) MUST_CHECK;

/* The same for a regular file; UNSUPPORTED for a folder or a device, which may block. */
enum status file_read_plain(const char *path, struct arena *arena,
                            struct file_bytes *ret_file) MUST_CHECK;

/* folder/name in the arena; NULL without memory. */
const char *file_join(struct arena *arena, const char *folder, const char *name);

/* One clear phrase for a status of file_read: "is not there", "cannot be read", ... */
const char *file_problem(enum status status);
