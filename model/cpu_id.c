#include "model/cpu_id.h"

#include "model/bits.h"

#include <stddef.h>
#include <string.h>

enum { REG_EAX = 0, REG_EBX, REG_ECX, REG_EDX };

/* SDM vol. 2A, CPUID, table "Information Returned by CPUID Instruction"; the 8000xxxxH ones are from
 * APM vol. 3, appendix E.4. */
const struct cpu_feature CPU_FEATURE_MONITOR = {1, 0, REG_ECX, 3};
const struct cpu_feature CPU_FEATURE_EIST = {1, 0, REG_ECX, 7};
const struct cpu_feature CPU_FEATURE_X2APIC = {1, 0, REG_ECX, 21};
const struct cpu_feature CPU_FEATURE_TSC_DEADLINE = {1, 0, REG_ECX, 24};
const struct cpu_feature CPU_FEATURE_HYPERVISOR = {1, 0, REG_ECX, 31};
const struct cpu_feature CPU_FEATURE_TSC = {1, 0, REG_EDX, 4};
const struct cpu_feature CPU_FEATURE_MSR = {1, 0, REG_EDX, 5};
const struct cpu_feature CPU_FEATURE_APIC = {1, 0, REG_EDX, 9};
const struct cpu_feature CPU_FEATURE_ACPI = {1, 0, REG_EDX, 22};
const struct cpu_feature CPU_FEATURE_MWAIT_EXT = {5, 0, REG_ECX, 0};
const struct cpu_feature CPU_FEATURE_MWAIT_BREAK = {5, 0, REG_ECX, 1};
const struct cpu_feature CPU_FEATURE_IDA = {6, 0, REG_EAX, 1};
const struct cpu_feature CPU_FEATURE_ARAT = {6, 0, REG_EAX, 2};
const struct cpu_feature CPU_FEATURE_HWP = {6, 0, REG_EAX, 7};
const struct cpu_feature CPU_FEATURE_HWP_EPP = {6, 0, REG_EAX, 10};
const struct cpu_feature CPU_FEATURE_HWP_PACKAGE = {6, 0, REG_EAX, 11};
const struct cpu_feature CPU_FEATURE_APERFMPERF = {6, 0, REG_ECX, 0};
const struct cpu_feature CPU_FEATURE_EPB = {6, 0, REG_ECX, 3};
const struct cpu_feature CPU_FEATURE_TSC_ADJUST = {7, 0, REG_EBX, 1};
const struct cpu_feature CPU_FEATURE_HYBRID = {7, 0, REG_EDX, 15};
const struct cpu_feature CPU_FEATURE_HW_PSTATE = {0x80000007, 0, REG_EDX, 7};
const struct cpu_feature CPU_FEATURE_INVARIANT_TSC = {0x80000007, 0, REG_EDX, 8};
const struct cpu_feature CPU_FEATURE_CPB = {0x80000007, 0, REG_EDX, 9};
const struct cpu_feature CPU_FEATURE_AMD_RAPL = {0x80000007, 0, REG_EDX, 14};
const struct cpu_feature CPU_FEATURE_FAST_CPPC = {0x80000007, 0, REG_EDX, 15};
const struct cpu_feature CPU_FEATURE_RDPRU = {0x80000008, 0, REG_EBX, 4};
const struct cpu_feature CPU_FEATURE_CPPC = {0x80000008, 0, REG_EBX, 27};
const struct cpu_feature CPU_FEATURE_HETERO_CORES = {0x80000026, 0, REG_EAX, 30};

static const struct cpuid_leaf *find_raw(const struct cpuid_set *set, uint32_t leaf,
                                         uint32_t subleaf)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->leaves[i].leaf == leaf && set->leaves[i].subleaf == subleaf) {
            return &set->leaves[i];
        }
    }
    return NULL;
}

/*
 * The highest leaf of the range that starts at `first`, 0 when there is no such range. A CPU without
 * extended leaves answers 80000000H with the data of its highest basic leaf (SDM vol. 2A, CPUID), which
 * is recognised by its upper half. Some hypervisors leave EAX of 40000000H at 0 and mean 40000001H.
 */
static uint32_t range_maximum(const struct cpuid_set *set, uint32_t first)
{
    const struct cpuid_leaf *leaf = find_raw(set, first, 0);

    if (leaf == NULL) {
        return 0;
    }
    if (first == 0x40000000 && leaf->eax == 0) {
        return 0x40000001;
    }
    return (leaf->eax & 0xFFFF0000) == first ? leaf->eax : 0;
}

const struct cpuid_leaf *cpuid_find(const struct cpuid_set *set, uint32_t leaf, uint32_t subleaf)
{
    const struct cpuid_leaf *found = set == NULL ? NULL : find_raw(set, leaf, subleaf);
    uint32_t first = leaf & 0xFFFF0000;

    if (found == NULL || leaf == first) {
        return found;
    }
    /* A partial dump without the first leaf of the range: what is there is all that is known. */
    if (find_raw(set, first, 0) == NULL) {
        return found;
    }
    return leaf <= range_maximum(set, first) ? found : NULL;
}

static uint32_t leaf_register(const struct cpuid_leaf *leaf, unsigned reg)
{
    switch (reg) {
    case REG_EAX:
        return leaf->eax;
    case REG_EBX:
        return leaf->ebx;
    case REG_ECX:
        return leaf->ecx;
    default:
        return leaf->edx;
    }
}

bool cpuid_has(const struct cpuid_set *set, struct cpu_feature feature)
{
    const struct cpuid_leaf *leaf = cpuid_find(set, feature.leaf, feature.subleaf);

    return leaf != NULL && bits_test(leaf_register(leaf, feature.reg), feature.bit) != 0;
}

/* Appends the four bytes of a register, lowest first. Unprintable bytes become '?', NUL stays. */
static void put_register(char *text, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        uint8_t byte = (uint8_t)(value >> (8 * i));

        text[i] = (byte >= 0x20 && byte < 0x7F) || byte == 0 ? (char)byte : '?';
    }
}

static void put_vendor_text(char *text, uint32_t first, uint32_t second, uint32_t third)
{
    put_register(text, first);
    put_register(text + 4, second);
    put_register(text + 8, third);
    text[12] = '\0';
}

static void trim(char *text)
{
    size_t length = strlen(text);
    size_t start = strspn(text, " ");

    while (length > start && text[length - 1] == ' ') {
        length--;
    }
    memmove(text, text + start, length - start);
    text[length - start] = '\0';
}

static void decode_brand(const struct cpuid_set *set, char *brand)
{
    for (uint32_t i = 0; i < 3; i++) {
        const struct cpuid_leaf *leaf = cpuid_find(set, 0x80000002 + i, 0);
        char *part = brand + 16 * (size_t)i;

        if (leaf == NULL) {
            brand[0] = '\0';
            return;
        }
        put_register(part, leaf->eax);
        put_register(part + 4, leaf->ebx);
        put_register(part + 8, leaf->ecx);
        put_register(part + 12, leaf->edx);
    }
    brand[48] = '\0';
    trim(brand);
}

/*
 * SDM vol. 2A, CPUID, "Version Information Returned by CPUID in EAX"; the extended model counts from base
 * family 6 up, as Linux 6.12 arch/x86/lib/cpu.c x86_model has it (Zhaoxin uses it with family 7).
 */
static void decode_signature(uint32_t eax, struct cpu_identity *identity)
{
    uint32_t base_family = (eax >> 8) & 0xF;

    identity->stepping = eax & 0xF;
    identity->family = base_family == 0xF ? base_family + ((eax >> 20) & 0xFF) : base_family;
    identity->model = (eax >> 4) & 0xF;
    if (base_family >= 6) {
        identity->model |= ((eax >> 16) & 0xF) << 4;
    }
}

enum cpu_vendor cpu_vendor_of(const char *vendor_text)
{
    static const struct {
        const char *text;
        enum cpu_vendor vendor;
    } vendors[] = {
        {"GenuineIntel", VENDOR_INTEL},   {"AuthenticAMD", VENDOR_AMD},
        {"HygonGenuine", VENDOR_HYGON},   {"CentaurHauls", VENDOR_CENTAUR},
        {"  Shanghai  ", VENDOR_ZHAOXIN},
    };

    for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
        if (strcmp(vendor_text, vendors[i].text) == 0) {
            return vendors[i].vendor;
        }
    }
    return VENDOR_UNKNOWN;
}

static void decode_hypervisor(const struct cpuid_set *set, struct cpu_identity *identity)
{
    const struct cpuid_leaf *leaf = cpuid_find(set, 0x40000000, 0);

    identity->is_hypervisor = cpuid_has(set, CPU_FEATURE_HYPERVISOR);
    if (identity->is_hypervisor && leaf != NULL) {
        put_vendor_text(identity->hypervisor_text, leaf->ebx, leaf->ecx, leaf->edx);
    }
}

void cpu_identity_decode(const struct cpuid_set *set, struct cpu_identity *ret_identity)
{
    const struct cpuid_leaf *leaf0 = cpuid_find(set, 0, 0);
    const struct cpuid_leaf *leaf1 = cpuid_find(set, 1, 0);

    memset(ret_identity, 0, sizeof(*ret_identity));
    if (leaf0 == NULL || leaf1 == NULL) {
        ret_identity->avail = AVAIL_ABSENT;
        return;
    }
    ret_identity->avail = AVAIL_PRESENT;
    put_vendor_text(ret_identity->vendor_text, leaf0->ebx, leaf0->edx, leaf0->ecx);
    ret_identity->vendor = cpu_vendor_of(ret_identity->vendor_text);
    ret_identity->max_leaf = leaf0->eax;
    ret_identity->max_extended_leaf = range_maximum(set, 0x80000000);
    decode_signature(leaf1->eax, ret_identity);
    decode_brand(set, ret_identity->brand);
    decode_hypervisor(set, ret_identity);
}
