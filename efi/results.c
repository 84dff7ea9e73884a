#include "efi/console.h"
#include "efi/files.h"
#include "efi/firmware.h"
#include "efi/volume.h"
#include "model/base64.h"
#include "model/result_name.h"

#include <string.h>

#define BUFFER_BYTES ((size_t)64 * 1024)
#define ATTEMPTS 1000U
#define PLACE_CHARS (VOLUME_PATH_CHARS + RESULT_NAME_BYTES)

struct results {
    const char *out;
    const char *product;
    struct wall_time utc;
    struct handle_list volumes; /* the boot volume is tried first, then these */
    UINTN next_volume;          /* 0: the boot volume; n: volumes.handles[n - 1] */
    EFI_FILE *folder;           /* NULL: no volume is left, to the serial port */
    char *buffer;
    bool has_serial_failed;
    char place[PLACE_CHARS];
};

static EFI_FILE *make_own_folder(struct results *results, EFI_FILE *parent)
{
    char name[RESULT_NAME_BYTES];

    for (uint32_t attempt = 1; attempt <= ATTEMPTS; attempt++) {
        EFI_FILE *existing;

        result_name_format(&results->utc, results->product, attempt, name);
        existing = volume_open(parent, name, EFI_FILE_MODE_READ, 0);
        if (existing == NULL) {
            struct textbuf place;

            textbuf_init(&place, results->place, sizeof(results->place), NULL, NULL);
            textbuf_printf(&place, "%s\\%s", results->out, name);
            return volume_make_folders(parent, name);
        }
        volume_close(&existing);
    }
    return NULL;
}

static EFI_FILE *try_volume(struct results *results, EFI_HANDLE volume)
{
    AUTO_FILE root = volume_root(volume);
    AUTO_FILE parent = root == NULL ? NULL : volume_make_folders(root, results->out);

    return parent == NULL ? NULL : make_own_folder(results, parent);
}

/* Goes on to the next volume that takes a folder; leaves folder NULL when none is left. */
static void find_volume(struct results *results)
{
    volume_close(&results->folder);
    while (results->folder == NULL && results->next_volume <= results->volumes.count) {
        UINTN index = results->next_volume++;
        EFI_HANDLE volume = index == 0 ? volume_boot() : results->volumes.handles[index - 1];

        if (volume != NULL && (index == 0 || volume != volume_boot())) {
            results->folder = try_volume(results, volume);
        }
    }
    if (results->folder == NULL) {
        memcpy(results->place, "the serial port", sizeof("the serial port"));
    }
}

enum status results_open(struct arena *arena, const char *out, const char *product,
                         struct results **ret_results)
{
    static EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    struct results *results = arena_take(arena, sizeof(*results));
    char *buffer = arena_take(arena, BUFFER_BYTES);

    if (results == NULL || buffer == NULL) {
        return STATUS_NO_MEMORY;
    }
    results->out = out;
    results->product = product;
    results->utc = firmware_utc();
    results->volumes = firmware_handles(&guid);
    results->buffer = buffer;
    find_volume(results);
    *ret_results = results;
    if (results->folder == NULL) {
        console_printf("no writable volume: results go to the serial port\n");
        return STATUS_NOT_FOUND;
    }
    return STATUS_OK;
}

static bool flush_file(void *context, const char *bytes, size_t length)
{
    EFI_FILE *file = context;
    UINTN written = length;

    /* UEFI's prototype lacks the const; Write only reads. */
    return file->Write(file, &written, (void *)(uintptr_t)bytes) == EFI_SUCCESS &&
           written == length;
}

/* What comes after the folders in front of a name. */
static const char *last_part(const char *name)
{
    const char *last = name;

    for (const char *at = name; *at != '\0'; at++) {
        last = *at == '\\' ? at + 1 : last;
    }
    return last;
}

/* A name may have folders in front: they are made. While it is written the file has an ending more: what the power goes
 * in the middle of is then not taken for a whole report. */
static EFI_FILE *open_new(EFI_FILE *folder, const char *name, uint64_t mode)
{
    const char *last = last_part(name);
    char folders[VOLUME_PATH_CHARS];
    char unfinished[VOLUME_PATH_CHARS];
    size_t length = (size_t)(last - name);
    struct textbuf text;

    if (length >= sizeof(folders)) {
        return NULL;
    }
    memcpy(folders, name, length);
    folders[length] = '\0';
    AUTO_FILE parent = volume_make_folders(folder, folders);
    textbuf_init(&text, unfinished, sizeof(unfinished), NULL, NULL);
    textbuf_printf(&text, "%s.part", last);
    return parent == NULL ? NULL : volume_open(parent, unfinished, mode, 0);
}

/* A report that was cut short is taken away again: half a file would be read as a whole one. */
static bool write_file(struct results *results, const char *name, files_writer writer,
                       const void *context)
{
    const uint64_t mode = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE;
    EFI_FILE *file = open_new(results->folder, name, mode);
    struct textbuf text;

    if (file == NULL) {
        return false;
    }
    textbuf_init(&text, results->buffer, BUFFER_BYTES, flush_file, file);
    writer(context, &text);
    if (!textbuf_finish(&text) || file->Flush(file) != EFI_SUCCESS) {
        file->Delete(file);
        return false;
    }
    if (!files_rename(file, last_part(name))) {
        console_printf("%s keeps the name %s.part: the firmware gives no other\n", name, name);
    }
    return file->Close(file) == EFI_SUCCESS;
}

/* Base64 in whole lines: what does not fill one waits for the next flush. */
struct serial_sink {
    uint8_t kept[BASE64_LINE_BYTES];
    size_t kept_bytes;
    bool has_failed;
};

static void send_line(struct serial_sink *sink)
{
    char line[BASE64_LINE_CHARS + 1];
    size_t length = base64_line(sink->kept, sink->kept_bytes, line);

    line[length] = '\n';
    sink->has_failed = sink->has_failed || !console_serial(line, length + 1);
    sink->kept_bytes = 0;
}

static bool flush_serial(void *context, const char *bytes, size_t length)
{
    struct serial_sink *sink = context;

    for (size_t i = 0; i < length && !sink->has_failed; i++) {
        sink->kept[sink->kept_bytes++] = (uint8_t)bytes[i];
        if (sink->kept_bytes == BASE64_LINE_BYTES) {
            send_line(sink);
        }
    }
    return !sink->has_failed;
}

static bool send_marker(const char *which, const char *name)
{
    char line[128];
    struct textbuf text;

    textbuf_init(&text, line, sizeof(line), NULL, NULL);
    textbuf_printf(&text, "-----%s ASSAY %s-----\n", which, name);
    return console_serial(line, text.length);
}

static bool write_serial(struct results *results, const char *name, files_writer writer,
                         const void *context)
{
    struct serial_sink sink = {.kept_bytes = 0};
    struct textbuf text;

    if (!send_marker("BEGIN", name)) {
        return false;
    }
    textbuf_init(&text, results->buffer, BUFFER_BYTES, flush_serial, &sink);
    writer(context, &text);
    if (textbuf_finish(&text) && sink.kept_bytes > 0) {
        send_line(&sink);
    }
    return !sink.has_failed && send_marker("END", name);
}

enum status results_write(struct results *results, const char *name, files_writer writer,
                          const void *context)
{
    while (results->folder != NULL) {
        if (write_file(results, name, writer, context)) {
            return STATUS_OK;
        }
        console_printf("%s: the medium is full or fails; going on elsewhere\n", name);
        find_volume(results);
        console_printf("results now go to %s\n", results->place);
    }
    return write_serial(results, name, writer, context) ? STATUS_OK : STATUS_IO;
}

void results_close(struct results *results)
{
    volume_close(&results->folder);
    handle_list_free(&results->volumes);
    results->volumes = (struct handle_list){0, NULL};
}

const char *results_place(const struct results *results)
{
    return results->place;
}
