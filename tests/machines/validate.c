/* validate SCHEMA REPORT...: whether each report.json is what the schema says; a line for each that is not. */
#include "host/malloc_file.h"
#include "tests/sim/json_schema.h"

#include <stdio.h>
#include <stdlib.h>

/* Integers beyond 63 bits are reals to jansson, so all of them are read as such. NULL with a line on standard error when the file is no JSON. */
static json_t *load(const char *path)
{
    json_error_t error = {.text = "cannot be read"};
    char *text = NULL;
    size_t length = 0;
    json_t *json = NULL;

    if (malloc_file_open(path, &text, &length) == STATUS_OK) {
        json =
            json_loadb(text, length,
                       JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &error);
    }
    if (json == NULL) {
        (void)fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
    }
    free(text);
    return json;
}

int main(int count, char **words)
{
    json_t *schema = count < 3 ? NULL : load(words[1]);
    int status = schema == NULL ? 2 : EXIT_SUCCESS;

    for (int i = 2; schema != NULL && i < count; i++) {
        json_t *report = load(words[i]);
        char message[1024] = "";

        if (report == NULL) {
            status = EXIT_FAILURE;
        } else if (!json_schema_validate(schema, report, message, sizeof(message))) {
            (void)fprintf(stderr, "%s: %s\n", words[i], message);
            status = EXIT_FAILURE;
        }
        json_decref(report);
    }
    json_decref(schema);
    return status;
}
