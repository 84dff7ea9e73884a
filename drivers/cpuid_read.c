#include "drivers/cpuid_read.h"

#include "model/bits.h"

#include <stdbool.h>
#include <stddef.h>

#define SUBLEAVES_MAX 8
#define HYPERVISOR_LAST 0x40000010U

struct reader {
    const struct hw *hw;
    struct cpuid_leaf *leaves;
    uint32_t count;
};

/* Reads one leaf; NULL when the back end has none or there is no room. */
static const struct cpuid_leaf *take(struct reader *reader, uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_leaf *slot = &reader->leaves[reader->count];

    if (reader->count == CPUID_READ_MAX) {
        return NULL;
    }
    reader->hw->ops->cpuid(reader->hw, leaf, subleaf, slot);
    if (slot->leaf == HW_CPUID_ABSENT) {
        return NULL;
    }
    slot->leaf = leaf;
    slot->subleaf = subleaf;
    reader->count++;
    return slot;
}

static void take_range(struct reader *reader, uint32_t first, uint32_t last)
{
    for (uint32_t leaf = first; leaf <= last; leaf++) {
        (void)take(reader, leaf, 0);
    }
}

/* Cache leaves (4, 8000001DH) end with type 0 in EAX[4:0], topology leaves (0BH, 1FH, 80000026H) with level type
 * 0 in ECX[15:8]: SDM vol. 2A, CPUID; APM vol. 3, appendix E. The last subleaf is kept: it shows the end. */
static void take_list(struct reader *reader, uint32_t leaf, bool is_topology)
{
    for (uint32_t subleaf = 0; subleaf < SUBLEAVES_MAX; subleaf++) {
        const struct cpuid_leaf *taken = take(reader, leaf, subleaf);

        if (taken == NULL ||
            (is_topology ? bits_get(taken->ecx, 15, 8) : bits_get(taken->eax, 4, 0)) == 0) {
            break;
        }
    }
}

static void take_features(struct reader *reader)
{
    const struct cpuid_leaf *leaf7 = take(reader, 7, 0);
    uint32_t last = leaf7 == NULL || leaf7->eax > 2 ? 2 : leaf7->eax;

    for (uint32_t subleaf = 1; leaf7 != NULL && subleaf <= last; subleaf++) {
        (void)take(reader, 7, subleaf);
    }
}

static void take_basic(struct reader *reader, uint32_t last)
{
    static const uint32_t plain[] = {5, 6, 0xA, 0x15, 0x16, 0x1A};

    if (last >= 4) {
        take_list(reader, 4, false);
    }
    if (last >= 7) {
        take_features(reader);
    }
    if (last >= 0xB) {
        take_list(reader, 0xB, true);
    }
    if (last >= 0x1F) {
        take_list(reader, 0x1F, true);
    }
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (plain[i] <= last) {
            (void)take(reader, plain[i], 0);
        }
    }
}

static void take_hypervisor(struct reader *reader)
{
    const struct cpuid_leaf *first = take(reader, 0x40000000, 0);
    uint32_t last = 0x40000001; /* KVM of old gives 0 and means this */

    if (first == NULL) {
        return;
    }
    if (first->eax > 0x40000000 && first->eax <= 0x400000FF) {
        last = first->eax < HYPERVISOR_LAST ? first->eax : HYPERVISOR_LAST;
    }
    take_range(reader, 0x40000001, last);
}

static void take_extended(struct reader *reader)
{
    const struct cpuid_leaf *first = take(reader, 0x80000000, 0);
    uint32_t last = first == NULL ? 0 : first->eax;

    /* Without extended leaves the CPU answers with its last basic leaf. */
    if (last < 0x80000001 || last > 0x8000FFFF) {
        return;
    }
    take_range(reader, 0x80000001, last < 0x80000008 ? last : 0x80000008);
    if (last >= 0x8000001D) {
        take_list(reader, 0x8000001D, false);
    }
    if (last >= 0x8000001E) {
        (void)take(reader, 0x8000001E, 0);
    }
    if (last >= 0x80000026) {
        take_list(reader, 0x80000026, true);
    }
}

uint32_t cpuid_read(const struct hw *hw, struct cpuid_leaf *leaves)
{
    struct reader reader = {.hw = hw, .leaves = leaves};
    const struct cpuid_leaf *leaf0 = take(&reader, 0, 0);
    const struct cpuid_leaf *leaf1;

    if (leaf0 == NULL) {
        return 0;
    }
    leaf1 = leaf0->eax >= 1 ? take(&reader, 1, 0) : NULL;
    take_basic(&reader, leaf0->eax);
    if (leaf1 != NULL && bits_test(leaf1->ecx, 31) != 0) {
        take_hypervisor(&reader);
    }
    take_extended(&reader);
    return reader.count;
}

struct cpuid_leaf cpuid_read_masked(const struct cpuid_leaf *leaf)
{
    struct cpuid_leaf masked = *leaf;

    switch (leaf->leaf) {
    case 1: /* initial APIC id; OSXSAVE follows CR4 */
        masked.ebx &= 0x00FFFFFF;
        masked.ecx &= ~(UINT32_C(1) << 27);
        break;
    case 6: /* row of this CPU in the hardware feedback table */
        masked.edx &= 0x0000FFFF;
        break;
    case 7: /* OSPKE follows CR4 */
        masked.ecx &= leaf->subleaf == 0 ? ~(UINT32_C(1) << 4) : UINT32_MAX;
        break;
    case 0xB:
    case 0x1F:
    case 0x80000026: /* x2APIC id */
        masked.edx = 0;
        break;
    case 0x8000001E: /* extended APIC id, core id, node id */
        masked.eax = 0;
        masked.ebx &= 0xFFFFFF00;
        masked.ecx &= 0xFFFFFF00;
        break;
    default:
        break;
    }
    return masked;
}
