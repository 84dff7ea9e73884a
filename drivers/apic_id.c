#include "drivers/apic_id.h"

#include "model/bits.h"

#define LEAF_EXTENDED_TOPOLOGY 0xBU

uint32_t apic_id_read(const struct hw *hw)
{
    struct cpuid_leaf leaf = {0};

    hw->ops->cpuid(hw, 0, 0, &leaf);
    if (leaf.eax >= LEAF_EXTENDED_TOPOLOGY) {
        hw->ops->cpuid(hw, LEAF_EXTENDED_TOPOLOGY, 0, &leaf);
        /* SDM vol. 2A, CPUID 0BH: EBX[15:0] is 0 when the leaf is not implemented. */
        if (bits_get(leaf.ebx, 15, 0) != 0) {
            return leaf.edx;
        }
    }
    hw->ops->cpuid(hw, 1, 0, &leaf);
    return (uint32_t)bits_get(leaf.ebx, 31, 24);
}
