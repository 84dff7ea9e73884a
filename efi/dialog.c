#include "efi/dialog.h"

#include "efi/terminal.h"
#include "model/textbuf.h"

#include <string.h>

#define PATIENCE_MS 300000U
#define LINE_BYTES 320
#define TITLE_ROWS 3U /* the bar, the note, its second line or an empty row */

struct row {
    char bytes[LINE_BYTES];
    struct textbuf text;
};

static void begin(struct row *row)
{
    textbuf_init(&row->text, row->bytes, sizeof(row->bytes), NULL, NULL);
}

static void show(struct row *row, uint32_t at, enum terminal_style style)
{
    terminal_row(at, style, row->bytes, (uint32_t)strlen(row->bytes));
}

static void show_text(uint32_t at, enum terminal_style style, const char *text)
{
    terminal_row(at, style, text, (uint32_t)strlen(text));
}

static uint32_t content_rows(void)
{
    return terminal_rows() - TITLE_ROWS - 2;
}

static size_t line_length(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0' && text[length] != '\n') {
        length++;
    }
    return length;
}

/* A note may have a second line. */
static void draw_note(const char *note)
{
    for (uint32_t at = 1; at < TITLE_ROWS; at++) {
        size_t length = line_length(note);
        struct row row;

        begin(&row);
        textbuf_byte(&row.text, ' ');
        textbuf_bytes(&row.text, note, length);
        show(&row, at, TERMINAL_PLAIN);
        note += length + (note[length] == '\n' ? 1U : 0U);
    }
}

static void draw_frame(const char *title, const char *note, const char *keys)
{
    struct row row;

    begin(&row);
    textbuf_printf(&row.text, " %s", title);
    show(&row, 0, TERMINAL_BAR);
    draw_note(note);
    show_text(terminal_rows() - 2, TERMINAL_PLAIN, "");
    begin(&row);
    textbuf_printf(&row.text, " %s", keys);
    show(&row, terminal_rows() - 1, TERMINAL_BAR);
}

static void draw_item(const struct menu *menu, uint32_t row_index)
{
    uint32_t index = menu->top + row_index;
    bool is_marked = index == menu->selected;
    struct row row;

    begin(&row);
    if (index < menu->count) {
        const struct menu_item *item = &menu->items[index];

        textbuf_printf(&row.text, "%s", is_marked ? " > " : "   ");
        if (index < 9) {
            textbuf_printf(&row.text, "%u  ", index + 1);
        } else {
            textbuf_string(&row.text, "   ");
        }
        textbuf_printf(&row.text, "%-28s %s", item->label, item->value == NULL ? "" : item->value);
    }
    show(&row, TITLE_ROWS + row_index,
         is_marked && index < menu->count ? TERMINAL_MARKED : TERMINAL_PLAIN);
}

static void draw_menu(const struct menu *menu)
{
    for (uint32_t row = 0; row < menu->rows; row++) {
        draw_item(menu, row);
    }
}

uint32_t dialog_menu(struct menu *menu, const char *note)
{
    enum menu_event event = MENU_MOVED;

    menu->rows = content_rows();
    menu_fit(menu);
    draw_frame(menu->title, note, "Up Down: mark   Enter or number: choose   Esc: back");
    while (event != MENU_CHOSEN && event != MENU_LEFT) {
        struct key key;

        if (event == MENU_MOVED) {
            draw_menu(menu);
        }
        key = terminal_key(PATIENCE_MS);
        if (key.code == KEY_NONE) {
            return DIALOG_NOBODY;
        }
        event = menu_key(menu, key);
    }
    return event == MENU_CHOSEN ? menu->selected : DIALOG_LEFT;
}

static bool starts_with(const char *line, uint32_t length, const char *word)
{
    return length >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

static enum terminal_style style_of(const char *line, uint32_t length)
{
    if (starts_with(line, length, "FAIL")) {
        return TERMINAL_BAD;
    }
    return starts_with(line, length, "WARN") ? TERMINAL_CAUTION : TERMINAL_PLAIN;
}

static void draw_text(const struct pager *pager)
{
    for (uint32_t row = 0; row < pager->rows; row++) {
        uint32_t length;
        const char *line = pager_line(pager, row, &length);
        bool is_found = pager->found != PAGER_NOWHERE && pager->found == pager->top + row;
        struct row text;

        begin(&text);
        textbuf_byte(&text.text, is_found ? '>' : ' ');
        textbuf_bytes(&text.text, line, length);
        show(&text, TITLE_ROWS + row, is_found ? TERMINAL_MARKED : style_of(line, length));
    }
}

static void draw_reading(const char *title, const struct pager *pager, const char *note)
{
    struct row row;

    begin(&row);
    textbuf_printf(&row.text, "%s   %u%%", title, pager_seen_pct(pager));
    draw_frame(row.bytes, note, "Arrows Page Home End: move   /: search   n: next   Esc: back");
    draw_text(pager);
}

/* The next hit of what is searched for, which is typed when `is_new`. Gives what there is to say. */
static const char *search(struct pager *pager, struct line_edit *needle, bool is_new)
{
    if (is_new) {
        line_edit_init(needle, needle->text);
        if (!dialog_line("Search", "Text to look for, in capitals or not:", "", needle)) {
            return "";
        }
        pager->found = PAGER_NOWHERE;
    }
    if (needle->length == 0) {
        return "nothing to look for yet: / asks for it";
    }
    return pager_find(pager, needle->text) ? "" : "not found";
}

void dialog_text(const char *title, const char *text, size_t length, struct arena *arena)
{
    struct line_edit needle;
    struct pager pager;
    const char *note = "";

    line_edit_init(&needle, NULL);
    if (pager_init(&pager, text, length, content_rows(), terminal_columns() - 1, arena) !=
        STATUS_OK) {
        note = "not enough memory to show this page";
    }
    draw_reading(title, &pager, note);
    for (;;) {
        struct key key = terminal_key(PATIENCE_MS);
        bool is_typed = key.code == KEY_CHARACTER;

        if (key.code == KEY_NONE || key.code == KEY_ESCAPE || key.code == KEY_BACKSPACE ||
            (is_typed && (key.character == 'q' || key.character == 'Q'))) {
            return;
        }
        if (is_typed && (key.character == '/' || key.character == 'n')) {
            note = search(&pager, &needle, key.character == '/');
            draw_reading(title, &pager, note);
        } else if (pager_key(&pager, key)) {
            draw_reading(title, &pager, "");
        }
    }
}

static void draw_line(const struct line_edit *line)
{
    struct row row;

    begin(&row);
    textbuf_printf(&row.text, "   > %s_", line->text);
    show(&row, TITLE_ROWS + 2, TERMINAL_MARKED);
}

bool dialog_line(const char *title, const char *question, const char *problem,
                 struct line_edit *line)
{
    enum line_event event = LINE_CHANGED;
    struct row row;

    draw_frame(title, problem, "Enter: take it   Esc: leave as it was");
    for (uint32_t i = 0; i < content_rows(); i++) {
        show_text(TITLE_ROWS + i, TERMINAL_PLAIN, "");
    }
    begin(&row);
    textbuf_printf(&row.text, "   %s", question);
    show(&row, TITLE_ROWS, TERMINAL_PLAIN);
    while (event != LINE_ENTERED && event != LINE_LEFT) {
        struct key key;

        if (event == LINE_CHANGED) {
            draw_line(line);
        }
        key = terminal_key(PATIENCE_MS);
        event = key.code == KEY_NONE ? LINE_LEFT : line_edit_key(line, key);
    }
    return event == LINE_ENTERED;
}

struct key dialog_countdown(const char *title, const char *const *lines, uint32_t count,
                            const char *countdown, uint32_t seconds)
{
    struct key key = {.code = KEY_NONE};

    draw_frame(title, "", "Enter: start now   any other key: menu");
    for (uint32_t i = 0; i < count; i++) {
        show_text(TITLE_ROWS + i, TERMINAL_PLAIN, lines[i]);
    }
    for (; seconds > 0 && key.code == KEY_NONE; seconds--) {
        struct row row;

        begin(&row);
        textbuf_printf(&row.text, "   %s %u s", countdown, seconds);
        show(&row, TITLE_ROWS + count + 1, TERMINAL_PLAIN);
        key = terminal_key(1000);
    }
    return key;
}
