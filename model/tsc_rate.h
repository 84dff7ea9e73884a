#pragma once

#include "model/bus_clock.h"
#include "model/cpu_id.h"

#include <stdint.h>

/* The rate of the TSC as the CPU states it, without measuring: kernel-facts 8.2. */
enum tsc_rate_source {
    TSC_RATE_NONE = 0,
    TSC_RATE_CRYSTAL,         /* CPUID 15H with its crystal: exact */
    TSC_RATE_CRYSTAL_ASSUMED, /* CPUID 15H without a crystal; taken by model from the vendor's manual */
    TSC_RATE_BASE_FREQUENCY, /* CPUID 15H without a crystal; made from the base frequency of leaf 16H */
    TSC_RATE_HYPERVISOR,     /* CPUID 40000010H EAX */
    TSC_RATE_PLATFORM_MSR, /* ratio times bus clock (Atom tables, PLATFORM_INFO) */
    TSC_RATE_AMD_P0        /* the frequency of P0 by its definition register */
};

struct tsc_rate {
    enum tsc_rate_source source;
    uint64_t tsc_hz;     /* 0 when source is NONE */
    uint64_t crystal_hz; /* 0 when no crystal is part of it */
    const char *from;    /* "CPUID 15H", ...; for NONE the reason */
};

/* What CPUID 15H states, with the crystal by model where ECX is 0 and else from leaf 16H. 64-bit arithmetic;
 * a leaf beyond the maximum leaf or a zero numerator or denominator gives NONE. */
void tsc_rate_from_cpuid(const struct cpuid_set *cpuid, const struct cpu_identity *identity,
                         struct tsc_rate *ret_rate);

/* The same inputs in exactly Linux 6.12's arithmetic (arch/x86/kernel/tsc.c native_calibrate_tsc: kHz, 32 bits,
 * Intel only), in kHz; 0 when Linux gets nothing from CPUID. */
uint64_t tsc_rate_linux_khz(const struct cpuid_set *cpuid, const struct cpu_identity *identity);

/* CPUID 40000010H EAX (kHz), which VMware defined and other hypervisors took over. */
void tsc_rate_from_hypervisor(const struct cpuid_set *cpuid, struct tsc_rate *ret_rate);

/* Ratio times bus clock: Atom tables with MSR 198H [44:40] or CEH [15:8], other Intel models with CEH [15:8]. */
void tsc_rate_from_msr(const struct platform *platform, uint32_t cpu, struct tsc_rate *ret_rate);
/* AMD and Hygon, families 17h to 1Ah: the TSC runs at the frequency of P0 as MSR C001_0064 defines it, unless HWCR [24]
 * is clear. PPR of each family, MSRC001_0010 TSC and MSRC001_0015 [24] TscFreqSel. */
void tsc_rate_from_amd_p0(const struct platform *platform, uint32_t cpu, struct tsc_rate *ret_rate);

/* Whether the source states the rate itself, not a multiple of a clock that is nominal. */
bool tsc_rate_is_exact(const struct tsc_rate *rate);

/* How far the real rate may lie from what this source states without anything being wrong: a base clock is off by
 * what its generator and spread spectrum make of it, 0.5 % at most. */
uint64_t tsc_rate_tolerance_ppm(enum tsc_rate_source source);
