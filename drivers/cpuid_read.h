#pragma once

#include "drivers/hw.h"
#include "model/cpu_id.h"

#include <stdint.h>

/* Room for every leaf that cpuid_read takes, subleaves included. */
#define CPUID_READ_MAX 96

/*
 * Reads the CPUID leaves that the program uses on the calling CPU into leaves[0..CPUID_READ_MAX-1] and returns
 * how many. Leaf 0 comes first. Nothing beyond a range's maximum leaf is asked; lists of subleaves end where the
 * CPU says so. Leaves that a back end has no record of are left out. Uses no memory but `leaves`.
 */
uint32_t cpuid_read(const struct hw *hw, struct cpuid_leaf *leaves);

/* The leaf with the bits cleared that differ between CPUs of one kind: APIC ids, and what the running system
 * switches (OSXSAVE, OSPKE). */
struct cpuid_leaf cpuid_read_masked(const struct cpuid_leaf *leaf);
