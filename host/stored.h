#pragma once

#include "model/status.h"

#include <jansson.h>
#include <stddef.h>

/*
 * A report, from wherever it is: a report.json, a results folder that holds one, a serial log with the report
 * between its markers, or a machine, which is then judged first (in a process of its own, with bounds on
 * time and memory). Any schema up to ours.
 */
#define STORED_SCHEMA 1

struct stored {
    json_t *root;
    char *text; /* as it was read, not terminated */
    size_t length;
    char note[160]; /* what a reader should know, or "" */
};

/* On failure one line in `message`, which starts with the path. */
enum status stored_load(const char *path, struct stored *ret_stored, char *message,
                        size_t message_bytes) MUST_CHECK;
void stored_free(struct stored *stored);

/* The base64 part of a serial log between the markers of `name`, decoded, from malloc; NULL when there is none or
 * it is damaged. */
char *stored_from_serial(const char *text, size_t length, const char *name, size_t *ret_length);
