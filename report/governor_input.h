#pragma once

#include "model/linux/governor.h"
#include "model/linux/view.h"

#include <stdbool.h>
#include <stdint.h>

/* The longest table whose loop is shown. */
#define GOVERNOR_INPUT_ROWS 96U

/* schedutil's loop over the view's own table, with start and utilisation still 0; row_khz has room for
 * GOVERNOR_INPUT_ROWS. false when the kernel has no table, or a longer one. */
bool governor_input_of_view(const struct linux_view *view, uint64_t *row_khz,
                            struct governor_input *ret_input);
