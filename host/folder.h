#pragma once

#include "host/machine.h"

/*
 * A machine folder of interfaces.md: the .aml files of tables/ in name order, memory.json with its files, cpuid.txt,
 * msr.txt, smbios.txt, trace.txt; all but the tables are optional. A folder that holds .aml files itself and no tables/
 * is taken as well. NOT_FOUND with a message when there is not one table.
 */
enum status folder_load(const char *path, struct machine *machine, char *message,
                        size_t message_bytes) MUST_CHECK;

/* The regions of a memory.json given as text: {"regions":[{"address","length","file"}]} or the bare array.
 * Files are relative to `folder`. Entries that cannot be used become notes. */
enum status folder_parse_memory(const char *text, size_t length, const char *folder,
                                struct machine *machine) MUST_CHECK;
