#pragma once

#include "model/platform.h"

#include <stdint.h>

/*
 * Energy counters (RAPL): which of them a CPU has, and what one step is worth. SDM vol. 3B, chapter "Power and
 * Thermal Management", "Platform Specific Power Management Support" (RAPL Interfaces, RAPL Domains and Platform
 * Specificity); SDM vol. 4, chapter 2, table of each model; AMD PPR of families 17h, 19h, 1Ah, MSRC001_0299 to
 * MSRC001_029B. Every counter has 32 bits, wraps, and is brought up to date about once a millisecond.
 */
enum rapl_domain {
    RAPL_PACKAGE = 0, /* 611H; AMD C001_029B */
    RAPL_CORES,       /* 639H PP0: all cores of the package together */
    RAPL_GRAPHICS,    /* 641H PP1 */
    RAPL_DRAM,        /* 619H */
    RAPL_PLATFORM,    /* 64DH: the whole machine behind the regulator */
    RAPL_ONE_CORE,    /* AMD C001_029A: the core that reads it, and no other */
    RAPL_DOMAINS
};

struct rapl_counter {
    enum avail avail; /* PRESENT: the counter can be read and its unit is known */
    uint32_t msr;
    uint64_t uj_mul; /* one step is uj_mul / uj_div microjoules */
    uint64_t uj_div;
    const char *unit_from; /* where the unit comes from */
    const char *why;       /* when not PRESENT: the reason, in words of a report */
};

struct rapl_counters {
    enum avail avail; /* PRESENT: at least one counter is */
    const char *why;  /* when not PRESENT */
    struct rapl_counter domain[RAPL_DOMAINS];
};

/* "package", "cores", "graphics", "DRAM", "platform", "core". */
const char *rapl_domain_name(enum rapl_domain domain);

/* The energy counters of CPU `cpu`, by its model and by what its MSRs answered. A model whose unit the sources do
 * not agree on has none. */
void rapl_counters_of(const struct platform *platform, uint32_t cpu,
                      struct rapl_counters *ret_counters);

/* How far a counter went between two readings that lie less than one wrap apart. */
uint64_t rapl_steps(uint64_t from_raw, uint64_t to_raw);

/* Microjoules of `steps`, rounded to nearest, saturating. The counter must be PRESENT. */
uint64_t rapl_uj(const struct rapl_counter *counter, uint64_t steps);

/*
 * The time window of a power limit (SDM vol. 3B, "Package RAPL Domain": 2^Y * (1 + Z/4) time units, field bits [4:0] Y
 * and [6:5] Z), in microseconds as drivers/powercap/intel_rapl_common.c of Linux 6.12 rounds it.
 */
uint64_t rapl_window_us(uint64_t field, uint64_t unit_us);

/* The time unit of MSR 606H [19:16] of CPU `cpu`; 0 where it is not known, and on Silvermont and Airmont, whose
 * windows count otherwise. */
uint64_t rapl_time_unit_us(const struct platform *platform, uint32_t cpu);

/* How long the counter takes to wrap at a power of `mw`, in milliseconds; UINT64_MAX for 0 mW. Two readings must
 * be less than that apart. */
uint64_t rapl_wrap_ms(const struct rapl_counter *counter, uint64_t mw);
