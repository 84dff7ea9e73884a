#pragma once

#include "model/key.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The firmware's console as a page of rows: screens and serial terminals alike, since the firmware shows on all of
 * them what goes to its console. Only for a person who looks; batch runs never come here.
 */

/* How a row looks. Never the only sign: what is marked also says so in its text. */
enum terminal_style {
    TERMINAL_PLAIN = 0,
    TERMINAL_BAR,    /* title and key help */
    TERMINAL_MARKED, /* the chosen item */
    TERMINAL_BAD,
    TERMINAL_CAUTION
};

/* Takes the console over and chooses a text mode that can be read on a large screen. False when there is no console,
 * or nothing to type on: then there is nobody to talk to. */
bool terminal_open(void);

/* Plain colours and an empty page: lines can be printed again. */
void terminal_close(void);

/* At least 24 rows of 79 columns on any console that follows UEFI; the last column stays free. */
uint32_t terminal_rows(void);
uint32_t terminal_columns(void);

/* Puts `length` bytes of ASCII (others become '?') into a row, cut at the width and filled with blanks. */
void terminal_row(uint32_t row, enum terminal_style style, const char *text, uint32_t length);

/* Waits for a key, at most timeout_ms; KEY_NONE when none came. 0 only looks. */
struct key terminal_key(uint32_t timeout_ms);
