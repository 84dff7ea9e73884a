#include "tests/sim/report_check.h"

#include "tests/sim/markup.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_BYTES ((size_t)16 * 1024 * 1024)

static char line[200];

typedef void (*writer)(const struct report *report, struct textbuf *out);

/* Whether the whole report is in the buffer. */
static bool write(writer write_report, const struct report *report, char *buffer,
                  size_t *ret_length)
{
    struct textbuf out;

    textbuf_init(&out, buffer, REPORT_BYTES, NULL, NULL);
    write_report(report, &out);
    *ret_length = out.length;
    return !out.has_failed;
}

/* Integers beyond 63 bits are exact in our JSON and too large for this reader (docs of report.json): no fault. */
static const char *json_problem(const char *text, size_t length)
{
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);

    if (root != NULL || json_error_code(&error) == json_error_numeric_overflow) {
        json_decref(root);
        return NULL;
    }
    (void)snprintf(line, sizeof(line), "report.json, line %d: %s", error.line, error.text);
    return line;
}

static const char *markup_line(const char *file, enum markup_kind kind, const char *text,
                               size_t length)
{
    size_t at = 0;
    const char *problem = markup_problem(kind, text, length, &at);

    if (problem != NULL) {
        (void)snprintf(line, sizeof(line), "%s, byte %zu: %s", file, at, problem);
    }
    return problem == NULL ? NULL : line;
}

static const char *in_buffer(const struct report *report, char *buffer)
{
    const char *problem = NULL;
    size_t length;

    if (write(report_json, report, buffer, &length)) {
        problem = json_problem(buffer, length);
    }
    if (problem == NULL && write(report_html, report, buffer, &length)) {
        problem = markup_line("report.html", MARKUP_HTML, buffer, length);
    }
    if (problem == NULL && write(report_junit, report, buffer, &length)) {
        problem = markup_line("report.xml", MARKUP_XML, buffer, length);
    }
    (void)write(report_text, report, buffer, &length);
    (void)write(report_tap, report, buffer, &length);
    (void)write(report_csv, report, buffer, &length);
    return problem;
}

const char *report_check(const struct report *report)
{
    char *buffer = malloc(REPORT_BYTES);
    const char *problem = buffer == NULL ? "no memory" : in_buffer(report, buffer);

    free(buffer);
    return problem;
}
