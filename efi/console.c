#include "efi/console.h"

#include "drivers/uart.h"
#include "efi/firmware.h"
#include "efi/magnifier.h"
#include "model/textbuf.h"

#include <stdarg.h>
#include <string.h>

#define SCREENS_MAX 8
#define CHUNK_CHARS 126

/* Lines of ours have at most 80 columns; those of a report in large letters still find room. */
#define PAGE_COLUMNS 100U
#define PAGE_ROWS 31U

static struct {
    bool is_batch;
    unsigned screens_count; /* consoles with a picture */
    SIMPLE_TEXT_OUTPUT_INTERFACE *screens[SCREENS_MAX];
    unsigned terminals_count; /* the firmware's serial terminals */
    SIMPLE_TEXT_OUTPUT_INTERFACE *terminals[SCREENS_MAX];
    struct uart uart;
    /* What was said before the serial port was opened, for a port that no terminal of the firmware uses. */
    char early[256];
    size_t early_bytes;
    bool is_serial_open;
} console;

/* Whether a device path runs over a UART: UEFI 2.10, 10.3.4.11, messaging device path (type 3), sub-type
 * 14. */
static bool is_over_uart(const EFI_DEVICE_PATH *path)
{
    /* Bounded: a path is a few dozen bytes, and its lengths are a driver's word. */
    for (unsigned nodes = 0; nodes < 32; nodes++) {
        size_t length = path->Length[0] | (size_t)path->Length[1] << 8;

        if ((path->Type & 0x7F) == 0x7F || length < sizeof(*path)) {
            return false;
        }
        if (path->Type == MESSAGING_DEVICE_PATH && path->SubType == MSG_UART_DP) {
            return true;
        }
        path = (const EFI_DEVICE_PATH *)(const void *)((const uint8_t *)path + length);
    }
    return false;
}

static void add(SIMPLE_TEXT_OUTPUT_INTERFACE **list, unsigned *count,
                SIMPLE_TEXT_OUTPUT_INTERFACE *one)
{
    if (*count < SCREENS_MAX) {
        list[(*count)++] = one;
    }
}

/* The console splitter's own handle has text and graphics too, but no device path. */
static void sort_console(EFI_HANDLE handle)
{
    static EFI_GUID text_guid = EFI_SIMPLE_TEXT_OUTPUT_PROTOCOL_GUID;
    static EFI_GUID graphics_guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
    static EFI_GUID path_guid = EFI_DEVICE_PATH_PROTOCOL_GUID;
    const EFI_DEVICE_PATH *path = firmware_interface(handle, &path_guid);
    SIMPLE_TEXT_OUTPUT_INTERFACE *text = firmware_interface(handle, &text_guid);

    if (path == NULL || text == NULL || text->OutputString == NULL) {
        return;
    }
    if (firmware_interface(handle, &graphics_guid) != NULL) {
        add(console.screens, &console.screens_count, text);
    } else if (is_over_uart(path)) {
        add(console.terminals, &console.terminals_count, text);
    }
}

/* The firmware's logo and messages would stand between our lines. */
static void clear_screens(void)
{
    for (unsigned i = 0; i < console.screens_count; i++) {
        console.screens[i]->ClearScreen(console.screens[i]);
    }
}

void console_open(bool is_batch, bool is_screen_ours)
{
    static EFI_GUID text_guid = EFI_SIMPLE_TEXT_OUTPUT_PROTOCOL_GUID;
    AUTO_HANDLES list = firmware_handles(&text_guid);

    memset(&console, 0, sizeof(console));
    console.is_batch = is_batch;
    for (UINTN i = 0; i < list.count; i++) {
        sort_console(list.handles[i]);
    }
    if (is_batch || is_screen_ours) {
        clear_screens();
    }
    if (is_screen_ours) {
        console_enlarge();
    }
}

void console_enlarge(void)
{
    (void)magnifier_open(PAGE_COLUMNS, PAGE_ROWS);
}

void console_open_serial(const struct hw *hw, const struct gas *spcr)
{
    if (spcr != NULL) {
        uart_open_gas(&console.uart, hw, spcr);
    }
    if (!console.uart.is_usable) {
        uart_open_port(&console.uart, hw, UART_COM1);
    }
    /* A terminal of the firmware has set speed and format already: leave them. */
    console.is_serial_open = true;
    if (console.terminals_count == 0) {
        uart_set_up(&console.uart);
        uart_write(&console.uart, console.early, console.early_bytes);
    }
}

SIMPLE_TEXT_OUTPUT_INTERFACE *console_terminal(unsigned i)
{
    return i < console.terminals_count ? console.terminals[i] : NULL;
}

void console_set_batch(bool is_batch)
{
    console.is_batch = is_batch;
}

/* Decodes one UTF-8 character of text[0..length); what is not one becomes '?'. UEFI consoles know the
 * basic plane only. */
static size_t decode(const char *text, size_t length, CHAR16 *ret_character)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t count = bytes[0] < 0x80 ? 1 : bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    uint32_t value = count == 1 ? bytes[0] : bytes[0] & (0x7FU >> count);

    *ret_character = '?';
    if (count > length || (bytes[0] >= 0x80 && bytes[0] < 0xC2)) {
        return 1;
    }
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 1;
        }
        value = value << 6 | (bytes[i] & 0x3FU);
    }
    if (value <= 0xFFFF) {
        *ret_character = (CHAR16)value;
    }
    return count;
}

static void screen_write(SIMPLE_TEXT_OUTPUT_INTERFACE *screen, const char *text, size_t length)
{
    CHAR16 chunk[CHUNK_CHARS + 2];
    size_t used = 0;
    size_t at = 0;

    while (at < length) {
        if (text[at] == '\n') {
            chunk[used++] = '\r';
        }
        at += decode(text + at, length - at, &chunk[used]);
        used++;
        if (used >= CHUNK_CHARS || at >= length) {
            chunk[used] = 0;
            screen->OutputString(screen, chunk);
            used = 0;
        }
    }
}

static void write_all(SIMPLE_TEXT_OUTPUT_INTERFACE *const *list, unsigned count, const char *text,
                      size_t length)
{
    for (unsigned i = 0; i < count; i++) {
        screen_write(list[i], text, length);
    }
}

static void write_firmware_console(const char *text, size_t length)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = firmware_system()->ConOut;

    if (out != NULL) {
        screen_write(out, text, length);
    }
}

/* The screens have large letters already, when those are on. */
static void write_person(const char *text, size_t length)
{
    if (magnifier_is_on()) {
        write_all(console.terminals, console.terminals_count, text, length);
    } else {
        write_firmware_console(text, length);
    }
}

void console_text(const char *text, size_t length)
{
    bool has_uart = console.uart.is_usable;

    if (!console.is_serial_open && length <= sizeof(console.early) - console.early_bytes) {
        memcpy(console.early + console.early_bytes, text, length);
        console.early_bytes += length;
    }
    if (magnifier_is_on()) {
        magnifier_text(text, length);
    }
    if (!console.is_batch) {
        write_person(text, length);
        if (console.terminals_count == 0) {
            uart_write(&console.uart, text, length);
        }
        return;
    }
    if (!magnifier_is_on()) {
        write_all(console.screens, console.screens_count, text, length);
    }
    if (has_uart && uart_write(&console.uart, text, length)) {
        return;
    }
    write_all(console.terminals, console.terminals_count, text, length);
    if (console.screens_count == 0 && console.terminals_count == 0 && !magnifier_is_on()) {
        write_firmware_console(text, length);
    }
}

bool console_flush(void *context, const char *bytes, size_t length)
{
    (void)context;
    console_text(bytes, length);
    return true;
}

void console_printf(const char *format, ...)
{
    char buffer[256];
    struct textbuf text;
    va_list arguments;

    textbuf_init(&text, buffer, sizeof(buffer), console_flush, NULL);
    va_start(arguments, format);
    textbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    (void)textbuf_finish(&text);
}

bool console_serial(const char *text, size_t length)
{
    if (console.uart.is_usable) {
        return uart_write(&console.uart, text, length);
    }
    write_all(console.terminals, console.terminals_count, text, length);
    return console.terminals_count != 0;
}

bool console_has_serial(void)
{
    return console.uart.is_usable || console.terminals_count != 0;
}

void console_drain(void)
{
    uart_drain(&console.uart);
}
