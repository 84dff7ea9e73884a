#include "model/request_register.h"

#include <stddef.h>

#define SDM "Intel SDM vol. 4, 2.1 Architectural MSRs"
#define PPR "AMD PPR of the family, MSRs - MSRC001_xxxx"

static const struct request_register registers[] = {
    /* [15:0] the state asked for, [32] opportunistic clock off: SDM vol. 3B, "Opportunistic Processor Performance
     * Operation". */
    {0x199, "IA32_PERF_CTL", 0x10000FFFF, ONE_WAY_NOT, SDM},
    /* [38] opportunistic clock off, for all of the package. */
    {0x1A0, "IA32_MISC_ENABLE", UINT64_C(1) << 38, ONE_WAY_NOT, SDM},
    {0x1B0, "IA32_ENERGY_PERF_BIAS", 0xF, ONE_WAY_NOT, SDM},
    /* [0] cannot be cleared but by reset: SDM vol. 3B, "Enabling HWP". */
    {0x770, "IA32_PM_ENABLE", 1, ONE_WAY_HWP, SDM},
    /* [7:0] minimum, [15:8] maximum, [23:16] desired, [31:24] preference, [41:32] window. */
    {0x774, "IA32_HWP_REQUEST", 0x3FFFFFFFFFF, ONE_WAY_NOT, SDM},
    /* [25] CpbDis. */
    {0xC0010015, "HWCR", UINT64_C(1) << 25, ONE_WAY_NOT, PPR},
    /* [2:0] the state asked for. */
    {0xC0010062, "PStateCtl", 7, ONE_WAY_NOT, PPR},
    /* [0] once written 1 stays so until reset. */
    {0xC00102B1, "CPPC_ENABLE", 1, ONE_WAY_CPPC, PPR},
    /* [7:0] maximum, [15:8] minimum, [23:16] desired, [31:24] preference. */
    {0xC00102B3, "CPPC_REQUEST", 0xFFFFFFFF, ONE_WAY_NOT, PPR},
};

#define COUNT (sizeof(registers) / sizeof(registers[0]))

uint32_t request_register_count(void)
{
    return COUNT;
}

const struct request_register *request_register_at(uint32_t index)
{
    return index < COUNT ? &registers[index] : NULL;
}

const struct request_register *request_register_find(uint32_t msr)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (registers[i].msr == msr) {
            return &registers[i];
        }
    }
    return NULL;
}
