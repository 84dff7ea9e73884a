#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Large letters on a screen of many small pixels, drawn by the firmware's font and graphics (UEFI 2.10, 12.9 Graphics
 * Output Protocol, 34.1 Font Protocol): its own text modes have letters of 8 by 19 pixels whatever the screen. Takes no
 * memory. Where font or graphics lack, or nothing larger fits, it stays off and the firmware's console is used.
 */

/* How letters are to be shown: 0 as large as a page of columns by rows allows, 1 as the firmware has them, else so many
 * times as large. Holds from the next magnifier_open on. */
void magnifier_want(uint32_t factor);

/* Empties the screen for a page of columns by rows at most. True when it is on. */
bool magnifier_open(uint32_t columns, uint32_t rows);

bool magnifier_is_on(void);
uint32_t magnifier_rows(void);
uint32_t magnifier_columns(void);

/* Colours of a row, 0xRRGGBB. */
struct magnifier_colours {
    uint32_t ink;
    uint32_t paper;
};

/* Puts ASCII text into a row (others become '?'), cut at the width and filled with blanks. */
void magnifier_row(uint32_t row, struct magnifier_colours colours, const char *text,
                   uint32_t length);

/* An empty page; lines begin at its top. */
void magnifier_clear(void);

/* Text with "\n" line ends, below what came before; the page moves up when it is full. */
void magnifier_text(const char *text, size_t length);
