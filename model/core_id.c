#include "model/core_id.h"

#include <stddef.h>

/* Threads of one core have APIC ids that differ in the low bits only: SDM vol. 2A, CPUID 0BH, subleaf 0
 * EAX[4:0]; APM vol. 3, 8000_001EH EBX[15:8]. */
uint32_t core_id_of(const struct platform *platform, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);
    const struct cpuid_leaf *topology = cpuid == NULL ? NULL : cpuid_find(cpuid, 0xB, 0);
    const struct cpuid_leaf *amd = cpuid == NULL ? NULL : cpuid_find(cpuid, 0x8000001E, 0);
    uint32_t shift = 0;

    if (topology != NULL && topology->ebx != 0) {
        shift = topology->eax & 0x1F;
    } else if (amd != NULL) {
        shift = (amd->ebx >> 8 & 0xFF) != 0 ? 1 : 0;
    }
    return platform->cpus[cpu].apic_id >> shift;
}
