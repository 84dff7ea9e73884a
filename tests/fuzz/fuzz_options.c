#include "model/options.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A command line or assay.conf of any bytes is taken or refused with one printable line. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size); /* of this very size, so that reading beyond it is seen */
    struct options options;
    char message[256] = "";

    if (text == NULL && size > 0) {
        return 0;
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    options_init(&options);
    if (options_take_text(&options, text == NULL ? "" : text, size, message, sizeof(message)) !=
            STATUS_OK &&
        message[0] == '\0') {
        abort();
    }
    for (const char *at = message; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            abort();
        }
    }
    free(text);
    return 0;
}
