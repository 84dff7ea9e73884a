#pragma once

#include "acpi/engine.h"
#include "drivers/hw_replay.h"
#include "host/lines.h"
#include "host/run_record.h"
#include "model/arena.h"
#include "model/platform.h"

/*
 * A machine as the host program gets it: a machine folder (interfaces.md), an acpidump text, or .aml files.
 * Everything lies in the arena. What could not be used is said in notes, one line each, and the rest is
 * used all the same.
 */
#define MACHINE_NOTE_BYTES 256
#define MACHINE_NOTES 16

struct machine {
    struct arena *arena;
    enum platform_source source;
    const char *name; /* the folder or file as the user gave it */
    uint32_t blobs_count;
    const struct table_blob *blobs; /* DSDT first, SSDTs in load order, then the others */
    uint32_t regions_count;
    const struct replay_region *regions;
    uint32_t msrs_count;
    const struct replay_msr *msrs;
    uint32_t kinds_count;
    const struct replay_cpuid_kind *kinds;
    uint32_t trace_count;
    const struct trace_access *trace;
    bool has_smbios; /* smbios.txt */
    uint32_t smbios_max_mhz;
    const struct platform
        *samples; /* measured.json: frequencies recorded on the machine; else NULL */
    const struct run_record *record; /* run.json: the folder is the record of a run; else NULL */
    uint32_t notes_count;            /* all of them; at most MACHINE_NOTES are kept */
    char notes[MACHINE_NOTES][MACHINE_NOTE_BYTES];
};

/*
 * Loads what `paths` name: one folder, one acpidump text, or any number of .aml files. On failure *message
 * holds one line: what, where, what to do. BAD_INPUT: the paths make no sense together; others: the job
 * cannot be done.
 */
enum status machine_load(const char *const *paths, uint32_t paths_count, struct arena *arena,
                         struct machine *ret_machine, char *message,
                         size_t message_bytes) MUST_CHECK;

bool machine_is_folder(const char *path);

/* Adds a note; for the loaders. */
void machine_note(struct machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Notes what a text parser left out, when it did. */
void machine_note_rubbish(struct machine *machine, const char *path, const struct rubbish *rubbish);

/* DSDT, then SSDTs (OEMx among them) as they are, then the rest, each in the order given. */
void machine_order_blobs(struct table_blob *blobs, uint32_t count, struct arena *arena);
