#pragma once

#include "model/line_edit.h"
#include "model/menu.h"
#include "model/pager.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What a person and the program do together: choose, read, type. A page is a title bar, the content, and a bar that
 * names the keys. Nobody there for five minutes means "leave", everywhere.
 */

#define DIALOG_LEFT UINT32_MAX
#define DIALOG_NOBODY (UINT32_MAX - 1)

/* The item chosen, DIALOG_LEFT, or DIALOG_NOBODY when no key came: never below menu->count then. menu->rows is set here. `note` stands below the title; may be "". */
uint32_t dialog_menu(struct menu *menu, const char *note);

/* Shows a text until the reader leaves it: scrolling both ways, "/" searches, "n" goes to the next hit. */
void dialog_text(const char *title, const char *text, size_t length, struct arena *arena);

/* Lets a line be typed; false when it was given up. `problem` says what was wrong with the last one; may be "". */
bool dialog_line(const char *title, const char *question, const char *problem,
                 struct line_edit *line);

/* One page of lines that stays for `seconds` and counts them down below: "<countdown> 3 s". Gives the key that ended
 * it, or KEY_NONE. */
struct key dialog_countdown(const char *title, const char *const *lines, uint32_t count,
                            const char *countdown, uint32_t seconds);
