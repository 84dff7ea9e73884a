#pragma once

#include "drivers/hw.h"

#include <stdint.h>

/*
 * The APIC id of the CPU that calls: CPUID 0BH EDX where that leaf exists and lists a level, else the
 * eight bits of CPUID 01H EBX[31:24]. SDM vol. 2A, CPUID, leaves 01H and 0BH; APM vol. 3, appendix E.
 */
uint32_t apic_id_read(const struct hw *hw);
