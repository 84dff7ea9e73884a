#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether `address` is present in the page tables in force on this CPU and mapped to the same physical
 * address; *ret_end as in drivers/paging.h. Only where physical memory is mapped one to one. */
bool control_is_identity(uint64_t address, uint64_t *ret_end);
