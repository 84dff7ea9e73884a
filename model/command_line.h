#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * A UEFI image's load options as text: UCS-2 from the Shell (the whole line, the program's name first) or
 * from a boot entry, ASCII from some boot managers. The first word is left out unless it starts with '-':
 * it is the program. Bytes that are no text (some firmware passes a GUID) give an empty line.
 *
 * Writes UTF-8, NUL-terminated, and returns its length; a line that does not fit gives an empty one too.
 */
size_t command_line_decode(const uint8_t *bytes, size_t length, char *ret_text, size_t text_bytes);
