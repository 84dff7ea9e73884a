#pragma once

#include "model/aml_value.h"
#include "model/textbuf.h"

/*
 * A value as it would stand in ASL (ACPI 6.5, 19.6): Package (n) {...} with four blanks a level, integers in
 * hexadecimal, a Buffer byte for byte, with the register that it describes beside it. Plain text, not escaped.
 */
void asl_text(struct textbuf *out, const struct aml_value *value);
