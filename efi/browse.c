#include "efi/browse.h"

#include "efi/boot_choice.h"
#include "efi/dialog.h"
#include "efi/terminal.h"
#include "report/report_pages.h"

#include <string.h>

#define PAGES_MAX 32U
#define NOTE_BYTES 200
#define LABEL_BYTES (BOOT_LABEL_BYTES + 16)

static bool discard(void *context, const char *bytes, size_t length)
{
    (void)context;
    (void)bytes;
    (void)length;
    return true;
}

/* A page as text in the arena, written twice: once to learn its length. */
static const char *write_page(const struct report_page *page, const struct report *report,
                              struct arena *arena, size_t *ret_length)
{
    static const char none[] = "There is nothing about this on this machine.\n";
    char buffer[256];
    struct textbuf text;
    size_t length;
    char *bytes;

    textbuf_init(&text, buffer, sizeof(buffer), discard, NULL);
    page->write(report, &text);
    (void)textbuf_finish(&text);
    length = (size_t)text.written_bytes;
    bytes = length == 0 ? NULL : arena_take(arena, length + 1);
    if (bytes == NULL) {
        *ret_length = sizeof(none) - 1;
        return none;
    }
    textbuf_init(&text, bytes, length + 1, NULL, NULL);
    page->write(report, &text);
    *ret_length = text.length;
    return bytes;
}

/* Each page is written when it is first read, and kept. */
struct written {
    const char *text;
    size_t length;
};

static void read_page(uint32_t index, const struct report *report, struct written *written,
                      struct arena *arena)
{
    const struct report_page *page = report_pages_at(index);

    if (written->text == NULL) {
        written->text = write_page(page, report, arena, &written->length);
    }
    dialog_text(page->title, written->text, written->length, arena);
}

static void verdict(const struct report *report, const char *place, char note[NOTE_BYTES])
{
    struct totals totals = findings_totals(report->findings);
    struct textbuf text;

    textbuf_init(&text, note, NOTE_BYTES, NULL, NULL);
    textbuf_printf(&text, "%u failed, %u warnings, %u passed, %u not judged. Saved in\n%s",
                   totals.by_verdict[VERDICT_FAIL], totals.by_verdict[VERDICT_WARN],
                   totals.by_verdict[VERDICT_PASS], totals.by_verdict[VERDICT_SKIP], place);
}

enum exit_way browse(const struct report *report, const char *place, struct arena *arena)
{
    static struct written written[PAGES_MAX];
    struct menu_item items[PAGES_MAX];
    char note[NOTE_BYTES];
    uint32_t pages = report_pages_count();
    struct menu menu = {.title = "Assay: results", .items = items, .count = pages + 1};
    enum exit_way way = EXIT_RETURN;

    memset(items, 0, sizeof(items));
    for (uint32_t i = 0; i < pages; i++) {
        items[i].label = report_pages_at(i)->title;
    }
    items[pages].label = "Leave";
    verdict(report, place, note);
    for (;;) {
        uint32_t chosen = dialog_menu(&menu, note);

        if (chosen < pages) {
            read_page(chosen, report, &written[chosen], arena);
        } else if (chosen == DIALOG_NOBODY || browse_leave(&way)) {
            return way;
        }
    }
}

/* The fixed ways come first; the firmware's boot entries follow. */
enum { WAY_RETURN = 0, WAY_RESET, WAY_SHUTDOWN, WAY_SETUP, WAYS };

static void name_entries(const struct boot_entry *entries, uint32_t count,
                         char labels[BOOT_ENTRIES_MAX][LABEL_BYTES], struct menu_item *items)
{
    for (uint32_t i = 0; i < count; i++) {
        struct textbuf text;

        textbuf_init(&text, labels[i], LABEL_BYTES, NULL, NULL);
        textbuf_printf(&text, "Restart into %s", entries[i].label);
        items[WAYS + i] = (struct menu_item){.label = labels[i]};
    }
}

static bool leave_by(uint32_t chosen, const struct boot_entry *entries, enum exit_way *ret_way)
{
    switch (chosen) {
    case WAY_RETURN:
        *ret_way = EXIT_RETURN;
        return true;
    case WAY_SHUTDOWN:
        *ret_way = EXIT_SHUTDOWN;
        return true;
    case WAY_RESET:
        *ret_way = EXIT_RESET;
        return true;
    case WAY_SETUP:
        *ret_way = EXIT_RESET;
        return boot_to_setup();
    default:
        *ret_way = EXIT_RESET;
        return boot_next(entries[chosen - WAYS].number);
    }
}

bool browse_leave(enum exit_way *ret_way)
{
    static struct boot_entry entries[BOOT_ENTRIES_MAX];
    static char labels[BOOT_ENTRIES_MAX][LABEL_BYTES];
    struct menu_item items[WAYS + BOOT_ENTRIES_MAX] = {
        [WAY_RETURN] = {"Back to the firmware", NULL},
        [WAY_RESET] = {"Restart", NULL},
        [WAY_SHUTDOWN] = {"Switch off", NULL},
        [WAY_SETUP] = {"Firmware set-up", boot_has_setup() ? NULL : "(not offered here)"}};
    uint32_t count = boot_entries(entries);
    struct menu menu = {.title = "Assay: leave", .items = items, .count = WAYS + count};
    const char *note = "Esc goes back.";
    uint32_t chosen;

    name_entries(entries, count, labels, items);
    while ((chosen = dialog_menu(&menu, note)) < menu.count) {
        if (leave_by(chosen, entries, ret_way)) {
            return true;
        }
        note = "The firmware did not take this request.";
    }
    return false;
}
