#include "efi/magnifier.h"

#include "efi/firmware.h"
#include "efi/hii_font.h"
#include "model/letters.h"

#include <string.h>

#define FIRST ' '
#define LAST '~'
#define COLUMNS_MOST 320U

/* The console's light gray on black (12.4.3 SetAttribute), as edk2 paints it. */
static const struct magnifier_colours plain = {.ink = 0x989898, .paper = 0x000000};

static struct {
    EFI_GRAPHICS_OUTPUT_PROTOCOL *graphics; /* NULL: off */
    uint32_t wanted;
    bool has_font;
    uint8_t font[LAST - FIRST + 1][LETTER_HEIGHT]; /* a byte a line, the left pixel in bit 7 */
    struct letters page;
    uint32_t row; /* where the next line goes */
    uint32_t length;
    char line[COLUMNS_MOST];
    EFI_GRAPHICS_OUTPUT_BLT_PIXEL
    letter[LETTER_WIDTH * LETTERS_MOST * LETTER_HEIGHT * LETTERS_MOST];
} magnifier;

void magnifier_want(uint32_t factor)
{
    magnifier.wanted = factor;
}

static bool keep_glyph(const struct hii_image *image, uint8_t rows[LETTER_HEIGHT])
{
    if (image->bitmap == NULL || image->width != LETTER_WIDTH || image->height != LETTER_HEIGHT) {
        return false;
    }
    for (unsigned y = 0; y < LETTER_HEIGHT; y++) {
        rows[y] = 0;
        for (unsigned x = 0; x < LETTER_WIDTH; x++) {
            const EFI_GRAPHICS_OUTPUT_BLT_PIXEL *pixel = &image->bitmap[y * LETTER_WIDTH + x];
            bool is_ink = pixel->Red != 0 || pixel->Green != 0 || pixel->Blue != 0;

            rows[y] |= (uint8_t)(is_ink ? 0x80U >> x : 0);
        }
    }
    return true;
}

static bool take_glyph(const struct hii_font *font, unsigned character)
{
    struct hii_image *image = NULL;
    bool is_kept;

    if (font->get_glyph(font, (CHAR16)character, NULL, &image, NULL) != EFI_SUCCESS ||
        image == NULL) {
        return false;
    }
    is_kept = keep_glyph(image, magnifier.font[character - FIRST]);
    if (image->bitmap != NULL) {
        firmware_services()->FreePool(image->bitmap);
    }
    firmware_services()->FreePool(image);
    return is_kept;
}

static bool take_font(void)
{
    static EFI_GUID guid = HII_FONT_GUID;
    const struct hii_font *font = magnifier.has_font ? NULL : firmware_protocol(&guid);

    if (magnifier.has_font || font == NULL) {
        return magnifier.has_font;
    }
    for (unsigned character = FIRST; character <= LAST; character++) {
        if (!take_glyph(font, character)) {
            return false;
        }
    }
    magnifier.has_font = true;
    return true;
}

static EFI_GRAPHICS_OUTPUT_PROTOCOL *find_graphics(void)
{
    static EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
    EFI_HANDLE console = firmware_system()->ConsoleOutHandle;
    EFI_GRAPHICS_OUTPUT_PROTOCOL *graphics =
        console == NULL ? NULL : firmware_interface(console, &guid);

    if (graphics == NULL || graphics->Mode == NULL || graphics->Mode->Info == NULL) {
        return NULL;
    }
    return graphics;
}

bool magnifier_open(uint32_t columns, uint32_t rows)
{
    EFI_GRAPHICS_OUTPUT_PROTOCOL *graphics = magnifier.wanted == 1 ? NULL : find_graphics();

    if (magnifier.graphics != NULL) {
        magnifier_clear(); /* what is large would stay around what is small */
    }
    magnifier.graphics = NULL;
    if (graphics == NULL) {
        return false;
    }
    magnifier.page = letters_fit(
        graphics->Mode->Info->HorizontalResolution, graphics->Mode->Info->VerticalResolution,
        columns < COLUMNS_MOST ? columns : COLUMNS_MOST, rows, magnifier.wanted);
    if (magnifier.page.factor > 1 && take_font()) {
        magnifier.graphics = graphics;
        magnifier_clear();
    }
    return magnifier.graphics != NULL;
}

bool magnifier_is_on(void)
{
    return magnifier.graphics != NULL;
}

uint32_t magnifier_rows(void)
{
    return magnifier.page.rows;
}

uint32_t magnifier_columns(void)
{
    return magnifier.page.columns;
}

static EFI_GRAPHICS_OUTPUT_BLT_PIXEL pixel_of(uint32_t colour)
{
    return (EFI_GRAPHICS_OUTPUT_BLT_PIXEL){
        .Red = (UINT8)(colour >> 16), .Green = (UINT8)(colour >> 8), .Blue = (UINT8)colour};
}

static void paint_letter(char character, struct magnifier_colours colours)
{
    uint32_t factor = magnifier.page.factor;
    uint32_t width_px = LETTER_WIDTH * factor;
    const uint8_t *rows =
        magnifier.font[(character < FIRST || character > LAST ? '?' : character) - FIRST];
    EFI_GRAPHICS_OUTPUT_BLT_PIXEL ink = pixel_of(colours.ink);
    EFI_GRAPHICS_OUTPUT_BLT_PIXEL paper = pixel_of(colours.paper);

    for (uint32_t y = 0; y < LETTER_HEIGHT * factor; y++) {
        for (uint32_t x = 0; x < width_px; x++) {
            magnifier.letter[y * width_px + x] =
                (rows[y / factor] & 0x80U >> x / factor) != 0 ? ink : paper;
        }
    }
}

void magnifier_row(uint32_t row, struct magnifier_colours colours, const char *text,
                   uint32_t length)
{
    UINTN width_px = (UINTN)LETTER_WIDTH * magnifier.page.factor;
    UINTN height_px = (UINTN)LETTER_HEIGHT * magnifier.page.factor;

    for (uint32_t column = 0; column < magnifier.page.columns; column++) {
        paint_letter(column < length ? text[column] : ' ', colours);
        magnifier.graphics->Blt(magnifier.graphics, magnifier.letter, EfiBltBufferToVideo, 0, 0,
                                magnifier.page.left_px + column * width_px,
                                magnifier.page.top_px + row * height_px, width_px, height_px, 0);
    }
}

void magnifier_clear(void)
{
    EFI_GRAPHICS_OUTPUT_BLT_PIXEL paper = pixel_of(plain.paper);

    magnifier.row = 0;
    magnifier.length = 0;
    magnifier.graphics->Blt(magnifier.graphics, &paper, EfiBltVideoFill, 0, 0, 0, 0,
                            magnifier.graphics->Mode->Info->HorizontalResolution,
                            magnifier.graphics->Mode->Info->VerticalResolution, 0);
}

static void move_up(void)
{
    UINTN height_px = (UINTN)LETTER_HEIGHT * magnifier.page.factor;
    UINTN width_px = (UINTN)LETTER_WIDTH * magnifier.page.factor * magnifier.page.columns;

    magnifier.graphics->Blt(magnifier.graphics, NULL, EfiBltVideoToVideo, magnifier.page.left_px,
                            magnifier.page.top_px + height_px, magnifier.page.left_px,
                            magnifier.page.top_px, width_px, (magnifier.page.rows - 1) * height_px,
                            0);
}

static void show_line(void)
{
    magnifier_row(magnifier.row, plain, magnifier.line, magnifier.length);
}

static void end_line(void)
{
    show_line();
    magnifier.length = 0;
    if (magnifier.row + 1 < magnifier.page.rows) {
        magnifier.row++;
        return;
    }
    move_up();
    show_line();
}

void magnifier_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') {
            end_line();
            continue;
        }
        if ((text[i] & 0xC0) == 0x80) { /* the rest of a UTF-8 character, which is one '?' */
            continue;
        }
        if (magnifier.length == magnifier.page.columns) {
            end_line();
        }
        magnifier.line[magnifier.length++] = text[i];
    }
    if (magnifier.length != 0) {
        show_line();
    }
}
