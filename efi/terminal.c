#include "efi/terminal.h"

#include "efi/console.h"
#include "efi/firmware.h"
#include "efi/magnifier.h"

#include <efi.h>

/* UEFI 2.10, 12.4.1: every console has a mode 0 of 80 columns and 25 rows. */
#define ROWS_DEFAULT 25U
#define COLUMNS_DEFAULT 80U

/* Wider pages are hard to read, and the report is 80 columns wide; higher ones have tiny letters. */
#define COLUMNS_BEST 100U
#define ROWS_BEST 45U
#define COLUMNS_MAX 320U

/* UEFI 2.10, 7.1.7 SetTimer: units of 100 ns. */
#define UNITS_PER_MS UINT64_C(10000)

static struct {
    SIMPLE_TEXT_OUTPUT_INTERFACE *out;
    SIMPLE_INPUT_INTERFACE *in;
    uint32_t rows;
    uint32_t columns;
} terminal = {.rows = ROWS_DEFAULT, .columns = COLUMNS_DEFAULT};

static uint32_t distance(UINTN value, uint32_t from)
{
    return (uint32_t)(value > from ? value - from : from - value);
}

/* The mode that comes nearest to a page which is easy to read; too small counts double. */
static void choose_mode(void)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = terminal.out;
    UINTN best = (UINTN)out->Mode->Mode;
    uint32_t best_distance = UINT32_MAX;

    for (INT32 mode = 0; mode < out->Mode->MaxMode; mode++) {
        UINTN columns = 0;
        UINTN rows = 0;
        uint32_t off;

        if (out->QueryMode(out, (UINTN)mode, &columns, &rows) != EFI_SUCCESS ||
            columns < COLUMNS_DEFAULT || rows < ROWS_DEFAULT) {
            continue;
        }
        off = distance(columns, COLUMNS_BEST) + 2 * distance(rows, ROWS_BEST);
        if (off < best_distance) {
            best_distance = off;
            best = (UINTN)mode;
        }
    }
    if (best != (UINTN)out->Mode->Mode) {
        out->SetMode(out, best);
    }
}

static void learn_size(void)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = terminal.out;
    UINTN columns = COLUMNS_DEFAULT;
    UINTN rows = ROWS_DEFAULT;

    if (out->QueryMode(out, (UINTN)out->Mode->Mode, &columns, &rows) != EFI_SUCCESS ||
        columns < 2 || rows < 4) {
        columns = COLUMNS_DEFAULT;
        rows = ROWS_DEFAULT;
    }
    terminal.columns = (uint32_t)(columns < COLUMNS_MAX ? columns : COLUMNS_MAX);
    terminal.rows = (uint32_t)rows;
}

static void clear(void)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = terminal.out;

    out->SetAttribute(out, EFI_TEXT_ATTR(EFI_LIGHTGRAY, EFI_BLACK));
    out->ClearScreen(out);
    if (magnifier_is_on()) {
        magnifier_clear();
    }
}

/* A page that fits on the screen in large letters as well as on the firmware's serial terminals; it needs no free
 * column. */
static void learn_letters(void)
{
    if (magnifier_open(terminal.columns - 1, terminal.rows)) {
        terminal.columns = magnifier_columns() + 1;
        terminal.rows = magnifier_rows();
    }
}

bool terminal_open(void)
{
    terminal.out = firmware_system()->ConOut;
    terminal.in = firmware_system()->ConIn;
    if (terminal.out == NULL || terminal.out->Mode == NULL || terminal.in == NULL ||
        terminal.in->ReadKeyStroke == NULL) {
        return false;
    }
    choose_mode();
    learn_size();
    learn_letters();
    clear();
    terminal.out->EnableCursor(terminal.out, FALSE);
    return true;
}

void terminal_close(void)
{
    clear();
}

uint32_t terminal_rows(void)
{
    return terminal.rows;
}

uint32_t terminal_columns(void)
{
    return terminal.columns - 1;
}

static UINTN attribute(enum terminal_style style)
{
    switch (style) {
    case TERMINAL_BAR:
        return EFI_TEXT_ATTR(EFI_BLACK, EFI_LIGHTGRAY);
    case TERMINAL_MARKED:
        return EFI_TEXT_ATTR(EFI_WHITE, EFI_BLUE);
    case TERMINAL_BAD:
        return EFI_TEXT_ATTR(EFI_LIGHTRED, EFI_BLACK);
    case TERMINAL_CAUTION:
        return EFI_TEXT_ATTR(EFI_YELLOW, EFI_BLACK);
    case TERMINAL_PLAIN:
    default:
        return EFI_TEXT_ATTR(EFI_LIGHTGRAY, EFI_BLACK);
    }
}

/* The same in the colours of edk2's console. */
static struct magnifier_colours colours(enum terminal_style style)
{
    static const struct magnifier_colours all[] = {[TERMINAL_PLAIN] = {0x989898, 0x000000},
                                                   [TERMINAL_BAR] = {0x000000, 0x989898},
                                                   [TERMINAL_MARKED] = {0xFFFFFF, 0x000098},
                                                   [TERMINAL_BAD] = {0xFF1010, 0x000000},
                                                   [TERMINAL_CAUTION] = {0xFFFF10, 0x000000}};

    return all[style];
}

static void put_row(SIMPLE_TEXT_OUTPUT_INTERFACE *out, uint32_t row, enum terminal_style style,
                    CHAR16 *line)
{
    out->SetCursorPosition(out, 0, row);
    out->SetAttribute(out, attribute(style));
    out->OutputString(out, line);
    out->SetAttribute(out, attribute(TERMINAL_PLAIN));
}

/* In large letters the screen is ours, and the firmware's console is what goes over serial ports. */
void terminal_row(uint32_t row, enum terminal_style style, const char *text, uint32_t length)
{
    CHAR16 line[COLUMNS_MAX];
    uint32_t columns = terminal_columns();

    for (uint32_t i = 0; i < columns; i++) {
        char c = i < length ? text[i] : ' ';

        line[i] = (CHAR16)(c >= ' ' && c <= '~' ? c : '?');
    }
    line[columns] = 0;
    if (!magnifier_is_on()) {
        put_row(terminal.out, row, style, line);
        return;
    }
    magnifier_row(row, colours(style), text, length);
    for (unsigned i = 0; console_terminal(i) != NULL; i++) {
        put_row(console_terminal(i), row, style, line);
    }
}

/* UEFI 2.10, Appendix B, Table B.1: scan codes; control characters come as Unicode. */
static struct key translate(const EFI_INPUT_KEY *pressed)
{
    static const enum key_code by_scan[] = {[SCAN_UP] = KEY_UP,
                                            [SCAN_DOWN] = KEY_DOWN,
                                            [SCAN_RIGHT] = KEY_RIGHT,
                                            [SCAN_LEFT] = KEY_LEFT,
                                            [SCAN_HOME] = KEY_HOME,
                                            [SCAN_END] = KEY_END,
                                            [SCAN_DELETE] = KEY_BACKSPACE,
                                            [SCAN_PAGE_UP] = KEY_PAGE_UP,
                                            [SCAN_PAGE_DOWN] = KEY_PAGE_DOWN,
                                            [SCAN_ESC] = KEY_ESCAPE};
    struct key key = {.code = KEY_NONE};

    if (pressed->ScanCode < sizeof(by_scan) / sizeof(by_scan[0])) {
        key.code = by_scan[pressed->ScanCode];
    }
    if (pressed->UnicodeChar == '\r' || pressed->UnicodeChar == '\n') {
        key.code = KEY_ENTER;
    } else if (pressed->UnicodeChar == '\b' || pressed->UnicodeChar == 0x7F) {
        key.code = KEY_BACKSPACE;
    } else if (pressed->UnicodeChar >= ' ' && pressed->UnicodeChar <= '~') {
        key = (struct key){.code = KEY_CHARACTER, .character = (char)pressed->UnicodeChar};
    }
    return key;
}

/* The next key that means something here; KEY_NONE when none is waiting. */
static struct key read_key(void)
{
    EFI_INPUT_KEY pressed = {0, 0};
    struct key key = {.code = KEY_NONE};

    while (key.code == KEY_NONE &&
           terminal.in->ReadKeyStroke(terminal.in, &pressed) == EFI_SUCCESS) {
        key = translate(&pressed);
    }
    return key;
}

/* The event of a key comes for shift keys and the like as well, with nothing to read then. */
static struct key wait_for_key(EFI_EVENT timer)
{
    EFI_EVENT events[2] = {terminal.in->WaitForKey, timer};
    struct key key = read_key();
    UINTN index = 0;

    while (key.code == KEY_NONE && index == 0 &&
           firmware_services()->WaitForEvent(2, events, &index) == EFI_SUCCESS) {
        key = read_key();
    }
    return key;
}

struct key terminal_key(uint32_t timeout_ms)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    struct key key = {.code = KEY_NONE};
    EFI_EVENT timer = NULL;

    if (terminal.in == NULL || terminal.in->ReadKeyStroke == NULL || firmware_is_in_callback()) {
        return key;
    }
    if (timeout_ms == 0) {
        return read_key();
    }
    if (services->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &timer) != EFI_SUCCESS) {
        return key;
    }
    if (services->SetTimer(timer, TimerRelative, timeout_ms * UNITS_PER_MS) == EFI_SUCCESS) {
        key = wait_for_key(timer);
    }
    services->CloseEvent(timer);
    return key;
}
