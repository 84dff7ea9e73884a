#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether an address can be touched without a page fault: the x86-64 page tables as the CPU walks them.
 * SDM vol. 3A, 4.5 4-Level Paging and 5-Level Paging.
 */

/* Reads one 8-byte entry of a page table at a physical address. */
typedef uint64_t (*paging_read)(void *context, uint64_t paddr);

struct paging {
    uint64_t cr3;
    bool has_5_levels; /* CR4.LA57 */
    paging_read read;
    void *context;
};

/*
 * Whether linear address `address` is present and mapped to the same physical address. *ret_end is where
 * the mapping page ends (or, when there is none, where the hole at that level ends); 0 when that is
 * beyond 2^64.
 */
bool paging_is_identity(const struct paging *paging, uint64_t address, uint64_t *ret_end);
