#pragma once

#include "model/arena.h"
#include "model/options.h"
#include "model/status.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What the user asked for: the words of \assay\assay.conf on the boot volume, then those of the load options
 * (Shell command line or boot entry), which win.
 */

#define SETTINGS_LINE_BYTES 1024
#define SETTINGS_MESSAGE_BYTES 160

/* The load options as text, without the program's name; empty when there are none. Touches no medium. */
void settings_command_line(char ret_line[SETTINGS_LINE_BYTES]);

/* Whether the line alone asks for batch mode: wanted before assay.conf is read, and with a wrong word too. */
bool settings_is_batch(const char *line);

/* Fills `options`. BAD_INPUT with one line in `message` at a wrong word. */
enum status settings_read(const char *line, struct arena *arena, struct options *options,
                          char *message, size_t message_bytes) MUST_CHECK;
