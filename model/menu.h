#pragma once

#include "model/key.h"

#include <stdint.h>

/* A list of choices on a window of some rows: which one is marked, which ones are seen. Draws nothing. */
struct menu_item {
    const char *label;
    const char *value; /* what it stands at now, or NULL */
};

struct menu {
    const char *title;
    const struct menu_item *items;
    uint32_t count; /* at least 1 */
    uint32_t selected;
    uint32_t top;  /* the first item seen */
    uint32_t rows; /* of the window, at least 1 */
};

enum menu_event { MENU_NOTHING = 0, MENU_MOVED, MENU_CHOSEN, MENU_LEFT };

/*
 * Takes a key: arrows, Page Up and Down, Home and End move; Enter chooses the marked item, a digit 1 to 9 the item
 * with that number; Escape, Backspace and q leave. Keeps the marked item within the window.
 */
enum menu_event menu_key(struct menu *menu, struct key key);

/* Puts the window where the marked item is seen: call after rows or count changed. */
void menu_fit(struct menu *menu);
