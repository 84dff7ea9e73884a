#include "host/show.h"

#include "host/fleet.h"
#include "host/json_text.h"
#include "host/memory.h"
#include "host/output.h"
#include "host/rebuild.h"
#include "host/show_tree.h"
#include "host/stored.h"
#include "host/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WRONG_USE 2
#define EXIT_NOT_DONE 3

enum show_format {
    SHOW_TEXT = 0,
    SHOW_HTML,
    SHOW_JSON,
    SHOW_JUNIT,
    SHOW_TAP,
    SHOW_CSV,
    SHOW_FORMATS
};

/* A stored report on its way to the writers. */
struct shown {
    struct stored stored;
    struct rebuilt *rebuilt;
    json_t *differs; /* what the writers would not show as it was stored */
};

/* Below the report: what this program's structures do not hold, or would derive otherwise today. */
static bool put_differences(const struct shown *shown, FILE *file)
{
    struct sheet sheet = {.out = file};
    json_t *member;
    const char *key;

    if (shown->stored.note[0] != '\0') {
        (void)fputc('\n', file);
        sheet_line(&sheet, "%s", shown->stored.note);
    }
    if (json_object_size(shown->differs) == 0) {
        return true;
    }
    (void)fputc('\n', file);
    sheet_line(&sheet,
               "This version of Assay has no place for what follows, or derives it otherwise; "
               "as it was stored:");
    json_object_foreach(shown->differs, key, member)
    {
        show_tree(&sheet, key, member);
    }
    return ferror(file) == 0;
}

/* The other forms have no place for it. */
static void say_differences(const char *path, const struct shown *shown)
{
    json_t *member;
    const char *key;

    json_object_foreach(shown->differs, key, member)
    {
        (void)fprintf(
            stderr,
            "assay: note: %s: \"%s\" is not what this version of Assay makes of it and is "
            "worked out anew; --text has it as it was stored\n",
            path, key);
    }
}

static bool put_json(const struct shown *shown, FILE *file)
{
    return fwrite(shown->stored.text, 1, shown->stored.length, file) == shown->stored.length;
}

/* One form to a file or to standard output; true when asked for none. */
static bool write_one(const struct shown *shown, const char *path, enum show_format format)
{
    static const report_writer writers[SHOW_FORMATS] = {[SHOW_TEXT] = report_text,
                                                        [SHOW_HTML] = report_html,
                                                        [SHOW_JUNIT] = report_junit,
                                                        [SHOW_TAP] = report_tap,
                                                        [SHOW_CSV] = report_csv};
    FILE *file = path == NULL ? NULL : output_open(path);
    bool is_written;

    if (file == NULL) {
        return path == NULL;
    }
    if (format == SHOW_JSON) {
        is_written = put_json(shown, file);
    } else {
        is_written = output_write(file, writers[format], &shown->rebuilt->report);
    }
    if (format == SHOW_TEXT) {
        is_written = is_written && put_differences(shown, file);
    }
    return output_close(file, path, is_written);
}

static bool write_all(const struct shown *shown, const char *const outputs[SHOW_FORMATS])
{
    bool is_any = false;

    for (unsigned i = 0; i < SHOW_FORMATS; i++) {
        is_any = is_any || outputs[i] != NULL;
        if (!write_one(shown, outputs[i], (enum show_format)i)) {
            return false;
        }
    }
    return is_any || write_one(shown, "-", SHOW_TEXT);
}

static int show_one(const char *path, const char *const outputs[SHOW_FORMATS])
{
    static struct arena arena;
    struct shown shown = {.differs = NULL};
    char message[512];
    bool is_written;

    if (stored_load(path, &shown.stored, message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s\n", message);
        return EXIT_NOT_DONE;
    }
    memory_init(&arena);
    shown.rebuilt = arena_take(&arena, sizeof(*shown.rebuilt));
    rebuild_tame(shown.stored.root);
    if (shown.rebuilt == NULL || rebuild(shown.stored.root, &arena, shown.rebuilt) != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s: out of memory\n", path);
        stored_free(&shown.stored);
        return EXIT_NOT_DONE;
    }
    shown.differs = rebuild_differs(shown.stored.root, shown.rebuilt);
    if (outputs[SHOW_HTML] != NULL) {
        say_differences(path, &shown);
    }
    is_written = write_all(&shown, outputs);
    json_decref(shown.differs);
    stored_free(&shown.stored);
    return is_written ? EXIT_SUCCESS : EXIT_NOT_DONE;
}

/* Many reports are one table, as text or as a page. */
static int show_many(const struct words *words, const char *const outputs[SHOW_FORMATS])
{
    for (unsigned i = 0; i < SHOW_FORMATS; i++) {
        if (outputs[i] != NULL && i != SHOW_HTML) {
            (void)fprintf(stderr, "assay: show: several reports make one table, on standard output "
                                  "or with --html; show them one by one, or see assay fleet\n");
            return EXIT_WRONG_USE;
        }
    }
    return fleet_show(words->paths, words->paths_count, outputs[SHOW_HTML]);
}

int show_command(int count, char **words)
{
    const char *outputs[SHOW_FORMATS] = {NULL};
    const struct word_option options[] = {
        {"--text", &outputs[SHOW_TEXT], NULL}, {"--html", &outputs[SHOW_HTML], NULL},
        {"--json", &outputs[SHOW_JSON], NULL}, {"--junit", &outputs[SHOW_JUNIT], NULL},
        {"--tap", &outputs[SHOW_TAP], NULL},   {"--csv", &outputs[SHOW_CSV], NULL}};
    struct words taken = {.command = "show", .options_count = SHOW_FORMATS, .options = options};
    int status = EXIT_WRONG_USE;

    taken.paths = calloc((size_t)count + 1, sizeof(*taken.paths));
    if (taken.paths == NULL) {
        return EXIT_NOT_DONE;
    }
    if (!words_take(&taken, count, words)) {
        status = EXIT_WRONG_USE;
    } else if (taken.paths_count == 0) {
        (void)fprintf(stderr,
                      "assay: show needs a REPORT.json, a results folder or a serial log\n");
    } else if (taken.paths_count == 1) {
        status = show_one(taken.paths[0], outputs);
    } else {
        status = show_many(&taken, outputs);
    }
    free(taken.paths);
    return status;
}
