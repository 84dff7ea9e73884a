#pragma once

#include "model/platform.h"

#include <stdint.h>

/* A number that the threads of one core have in common and no others. */
uint32_t core_id_of(const struct platform *platform, uint32_t cpu);
