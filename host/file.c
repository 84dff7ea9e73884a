#include "host/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_STEP_BYTES ((size_t)64 * 1024)

struct buffer {
    struct arena *arena;
    uint8_t *bytes;
    size_t length;
    size_t capacity;
};

static enum status make_room(struct buffer *buffer)
{
    size_t capacity = buffer->capacity == 0 ? FILE_STEP_BYTES : buffer->capacity * 2;
    uint8_t *bytes;

    if (buffer->length < buffer->capacity) {
        return STATUS_OK;
    }
    if (capacity > FILE_BYTES_MAX) {
        return STATUS_FULL;
    }
    bytes = arena_take(buffer->arena, capacity);
    if (bytes == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (buffer->length > 0) {
        memcpy(bytes, buffer->bytes, buffer->length);
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return STATUS_OK;
}

/* By reading, not by size: a pipe and most files of /sys have none. */
static enum status read_all(FILE *file, struct buffer *buffer)
{
    while (feof(file) == 0) {
        enum status status = make_room(buffer);

        if (status != STATUS_OK) {
            return status;
        }
        buffer->length +=
            fread(buffer->bytes + buffer->length, 1, buffer->capacity - buffer->length, file);
        if (ferror(file) != 0) {
            return STATUS_IO;
        }
    }
    return STATUS_OK;
}

enum status file_read(const char *path, struct arena *arena, struct file_bytes *ret_file)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    struct buffer buffer = {.arena = arena};
    enum status status;

    if (file == NULL) {
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO;
    }
    status = read_all(file, &buffer);
    if (!is_input) {
        (void)fclose(file);
    }
    if (status == STATUS_OK) {
        *ret_file = (struct file_bytes){.bytes = buffer.bytes, .length = buffer.length};
    }
    return status;
}

enum status file_read_plain(const char *path, struct arena *arena, struct file_bytes *ret_file)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO;
    }
    return S_ISREG(about.st_mode) ? file_read(path, arena, ret_file) : STATUS_UNSUPPORTED;
}

const char *file_join(struct arena *arena, const char *folder, const char *name)
{
    size_t folder_length = strlen(folder);
    size_t name_length = strlen(name);
    char *path = arena_take(arena, folder_length + name_length + 2);

    if (path != NULL) {
        memcpy(path, folder, folder_length);
        path[folder_length] = '/';
        memcpy(path + folder_length + 1, name, name_length + 1);
    }
    return path;
}

const char *file_problem(enum status status)
{
    switch (status) {
    case STATUS_NOT_FOUND:
        return "is not there";
    case STATUS_FULL:
        return "is larger than 256 MiB";
    case STATUS_NO_MEMORY:
        return "does not fit into memory";
    case STATUS_OK:
    case STATUS_BAD_INPUT:
    case STATUS_UNSUPPORTED:
    case STATUS_TIMEOUT:
    case STATUS_DENIED:
    case STATUS_FAULT:
    case STATUS_IO:
        break;
    }
    return "cannot be read";
}
