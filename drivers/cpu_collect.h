#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/* The boot CPU's CPUID leaves and identity (platform kind 0), on the calling CPU: needed before the
 * handshake. Leaves are read by vendor as kernel-facts names them, never beyond the maximum leaf. */
void cpu_collect_boot(const struct hw *hw, struct platform *platform);

/*
 * CPUID and MSRs of every numbered CPU, in one run on all of them. Fills cpus[].answer, .kind, .core_type,
 * cpuid_kinds, msrs and msr_values. Only MSRs that msr_catalog allows and options do not skip are read.
 */
void cpu_collect_all(const struct hw *hw, struct platform *platform);

/* cpus[].package_id and .core_type out of the APIC ids and the CPUID leaves of each CPU's kind. */
void cpu_collect_places(struct platform *platform);
