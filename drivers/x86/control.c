#include "drivers/x86/control.h"

#include "drivers/paging.h"
#include "model/bits.h"

#include <stddef.h>

#define CR4_LA57 12 /* SDM vol. 3A, 2.5 Control Registers */

static uint64_t read_entry(void *context, uint64_t paddr)
{
    (void)context;
    return *(const volatile uint64_t *)(uintptr_t)paddr;
}

bool control_is_identity(uint64_t address, uint64_t *ret_end)
{
    struct paging paging = {.read = read_entry};
    uint64_t cr4;

    __asm__ volatile("mov %%cr3, %0" : "=r"(paging.cr3));
    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    paging.has_5_levels = bits_test(cr4, CR4_LA57) != 0;
    return paging_is_identity(&paging, address, ret_end);
}
