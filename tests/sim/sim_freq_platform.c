#include "tests/sim/sim_freq_platform.h"

#include "model/freq_derive.h"

#include <stddef.h>

static void give_pct(struct sim_platform *sim, struct gas control)
{
    struct object_set *set = arena_take(sim->platform.arena, sizeof(*set));

    set->kind = OBJECT_PCT;
    set->pct = (struct pct){.is_package = true, .elements = 2};
    set->pct.control = (struct object_register){.avail = AVAIL_PRESENT, .gas = control};
    set->pct.status = set->pct.control;
    for (uint32_t i = 0; i < sim->platform.processors_count; i++) {
        sim->platform.processors[i].objects[OBJECT_PCT] =
            (struct object_result){.avail = AVAIL_PRESENT, .set = set, .repair = REPAIR_SAME};
    }
}

static void give_register(struct object_set *set, enum cpc_register index, uint64_t address)
{
    set->cpc.registers[index] = (struct cpc_element){
        .kind = CPC_ELEMENT_REGISTER,
        .reg = {.avail = AVAIL_PRESENT,
                .gas = {.space = GAS_PCC, .width_bits = 32, .address = address}}};
}

static void give_level(struct processor *processor, enum cpc_register index, uint64_t value)
{
    processor->cpc_avail[index] = AVAIL_PRESENT;
    processor->cpc_value[index] = value;
}

static void give_subspace(const struct sim_freq *machine, struct platform *platform)
{
    struct pcct_subspace *subspace = arena_take(platform->arena, sizeof(*subspace));
    struct gas port = {.space = GAS_SYSTEM_IO, .width_bits = 8, .address = SIM_PCC_PORT};
    struct gas memory = {.space = GAS_SYSTEM_MEMORY, .width_bits = 32, .address = SIM_PCC_BELL};

    *subspace = (struct pcct_subspace){.is_decoded = true,
                                       .base_paddr = SIM_PCC_BASE,
                                       .length_bytes = 8 + (uint64_t)16 * machine->count,
                                       .doorbell = machine->pcc.is_bell_port ? port : memory,
                                       .preserve_mask = machine->pcc.preserve,
                                       .write_mask = machine->pcc.write,
                                       .latency_us = 50,
                                       .max_access_rate = machine->pcc.most_a_minute,
                                       .min_turnaround_us =
                                           (uint32_t)(machine->pcc.turnaround_ps / 1000000)};
    platform->pcct = (struct pcct){.avail = AVAIL_PRESENT, .count = 1, .subspaces = subspace};
}

/* Level n of _CPC is 10 * n MHz; the nominal one is that of the second row. */
static void give_cpc(const struct sim_freq *machine, struct sim_platform *sim)
{
    for (uint32_t i = 0; i < sim->platform.processors_count; i++) {
        struct processor *processor = &sim->platform.processors[i];
        struct object_set *set = arena_take(sim->platform.arena, sizeof(*set));

        set->kind = OBJECT_CPC;
        set->cpc.is_package = true;
        give_register(set, CPC_DESIRED_PERF, (uint64_t)16 * i);
        give_register(set, CPC_MIN_PERF, (uint64_t)16 * i + 4);
        give_register(set, CPC_MAX_PERF, (uint64_t)16 * i + 8);
        processor->objects[OBJECT_CPC] =
            (struct object_result){.avail = AVAIL_PRESENT, .set = set, .repair = REPAIR_SAME};
        processor->objects[OBJECT_PSS] = (struct object_result){.avail = AVAIL_ABSENT};
        processor->objects[OBJECT_PCT] = (struct object_result){.avail = AVAIL_ABSENT};
        give_level(processor, CPC_HIGHEST_PERF, machine->control[0]);
        give_level(processor, CPC_NOMINAL_PERF, machine->control[1]);
        give_level(processor, CPC_LOWEST_PERF, machine->control[machine->rows - 1]);
        give_level(processor, CPC_NOMINAL_FREQ_MHZ, machine->control[1] * 10);
    }
    give_subspace(machine, &sim->platform);
}

/* Reading it raised an exception on every CPU. */
static void fault_msr(struct sim_platform *sim, uint32_t msr)
{
    struct platform *platform = &sim->platform;

    for (uint32_t i = 0; i < platform->cpus_count * platform->msrs_count; i++) {
        if (platform->msrs[i % platform->msrs_count] == msr) {
            platform->msr_values[i] = (struct msr_value){AVAIL_FAULTED, 0};
        }
    }
}

static void give_msrs(const struct sim_freq *machine, struct sim_platform *sim)
{
    if (machine->control_port == 0 && machine->control_msr != 0) {
        sim_platform_msr(sim, SIM_ALL_CPUS, machine->control_msr, 0);
    }
    if (machine->has_status) {
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x19C, 0);
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x1B1, 0);
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x64F, 0);
    }
    if (machine->has_residency) {
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x3FD, 0);
    }
    if (machine->has_hwp) {
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x770, 0);
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x771, 0);
        sim_platform_msr(sim, SIM_ALL_CPUS, 0x774, 0);
        fault_msr(sim, 0x771);
        fault_msr(sim, 0x774);
    }
    if (machine->boost_msr != 0) {
        sim_platform_msr(sim, SIM_ALL_CPUS, machine->boost_msr, machine->boost_value);
    }
}

void sim_freq_platform(const struct sim_freq *machine, struct sim_platform *sim,
                       const uint64_t *claimed_mhz)
{
    uint32_t per_package = machine->count / machine->packages;
    struct gas msrs = {.space = GAS_FFH};
    struct gas port = {.space = GAS_SYSTEM_IO, .width_bits = 16, .address = machine->control_port};

    sim_platform_init(sim, machine->count);
    sim->options.run = RUN_ALL;
    sim->platform.tsc_hz = machine->tsc_khz * 1000;
    if (machine->is_amd) {
        sim_platform_identity(sim, "AuthenticAMD", 0x17, 0x31);
        sim_platform_feature(sim, CPU_FEATURE_HW_PSTATE);
    } else {
        sim_platform_identity(sim, "GenuineIntel", 6, 0x9E);
        sim_platform_feature(sim, CPU_FEATURE_EIST);
    }
    sim_platform_feature(sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(sim, CPU_FEATURE_ARAT);
    sim_platform_feature(sim, CPU_FEATURE_MONITOR);
    if (machine->has_boost) {
        sim_platform_feature(sim, machine->is_amd ? CPU_FEATURE_CPB : CPU_FEATURE_IDA);
    }
    sim_platform_leaf(sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x110});
    sim_platform_leaf(sim, (struct cpuid_leaf){.leaf = 0xB,
                                               .eax = machine->threads == 2 ? 1 : 0,
                                               .ebx = machine->threads});
    for (uint32_t i = 0; i < machine->count; i++) {
        sim->platform.cpus[i].package_id = i / per_package;
    }
    sim_platform_pss(sim, claimed_mhz, machine->rows);
    give_pct(sim, machine->control_port != 0 ? port : msrs);
    give_msrs(machine, sim);
    if (machine->pcc.is_there) {
        give_cpc(machine, sim);
    }
}

void sim_freq_claim(struct sim_platform *sim, uint32_t row, uint64_t control)
{
    const struct object_set *set = sim->platform.processors[0].objects[OBJECT_PSS].set;
    uint64_t *field = (uint64_t *)(uintptr_t)set->pss.rows[row].field;

    field[PSS_CONTROL] = control;
    field[PSS_STATUS] = control;
}

static bool go_on(void *context, const char *what, uint64_t left_s)
{
    struct sim_freq *machine = context;

    machine->last_left_s = left_s;
    machine->notes += what[0] != '\0' ? 1 : 0;
    return machine->keys_after == 0 || --machine->keys_after != 0;
}

void sim_freq_run(struct sim_freq *machine, struct sim_platform *sim)
{
    const struct frequency_measure measure = {.hw = &machine->hw,
                                              .timing = &machine->cpus[0].core,
                                              .crew = &machine->crew,
                                              .progress = go_on,
                                              .progress_context = machine,
                                              .steps = machine->steps};

    frequency_measure(&measure, &sim->platform);
    freq_derive(&sim->platform);
}
