#include "report/msr_fields.h"

#include <stdbool.h>
#include <stddef.h>

#define BOTH(number, first, last, text)                                                            \
    {                                                                                              \
        (number), VENDOR_UNKNOWN, 0, 255, (first), (last), (text)                                  \
    }
#define INTEL(number, first, last, text)                                                           \
    {                                                                                              \
        (number), VENDOR_INTEL, 0, 255, (first), (last), (text)                                    \
    }
#define AMD(number, from, to, first, last, text)                                                   \
    {                                                                                              \
        (number), VENDOR_AMD, (from), (to), (first), (last), (text)                                \
    }

/* One P-state definition of families 17h and 19h: MSRC001_0064 to 006B. */
#define PSTATE_DEF(number)                                                                         \
    AMD(number, 0x17, 0x19, 7, 0, "CpuFid"), AMD(number, 0x17, 0x19, 13, 8, "CpuDfsId"),           \
        AMD(number, 0x17, 0x19, 21, 14, "CpuVid"), AMD(number, 0x17, 0x19, 29, 22, "IddValue"),    \
        AMD(number, 0x17, 0x19, 31, 30, "IddDiv"), AMD(number, 0x10, 0x1A, 63, 63, "PstateEn")

/* Ratios of eight core counts, a byte each. */
#define TURBO_RATIOS(number)                                                                       \
    INTEL(number, 7, 0, "ratio 1"), INTEL(number, 15, 8, "ratio 2"),                               \
        INTEL(number, 23, 16, "ratio 3"), INTEL(number, 31, 24, "ratio 4"),                        \
        INTEL(number, 39, 32, "ratio 5"), INTEL(number, 47, 40, "ratio 6"),                        \
        INTEL(number, 55, 48, "ratio 7"), INTEL(number, 63, 56, "ratio 8")

/* In the order of the numbers, then of the bits. */
static const struct msr_field fields[] = {
    BOTH(0x1B, 8, 8, "boot CPU"),
    BOTH(0x1B, 10, 10, "x2APIC"),
    BOTH(0x1B, 11, 11, "enabled"),
    BOTH(0x1B, 51, 12, "base page"),
    INTEL(0x8B, 63, 32, "microcode"),
    AMD(0x8B, 0, 255, 31, 0, "patch level"),
    INTEL(0xCE, 15, 8, "maximum non-turbo ratio"),
    INTEL(0xCE, 28, 28, "turbo ratios programmable"),
    INTEL(0xCE, 47, 40, "minimum ratio"),
    INTEL(0xE2, 3, 0, "package C-state limit"),
    INTEL(0xE2, 10, 10, "I/O reads become MWAIT"),
    INTEL(0xE2, 15, 15, "locked"),
    INTEL(0xE2, 25, 25, "C3 demotion"),
    INTEL(0xE2, 26, 26, "C1 demotion"),
    INTEL(0x198, 15, 0, "current state"),
    INTEL(0x199, 15, 0, "requested state"),
    INTEL(0x199, 32, 32, "turbo off"),
    INTEL(0x1A0, 16, 16, "SpeedStep on"),
    INTEL(0x1A0, 18, 18, "MONITOR on"),
    INTEL(0x1A0, 38, 38, "turbo off"),
    TURBO_RATIOS(0x1AD),
    INTEL(0x1B0, 3, 0, "energy preference"),
    INTEL(0x1FC, 1, 1, "C1E"),
    INTEL(0x606, 3, 0, "power unit 1/2^n W"),
    INTEL(0x606, 12, 8, "energy unit 1/2^n J"),
    INTEL(0x606, 19, 16, "time unit 1/2^n s"),
    INTEL(0x648, 7, 0, "nominal ratio"),
    INTEL(0x64B, 1, 0, "TDP level"),
    INTEL(0x64B, 31, 31, "locked"),
    INTEL(0x64C, 7, 0, "maximum non-turbo ratio"),
    INTEL(0x64C, 31, 31, "locked"),
    INTEL(0x770, 0, 0, "HWP on"),
    INTEL(0x771, 7, 0, "highest"),
    INTEL(0x771, 15, 8, "guaranteed"),
    INTEL(0x771, 23, 16, "most efficient"),
    INTEL(0x771, 31, 24, "lowest"),
    INTEL(0x774, 7, 0, "minimum"),
    INTEL(0x774, 15, 8, "maximum"),
    INTEL(0x774, 23, 16, "desired"),
    INTEL(0x774, 31, 24, "energy preference"),
    AMD(0xC0010015, 0x10, 0x1A, 24, 24, "TscFreqSel"),
    AMD(0xC0010015, 0x10, 0x1A, 25, 25, "CpbDis"),
    AMD(0xC0010061, 0x10, 0x1A, 2, 0, "CurPstateLimit"),
    AMD(0xC0010061, 0x10, 0x1A, 6, 4, "PstateMaxVal"),
    AMD(0xC0010062, 0x10, 0x1A, 2, 0, "PstateCmd"),
    AMD(0xC0010063, 0x10, 0x1A, 2, 0, "CurPstate"),
    PSTATE_DEF(0xC0010064),
    PSTATE_DEF(0xC0010065),
    PSTATE_DEF(0xC0010066),
    PSTATE_DEF(0xC0010067),
    PSTATE_DEF(0xC0010068),
    PSTATE_DEF(0xC0010069),
    PSTATE_DEF(0xC001006A),
    PSTATE_DEF(0xC001006B),
    AMD(0xC0010073, 0x10, 0x1A, 15, 0, "C-state port"),
    AMD(0xC0010299, 0x17, 0x1A, 3, 0, "power unit 1/2^n W"),
    AMD(0xC0010299, 0x17, 0x1A, 12, 8, "energy unit 1/2^n J"),
    AMD(0xC0010299, 0x17, 0x1A, 19, 16, "time unit 1/2^n s"),
    AMD(0xC00102B0, 0x17, 0x1A, 7, 0, "lowest"),
    AMD(0xC00102B0, 0x17, 0x1A, 15, 8, "lowest non-linear"),
    AMD(0xC00102B0, 0x17, 0x1A, 23, 16, "nominal"),
    AMD(0xC00102B0, 0x17, 0x1A, 31, 24, "highest"),
    AMD(0xC00102B1, 0x17, 0x1A, 0, 0, "CPPC on"),
    AMD(0xC00102B3, 0x17, 0x1A, 7, 0, "maximum"),
    AMD(0xC00102B3, 0x17, 0x1A, 15, 8, "minimum"),
    AMD(0xC00102B3, 0x17, 0x1A, 23, 16, "desired"),
    AMD(0xC00102B3, 0x17, 0x1A, 31, 24, "energy preference"),
};

static bool is_on(const struct msr_field *field, const struct cpu_identity *identity)
{
    enum cpu_vendor vendor = identity->vendor == VENDOR_HYGON ? VENDOR_AMD : identity->vendor;

    return (field->vendor == VENDOR_UNKNOWN || field->vendor == vendor) &&
           identity->family >= field->family_low && identity->family <= field->family_high;
}

const struct msr_field *msr_field_at(const struct cpu_identity *identity, uint32_t msr,
                                     uint32_t index)
{
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (fields[i].msr == msr && is_on(&fields[i], identity) && index-- == 0) {
            return &fields[i];
        }
    }
    return NULL;
}
