#include "host/show.h"

#include "host/fleet.h"
#include "host/json_text.h"
#include "host/output.h"
#include "host/show_tree.h"
#include "host/stored.h"
#include "host/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WRONG_USE 2
#define EXIT_NOT_DONE 3

static const char *or_nothing(const char *text)
{
    return text == NULL ? "" : text;
}

static bool is_verdict(const json_t *finding, const char *verdict)
{
    return strcmp(or_nothing(json_text_string(finding, "verdict")), verdict) == 0;
}

static void add_finding(const json_t *finding, json_t *rows)
{
    static const char *const keys[] = {"verdict", "id",     "severity", "cpus",
                                       "object",  "actual", "expected", "title"};
    json_t *row = sheet_row(rows);

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        show_tree_cell(row, json_object_get(finding, keys[i]));
    }
}

/* Findings of which there is something to say; what passed and what was not judged is counted below. */
static void findings(const struct sheet *sheet, const json_t *array)
{
    static const char *const columns[] = {"verdict", "id", "severity", "CPUs",
                                          "object",  "is", "expected", "requirement"};
    static const char *const shown[] = {"FAIL", "WARN", "INFO"};
    json_t *rows = json_array();
    const json_t *finding;
    size_t index;

    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        json_array_foreach(array, index, finding)
        {
            if (is_verdict(finding, shown[i])) {
                add_finding(finding, rows);
            }
        }
    }
    sheet_heading(sheet, "Findings");
    sheet_table(sheet, columns, sizeof(columns) / sizeof(columns[0]), rows);
    json_decref(rows);
}

static void quiet_findings(const struct sheet *sheet, const json_t *array, const char *verdict,
                           const char *heading)
{
    static const char *const columns[] = {"id", "CPUs", "object", "requirement", "reason"};
    static const char *const keys[] = {"id", "cpus", "object", "title", "actual"};
    json_t *rows = json_array();
    const json_t *finding;
    size_t index;

    json_array_foreach(array, index, finding)
    {
        json_t *row;

        if (!is_verdict(finding, verdict)) {
            continue;
        }
        row = sheet_row(rows);
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            show_tree_cell(row, json_object_get(finding, keys[i]));
        }
    }
    sheet_heading(sheet, heading);
    sheet_table(sheet, columns, sizeof(columns) / sizeof(columns[0]), rows);
    json_decref(rows);
}

static void totals_line(const struct sheet *sheet, const json_t *root)
{
    const json_t *totals = json_object_get(root, "totals");

    sheet_line(sheet, "%llu pass, %llu fail, %llu warn, %llu info, %llu skip",
               (unsigned long long)json_text_number(totals, "pass", 0),
               (unsigned long long)json_text_number(totals, "fail", 0),
               (unsigned long long)json_text_number(totals, "warn", 0),
               (unsigned long long)json_text_number(totals, "info", 0),
               (unsigned long long)json_text_number(totals, "skip", 0));
}

/* Sections that have a form of their own here. */
static bool is_done(const char *key)
{
    static const char *const done[] = {"assay", "findings", "totals"};

    for (size_t i = 0; i < sizeof(done) / sizeof(done[0]); i++) {
        if (strcmp(done[i], key) == 0) {
            return true;
        }
    }
    return false;
}

static bool render(const struct stored *stored, FILE *out, bool is_html)
{
    const json_t *machine = json_object_get(stored->root, "machine");
    const json_t *program = json_object_get(stored->root, "assay");
    const json_t *array = json_object_get(stored->root, "findings");
    struct sheet sheet;
    char title[256];
    const json_t *member;
    const char *key;

    (void)snprintf(title, sizeof(title), "Assay report: %.80s %.80s",
                   or_nothing(json_text_string(machine, "vendor")),
                   or_nothing(json_text_string(machine, "product")));
    sheet_open(&sheet, out, is_html, title);
    sheet_line(&sheet, "Assay %s (%s), ACPICA %s", or_nothing(json_text_string(program, "version")),
               or_nothing(json_text_string(program, "build")),
               or_nothing(json_text_string(program, "acpica")));
    if (stored->note[0] != '\0') {
        sheet_line(&sheet, "%s", stored->note);
    }
    totals_line(&sheet, stored->root);
    findings(&sheet, array);
    json_object_foreach(stored->root, key, member)
    {
        if (!is_done(key)) {
            show_tree(&sheet, key, member);
        }
    }
    quiet_findings(&sheet, array, "SKIP", "Not judged");
    quiet_findings(&sheet, array, "PASS", "Passed");
    return sheet_close(&sheet);
}

struct outputs {
    const char *text;
    const char *html;
    const char *json;
};

/* One form to a file or to standard output; true when asked for none. */
static bool write_one(const struct stored *stored, const char *path, int form)
{
    FILE *file = path == NULL ? NULL : output_open(path);
    bool is_written;

    if (file == NULL) {
        return path == NULL;
    }
    is_written = form == 'j' ? fwrite(stored->text, 1, stored->length, file) == stored->length
                             : render(stored, file, form == 'h');
    return output_close(file, path, is_written);
}

static int show_one(const char *path, const struct outputs *outputs)
{
    bool is_any = outputs->text != NULL || outputs->html != NULL || outputs->json != NULL;
    char message[512];
    struct stored stored;
    bool is_written;

    if (stored_load(path, &stored, message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s\n", message);
        return EXIT_NOT_DONE;
    }
    is_written = write_one(&stored, is_any ? outputs->text : "-", 't') &&
                 write_one(&stored, outputs->html, 'h') && write_one(&stored, outputs->json, 'j');
    stored_free(&stored);
    return is_written ? EXIT_SUCCESS : EXIT_NOT_DONE;
}

int show_command(int count, char **words)
{
    struct outputs outputs = {.text = NULL};
    const struct word_option options[] = {{"--text", &outputs.text, NULL},
                                          {"--html", &outputs.html, NULL},
                                          {"--json", &outputs.json, NULL}};
    struct words taken = {.command = "show", .options_count = 3, .options = options};
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
        status = show_one(taken.paths[0], &outputs);
    } else {
        status = fleet_show(taken.paths, taken.paths_count, outputs.html);
    }
    free(taken.paths);
    return status;
}
