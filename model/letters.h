#pragma once

#include <stdint.h>

/*
 * How large the letters of a page of text are on a screen of many small pixels. A letter of the firmware's font has 8 by
 * 19 pixels (UEFI 2.10, 33.3.2 narrow glyphs), which nobody can read on a panel of 3840 by 2160.
 */

#define LETTER_WIDTH 8U
#define LETTER_HEIGHT 19U
#define LETTERS_MOST 8U

struct letters {
    uint32_t factor; /* each pixel of a letter becomes factor by factor pixels; 1: as they are */
    uint32_t columns;
    uint32_t rows;
    uint32_t left_px; /* where the page begins, in the middle of the screen */
    uint32_t top_px;
};

/*
 * A page of at most columns by rows. `wanted` 0: the largest letters with which all of it fits; else that factor, or the
 * next smaller one with which 80 columns and 25 rows do. Gives factor 1 where nothing larger fits.
 */
struct letters letters_fit(uint32_t width_px, uint32_t height_px, uint32_t columns, uint32_t rows,
                           uint32_t wanted);
