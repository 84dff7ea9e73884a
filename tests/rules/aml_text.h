#pragma once

#include "model/aml_value.h"
#include "model/arena.h"

/*
 * AML values written as text, so that a test shows the object it is about:
 *   3500 0xFF      Integer            (a b c)            Package
 *   "3500"         String             {space w o a addr} Generic Register Descriptor (width, offset, access)
 *   [47 01 80]     Buffer, hex bytes  ~                  an uninitialised element
 *   N              the null register
 * The value is in the arena. A text that cannot be read fails the test.
 */
struct aml_value aml_text_parse(struct arena *arena, const char *text);
