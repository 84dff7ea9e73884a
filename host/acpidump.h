#pragma once

#include "acpi/engine.h"
#include "host/lines.h"
#include "model/arena.h"

/*
 * The text form of acpidump: "DSDT @ 0x00000000BBFFD000", then lines of an offset, a colon and up to 16
 * bytes, then their characters. Text around it (a dmesg, a heading of another tool) is passed over.
 */
struct acpidump {
    uint32_t blobs_count;
    const struct table_blob *blobs; /* in the order of the file; origin is "DSDT", "SSDT3", ... */
    uint32_t gaps;          /* tables that end early: an offset did not follow the last one */
    struct rubbish rubbish; /* hex lines that belong to no table */
};

/* NOT_FOUND when the text holds no table at all. */
enum status acpidump_parse(const char *bytes, size_t length, struct arena *arena,
                           struct acpidump *ret_dump) MUST_CHECK;
