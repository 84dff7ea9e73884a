#include "host/diff.h"

#include "host/diff_compare.h"
#include "host/json_text.h"
#include "host/output.h"
#include "host/sheet.h"
#include "host/show_tree.h"
#include "host/stored.h"
#include "host/words.h"

#include <stdlib.h>
#include <string.h>

#define EXIT_CHANGED 1
#define EXIT_WRONG_USE 2
#define EXIT_NOT_DONE 3

static bool is_empty(const json_t *object, const char *key)
{
    return json_array_size(json_object_get(object, key)) == 0;
}

json_t *diff_compare(const json_t *old_report, const json_t *new_report)
{
    json_t *result = json_object();
    json_t *changes = json_array();
    json_t *findings = diff_findings(old_report, new_report);
    json_t *measurements = diff_measurements(old_report, new_report);
    bool is_same;

    diff_values(old_report, new_report, changes);
    is_same = json_array_size(changes) == 0 && is_empty(findings, "fixed") &&
              is_empty(findings, "new") && is_empty(findings, "changed") &&
              is_empty(findings, "not_judged") && is_empty(measurements, "differ");
    (void)json_object_set_new(result, "changed", json_boolean(!is_same));
    (void)json_object_set_new(result, "changes", changes);
    (void)json_object_set_new(result, "findings", findings);
    (void)json_object_set_new(result, "measurements", measurements);
    return result;
}

/* "\_SB.PLTF.C000 and 7 more", "Linux 6.16 and 13 others". */
static void where_cell(json_t *row, const json_t *change)
{
    const json_t *kernels = json_object_get(change, "kernels");
    const json_t *processors = kernels == NULL ? json_object_get(change, "processors") : kernels;
    const char *what = kernels == NULL ? "" : "Linux ";
    size_t count = json_array_size(processors);
    const char *first = json_string_value(json_array_get(processors, 0));

    if (count > 1) {
        sheet_cell(row, "%s%s and %zu more", what, first == NULL ? "" : first, count - 1);
    } else {
        sheet_cell(row, "%s%s", what, first == NULL ? "" : first);
    }
}

/* The changes of one section; the reader's words for it as heading. */
static void section(const struct sheet *sheet, const json_t *changes, const char *name,
                    const char *heading)
{
    static const char *const columns[] = {"what", "old", "new", "where"};
    json_t *rows = json_array();
    const json_t *change;
    size_t index;

    json_array_foreach(changes, index, change)
    {
        json_t *row;

        if (strcmp(json_text_string(change, "section"), name) != 0) {
            continue;
        }
        row = sheet_row(rows);
        show_tree_cell(row, json_object_get(change, "name"));
        sheet_cell(row, "%s",
                   json_object_get(change, "old") == NULL ? "(none)"
                                                          : json_text_string(change, "old"));
        sheet_cell(row, "%s",
                   json_object_get(change, "new") == NULL ? "(none)"
                                                          : json_text_string(change, "new"));
        where_cell(row, change);
    }
    if (json_array_size(rows) > 0) {
        sheet_heading(sheet, heading);
        sheet_table(sheet, columns, sizeof(columns) / sizeof(columns[0]), rows);
    }
    json_decref(rows);
}

/* Of AML that is not the same, what it gives is compared apart. */
static void aml_section(const struct sheet *sheet, const json_t *changes)
{
    static const char *const values[] = {"processors", "other", "fadt", "madt", "linux"};
    const json_t *change;
    size_t aml = 0;
    size_t of_values = 0;
    size_t index;

    json_array_foreach(changes, index, change)
    {
        const char *name = json_text_string(change, "section");

        aml += strcmp(name, "aml") == 0 ? 1 : 0;
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
            of_values += strcmp(name, values[i]) == 0 ? 1 : 0;
        }
    }
    section(sheet, changes, "aml", "AML that is not the same");
    if (aml > 0) {
        sheet_line(sheet, "%s",
                   of_values == 0 ? "No value that was evaluated differs: the change is in code "
                                    "or in objects other than the processors'."
                                  : "What of it shows in values is listed by value.");
    }
}

static void sections(const struct sheet *sheet, const json_t *changes)
{
    static const char *const names[][2] = {{"machine", "Machine"},
                                           {"tables", "Tables"},
                                           {"fadt", "FADT"},
                                           {"madt", "MADT"},
                                           {"processors", "Processor objects"},
                                           {"other", "Frequencies, handshake and other tables"},
                                           {"msrs", "MSRs"},
                                           {"cpuid", "CPUID"},
                                           {"linux", "What Linux would do differently"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        section(sheet, changes, names[i][0], names[i][1]);
    }
    aml_section(sheet, changes);
}

static void findings(const struct sheet *sheet, const json_t *lists, const char *name,
                     const char *heading)
{
    static const char *const columns[] = {"verdict", "id",       "severity", "object",
                                          "is",      "expected", "was",      "requirement"};
    static const char *const keys[] = {"verdict", "id",       "severity", "object",
                                       "actual",  "expected", "was",      "title"};
    json_t *rows = json_array();
    const json_t *finding;
    size_t index;

    json_array_foreach(json_object_get(lists, name), index, finding)
    {
        json_t *row = sheet_row(rows);

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            show_tree_cell(row, json_object_get(finding, keys[i]));
        }
    }
    if (json_array_size(rows) > 0) {
        sheet_heading(sheet, heading);
        sheet_table(sheet, columns, sizeof(columns) / sizeof(columns[0]), rows);
    }
    json_decref(rows);
}

static void measurements(const struct sheet *sheet, const json_t *measured)
{
    static const char *const columns[] = {"what", "old", "new", "test", "confidence"};
    json_t *rows = json_array();
    const json_t *entry;
    size_t index;

    json_array_foreach(json_object_get(measured, "differ"), index, entry)
    {
        const json_t *confidence = json_object_get(entry, "confidence_pct");
        json_t *row = sheet_row(rows);

        show_tree_cell(row, json_object_get(entry, "name"));
        show_tree_cell(row, json_object_get(entry, "old"));
        show_tree_cell(row, json_object_get(entry, "new"));
        show_tree_cell(row, json_object_get(entry, "test"));
        if (confidence != NULL) {
            sheet_cell(row, "%.5f %%", json_real_value(confidence));
        }
    }
    sheet_heading(sheet, "Measurements");
    if (json_object_get(measured, "why_not") != NULL) {
        sheet_line(sheet, "Not compared: %s.", json_text_string(measured, "why_not"));
    } else {
        sheet_line(sheet, "%llu compared, %zu differ beyond their uncertainty.",
                   (unsigned long long)json_text_number(measured, "compared", 0),
                   json_array_size(rows));
    }
    sheet_table(sheet, columns, sizeof(columns) / sizeof(columns[0]), rows);
    json_decref(rows);
}

static bool render(const json_t *result, FILE *out, bool is_html)
{
    const json_t *lists = json_object_get(result, "findings");
    const json_t *changes = json_object_get(result, "changes");
    struct sheet sheet;
    char title[512];

    (void)snprintf(title, sizeof(title), "Assay: %.200s against %.200s",
                   json_text_string(result, "old"), json_text_string(result, "new"));
    sheet_open(&sheet, out, is_html, title);
    if (json_text_string(result, "note") != NULL) {
        sheet_line(&sheet, "%s", json_text_string(result, "note"));
    }
    if (json_is_false(json_object_get(result, "changed"))) {
        sheet_line(&sheet, "No difference.");
        return sheet_close(&sheet);
    }
    sheet_line(&sheet, "%zu values changed; findings: %zu fixed, %zu new, %zu changed.",
               json_array_size(changes), json_array_size(json_object_get(lists, "fixed")),
               json_array_size(json_object_get(lists, "new")),
               json_array_size(json_object_get(lists, "changed")));
    findings(&sheet, lists, "new", "New findings");
    findings(&sheet, lists, "fixed", "Fixed");
    findings(&sheet, lists, "changed", "Changed findings");
    findings(&sheet, lists, "not_judged", "No longer judged");
    sections(&sheet, changes);
    measurements(&sheet, json_object_get(result, "measurements"));
    return sheet_close(&sheet);
}

static bool write_one(const json_t *result, const char *path, int form)
{
    FILE *file = path == NULL ? NULL : output_open(path);
    bool is_written;

    if (file == NULL) {
        return path == NULL;
    }
    if (form == 'j') {
        is_written = json_dumpf(result, file, JSON_INDENT(1)) == 0 && fputc('\n', file) != EOF;
    } else {
        is_written = render(result, file, form == 'h');
    }
    return output_close(file, path, is_written);
}

/* Verdicts of two programs may differ on the same machine: the reader shall know. */
static void add_note(json_t *result, const json_t *old_report, const json_t *new_report)
{
    const json_t *old_program = json_object_get(old_report, "assay");
    const json_t *new_program = json_object_get(new_report, "assay");

    if (json_equal(old_program, new_program) == 0) {
        (void)json_object_set_new(
            result, "note",
            json_string(
                "Different builds of Assay made these reports: findings may differ for that."));
    }
}

struct outputs {
    const char *text;
    const char *html;
    const char *json;
};

static int compare(const char *const *paths, const struct stored *stored,
                   const struct outputs *outputs)
{
    bool is_any = outputs->text != NULL || outputs->html != NULL || outputs->json != NULL;
    json_t *result = diff_compare(stored[0].root, stored[1].root);
    int status = json_is_true(json_object_get(result, "changed")) ? EXIT_CHANGED : EXIT_SUCCESS;

    (void)json_object_set_new(result, "old", json_string(paths[0]));
    (void)json_object_set_new(result, "new", json_string(paths[1]));
    add_note(result, stored[0].root, stored[1].root);
    if (!write_one(result, is_any ? outputs->text : "-", 't') ||
        !write_one(result, outputs->html, 'h') || !write_one(result, outputs->json, 'j')) {
        status = EXIT_NOT_DONE;
    }
    json_decref(result);
    return status;
}

static int load_and_compare(const char *const *paths, const struct outputs *outputs)
{
    struct stored stored[2];
    char message[512];
    int status;

    if (stored_load(paths[0], &stored[0], message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s\n", message);
        return EXIT_NOT_DONE;
    }
    if (stored_load(paths[1], &stored[1], message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s\n", message);
        stored_free(&stored[0]);
        return EXIT_NOT_DONE;
    }
    status = compare(paths, stored, outputs);
    stored_free(&stored[0]);
    stored_free(&stored[1]);
    return status;
}

int diff_command(int count, char **words)
{
    struct outputs outputs = {.text = NULL};
    const struct word_option options[] = {{"--text", &outputs.text, NULL},
                                          {"--html", &outputs.html, NULL},
                                          {"--json", &outputs.json, NULL}};
    struct words taken = {.command = "diff", .options_count = 3, .options = options};
    int status = EXIT_WRONG_USE;

    taken.paths = calloc((size_t)count + 1, sizeof(*taken.paths));
    if (taken.paths == NULL) {
        return EXIT_NOT_DONE;
    }
    if (words_take(&taken, count, words)) {
        if (taken.paths_count == 2) {
            status = load_and_compare(taken.paths, &outputs);
        } else {
            (void)fprintf(stderr, "assay: diff needs two machines or reports, OLD and NEW\n");
        }
    }
    free(taken.paths);
    return status;
}
