#pragma once

#include "host/list.h"
#include "host/machine.h"

/*
 * Files of other tools, one after another: binary tables (acpixtract, iasl, /sys), acpidump text (also fwts'
 * acpidump.log), CPUID dumps (InstLatx64, cpuid -r), MSR dumps (InstLatx64, turbostat's register lines), and a
 * zip or tar of those. What each holds is added to the machine.
 */
struct import {
    struct machine *machine;
    struct list blobs; /* struct table_blob */
    uint32_t entries;  /* of archives so far; bounded */
};

void import_init(struct import *import, struct machine *machine);

/* One file's bytes, which must stay. NOT_FOUND: it is none of the above; FULL: an archive beyond the bounds. */
enum status import_file(struct import *import, const char *name, const uint8_t *bytes,
                        size_t length) MUST_CHECK;

/* Orders the tables and hands them to the machine. */
enum status import_finish(struct import *import) MUST_CHECK;

/* "a machine folder, nor binary tables, ...": the forms that are taken, for a message that a file is none. */
const char *import_forms(void);
