#include "efi/settings.h"

#include "efi/files.h"
#include "efi/firmware.h"
#include "model/command_line.h"

#include <string.h>

#define FILE_PATH "\\assay\\assay.conf"
#define FILE_MAX_BYTES ((size_t)64 * 1024)

void settings_command_line(char ret_line[SETTINGS_LINE_BYTES])
{
    const EFI_LOADED_IMAGE *image = firmware_loaded_image();

    ret_line[0] = '\0';
    if (image != NULL && image->LoadOptions != NULL) {
        (void)command_line_decode(image->LoadOptions, image->LoadOptionsSize, ret_line,
                                  SETTINGS_LINE_BYTES);
    }
}

bool settings_is_batch(const char *line)
{
    struct options options;
    char message[SETTINGS_MESSAGE_BYTES];

    options_init(&options);
    return options_take_text(&options, line, strlen(line), message, sizeof(message)) == STATUS_OK
               ? options.is_batch
               : strstr(line, "--batch") != NULL;
}

enum status settings_read(const char *line, struct arena *arena, struct options *options,
                          char *message, size_t message_bytes)
{
    const uint8_t *text = NULL;
    size_t length = 0;
    enum status status;

    options_init(options);
    status = files_read(FILE_PATH, FILE_MAX_BYTES, arena, &text, &length);
    /* A medium without that file, or none at all, is the usual case. */
    if (status == STATUS_OK) {
        status = options_take_text(options, (const char *)text, length, message, message_bytes);
        if (status != STATUS_OK) {
            return status;
        }
    }
    return options_take_text(options, line, strlen(line), message, message_bytes);
}
