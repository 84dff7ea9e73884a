#include "drivers/paging.h"

#include "model/bits.h"

#define ENTRY_PRESENT 0
#define ENTRY_LARGE                                                                                \
    7 /* a page instead of a table, levels 3 and 2 (SDM vol. 3A, tables 4-16, 4-18) */
#define FRAME_HIGH 51
#define PAGE_SHIFT 12U
#define LEVEL_BITS 9U

/* SDM vol. 3A, 3.3.7.1 Canonical Addressing: firmware maps one to one in the lower half only. */
static bool is_lower_half(const struct paging *paging, uint64_t address)
{
    return address >> (paging->has_5_levels ? 56 : 47) == 0;
}

bool paging_is_identity(const struct paging *paging, uint64_t address, uint64_t *ret_end)
{
    uint64_t table = bits_get(paging->cr3, FRAME_HIGH, PAGE_SHIFT) << PAGE_SHIFT;
    unsigned level = paging->has_5_levels ? 5 : 4;

    if (!is_lower_half(paging, address)) {
        *ret_end = 0;
        return false;
    }
    for (;; level--) {
        unsigned shift = PAGE_SHIFT + (level - 1) * LEVEL_BITS;
        uint64_t index = bits_get(address, shift + LEVEL_BITS - 1, shift);
        uint64_t entry = paging->read(paging->context, table + index * 8);
        bool is_page = level == 1 || (level <= 3 && bits_test(entry, ENTRY_LARGE) != 0);

        *ret_end = ((address >> shift) + 1) << shift;
        if (bits_test(entry, ENTRY_PRESENT) == 0) {
            return false;
        }
        if (is_page) {
            return bits_get(entry, FRAME_HIGH, shift) == address >> shift;
        }
        table = bits_get(entry, FRAME_HIGH, PAGE_SHIFT) << PAGE_SHIFT;
    }
}
