#pragma once

#include "model/aml_value.h"
#include "model/arena.h"
#include "model/status.h"

/*
 * Copies what the interpreter returned (its external object, given as void * because no header of ours
 * knows its type) into the arena. Bounded, because firmware decides how large an object is:
 * STATUS_BAD_INPUT when it nests deeper than CONVERT_DEPTH or has more than CONVERT_ELEMENTS elements or
 * CONVERT_BYTES bytes in all, STATUS_NO_MEMORY when the arena is exhausted. `object` NULL gives AML_NULL.
 */
#define CONVERT_DEPTH 16U
#define CONVERT_ELEMENTS 65536U
#define CONVERT_BYTES (1024U * 1024U)

enum status convert_object(const void *object, struct arena *arena,
                           struct aml_value *ret_value) MUST_CHECK;

/* The copy's string, without trailing NULs it may have; NULL when it is no String. */
const char *convert_text(const struct aml_value *value);
