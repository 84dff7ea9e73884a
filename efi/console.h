#pragma once

#include "drivers/hw.h"
#include "model/gas.h"

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Text out, by lines: to the screen and to a serial port. In batch mode each place gets plain lines and
 * nothing else: the screen through those text consoles that have a picture on the same handle, the
 * serial port through our own UART code, so that no console driver adds cursor codes to the log; the
 * firmware's serial terminals are written only where no UART of ours answers. Without batch mode the
 * text goes where the firmware's console goes, and to our UART only when no terminal of the firmware is
 * there. Works with ConOut NULL, without graphics, and without a serial port.
 */

/*
 * Finds the screens. Touches no hardware; console_text may be used from here on. Clears them in batch mode
 * and where they are ours: nobody else's text is on them, as it is when the Shell starts the application. Ours have
 * letters that can be read.
 */
void console_open(bool is_batch, bool is_screen_ours);

/* Adds serial output through `hw`: the port at `spcr`, or COM1 when that is NULL or does not answer. */
void console_open_serial(const struct hw *hw, const struct gas *spcr);

/* The firmware's text console number i over a serial port; NULL when there are not so many. */
SIMPLE_TEXT_OUTPUT_INTERFACE *console_terminal(unsigned i);

/* Large letters, as magnifier_want says, on a screen that is ours. */
void console_enlarge(void);

/* Goes over to batch mode later (assay.conf says so). */
void console_set_batch(bool is_batch);

/* UTF-8 text with "\n" line ends. */
void console_text(const char *text, size_t length);
void console_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A textbuf_flush that writes to the console. Never fails: a console that is not there is no error. */
bool console_flush(void *context, const char *bytes, size_t length);

/* Only to the serial port (base64 of a report that no medium takes): false when there is none. */
bool console_serial(const char *text, size_t length);

/* Whether console_serial has a port to write to. */
bool console_has_serial(void);

/* Waits until the serial port has sent everything: before the machine is switched off. */
void console_drain(void);
