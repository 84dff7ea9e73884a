#include "model/menu.h"

void menu_fit(struct menu *menu)
{
    if (menu->selected >= menu->count) {
        menu->selected = menu->count - 1;
    }
    if (menu->selected < menu->top) {
        menu->top = menu->selected;
    } else if (menu->selected - menu->top >= menu->rows) {
        menu->top = menu->selected - menu->rows + 1;
    }
}

static enum menu_event go_to(struct menu *menu, uint32_t item)
{
    uint32_t before = menu->selected;

    menu->selected = item;
    menu_fit(menu);
    return menu->selected == before ? MENU_NOTHING : MENU_MOVED;
}

static enum menu_event take_character(struct menu *menu, char character)
{
    if (character == 'q' || character == 'Q') {
        return MENU_LEFT;
    }
    if (character >= '1' && character <= '9' && (uint32_t)(character - '1') < menu->count) {
        (void)go_to(menu, (uint32_t)(character - '1'));
        return MENU_CHOSEN;
    }
    return MENU_NOTHING;
}

enum menu_event menu_key(struct menu *menu, struct key key)
{
    uint32_t at = menu->selected;
    uint32_t last = menu->count - 1;

    switch (key.code) {
    case KEY_CHARACTER:
        return take_character(menu, key.character);
    case KEY_ENTER:
    case KEY_RIGHT:
        return MENU_CHOSEN;
    case KEY_ESCAPE:
    case KEY_BACKSPACE:
    case KEY_LEFT:
        return MENU_LEFT;
    case KEY_UP:
        return go_to(menu, at == 0 ? last : at - 1);
    case KEY_DOWN:
        return go_to(menu, at == last ? 0 : at + 1);
    case KEY_PAGE_UP:
        return go_to(menu, at < menu->rows ? 0 : at - menu->rows);
    case KEY_PAGE_DOWN:
        return go_to(menu, last - at < menu->rows ? last : at + menu->rows);
    case KEY_HOME:
        return go_to(menu, 0);
    case KEY_END:
        return go_to(menu, last);
    case KEY_NONE:
    default:
        return MENU_NOTHING;
    }
}
