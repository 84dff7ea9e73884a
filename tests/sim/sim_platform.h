#pragma once

#include "model/platform.h"
#include "tests/sim/heap.h"

/*
 * A snapshot built by hand for tests of what is derived from one: CPUs 0 to cpus-1, each with a processor
 * object, no tables. Set what the test is about, then call platform_freeze.
 */
#define SIM_ALL_CPUS UINT32_MAX
#define SIM_LEAVES 32

struct sim_platform {
    struct heap heap;
    struct options options;
    struct platform platform;
    struct cpuid_leaf leaves[SIM_LEAVES];
    struct cpuid_set set;
};

void sim_platform_init(struct sim_platform *sim, uint32_t cpus);
void sim_platform_free(struct sim_platform *sim);

/* Leaves 0, 1, 80000000H for a CPU of this vendor ("AuthenticAMD"), display family and model. */
void sim_platform_identity(struct sim_platform *sim, const char *vendor, uint32_t family,
                           uint32_t model);

/* Sets one leaf; a feature bit; the brand string. Needs sim_platform_identity first. */
void sim_platform_leaf(struct sim_platform *sim, struct cpuid_leaf leaf);
void sim_platform_feature(struct sim_platform *sim, struct cpu_feature feature);
void sim_platform_brand(struct sim_platform *sim, const char *brand);

/* The value of an MSR on one CPU or SIM_ALL_CPUS. */
void sim_platform_msr(struct sim_platform *sim, uint32_t cpu, uint32_t msr, uint64_t value);

/* A _PSS with these frequencies (row i has control i) on every CPU. */
void sim_platform_pss(struct sim_platform *sim, const uint64_t *mhz, uint32_t count);

/* A _CPC on every CPU with these values; lowest_nonlinear and lowest become 2 and 1. */
void sim_platform_cpc(struct sim_platform *sim, uint64_t highest, uint64_t nominal,
                      uint64_t nominal_freq_mhz);
