#include "efi/past_results.h"

#include "efi/dialog.h"
#include "efi/files.h"
#include "efi/volume.h"
#include "model/textbuf.h"

#define REPORT_MAX_BYTES ((size_t)16 * 1024 * 1024)

static void read_one(const char *out, const char *name, struct arena *arena)
{
    static const char missing[] = "There is no report.txt in this folder.\n";
    char path[VOLUME_PATH_CHARS];
    const uint8_t *bytes = NULL;
    struct textbuf text;
    size_t length = 0;

    textbuf_init(&text, path, sizeof(path), NULL, NULL);
    textbuf_printf(&text, "%s\\%s\\report.txt", out, name);
    if (files_read(path, REPORT_MAX_BYTES, arena, &bytes, &length) != STATUS_OK) {
        bytes = (const uint8_t *)missing;
        length = sizeof(missing) - 1;
    }
    dialog_text(name, (const char *)bytes, length, arena);
}

void past_results(const char *out, struct arena *arena)
{
    const char *const *names = NULL;
    uint32_t count = 0;
    struct menu_item *items;
    struct menu menu = {.title = "Past results, the newest first"};
    uint32_t chosen;

    if (files_folders(out, arena, &count, &names) != STATUS_OK || count == 0) {
        dialog_text("Past results", "There are none on this medium yet.\n", 35, arena);
        return;
    }
    items = arena_array(arena, count, sizeof(*items));
    if (items == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i].label = names[i];
    }
    menu.items = items;
    menu.count = count;
    while ((chosen = dialog_menu(&menu, out)) < count) {
        read_one(out, names[chosen], arena);
    }
}
