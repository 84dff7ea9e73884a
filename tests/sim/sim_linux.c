#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void put(struct platform *platform, uint32_t cpu, const struct object_set *set)
{
    struct object_result *result = &platform->processors[cpu].objects[set->kind];

    *result = (struct object_result){.avail = AVAIL_PRESENT, .set = set, .repair = REPAIR_SAME};
}

static void put_all(struct platform *platform, const struct object_set *set)
{
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        put(platform, cpu, set);
    }
}

static struct object_set *new_set(struct platform *platform, enum object_kind kind)
{
    struct object_set *set = arena_take(platform->arena, sizeof(*set));

    set->kind = kind;
    return set;
}

void sim_linux_pct(struct sim_platform *sim, uint8_t space)
{
    struct object_set *set = new_set(&sim->platform, OBJECT_PCT);
    struct object_register reg = {.avail = AVAIL_PRESENT,
                                  .gas = {.space = space, .width_bits = 64, .address = 0xC0010062}};

    set->pct = (struct pct){.is_package = true, .elements = 2, .control = reg, .status = reg};
    put_all(&sim->platform, set);
}

void sim_linux_psd(struct sim_platform *sim, uint64_t type, uint32_t cpus_in_domain)
{
    struct platform *platform = &sim->platform;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        struct object_set *set = new_set(platform, OBJECT_PSD);
        struct dependency_row *row = arena_take(platform->arena, sizeof(*row));

        *row = (struct dependency_row){.elements = 5,
                                       .valid = 0x1F,
                                       .field = {5, 0, cpu / cpus_in_domain, type, cpus_in_domain}};
        set->psd = (struct dependency){.is_package = true, .count = 1, .rows = row};
        put(platform, cpu, set);
    }
}

void sim_linux_cst(struct sim_platform *sim, const struct sim_cst *states, uint32_t count)
{
    struct platform *platform = &sim->platform;
    struct object_set *set = new_set(platform, OBJECT_CST);
    struct cst_state *rows = arena_array(platform->arena, count, sizeof(*rows));

    for (uint32_t i = 0; i < count; i++) {
        rows[i].elements = 4;
        rows[i].valid = 7;
        rows[i].reg.avail = AVAIL_PRESENT;
        rows[i].reg.gas = (struct gas){.space = states[i].space,
                                       .width_bits = states[i].width_bits,
                                       .offset_bits = states[i].offset_bits,
                                       .access = 1,
                                       .address = states[i].address};
        rows[i].field[CST_TYPE] = states[i].type;
        rows[i].field[CST_LATENCY_US] = states[i].latency_us;
    }
    set->cst = (struct cst){.is_package = true,
                            .has_count = true,
                            .count = count,
                            .states_count = count,
                            .states = rows};
    put_all(platform, set);
}

static void value(struct processor *processor, enum cpc_register index, uint64_t number)
{
    processor->cpc_avail[index] = AVAIL_PRESENT;
    processor->cpc_value[index] = number;
}

void sim_linux_cpc(struct sim_platform *sim, const struct sim_cpc *values)
{
    struct platform *platform = &sim->platform;
    struct object_set *set = new_set(platform, OBJECT_CPC);

    set->cpc = (struct cpc){.is_package = true,
                            .has_entries = true,
                            .has_revision = true,
                            .entries = 23,
                            .revision = 3,
                            .elements = 23};
    for (unsigned i = 0; i <= CPC_NOMINAL_FREQ_MHZ; i++) {
        set->cpc.registers[i].kind = CPC_ELEMENT_REGISTER;
        set->cpc.registers[i].reg.avail = AVAIL_PRESENT;
        set->cpc.registers[i].reg.gas =
            (struct gas){.space = 0x7F, .width_bits = 8, .address = 0xC00102B0};
    }
    put_all(platform, set);
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        struct processor *processor = &platform->processors[cpu];

        value(processor, CPC_HIGHEST_PERF, values->highest);
        value(processor, CPC_NOMINAL_PERF, values->nominal);
        value(processor, CPC_LOWEST_NONLINEAR_PERF, values->lowest_nonlinear);
        value(processor, CPC_LOWEST_PERF, values->lowest);
        value(processor, CPC_NOMINAL_FREQ_MHZ, values->nominal_mhz);
        value(processor, CPC_LOWEST_FREQ_MHZ, values->lowest_mhz);
    }
}

void sim_linux_fadt(struct sim_platform *sim, enum fadt_field field, uint64_t number)
{
    sim->platform.fadt.avail = AVAIL_PRESENT;
    sim->platform.fadt.revision = 6;
    sim->platform.fadt.has_field[field] = true;
    sim->platform.fadt.field[field] = number;
}

/* The latency that sim_platform_pss leaves at 0. */
static void latency(struct sim_platform *sim, uint64_t us)
{
    struct object_set *set = new_set(&sim->platform, OBJECT_PSS);
    const struct pss *old = &sim->platform.processors[0].objects[OBJECT_PSS].set->pss;
    struct pss_row *rows = arena_array(sim->platform.arena, old->count, sizeof(*rows));

    memcpy(rows, old->rows, old->count * sizeof(*rows));
    for (uint32_t i = 0; i < old->count; i++) {
        rows[i].field[PSS_LATENCY_US] = us;
    }
    set->pss = (struct pss){.is_package = true, .count = old->count, .rows = rows};
    put_all(&sim->platform, set);
}

static void amd_features(struct sim_platform *sim)
{
    sim_platform_feature(sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_feature(sim, CPU_FEATURE_INVARIANT_TSC);
    sim_platform_feature(sim, CPU_FEATURE_CPB);
    sim_platform_feature(sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(sim,
                      (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = 0x11});
}

void sim_linux_epyc_7742(struct sim_platform *sim, uint32_t cpus)
{
    static const uint64_t mhz[] = {2250, 2000, 1500};
    static const struct sim_cpc cpc = {255, 168, 112, 30, 2250, 400};
    static const struct sim_cst cst[] = {{0x7F, 2, 2, 0, 1, 1}, {0x01, 8, 0, 0x814, 2, 400}};

    sim_platform_init(sim, cpus);
    sim_platform_identity(sim, "AuthenticAMD", 0x17, 0x31);
    sim_platform_brand(sim, "AMD EPYC 7742 64-Core Processor");
    amd_features(sim);
    sim_platform_pss(sim, mhz, 3);
    latency(sim, 1);
    sim_linux_pct(sim, 0x7F);
    sim_linux_psd(sim, COORD_HW_ALL, 2);
    sim_linux_cpc(sim, &cpc);
    sim_linux_cst(sim, cst, 2);
    sim_linux_fadt(sim, FADT_PREFERRED_PM_PROFILE, 4);
    sim_linux_fadt(sim, FADT_PM_TMR_BLK, 0x808);
}

void sim_linux_z8350(struct sim_platform *sim)
{
    static const uint64_t mhz[] = {1441, 1440, 480};

    sim_platform_init(sim, 4);
    sim_platform_identity(sim, "GenuineIntel", 6, 0x4C);
    sim_platform_feature(sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(sim, CPU_FEATURE_EIST);
    sim_platform_feature(sim, CPU_FEATURE_IDA);
    sim_platform_feature(sim, CPU_FEATURE_ARAT);
    sim_platform_feature(sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(
        sim, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = 0x33000020});
    sim_platform_pss(sim, mhz, 3);
    sim_linux_pct(sim, 0x7F);
    /* Ratios 18 and 24, 21 with three and four cores, lowest 6. At the bus clock of 133.3 MHz that S3's tool
     * assumed they are 2400, 3200, 2800 and 800 MHz; the part's own, code 4, is 80 MHz. */
    sim_platform_msr(sim, SIM_ALL_CPUS, 0x66A, UINT64_C(18) << 16 | 6 << 8);
    sim_platform_msr(sim, SIM_ALL_CPUS, 0x66C, 0x15151818);
    sim_platform_msr(sim, SIM_ALL_CPUS, 0xCD, 4);
    sim_platform_msr(sim, SIM_ALL_CPUS, 0x1A0, 0);
    sim_linux_fadt(sim, FADT_PREFERRED_PM_PROFILE, 8);
}

void sim_linux_7840hs(struct sim_platform *sim)
{
    static const uint64_t mhz[] = {3800, 2200, 1600};
    static const struct sim_cpc cpc = {196, 150, 70, 16, 3800, 400};

    sim_platform_init(sim, 16);
    sim_platform_identity(sim, "AuthenticAMD", 0x19, 0x74);
    amd_features(sim);
    sim_platform_feature(sim, CPU_FEATURE_CPPC);
    sim_platform_feature(sim, CPU_FEATURE_FAST_CPPC);
    sim_platform_pss(sim, mhz, 3);
    latency(sim, 1);
    sim_linux_pct(sim, 0x7F);
    sim_linux_psd(sim, COORD_SW_ALL, 2);
    sim_linux_cpc(sim, &cpc);
    for (uint32_t cpu = 0; cpu < 16; cpu++) {
        sim_platform_msr(sim, cpu, 0xC00102B0,
                         (cpu < 4 ? UINT64_C(201) : UINT64_C(196)) << 24 | 150 << 16 | 70 << 8 |
                             16);
    }
    sim_linux_fadt(sim, FADT_PREFERRED_PM_PROFILE, 2);
}

const struct linux_view *sim_linux_view(struct sim_platform *sim, const char *version)
{
    struct linux_version parsed;

    assert_true(linux_version_parse(version, &parsed));
    platform_freeze(&sim->platform);
    linux_views_compute(&sim->platform, parsed);
    assert_non_null(sim->platform.linux_views);
    assert_string_equal(sim->platform.linux_views->views[0].version_text, version);
    return &sim->platform.linux_views->views[0];
}
