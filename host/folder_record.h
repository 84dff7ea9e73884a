#pragma once

#include "host/machine.h"

/*
 * Takes the run.json of a machine folder, when there is one, into machine->record, and puts the tables in the order
 * of that run, with stand-ins for those that the snapshot left out. A damaged one becomes a note. Call it when
 * machine->blobs holds the folder's tables.
 */
enum status folder_record_take(const char *folder, struct machine *machine) MUST_CHECK;
