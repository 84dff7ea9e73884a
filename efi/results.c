#include "efi/console.h"
#include "efi/files.h"
#include "efi/firmware.h"
#include "efi/volume.h"
#include "model/base64.h"
#include "model/result_name.h"

#include <string.h>

#define BUFFER_BYTES ((size_t)64 * 1024)
#define ATTEMPTS 1000U
#define PLACE_CHARS (VOLUME_PATH_CHARS + RESULT_NAME_BYTES + VOLUME_LABEL_BYTES + 32)
#define FAILED_MAX 32U

struct results {
    const char *out;
    const char *product;
    struct wall_time utc;
    EFI_HANDLE failed[FAILED_MAX]; /* volumes that are not tried again */
    UINTN failed_count;
    EFI_HANDLE folder_volume; /* which `folder` is on */
    EFI_FILE *folder;         /* NULL: no volume is left, to the serial port */
    char *buffer;
    bool has_serial_failed;
    bool is_rename_missing; /* seen: the firmware gives a file no other name */
    char place[PLACE_CHARS];
};

static void describe_place(struct results *results, const char *name, const char *label)
{
    struct textbuf place;

    textbuf_init(&place, results->place, sizeof(results->place), NULL, NULL);
    textbuf_printf(&place, "%s\\%s", results->out, name);
    if (label != NULL && label[0] != '\0') {
        textbuf_printf(&place, " on the volume \"%s\"", label);
    } else if (label != NULL) {
        textbuf_string(&place, " on another volume");
    }
}

/* `label` is NULL on the boot volume. */
static EFI_FILE *make_own_folder(struct results *results, EFI_FILE *parent, const char *label)
{
    char name[RESULT_NAME_BYTES];

    for (uint32_t attempt = 1; attempt <= ATTEMPTS; attempt++) {
        EFI_FILE *existing;

        result_name_format(&results->utc, results->product, attempt, name);
        existing = volume_open(parent, name, EFI_FILE_MODE_READ, 0);
        if (existing == NULL) {
            describe_place(results, name, label);
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
    char label[VOLUME_LABEL_BYTES];

    if (parent == NULL) {
        return NULL;
    }
    volume_label(root, label);
    return make_own_folder(results, parent, volume == volume_boot() ? NULL : label);
}

static bool has_failed(const struct results *results, EFI_HANDLE volume)
{
    for (UINTN i = 0; i < results->failed_count; i++) {
        if (results->failed[i] == volume) {
            return true;
        }
    }
    return false;
}

/* The boot volume first, or last when it failed before, and whatever else the firmware knows by now; NULL when each was
 * tried. A lost one is asked only where there is no serial port to give the results to. */
static EFI_HANDLE next_volume(const struct results *results)
{
    static EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_HANDLE boot = volume_boot();

    boot = boot == NULL || has_failed(results, boot) ? NULL : boot;
    if (boot != NULL && !volume_is_boot_doubtful()) {
        return boot;
    }
    volume_connect_all();
    AUTO_HANDLES list = firmware_handles(&guid);
    for (UINTN i = 0; i < list.count; i++) {
        if (list.handles[i] != boot && !has_failed(results, list.handles[i])) {
            return list.handles[i];
        }
    }
    return volume_is_boot_lost() && console_has_serial() ? NULL : boot;
}

/* Nothing more is asked of a medium that is gone, not even that a file be closed. */
static void leave_volume(struct results *results)
{
    bool is_boot = results->folder != NULL && results->folder_volume == volume_boot();

    if (is_boot && volume_has_lost_medium()) {
        volume_doubt_boot();
        results->folder = NULL;
    }
    volume_close(&results->folder);
}

/* Goes on to the next volume that takes a folder; leaves folder NULL when none is left. Each is tried once. */
static void find_volume(struct results *results)
{
    leave_volume(results);
    while (results->folder == NULL && results->failed_count < FAILED_MAX) {
        EFI_HANDLE volume = next_volume(results);

        if (volume == NULL) {
            break;
        }
        results->failed[results->failed_count++] = volume;
        results->folder = try_volume(results, volume);
        results->folder_volume = volume;
        if (results->folder == NULL && volume == volume_boot()) {
            console_printf("no results on the boot volume: %s\n", volume_why());
        }
    }
    if (results->folder == NULL) {
        memcpy(results->place, "the serial port", sizeof("the serial port"));
    }
}

static const struct results *open_results; /* there is one run at a time */

const char *results_so_far(void)
{
    return open_results == NULL ? NULL : open_results->place;
}

enum status results_open(struct arena *arena, const char *out, const char *product,
                         struct results **ret_results)
{
    struct results *results = arena_take(arena, sizeof(*results));
    char *buffer = arena_take(arena, BUFFER_BYTES);

    if (results == NULL || buffer == NULL) {
        return STATUS_NO_MEMORY;
    }
    results->out = out;
    results->product = product;
    results->utc = firmware_utc();
    results->buffer = buffer;
    find_volume(results);
    *ret_results = results;
    open_results = results;
    if (results->folder == NULL) {
        console_printf("no writable volume: results go to the serial port\n");
        return STATUS_NOT_FOUND;
    }
    if (results->folder_volume != volume_boot()) {
        console_printf("results go to %s\n", results->place);
    }
    return STATUS_OK;
}

static bool flush_file(void *context, const char *bytes, size_t length)
{
    EFI_FILE *file = context;
    UINTN written = length;
    /* UEFI's prototype lacks the const; Write only reads. */
    EFI_STATUS status = file->Write(file, &written, (void *)(uintptr_t)bytes);

    volume_note(status);
    return status == EFI_SUCCESS && written == length;
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

/* A name may have folders in front: they are made. */
static EFI_FILE *open_new(EFI_FILE *folder, const char *name, const char *ending)
{
    const uint64_t mode = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE;
    const char *last = last_part(name);
    char folders[VOLUME_PATH_CHARS];
    char whole[VOLUME_PATH_CHARS];
    size_t length = (size_t)(last - name);
    struct textbuf text;

    if (length >= sizeof(folders)) {
        return NULL;
    }
    memcpy(folders, name, length);
    folders[length] = '\0';
    AUTO_FILE parent = volume_make_folders(folder, folders);
    textbuf_init(&text, whole, sizeof(whole), NULL, NULL);
    textbuf_printf(&text, "%s%s", last, ending);
    return parent == NULL ? NULL : volume_open(parent, whole, mode, 0);
}

/* A report that was cut short is taken away again: half a file would be read as a whole one. NULL when it was; the caller
 * closes the file. */
static EFI_FILE *fill_file(struct results *results, const char *name, const char *ending,
                           files_writer writer, const void *context)
{
    EFI_FILE *file = open_new(results->folder, name, ending);
    EFI_STATUS status = EFI_SUCCESS;
    struct textbuf text;
    bool is_whole;

    if (file == NULL) {
        return NULL;
    }
    textbuf_init(&text, results->buffer, BUFFER_BYTES, flush_file, file);
    writer(context, &text);
    is_whole = textbuf_finish(&text);
    if (is_whole) {
        status = file->Flush(file);
        volume_note(status);
    }
    if (!is_whole || status != EFI_SUCCESS) {
        if (!volume_has_lost_medium()) {
            file->Delete(file);
        }
        return NULL;
    }
    return file;
}

/* While it is written the file has an ending more: what the power goes in the middle of is then not taken for a whole
 * report. U-Boot gives a file no other name: there it is written once more, and the others under their own from the
 * start. */
static bool write_file(struct results *results, const char *name, files_writer writer,
                       const void *context)
{
    EFI_FILE *file;

    if (!results->is_rename_missing) {
        file = fill_file(results, name, ".part", writer, context);
        if (file == NULL || files_rename(file, last_part(name))) {
            return file != NULL && file->Close(file) == EFI_SUCCESS;
        }
        results->is_rename_missing = true;
        file->Delete(file);
    }
    file = fill_file(results, name, "", writer, context);
    return file != NULL && file->Close(file) == EFI_SUCCESS;
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
    if (results->folder != NULL) {
        if (write_file(results, name, writer, context)) {
            return STATUS_OK;
        }
        console_printf("%s could not be written: %s\n", name, volume_why());
        find_volume(results);
        console_printf("all results now go to %s\n", results->place);
        return STATUS_NOT_FOUND;
    }
    return write_serial(results, name, writer, context) ? STATUS_OK : STATUS_IO;
}

void results_close(struct results *results)
{
    open_results = NULL;
    volume_close(&results->folder);
}

const char *results_place(const struct results *results)
{
    return results->place;
}
