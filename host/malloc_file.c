#include "host/malloc_file.h"

#include "host/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES ((size_t)256 * 1024)

enum status malloc_file_read(FILE *file, char **ret_text, size_t *ret_length)
{
    size_t capacity = FIRST_BYTES;
    size_t length = 0;
    char *text = malloc(capacity);

    while (text != NULL) {
        size_t got = fread(text + length, 1, capacity - length, file);
        char *larger;

        length += got;
        if (length < capacity) {
            break;
        }
        if (capacity >= FILE_BYTES_MAX) {
            free(text);
            return STATUS_FULL;
        }
        capacity *= 2;
        larger = realloc(text, capacity);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    if (text == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (ferror(file) != 0) {
        free(text);
        return STATUS_IO;
    }
    *ret_text = text;
    *ret_length = length;
    return STATUS_OK;
}

enum status malloc_file_open(const char *path, char **ret_text, size_t *ret_length)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    enum status status;

    if (file == NULL) {
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO;
    }
    status = malloc_file_read(file, ret_text, ret_length);
    if (!is_input) {
        (void)fclose(file);
    }
    return status;
}

const char *malloc_file_problem(enum status status)
{
    return file_problem(status);
}
