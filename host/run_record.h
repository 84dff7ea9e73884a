#pragma once

#include "acpi/engine.h"
#include "model/build_info.h"
#include "model/options.h"
#include "model/platform.h"

#include <stddef.h>

/*
 * The run.json of a machine folder: report_snapshot_run wrote it, and with it a replay gives the report of the
 * run itself. Everything lies in the arena.
 */
#define RUN_RECORD_TABLES_MAX 1024
#define RUN_RECORD_WORDS_MAX 32

/* A table of the run, in the order found. */
struct run_table {
    const char *file; /* in the folder; NULL: it was left out */
    struct acpi_table about;
};

struct run_record {
    struct build_info build;
    bool is_trace_whole;
    uint32_t words_count;
    const char *words[RUN_RECORD_WORDS_MAX]; /* of options_write */
    struct platform platform;                /* what record_apply takes */
    uint32_t tables_count;
    struct run_table *tables;
};

/* BAD_INPUT with one line in `message` for anything that is no run.json of a schema we know. */
enum status run_record_parse(const char *text, size_t length, struct arena *arena,
                             struct run_record *ret_record, char *message,
                             size_t message_bytes) MUST_CHECK;

/* The same for measured.json, which holds only "tsc_hz" and the arrays of frequencies of a run.json: samples of APERF
 * and MPERF that were taken on the machine by another program. Fills those fields of *ret_platform. */
enum status run_record_samples(const char *text, size_t length, struct arena *arena,
                               struct platform *ret_platform, char *message,
                               size_t message_bytes) MUST_CHECK;

/* The bytes of a table that was left out: its header as recorded, zeros, a checksum as right as it was. NULL
 * without memory. */
const uint8_t *run_record_stand_in(const struct acpi_table *about, struct arena *arena);
