#include "model/textbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct words {
    int width;
    int precision;
    uint64_t value;
    char text[16];
};

/* Every conversion, with widths and precisions at will, must agree with the C library. */
static void compare(struct textbuf *ours, const char *theirs)
{
    if (ours->has_failed || strcmp(ours->buffer, theirs) != 0) {
        abort();
    }
}

#define CHECK(format, value)                                                                       \
    do {                                                                                           \
        struct textbuf ours;                                                                       \
        textbuf_init(&ours, mine, sizeof(mine), NULL, NULL);                                       \
        textbuf_printf(&ours, "<" format ">", words.width, words.precision, value);                \
        snprintf(theirs, sizeof(theirs), "<" format ">", words.width, words.precision, value);     \
        compare(&ours, theirs);                                                                    \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char mine[700];
    char theirs[700];
    struct words words = {0};

    memcpy(&words, data, size < sizeof(words) ? size : sizeof(words));
    words.width %= 300;
    words.precision %= 300;
    words.text[sizeof(words.text) - 1] = '\0';
    CHECK("%*.*s", words.text);
    CHECK("%-*.*s", words.text);
    CHECK("%*.*lu", words.value);
    CHECK("%-*.*lx", words.value);
    CHECK("%0*.*ld", (int64_t)words.value);
    CHECK("%*.*d", (int)words.value);
    CHECK("%0*.*X", (unsigned)words.value);
    CHECK("%*.*hhu", (uint8_t)words.value);
    return 0;
}
