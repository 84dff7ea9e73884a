#include "model/letters.h"

/* UEFI 2.10, 12.4.1: every console has a mode of this size, and every page of ours fits into it. */
#define COLUMNS_LEAST 80U
#define ROWS_LEAST 25U

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The largest factor with which such a page is on the screen; 0 when there is none. */
static uint32_t largest(uint32_t width_px, uint32_t height_px, uint32_t columns, uint32_t rows)
{
    return least(width_px / (columns * LETTER_WIDTH), height_px / (rows * LETTER_HEIGHT));
}

struct letters letters_fit(uint32_t width_px, uint32_t height_px, uint32_t columns, uint32_t rows,
                           uint32_t wanted)
{
    uint32_t most = wanted == 0
                        ? largest(width_px, height_px, columns, rows)
                        : least(wanted, largest(width_px, height_px, COLUMNS_LEAST, ROWS_LEAST));
    struct letters letters = {.factor = most == 0 ? 1 : least(most, LETTERS_MOST)};
    uint32_t letter_width_px = LETTER_WIDTH * letters.factor;
    uint32_t letter_height_px = LETTER_HEIGHT * letters.factor;

    letters.columns = least(columns, width_px / letter_width_px);
    letters.rows = least(rows, height_px / letter_height_px);
    letters.left_px = (width_px - letters.columns * letter_width_px) / 2;
    letters.top_px = (height_px - letters.rows * letter_height_px) / 2;
    return letters;
}
