#include "model/utf8.h"
#include "report/json_out.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text must be well-formed UTF-8 without control characters, and its quotes must balance. */
static void check(const char *text, size_t length)
{
    size_t at = 1;

    while (at < length && text[at] != '"') {
        bool is_valid = false;
        size_t sequence = utf8_sequence(text + at, length - at, &is_valid);

        if (!is_valid || (unsigned char)text[at] < 0x20) {
            abort();
        }
        at += text[at] == '\\' ? 2 : sequence;
    }
    if (text[0] != '"' || at + 2 != length || memcmp(text + at, "\"\n", 2) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t capacity = 6 * size + 8;
    char *buffer = malloc(capacity);
    struct textbuf text;
    struct json_out json;

    if (buffer == NULL) {
        return 0;
    }
    textbuf_init(&text, buffer, capacity, NULL, NULL);
    json_out_init(&json, &text);
    json_out_bytes(&json, NULL, (const char *)data, size);
    if (!json_out_finish(&json)) {
        abort();
    }
    check(buffer, text.length);
    free(buffer);
    return 0;
}
