/*
 * plan CPUS: the group idle at default length on a simulated machine of so many CPUs in packages of 64, in virtual time.
 * Prints the machine's milliseconds, how many per cent of them are in sleeps, and the bytes of memory that were taken.
 */
#include "drivers/idle_measure.h"
#include "tests/sim/sim_idle.h"
#include "tests/sim/sim_platform.h"

#include <stdio.h>
#include <stdlib.h>

#define PACKAGE_CPUS 64U
#define PS_PER_MS UINT64_C(1000000000)
#define GAP_WATCH_PS (1000U * PS_PER_MS) /* a second in which nobody sleeps */

static struct sim_idle machine;
static struct sim_platform sim;

static void make(uint32_t cpus)
{
    sim_idle_init(&machine, cpus, 1);
    sim_platform_init(&sim, cpus);
    sim.options.run = RUN_ALL;
    sim.platform.tsc_hz = machine.tsc_hz;
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 1);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x11});
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0xB, .eax = 1, .ebx = 2});
    machine.has_mwait = true;
    for (uint32_t i = 0; i < cpus; i++) {
        sim.platform.cpus[i].answer = CPU_ANSWERED;
        sim.platform.cpus[i].package_id = i / PACKAGE_CPUS;
        sim.platform.cpus[i].apic_id = i;
    }
}

static bool go_on(void *context, const char *what, uint64_t seconds)
{
    (void)context;
    (void)what;
    (void)seconds;
    return true;
}

int main(int count, char **words)
{
    unsigned long cpus = count == 2 ? strtoul(words[1], NULL, 10) : 0;
    const struct idle_measure measure = {.hw = &machine.hw,
                                         .timing = &machine.cpus[0].core,
                                         .crew = &machine.crew,
                                         .progress = go_on};
    uint64_t before_bytes;

    if (cpus == 0 || cpus > 4096) {
        (void)fprintf(stderr, "plan CPUS: 1 to 4096\n");
        return 2;
    }
    make((uint32_t)cpus);
    before_bytes = sim.platform.arena->total_bytes;
    idle_measure(&measure, &sim.platform);
    if (machine.failure != NULL || sim.platform.idle_count == 0) {
        (void)fprintf(stderr, "plan: %s\n",
                      machine.failure == NULL ? "nothing was timed" : machine.failure);
        return 1;
    }
    (void)printf(
        "%llu %llu %llu\n", (unsigned long long)(machine.cpus[0].now_ps / PS_PER_MS),
        (unsigned long long)(machine.covered_ps * 100 / (machine.cpus[0].now_ps - GAP_WATCH_PS)),
        (unsigned long long)(sim.platform.arena->total_bytes - before_bytes));
    sim_platform_free(&sim);
    sim_idle_free(&machine);
    return 0;
}
