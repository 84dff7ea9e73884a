#include "tests/unit/idle_machine.h"

#include "drivers/idle_measure.h"
#include "model/idle_reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct sim_idle machine;
struct sim_platform sim;
struct cst_state states[3];
static struct object_set cst_set;
unsigned notes;
char noted[4096];
unsigned stop_at;

struct cst_state io_state(uint64_t type, uint64_t address, uint64_t latency_us)
{
    struct cst_state state = {.elements = 4, .valid = 7};

    state.reg.avail = AVAIL_PRESENT;
    state.reg.gas = (struct gas){.space = GAS_SYSTEM_IO, .width_bits = 8, .address = address};
    state.field[CST_TYPE] = type;
    state.field[CST_LATENCY_US] = latency_us;
    return state;
}

struct cst_state ffh_state(uint64_t type, uint64_t hint)
{
    struct cst_state state = io_state(type, hint, 1);

    state.reg.gas.space = GAS_FFH;
    state.reg.gas.offset_bits = 2;
    return state;
}

void give_cst(uint32_t count)
{
    cst_set = (struct object_set){.kind = OBJECT_CST};
    cst_set.cst = (struct cst){.is_package = true,
                               .has_count = true,
                               .count = count,
                               .states_count = count,
                               .states = states};
    for (uint32_t i = 0; i < sim.platform.processors_count; i++) {
        sim.platform.processors[i].objects[OBJECT_CST] =
            (struct object_result){.avail = AVAIL_PRESENT, .set = &cst_set};
    }
}

/* The shape of an EPYC: C1 by MWAIT, C2 by a port, PM timer at 808H. */
static void make(uint32_t cpus)
{
    sim_idle_init(&machine, cpus, 1);
    sim_platform_init(&sim, cpus);
    sim.options.run = RUN_ALL;
    sim.platform.fadt.avail = AVAIL_PRESENT;
    sim.platform.fadt.revision = 1;
    sim.platform.fadt.has_field[FADT_PM_TMR_BLK] = true;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = PM_PORT;
    sim.platform.fadt.has_field[FADT_FLAGS] = true;
    sim.platform.tsc_hz = machine.tsc_hz;
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x11});
    machine.has_mwait = true;
    states[0] = ffh_state(1, 0);
    states[1] = io_state(2, PORT, 400);
    give_cst(2);
    notes = 0;
    noted[0] = '\0';
    stop_at = 0;
}

int set_up(void **state)
{
    (void)state;
    make(1);
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < machine.count; i++) {
        assert_true(machine.cpus[i].has_died || !machine.cpus[i].is_taken);
    }
    if (machine.failure != NULL) {
        fail_msg("%s", machine.failure);
    }
    sim_platform_free(&sim);
    sim_idle_free(&machine);
    return 0;
}

void give_power(uint64_t awake_mw, uint64_t halt_mw, uint64_t port_mw)
{
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x5E);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = 4});
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x606, 0xA0E03);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 0);
    machine.awake_mw = awake_mw;
    machine.halt_mw = halt_mw;
    machine.port_mw = port_mw;
}

void give_package_counter(uint32_t permille)
{
    machine.package_msr = 0x3F9;
    machine.package_permille = permille;
    sim_platform_msr(&sim, SIM_ALL_CPUS, machine.package_msr, 0);
}

void give_core_counter(uint32_t permille)
{
    machine.core_msr = 0x3FD;
    machine.core_permille = permille;
    sim_platform_msr(&sim, SIM_ALL_CPUS, machine.core_msr, 0);
}

static bool note(void *context, const char *what, uint64_t left_s)
{
    (void)context;
    assert_true(strlen(what) > 5);
    assert_true(left_s <= 200);
    assert_false(machine.cpus[0].is_taken);
    notes++;
    (void)snprintf(noted + strlen(noted), sizeof(noted) - strlen(noted), "%s, %lu s\n", what,
                   (unsigned long)left_s);
    return notes != stop_at;
}

const struct idle_sample_set *measure(void)
{
    const struct idle_measure measure = {.hw = &machine.hw,
                                         .timing = &machine.cpus[0].core,
                                         .crew = &machine.crew,
                                         .progress = note};

    idle_measure(&measure, &sim.platform);
    idle_reach_find(&sim.platform);
    return sim.platform.idle;
}

const struct idle_sample_set *find(uint32_t cpu, enum idle_entry entry, enum dummy_read dummy,
                                   uint64_t length_ns)
{
    for (uint32_t i = 0; i < sim.platform.idle_count; i++) {
        const struct idle_sample_set *set = &sim.platform.idle[i];

        if (set->cpu == cpu && set->entry == entry && set->dummy_read == dummy &&
            set->requested_ns == length_ns) {
            return set;
        }
    }
    return NULL;
}

const char *refusal(enum idle_entry entry)
{
    for (uint32_t i = 0; i < sim.platform.idle_not_timed_count; i++) {
        if (sim.platform.idle_not_timed[i].way.entry == entry) {
            return sim.platform.idle_not_timed[i].way.not_timed;
        }
    }
    return NULL;
}

void assert_near(uint64_t found_tsc, uint64_t true_ps)
{
    uint64_t true_tsc = true_ps * 3 / 1000;
    uint64_t off = found_tsc > true_tsc ? found_tsc - true_tsc : true_tsc - found_tsc;

    assert_true(off <= true_tsc / 100 + 3);
}

void remake(uint32_t cpus)
{
    (void)tear_down(NULL);
    make(cpus);
    sim.options.samples = 20;
    for (uint32_t i = 1; i < cpus; i++) {
        sim.platform.cpus[i].answer = CPU_ANSWERED;
    }
}
