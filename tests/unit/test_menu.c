#include "model/line_edit.h"
#include "model/menu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct menu_item items[12] = {{"a", NULL}, {"b", NULL}, {"c", NULL}};

static enum menu_event press(struct menu *menu, enum key_code code)
{
    return menu_key(menu, (struct key){.code = code});
}

static enum menu_event type(struct menu *menu, char character)
{
    return menu_key(menu, (struct key){.code = KEY_CHARACTER, .character = character});
}

static void arrows_go_round(void **state)
{
    struct menu menu = {.items = items, .count = 3, .rows = 10};

    (void)state;
    assert_int_equal(press(&menu, KEY_UP), MENU_MOVED);
    assert_int_equal(menu.selected, 2);
    assert_int_equal(press(&menu, KEY_DOWN), MENU_MOVED);
    assert_int_equal(menu.selected, 0);
    assert_int_equal(press(&menu, KEY_HOME), MENU_NOTHING);
    assert_int_equal(press(&menu, KEY_END), MENU_MOVED);
    assert_int_equal(menu.selected, 2);
}

static void the_marked_item_stays_in_the_window(void **state)
{
    struct menu menu = {.items = items, .count = 12, .rows = 4};

    (void)state;
    for (unsigned i = 0; i < 40; i++) {
        (void)press(&menu, i % 3 == 0 ? KEY_PAGE_DOWN : KEY_DOWN);
        assert_true(menu.selected >= menu.top && menu.selected < menu.top + menu.rows);
    }
    (void)press(&menu, KEY_END);
    assert_int_equal(menu.top, 8);
    (void)press(&menu, KEY_PAGE_UP);
    assert_int_equal(menu.selected, 7);
    assert_int_equal(menu.top, 7);
    menu.rows = 1;
    menu.count = 2;
    menu_fit(&menu);
    assert_int_equal(menu.selected, 1);
    assert_int_equal(menu.top, 1);
}

static void keys_choose_and_leave(void **state)
{
    struct menu menu = {.items = items, .count = 3, .rows = 10};

    (void)state;
    assert_int_equal(type(&menu, '3'), MENU_CHOSEN);
    assert_int_equal(menu.selected, 2);
    assert_int_equal(type(&menu, '4'), MENU_NOTHING);
    assert_int_equal(type(&menu, '0'), MENU_NOTHING);
    assert_int_equal(menu.selected, 2);
    assert_int_equal(press(&menu, KEY_ENTER), MENU_CHOSEN);
    assert_int_equal(press(&menu, KEY_ESCAPE), MENU_LEFT);
    assert_int_equal(type(&menu, 'q'), MENU_LEFT);
    assert_int_equal(press(&menu, KEY_NONE), MENU_NOTHING);
}

static void a_line_is_typed(void **state)
{
    struct line_edit line;

    (void)state;
    line_edit_init(&line, "0-");
    assert_int_equal(line_edit_key(&line, (struct key){KEY_CHARACTER, '7'}), LINE_CHANGED);
    assert_string_equal(line.text, "0-7");
    assert_int_equal(line_edit_key(&line, (struct key){KEY_BACKSPACE, 0}), LINE_CHANGED);
    assert_string_equal(line.text, "0-");
    assert_int_equal(line_edit_key(&line, (struct key){KEY_CHARACTER, '\t'}), LINE_NOTHING);
    assert_int_equal(line_edit_key(&line, (struct key){KEY_UP, 0}), LINE_NOTHING);
    assert_int_equal(line_edit_key(&line, (struct key){KEY_ENTER, 0}), LINE_ENTERED);
    assert_int_equal(line_edit_key(&line, (struct key){KEY_ESCAPE, 0}), LINE_LEFT);
    line_edit_init(&line, NULL);
    assert_int_equal(line_edit_key(&line, (struct key){KEY_BACKSPACE, 0}), LINE_NOTHING);
}

static void a_line_is_bounded(void **state)
{
    char text[2 * LINE_EDIT_BYTES];
    struct line_edit line;

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    line_edit_init(&line, text);
    assert_int_equal(line.length, LINE_EDIT_BYTES - 1);
    assert_int_equal(line_edit_key(&line, (struct key){KEY_CHARACTER, 'y'}), LINE_NOTHING);
    assert_int_equal(strlen(line.text), LINE_EDIT_BYTES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrows_go_round),
        cmocka_unit_test(the_marked_item_stays_in_the_window),
        cmocka_unit_test(keys_choose_and_leave),
        cmocka_unit_test(a_line_is_typed),
        cmocka_unit_test(a_line_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
