#pragma once

#include "model/key.h"

#include <stddef.h>

/* One line that a person types. */
#define LINE_EDIT_BYTES 256

struct line_edit {
    char text[LINE_EDIT_BYTES];
    size_t length;
};

enum line_event { LINE_NOTHING = 0, LINE_CHANGED, LINE_ENTERED, LINE_LEFT };

/* Starts with a text, cut to what fits; NULL for an empty line. */
void line_edit_init(struct line_edit *line, const char *text);

/* Characters are put at the end, Backspace takes the last away, Enter ends the line, Escape gives it up. */
enum line_event line_edit_key(struct line_edit *line, struct key key);
