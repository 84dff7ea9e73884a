/*
 * Every message of model/linux/message_table.h: a machine on which it does not appear, one small change with which
 * it does, with the exact text; and the releases on both sides of the one that brought or dropped it.
 * With ASSAY_WRITE_DOCS set, docs/linux_messages.md is written from the same table.
 */
#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DOC "docs/linux_messages.md"
#define ALL_CPUS sim.platform.cpus_count

static struct sim_platform sim;

/* A copy of the first processor's object, given to every processor, to be changed. */
static struct object_set *own(enum object_kind kind)
{
    struct object_set *set = arena_take(sim.platform.arena, sizeof(*set));

    *set = *sim.platform.processors[0].objects[kind].set;
    for (uint32_t cpu = 0; cpu < ALL_CPUS; cpu++) {
        sim.platform.processors[cpu].objects[kind].set = set;
    }
    return set;
}

static struct pss_row *own_pss(void)
{
    struct object_set *set = own(OBJECT_PSS);
    struct pss_row *rows = arena_array(sim.platform.arena, set->pss.count, sizeof(*rows));

    memcpy(rows, set->pss.rows, set->pss.count * sizeof(*rows));
    set->pss.rows = rows;
    return rows;
}

static struct dependency_row *own_psd(void)
{
    struct object_set *set = own(OBJECT_PSD);
    struct dependency_row *row = arena_take(sim.platform.arena, sizeof(*row));

    *row = set->psd.rows[0];
    set->psd.rows = row;
    return row;
}

static struct cst_state *own_cst(void)
{
    struct object_set *set = own(OBJECT_CST);
    struct cst_state *states =
        arena_array(sim.platform.arena, set->cst.states_count, sizeof(*states));

    memcpy(states, set->cst.states, set->cst.states_count * sizeof(*states));
    set->cst.states = states;
    return states;
}

static void no_object(enum object_kind kind)
{
    for (uint32_t cpu = 0; cpu < ALL_CPUS; cpu++) {
        sim.platform.processors[cpu].objects[kind] = (struct object_result){.avail = AVAIL_ABSENT};
    }
}

static void without(struct cpu_feature feature)
{
    for (uint32_t i = 0; i < sim.set.count; i++) {
        struct cpuid_leaf *leaf = &sim.leaves[i];
        uint32_t *registers[] = {&leaf->eax, &leaf->ebx, &leaf->ecx, &leaf->edx};

        if (leaf->leaf == feature.leaf && leaf->subleaf == feature.subleaf) {
            *registers[feature.reg] &= ~(UINT32_C(1) << feature.bit);
        }
    }
}

static void stepping(uint32_t number)
{
    for (uint32_t i = 0; i < sim.set.count; i++) {
        if (sim.leaves[i].leaf == 1) {
            sim.leaves[i].eax = (sim.leaves[i].eax & ~0xFU) | number;
        }
    }
    cpu_identity_decode(&sim.set, &sim.platform.identity);
}

/* Machines. */

static void epyc(void)
{
    sim_linux_epyc_7742(&sim, 4);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
}

static void ryzen(void)
{
    sim_linux_7840hs(&sim);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
}

static void shared_memory_ryzen(void)
{
    ryzen();
    without(CPU_FEATURE_CPPC);
}

static void intel(uint32_t model)
{
    static const uint64_t mhz[] = {3600, 2800};

    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
    sim_platform_feature(&sim, CPU_FEATURE_INVARIANT_TSC);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x00100010});
    sim_platform_pss(&sim, mhz, 2);
    sim_linux_pct(&sim, 0x7F);
    for (uint32_t cpu = 0; cpu < ALL_CPUS; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_PPC].avail = AVAIL_PRESENT;
    }
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(8) << 40 | 36 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x28282828);
}

static void haswell(void)
{
    intel(0x3C);
}

static void haswell_without_counters(void)
{
    haswell();
    without(CPU_FEATURE_APERFMPERF);
}

static void merom(void)
{
    intel(0x0F);
}

static void skylake_server(void)
{
    intel(0x55);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AA, 0);
}

static void coffee_lake(void)
{
    intel(0x9E);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    sim_platform_feature(&sim, CPU_FEATURE_TSC_DEADLINE);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x8B, UINT64_C(0x52) << 32);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x770, 0);
}

static void alder_lake(void)
{
    intel(0x97);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    sim_platform_feature(&sim, CPU_FEATURE_HYBRID);
}

static void bay_trail(void)
{
    intel(0x37);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 4);
}

/* A Tremont, which takes its states from _CST alone. */
static void tremont(void)
{
    static const struct sim_cst cst[] = {
        {0x7F, 1, 2, 0x00, 1, 1}, {0x7F, 1, 2, 0x40, 2, 50}, {0x7F, 1, 2, 0x41, 3, 100}};

    intel(0x96);
    sim_linux_cst(&sim, cst, 3);
}

/* Two packages of one CPU each, as Opterons had. */
static void opteron(void)
{
    static const uint64_t mhz[] = {2400, 1000};

    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", 0x0F, 0x41);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
    sim_platform_pss(&sim, mhz, 2);
    own_pss()[0].field[PSS_LATENCY_US] = 100;
}

static void xeon_7100(void)
{
    static const uint64_t mhz[] = {3400, 2800};

    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 0xF, 6);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_pss(&sim, mhz, 2);
    sim_linux_pct(&sim, 0x7F);
    stepping(7);
}

/* A Phenom: family 10h. */
static void phenom(void)
{
    static const struct sim_cst cst[] = {{0x7F, 0, 0, 0, 1, 1}, {0x01, 8, 0, 0x814, 2, 75}};

    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", 0x10, 4);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
    sim_platform_feature(&sim, CPU_FEATURE_INVARIANT_TSC);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010055, 0);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010015, UINT64_C(1) << 24);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010010, 0);
    sim_linux_cst(&sim, cst, 2);
}

static struct pcct_subspace subspace;

static void with_pcct(uint8_t type, uint32_t flags)
{
    struct object_set *set;

    ryzen();
    subspace = (struct pcct_subspace){.type = type,
                                      .length = 164,
                                      .is_decoded = true,
                                      .gsi = 9,
                                      .interrupt_flags = 2,
                                      .doorbell = {.width_bits = 32, .address = 0x1000}};
    sim.platform.pcct =
        (struct pcct){.avail = AVAIL_PRESENT, .flags = flags, .count = 1, .subspaces = &subspace};
    set = own(OBJECT_CPC);
    set->cpc.registers[CPC_DESIRED_PERF].reg.gas =
        (struct gas){.space = 0x0A, .width_bits = 32, .access = 0, .address = 0x10};
}

static void pcct_type_2(void)
{
    with_pcct(2, 1);
}

static void pcct_type_1(void)
{
    with_pcct(1, 1);
}

static void pcct_type_3(void)
{
    with_pcct(3, 0);
}

static void field(enum fadt_field which, uint64_t value)
{
    sim_linux_fadt(&sim, which, value);
}

static void reg(enum fadt_register which, uint64_t address, uint8_t width_bits)
{
    sim.platform.fadt.has_register[which] = true;
    sim.platform.fadt.reg[which] =
        (struct gas){.space = 1, .width_bits = width_bits, .address = address};
}

static const uint8_t hpet_bytes[56] = {[36] = 0x01, [37] = 0xA2, [38] = 0x86, [39] = 0x80};
static struct acpi_table tables[2];

/* A FADT, an HPET and a MADT that nothing is wrong with. */
static struct madt_entry entries[3];

static void whole_tables(void)
{
    epyc();
    tables[0] = (struct acpi_table){.signature = "FACP",
                                    .length = 276,
                                    .read_bytes = 276,
                                    .revision = 6,
                                    .has_header = true,
                                    .checksum_ok = true};
    tables[1] = (struct acpi_table){.signature = "HPET",
                                    .length = sizeof(hpet_bytes),
                                    .read_bytes = sizeof(hpet_bytes),
                                    .has_header = true,
                                    .checksum_ok = true,
                                    .bytes = hpet_bytes};
    sim.platform.tables_count = 2;
    sim.platform.tables = tables;
    sim.platform.hpet = (struct hpet){.avail = AVAIL_PRESENT, .base = {.address = 0xFED00000}};
    field(FADT_DSDT, 0x7F000000);
    field(FADT_X_DSDT, 0x7F000000);
    field(FADT_PM1A_EVT_BLK, 0x800);
    field(FADT_PM1_EVT_LEN, 4);
    reg(FADT_X_PM1A_EVT_BLK, 0x800, 32);
    field(FADT_PM1A_CNT_BLK, 0x804);
    field(FADT_PM1_CNT_LEN, 2);
    reg(FADT_X_PM1A_CNT_BLK, 0x804, 16);
    field(FADT_PM_TMR_LEN, 4);
    reg(FADT_X_PM_TMR_BLK, 0x808, 32);
    for (uint32_t i = 0; i < 3; i++) {
        entries[i] = (struct madt_entry){.type = 9, .uid = i, .apic_id = i, .flags = 1};
        sim.platform.processors[i].madt_index = i;
        sim.platform.processors[i].apic_id = i;
    }
    sim.platform.processors[3].madt_index = MADT_NONE;
    sim.platform.madt =
        (struct madt){.avail = AVAIL_PRESENT, .count = 3, .entries = entries, .enabled_count = 3};
    sim.platform.cpus[0].is_boot = true;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1B, 0xFEE00900);
}

/* Four levels of leaf BH on CPU 0 and 1, and the same again as another kind for the rest. */
static struct cpuid_leaf other_leaves[SIM_LEAVES];
static struct cpuid_set kinds[2];

static void leaf_b(struct cpuid_leaf *leaves, uint32_t count, uint32_t apic_id)
{
    for (uint32_t i = 0; i < count; i++) {
        if (leaves[i].leaf == 0xB) {
            leaves[i].edx = apic_id;
        }
    }
}

static void topology(void)
{
    epyc();
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x80000001, .ecx = UINT32_C(1) << 22});
    sim_platform_leaf(&sim, (struct cpuid_leaf){0xB, 0, 1, 2, 0x100, 0});
    sim_platform_leaf(&sim, (struct cpuid_leaf){0xB, 1, 7, 128, 0x201, 0});
    memcpy(other_leaves, sim.leaves, sizeof(other_leaves));
    leaf_b(other_leaves, sim.set.count, 2);
    kinds[0] = sim.set;
    kinds[1] = (struct cpuid_set){sim.set.count, other_leaves};
    sim.platform.cpuid_kinds = kinds;
    sim.platform.cpuid_kinds_count = 2;
    sim.platform.cpus[2].kind = sim.platform.cpus[3].kind = 1;
    sim.platform.madt.avail = AVAIL_PRESENT;
}

static struct cpuid_leaf *topology_leaf(struct cpuid_leaf *leaves, uint32_t subleaf)
{
    for (uint32_t i = 0; i < sim.set.count; i++) {
        if (leaves[i].leaf == 0xB && leaves[i].subleaf == subleaf) {
            return &leaves[i];
        }
    }
    fail();
    return NULL;
}

/* Changes. */

static void one_register(void)
{
    own(OBJECT_PCT)->pct.elements = 1;
}

static void no_pss(void)
{
    no_object(OBJECT_PSS);
}

static void pss_is_no_package(void)
{
    own(OBJECT_PSS)->pss.is_package = false;
}

static void five_integers(void)
{
    own_pss()[1].valid = 0x1F;
}

static void a_frequency_too_high(void)
{
    own_pss()[2].field[PSS_FREQ_MHZ] = 4294968;
}

static void no_frequency(void)
{
    struct pss_row *rows = own_pss();

    rows[0].field[PSS_FREQ_MHZ] = rows[1].field[PSS_FREQ_MHZ] = rows[2].field[PSS_FREQ_MHZ] = 0;
}

static void ppc_fails(void)
{
    for (uint32_t cpu = 0; cpu < ALL_CPUS; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_PPC] =
            (struct object_result){.avail = AVAIL_FAULTED, .error = "AE_AML_OPERAND_TYPE"};
    }
}

static void psd_of_four(void)
{
    own_psd()->valid = 0xF;
}

static void psd_entries(void)
{
    own_psd()->field[DEPENDENCY_NUM_ENTRIES] = 6;
}

static void psd_revision(void)
{
    own_psd()->field[DEPENDENCY_REVISION] = 1;
}

static void psd_coordination(void)
{
    own_psd()->field[DEPENDENCY_COORD_TYPE] = 0xFB;
}

static void latency_of_21_us(void)
{
    own_pss()[2].field[PSS_LATENCY_US] = 21;
}

static void milan(void)
{
    epyc();
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x01);
}

static void rome(void)
{
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
}

static void without_boost(void)
{
    static const struct sim_cpc cpc = {160, 168, 112, 30, 2250, 400};

    epyc();
    sim_linux_cpc(&sim, &cpc);
}

static void with_boost(void)
{
    static const struct sim_cpc cpc = {255, 168, 112, 30, 2250, 400};

    sim_linux_cpc(&sim, &cpc);
}

static void stepping_8(void)
{
    stepping(8);
}

static void no_latency(void)
{
    own_pss()[0].field[PSS_LATENCY_US] = 0;
}

static void last_cpu_without_cpc(void)
{
    sim.platform.processors[ALL_CPUS - 1].objects[OBJECT_CPC] =
        (struct object_result){.avail = AVAIL_ABSENT};
}

static void cppc_off(void)
{
    without(CPU_FEATURE_CPPC);
}

static void a_server(void)
{
    field(FADT_PREFERRED_PM_PROFILE, 4);
}

static void enable_is_an_integer(void)
{
    own(OBJECT_CPC)->cpc.registers[CPC_ENABLE].kind = CPC_ELEMENT_INTEGER;
}

static void no_lowest_frequency(void)
{
    static const struct sim_cpc cpc = {196, 150, 70, 16, 3800, 0};

    sim_linux_cpc(&sim, &cpc);
}

static void nonlinear_is_lowest(void)
{
    static const struct sim_cpc cpc = {196, 150, 16, 16, 3800, 405};

    sim_linux_cpc(&sim, &cpc);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC00102B0, UINT64_C(196) << 24 | 150 << 16 | 0x1010);
}

static void no_cpb(void)
{
    without(CPU_FEATURE_CPB);
}

static void zero_length(void)
{
    sim.platform.pcct.malformed = PCCT_ZERO_LENGTH;
}

static void unknown_subspace(void)
{
    subspace.type = 6;
}

static void type_4(void)
{
    subspace.type = 4;
}

static void no_gsi(void)
{
    subspace.gsi = 0;
}

static void level_interrupt(void)
{
    subspace.interrupt_flags = 0;
}

static void doorbell_of_24_bits(void)
{
    subspace.doorbell.width_bits = 24;
}

static void second_subspace(void)
{
    own(OBJECT_CPC)->cpc.registers[CPC_DESIRED_PERF].reg.gas.access = 1;
}

static void hwp_on(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x770, 1);
}

static void no_epp(void)
{
    without(CPU_FEATURE_HWP_EPP);
}

static void unlisted_model(void)
{
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x0F);
}

static void out_of_band(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AA, 1 << 8);
}

static void no_minimum_ratio(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, 36 << 8);
}

static void turbo_off(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, UINT64_C(1) << 38);
}

static void with_counters(void)
{
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
}

static void tsc_shifted(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x3B, (uint64_t)-5);
}

static void one_tsc_shifted(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x3B, 0);
    sim_platform_msr(&sim, 2, 0x3B, 7);
}

static void tsc_frequency_unselected(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010015, 0);
}

static void older_microcode(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x8B, UINT64_C(0x51) << 32);
}

static void tsc_not_invariant(void)
{
    without(CPU_FEATURE_INVARIANT_TSC);
}

static void bus_code_5(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 5);
}

static void hpet_in_io(void)
{
    sim.platform.hpet.base.space = 1;
}

static void hpet_at_0(void)
{
    sim.platform.hpet.base.address = 0;
}

static void hpet_shifted(void)
{
    sim.platform.hpet.base.address = UINT64_C(0xFED0000000000000);
}

static void mtrr_open(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010010, 1U << 19);
}

static void c1e(void)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010055, 0x08000000);
}

static void hint_30(void)
{
    own_cst()[2].reg.gas.address = 0x30;
}

static void empty_cst(void)
{
    struct object_set *set = own(OBJECT_CST);

    set->cst.count = 0;
    set->cst.states_count = 0;
}

static void wrong_count(void)
{
    own(OBJECT_CST)->cst.count = 4;
}

static void eight_states(void)
{
    struct sim_cst cst[8];

    for (uint32_t i = 0; i < 8; i++) {
        cst[i] = (struct sim_cst){0x01, 8, 0, 0x814 + i, i == 0 ? 1 : 2, i + 1};
    }
    sim_linux_cst(&sim, cst, 8);
}

static void five_elements(void)
{
    own_cst()[1].elements = 5;
}

static void no_buffer(void)
{
    own_cst()[1].reg.avail = AVAIL_MALFORMED;
}

static void type_is_a_string(void)
{
    own_cst()[1].valid = 6;
}

static void latency_is_a_string(void)
{
    own_cst()[1].valid = 5;
}

static void power_is_a_string(void)
{
    own_cst()[1].valid = 3;
}

static void space_0(void)
{
    own_cst()[1].reg.gas.space = 0;
}

static void class_1(void)
{
    own_cst()[1].reg.gas.offset_bits = 1;
}

static void shorter_when_deeper(void)
{
    own_cst()[2].field[CST_LATENCY_US] = 49;
}

static void pavilion(void)
{
    sim.platform.vendor = "Hewlett-Packard";
    sim.platform.product = "Pavilion zv5000 (DS502A#ABA)";
}

static void processor_block(void)
{
    epyc();
    for (uint32_t cpu = 0; cpu < ALL_CPUS; cpu++) {
        sim.platform.processors[cpu].kind = PROCESSOR_OBJECT;
        sim.platform.processors[cpu].pblk_address = 0x810;
        sim.platform.processors[cpu].pblk_length = 6;
    }
}

static void block_of_7(void)
{
    sim.platform.processors[1].pblk_length = 7;
}

static void uid_is_a_string(void)
{
    sim.platform.processors[1].uid_avail = AVAIL_MALFORMED;
    sim.platform.processors[1].uid_text = "CPU1";
}

static void same_uid(void)
{
    sim.platform.processors[2].uid = 1;
}

static void uids_of_ff(void)
{
    sim.platform.processors[2].uid = sim.platform.processors[1].uid = 0xFF;
}

static void same_apic_id(void)
{
    sim.platform.processors[2].apic_id = 1;
}

static void enabled_not_present(void)
{
    sim.platform.processors[3].sta_avail = AVAIL_PRESENT;
    sim.platform.processors[3].sta = 0xE;
}

static void apic_id_255(void)
{
    entries[2].apic_id = 255;
}

static void boot_cpu_second(void)
{
    entries[0].apic_id = 1;
    entries[1].apic_id = 0;
}

static void another_apic_id(void)
{
    leaf_b(other_leaves, sim.set.count, 18);
}

static void no_apic(void)
{
    without(CPU_FEATURE_APIC);
}

static void core_level_of_another_cpu(void)
{
    topology_leaf(sim.leaves, 1)->edx = 5;
}

static void shift_0(void)
{
    topology_leaf(sim.leaves, 0)->eax = 0;
    topology_leaf(other_leaves, 0)->eax = 0;
}

static void type_3(void)
{
    topology_leaf(sim.leaves, 1)->ecx = 0x301;
    topology_leaf(other_leaves, 1)->ecx = 0x301;
}

static void another_core_shift(void)
{
    topology_leaf(other_leaves, 1)->eax = 6;
}

static void fadt_of_280(void)
{
    tables[0].length = 280;
}

static void another_dsdt(void)
{
    field(FADT_DSDT, 0x7E000000);
}

static void forty_bytes(void)
{
    field(FADT_PM1_EVT_LEN, 40);
    sim.platform.fadt.has_register[FADT_X_PM1A_EVT_BLK] = false;
}

static void another_event_block(void)
{
    field(FADT_PM1A_EVT_BLK, 0x900);
}

static void two_bytes(void)
{
    field(FADT_PM1_EVT_LEN, 2);
}

static void no_control_block(void)
{
    field(FADT_PM1A_CNT_BLK, 0);
    sim.platform.fadt.has_register[FADT_X_PM1A_CNT_BLK] = false;
}

static void length_without_block(void)
{
    field(FADT_GPE1_BLK_LEN, 8);
}

static void timer_of_24_bits(void)
{
    sim.platform.fadt.reg[FADT_X_PM_TMR_BLK].width_bits = 24;
}

static void bad_checksum(void)
{
    tables[1].checksum_ok = false;
}

struct message_case {
    enum linux_message_kind kind;
    const char *version; /* in which the change is tried; NULL: the newest, and 5.4 too */
    const char *other;   /* the last release without the message (or the first), where one is */
    void (*machine)(void);
    void (*change)(void);
    const char *text;
};

static const struct message_case cases[] = {
    {LINUX_MESSAGE_PCT_INVALID, NULL, NULL, epyc, one_register, "Invalid _PCT data"},
    {LINUX_MESSAGE_PSS_EVALUATION, NULL, NULL, epyc, no_pss,
     "_PSS evaluation failed: AE_NOT_FOUND"},
    {LINUX_MESSAGE_PSS_SHAPE, NULL, NULL, epyc, pss_is_no_package, "Invalid _PSS data"},
    {LINUX_MESSAGE_PSS_ROW, NULL, NULL, epyc, five_integers, "Invalid _PSS data: AE_BAD_DATA"},
    {LINUX_MESSAGE_PSS_FREQUENCY, NULL, NULL, epyc, a_frequency_too_high,
     "Invalid BIOS _PSS frequency found for processor N: 0x418938 MHz"},
    {LINUX_MESSAGE_PSS_NONE_VALID, NULL, NULL, epyc, no_frequency,
     "No valid BIOS _PSS frequency found for processor N"},
    {LINUX_MESSAGE_PPC_EVALUATION, NULL, NULL, epyc, ppc_fails,
     "_PPC evaluation failed: AE_AML_OPERAND_TYPE"},
    {LINUX_MESSAGE_PSD_INVALID, NULL, NULL, epyc, psd_of_four, "Invalid _PSD data"},
    {LINUX_MESSAGE_PSD_ENTRIES, NULL, NULL, epyc, psd_entries, "Unknown _PSD:num_entries"},
    {LINUX_MESSAGE_PSD_REVISION, NULL, NULL, epyc, psd_revision, "Unknown _PSD:revision"},
    {LINUX_MESSAGE_PSD_COORDINATION, NULL, NULL, epyc, psd_coordination, "Invalid _PSD:coord_type"},
    {LINUX_MESSAGE_BIOS_UPDATE, NULL, NULL, merom, no_pss,
     "BIOS needs update for CPU frequency support"},
    {LINUX_MESSAGE_LATENCY_CAPPED, NULL, NULL, epyc, latency_of_21_us,
     "P-state transition latency capped at 20 uS"},
    {LINUX_MESSAGE_PSD_OVERRIDDEN, "6.16", NULL, milan, rome, "overriding BIOS provided _PSD data"},
    {LINUX_MESSAGE_P0_NOT_MAX, "5.11", "5.11-rc7", without_boost, with_boost,
     "P-state 0 is not max freq"},
    {LINUX_MESSAGE_AL30, NULL, NULL, xeon_7100, stepping_8,
     "Xeon(R) 7100 Errata AL30, processors may lock up on frequency changes: disabling "
     "acpi-cpufreq"},
    {LINUX_MESSAGE_K8_NO_PSS, NULL, NULL, opteron, no_pss,
     "No compatible ACPI _PSS objects found."},
    {LINUX_MESSAGE_K8_LATENCY, NULL, NULL, opteron, no_latency, "Invalid zero transition latency"},
    {LINUX_MESSAGE_CPC_MISSING, "5.17-rc1", "5.16", ryzen, last_cpu_without_cpc,
     "the _CPC object is not present in SBIOS or ACPI disabled"},
    {LINUX_MESSAGE_CPPC_OFF, "6.11-rc1", "6.10", ryzen, cppc_off,
     "The CPPC feature is supported but currently disabled by the BIOS."},
    {LINUX_MESSAGE_AMD_PSTATE_OFF, "6.5-rc1", "6.2", ryzen, a_server,
     "driver load is disabled, boot with specific mode to enable this"},
    {LINUX_MESSAGE_AMD_PSTATE_ENABLE, "6.11-rc1", "6.10", shared_memory_ryzen, enable_is_an_integer,
     "failed to enable driver mode(3)"},
    {LINUX_MESSAGE_AMD_PSTATE_FREQUENCY, "6.5-rc1", "6.4", ryzen, no_lowest_frequency,
     "min_freq(0) or max_freq(5091000) or nominal_freq(3800000) value is incorrect"},
    {LINUX_MESSAGE_AMD_PSTATE_NONLINEAR, "6.11-rc1", "6.10", ryzen, nonlinear_is_lowest,
     "lowest_nonlinear_freq(404000) value is out of range [min_freq(405000), "
     "nominal_freq(3800000)]"},
    {LINUX_MESSAGE_AMD_NO_BOOST, "6.5-rc1", "6.4", ryzen, no_cpb,
     "Boost mode is not supported by this processor or SBIOS"},
    {LINUX_MESSAGE_PCC_ZERO_LENGTH, NULL, NULL, pcct_type_2, zero_length,
     "[PCCT:0x00] Invalid zero length"},
    {LINUX_MESSAGE_PCC_PARSE, NULL, NULL, pcct_type_2, zero_length,
     "Error parsing PCC subspaces from PCCT"},
    {LINUX_MESSAGE_PCC_NONE, NULL, NULL, pcct_type_2, unknown_subspace,
     "Invalid PCCT: 0 PCC subspaces"},
    {LINUX_MESSAGE_PCC_NO_INTERRUPT, NULL, NULL, pcct_type_3, type_4,
     "Platform Interrupt flag must be set to 1"},
    {LINUX_MESSAGE_PCC_GSI, NULL, NULL, pcct_type_2, no_gsi, "PCC GSI 0 not registered"},
    {LINUX_MESSAGE_PCC_LEVEL, NULL, NULL, pcct_type_1, level_interrupt,
     "PCC subspace has level IRQ with no ACK register"},
    {LINUX_MESSAGE_PCC_WIDTH, NULL, NULL, pcct_type_2, doorbell_of_24_bits,
     "Error: Cannot access register of 24 bit width"},
    {LINUX_MESSAGE_PCC_CHANNEL, NULL, NULL, pcct_type_2, second_subspace,
     "Failed to find PCC channel for subspace 1"},
    {LINUX_MESSAGE_HWP_BY_BIOS, NULL, NULL, coffee_lake, hwp_on, "HWP enabled by BIOS"},
    {LINUX_MESSAGE_HWP_NOT_ENABLED, "5.9-rc1", "5.8", coffee_lake, no_epp, "HWP not enabled"},
    {LINUX_MESSAGE_MODEL_UNSUPPORTED, NULL, NULL, haswell, unlisted_model,
     "CPU model not supported"},
    {LINUX_MESSAGE_BY_PLATFORM, NULL, NULL, skylake_server, out_of_band,
     "P-states controlled by the platform"},
    {LINUX_MESSAGE_INVALID_MSRS, NULL, NULL, haswell, no_minimum_ratio, "Invalid MSRs"},
    {LINUX_MESSAGE_HYBRID_NO_HWP, "5.14-rc1", "5.13", alder_lake, no_epp,
     "Problematic setup: Hybrid processor with disabled HWP"},
    {LINUX_MESSAGE_TURBO_OFF, NULL, NULL, haswell, turbo_off,
     "Turbo disabled by BIOS or unavailable on processor"},
    {LINUX_MESSAGE_ESTIMATED_RATIO, "5.11-rc1", "5.10", haswell_without_counters, with_counters,
     "Estimated ratio of average max frequency by base frequency (times 1024): 1137"},
    {LINUX_MESSAGE_TSC_ADJUST_BOOT, NULL, NULL, haswell, tsc_shifted,
     "TSC ADJUST: CPU0: -5 force to 0"},
    {LINUX_MESSAGE_TSC_ADJUST_DIFFERS, NULL, NULL, haswell, one_tsc_shifted,
     "TSC ADJUST differs within socket(s), fixing all errors"},
    {LINUX_MESSAGE_TSC_NOT_P0, NULL, NULL, phenom, tsc_frequency_unselected,
     "TSC doesn't count with P0 frequency!"},
    {LINUX_MESSAGE_TSC_DEADLINE, NULL, NULL, coffee_lake, older_microcode,
     "TSC_DEADLINE disabled due to Errata; please update microcode to version: 0x52 (or later)"},
    {LINUX_MESSAGE_TSC_HALTS, NULL, NULL, phenom, tsc_not_invariant,
     "tsc: Marking TSC unstable due to TSC halts in idle"},
    {LINUX_MESSAGE_FSB_INDEX, NULL, NULL, bay_trail, bus_code_5,
     "Error MSR_FSB_FREQ index 5 is unknown"},
    {LINUX_MESSAGE_HPET_SPACE, NULL, NULL, whole_tables, hpet_in_io,
     "HPET timers must be located in memory."},
    {LINUX_MESSAGE_HPET_ZERO, NULL, NULL, whole_tables, hpet_at_0,
     "HPET id: 0x8086a201 base: 0 is invalid"},
    {LINUX_MESSAGE_HPET_BOGUS, NULL, NULL, whole_tables, hpet_shifted,
     "HPET id: 0x8086a201 base: 0xfed0000000000000 is bogus, try hpet=force on the kernel command "
     "line to fix it up to 0xfed00000."},
    {LINUX_MESSAGE_MTRR_FIX, NULL, NULL, phenom, mtrr_open,
     "MTRR: CPU 0: SYSCFG[MtrrFixDramModEn] not cleared by BIOS, clearing this bit"},
    {LINUX_MESSAGE_E400, NULL, NULL, phenom, c1e,
     "System has AMD C1E erratum E400. Workaround enabled."},
    {LINUX_MESSAGE_MWAIT_UNSUPPORTED, NULL, NULL, tremont, hint_30,
     "ACPI MWAIT C-state 0x30 not supported by HW (0x10)"},
    {LINUX_MESSAGE_CST_INVALID, NULL, NULL, tremont, empty_cst, "Invalid _CST output"},
    {LINUX_MESSAGE_CST_INCONSISTENT, NULL, NULL, tremont, wrong_count, "Inconsistent _CST data"},
    {LINUX_MESSAGE_CST_NO_ROOM, NULL, NULL, phenom, eight_states,
     "No room for more idle states (limit: 7)"},
    {LINUX_MESSAGE_CST_COUNT, "5.10-rc1", "5.9", tremont, five_elements,
     "_CST C2 package count(5) is not 4, skip..."},
    {LINUX_MESSAGE_CST_NO_BUFFER, "5.10-rc1", "5.9", tremont, no_buffer,
     "_CST C2 package element[0] type(X) is not buffer, skip..."},
    {LINUX_MESSAGE_CST_NO_TYPE, "5.10-rc1", "5.9", tremont, type_is_a_string,
     "_CST C[2] package element[1] type(X) is not integer, skip..."},
    {LINUX_MESSAGE_CST_SPACE, "5.10-rc1", "5.9", tremont, space_0,
     "_CST C2 space_id(0) neither FIXED_HARDWARE nor SYSTEM_IO, skip..."},
    {LINUX_MESSAGE_CST_HARDWARE, "5.10-rc1", "5.9", tremont, class_1,
     "_CST C2 declares FIXED_HARDWARE C-state but not supported in hardware, skip..."},
    {LINUX_MESSAGE_CST_NO_LATENCY, "5.10-rc1", "5.9", tremont, latency_is_a_string,
     "_CST C2 package element[2] type(X) not integer, skip..."},
    {LINUX_MESSAGE_CST_NO_POWER, "5.10-rc1", "5.9", tremont, power_is_a_string,
     "_CST C2 package element[3] type(X) not integer, skip..."},
    {LINUX_MESSAGE_LATENCY_ORDER, "5.14-rc1", "5.13", tremont, shorter_when_deeper,
     "FW issue: working around C-state latencies out of order"},
    {LINUX_MESSAGE_MAX_CSTATE, NULL, NULL, phenom, pavilion, "processor limited to max C-state 1"},
    {LINUX_MESSAGE_PBLK_LENGTH, NULL, NULL, processor_block, block_of_7, "Invalid PBLK length [7]"},
    {LINUX_MESSAGE_UID_EVALUATION, NULL, NULL, epyc, uid_is_a_string,
     "Failed to evaluate processor _UID (0x1004)"},
    {LINUX_MESSAGE_UID_DUPLICATE, NULL, NULL, epyc, same_uid,
     "Failed to get unique processor _UID (0x1)"},
    {LINUX_MESSAGE_UID_UNDEFINED, NULL, NULL, epyc, uids_of_ff,
     "Entry not well-defined, consider updating BIOS"},
    {LINUX_MESSAGE_WRONG_ACPI_ID, NULL, NULL, whole_tables, same_apic_id,
     "BIOS reported wrong ACPI id 1 for the processor"},
    {LINUX_MESSAGE_STA_ENABLED, NULL, NULL, epyc, enabled_not_present,
     "Device status [0x0000000e]: not present and enabled"},
    {LINUX_MESSAGE_X2APIC_IGNORED, NULL, NULL, whole_tables, apic_id_255, "x2apic entry ignored"},
    {LINUX_MESSAGE_APIC_ORDER, "6.10-rc1", "6.9", whole_tables, boot_cpu_second,
     "APIC enumeration order not specification compliant"},
    {LINUX_MESSAGE_APIC_ID_BEFORE, "6.8", "6.9-rc1", topology, another_apic_id,
     "CPUN: APIC id mismatch. Firmware: 2 APIC: 12"},
    {LINUX_MESSAGE_APIC_ID, "6.9-rc1", "6.8", topology, another_apic_id,
     "CPUN: APIC ID mismatch. CPUID: 0x0012 APIC: 0x0002"},
    {LINUX_MESSAGE_APIC_OFF, NULL, NULL, epyc, no_apic, "APIC disabled by BIOS"},
    {LINUX_MESSAGE_TOPOLOGY_ID, "6.9-rc1", "6.8", topology, core_level_of_another_cpu,
     "CPUID leaf 0xb subleaf 1 APIC ID mismatch 0 != 5"},
    {LINUX_MESSAGE_TOPOLOGY_SHIFT, "6.9-rc1", "6.8", topology, shift_0,
     "CPUID leaf 0xb subleaf 0 has shift level 0 but 2 CPUs. Fixing it up."},
    {LINUX_MESSAGE_TOPOLOGY_TYPE, "6.9-rc1", "6.8", topology, type_3,
     "Topology: leaf 0xb:1 Unknown domain type 3"},
    {LINUX_MESSAGE_TOPOLOGY_DOMAIN, "6.9-rc1", "6.8", topology, another_core_shift,
     "CPUN: Topology domain 1 shift 6 != 7"},
    {LINUX_MESSAGE_FADT_LONG, NULL, NULL, whole_tables, fadt_of_280,
     "ACPI BIOS Warning (bug): FADT (revision 6) is longer than ACPI 6.1 (FADT version 6) length, "
     "truncating length 280 to 276"},
    {LINUX_MESSAGE_FADT_DSDT, NULL, NULL, whole_tables, another_dsdt,
     "ACPI BIOS Warning (bug): 32/64X DSDT address mismatch in FADT: "
     "0x7E000000/0x000000007F000000, using 64-bit address"},
    {LINUX_MESSAGE_FADT_TOO_LONG, NULL, NULL, whole_tables, forty_bytes,
     "ACPI Error: Pm1aEventBlock - 32-bit FADT register is too long (40 bytes, 320 bits) to "
     "convert to GAS struct - 255 bits max, truncating"},
    {LINUX_MESSAGE_FADT_ADDRESS, NULL, NULL, whole_tables, another_event_block,
     "ACPI BIOS Warning (bug): 32/64X address mismatch in FADT/Pm1aEventBlock: "
     "0x00000900/0x0000000000000800, using 64-bit address"},
    {LINUX_MESSAGE_FADT_LENGTH, NULL, NULL, whole_tables, two_bytes,
     "ACPI BIOS Warning (bug): 32/64X length mismatch in FADT/Pm1aEventBlock: 16/32"},
    {LINUX_MESSAGE_FADT_REQUIRED, NULL, NULL, whole_tables, no_control_block,
     "ACPI BIOS Error (bug): Required FADT field Pm1aControlBlock has zero address and/or length: "
     "0x0000000000000000/0x2"},
    {LINUX_MESSAGE_FADT_OPTIONAL, NULL, NULL, whole_tables, length_without_block,
     "ACPI BIOS Warning (bug): Optional FADT field Gpe1Block has valid Length but zero Address: "
     "0x0000000000000000/0x8"},
    {LINUX_MESSAGE_FADT_WIDTH, NULL, NULL, whole_tables, timer_of_24_bits,
     "ACPI BIOS Warning (bug): Invalid length for FADT/PmTimerBlock: 24, using default 32"},
    {LINUX_MESSAGE_TABLE_CHECKSUM, NULL, NULL, whole_tables, bad_checksum,
     "ACPI BIOS Warning (bug): Incorrect checksum in table [HPET]"},
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static const struct linux_message *find(const char *version, enum linux_message_kind kind)
{
    const struct linux_view *view = sim_linux_view(&sim, version);

    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (view->messages[i].kind == kind) {
            return &view->messages[i];
        }
    }
    return NULL;
}

static void must_be_silent(const struct message_case *one, const char *version)
{
    const struct linux_message *message = find(version, one->kind);

    if (message != NULL) {
        fail_msg("%s says \"%s\"", version, message->text);
    }
}

static void must_speak(const struct message_case *one, const char *version)
{
    const struct linux_message *message = find(version, one->kind);

    if (message == NULL) {
        fail_msg("%s does not say \"%s\"", version, one->text);
        return;
    }
    assert_string_equal(message->text, one->text);
    assert_int_equal(message->level, linux_message_at(one->kind)->level);
    assert_string_equal(message->meaning, linux_message_at(one->kind)->meaning);
    assert_in_range(message->cpus, 1, ALL_CPUS);
}

static void each_appears_by_one_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct message_case *one = &cases[i];
        const char *version = one->version != NULL ? one->version : "6.16";

        one->machine();
        must_be_silent(one, version);
        if (one->version == NULL) {
            must_be_silent(one, "5.4");
        }
        one->change();
        must_speak(one, version);
        if (one->version == NULL) {
            must_speak(one, "5.4");
        }
        if (one->other != NULL) {
            must_be_silent(one, one->other);
        }
        sim_platform_free(&sim);
    }
}

/* A message that came or went with a release has its case at that release; the others have none. */
static void each_has_its_case(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < LINUX_MESSAGE_KINDS; kind++) {
        const struct linux_message_entry *entry = linux_message_at((enum linux_message_kind)kind);
        unsigned found = 0;

        assert_non_null(entry->pattern);
        assert_true(strlen(entry->when) > 10);
        assert_true(strlen(entry->meaning) > 10);
        for (size_t i = 0; i < CASES; i++) {
            if (cases[i].kind == kind) {
                found++;
                assert_true(entry->rule == LINUX_RULES || cases[i].other != NULL);
            }
        }
        if (found != 1) {
            fail_msg("%u cases for \"%s\"", found, entry->pattern);
        }
    }
}

/* What must not be said: neighbours of the cases above on the other side of a limit. */
static void limits_of_pstates(void **state)
{
    (void)state;
    epyc();
    own_pss()[2].field[PSS_FREQ_MHZ] = 4294967;
    assert_null(find("6.12", LINUX_MESSAGE_PSS_FREQUENCY));
    own_pss()[2].field[PSS_LATENCY_US] = 20;
    assert_null(find("6.12", LINUX_MESSAGE_LATENCY_CAPPED));
    sim_platform_free(&sim);

    /* Without a _PSS one K8 alone still looks for the PSB, which no snapshot holds. */
    opteron();
    sim.platform.cpus_count = 1;
    no_object(OBJECT_PSS);
    assert_null(find("6.12", LINUX_MESSAGE_K8_NO_PSS));
    sim_platform_free(&sim);
}

static void limits_of_apic_numbers(void **state)
{
    (void)state;
    /* In x2APIC mode every number can be reached; FEH always can. */
    whole_tables();
    entries[2].apic_id = 254;
    assert_null(find("6.12", LINUX_MESSAGE_X2APIC_IGNORED));
    entries[2].apic_id = 300;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1B, 0xFEE00D00);
    assert_null(find("6.12", LINUX_MESSAGE_X2APIC_IGNORED));
    sim_platform_free(&sim);

    /* A dump's CPUID is that of whatever CPU the tool ran on. */
    topology();
    another_apic_id();
    sim.platform.source = SOURCE_DUMP;
    assert_null(find("6.12", LINUX_MESSAGE_APIC_ID));
    sim_platform_free(&sim);

    /* First in the MADT but not marked as the boot CPU: only one CPU is started. */
    whole_tables();
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1B, 0xFEE00800);
    assert_non_null(find("6.12", LINUX_MESSAGE_APIC_ORDER));
    assert_non_null(find("6.9.3", LINUX_MESSAGE_APIC_ORDER));
    assert_null(find("6.9.2", LINUX_MESSAGE_APIC_ORDER));
    sim_platform_free(&sim);
}

/* Drivers end at their first complaint. */
static void the_first_complaint_is_the_last(void **state)
{
    (void)state;
    /* A lost PCC controller takes the _CPC with it. */
    pcct_type_2();
    no_gsi();
    doorbell_of_24_bits();
    assert_non_null(find("6.12", LINUX_MESSAGE_PCC_GSI));
    assert_null(find("6.12", LINUX_MESSAGE_PCC_WIDTH));
    assert_non_null(find("6.12", LINUX_MESSAGE_PCC_CHANNEL));
    assert_non_null(find("6.12", LINUX_MESSAGE_CPC_MISSING));
    sim_platform_free(&sim);

    /* A server with wrong frequencies: amd-pstate is off before it looks at them. */
    ryzen();
    no_lowest_frequency();
    a_server();
    assert_null(find("6.12", LINUX_MESSAGE_AMD_PSTATE_FREQUENCY));
    assert_non_null(find("6.12", LINUX_MESSAGE_AMD_PSTATE_OFF));
    sim_platform_free(&sim);

    /* Before 6.5 it is off on every machine, and says so from 6.3 on. */
    ryzen();
    assert_null(find("6.2", LINUX_MESSAGE_AMD_PSTATE_OFF));
    assert_non_null(find("6.3-rc1", LINUX_MESSAGE_AMD_PSTATE_OFF));
    assert_null(find("6.5-rc1", LINUX_MESSAGE_AMD_PSTATE_OFF));
    sim_platform_free(&sim);
}

static void put_versions(FILE *out, const struct linux_message_entry *entry)
{
    const struct linux_rule_entry *rule = linux_rule_at(entry->rule);
    const char *between = "";

    if (entry->rule == LINUX_RULES) {
        (void)fputs("every", out);
        return;
    }
    for (size_t i = 0; i < LINUX_INTERVALS && rule->intervals[i].since.major != 0; i++) {
        char since[24];
        char until[24];

        linux_version_format(rule->intervals[i].since, since, sizeof(since));
        linux_version_format(rule->intervals[i].until, until, sizeof(until));
        if (entry->is_before) {
            (void)fprintf(out, "before %s", since);
            return;
        }
        (void)fprintf(out, "%sfrom %s%s%s%s", between, since,
                      rule->intervals[i].until.major != 0 ? " to before " : "",
                      rule->intervals[i].until.major != 0 ? until : "",
                      rule->intervals[i].is_uncertain ? " (not certain)" : "");
        between = ", ";
    }
}

static void put_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("|<>*", *text) != NULL) {
            (void)fputc('\\', out);
        }
        (void)fputc(*text, out);
    }
}

static void put_document(FILE *out)
{
    (void)fputs("# Kernel messages that firmware causes\n\n"
                "Made from `model/linux/message_table.c`; do not edit it: run the test program "
                "`test_linux_messages` with\n`ASSAY_WRITE_DOCS=1`. A view holds each message with "
                "this machine's numbers; here they are N, or X where the kernel\nprints "
                "hexadecimal, and S for a name. A CPU's number stays N, so that CPUs that say the "
                "same are counted together; so\ndoes the ACPI type of a wrong element in _CST, "
                "which a snapshot does not keep. The words are those of 6.12, without the\n"
                "subsystem's prefix. docs/linux.md lists the messages that follow from nothing a "
                "snapshot holds.\n\n"
                "| level | text | when | releases | what it means |\n|---|---|---|---|---|\n",
                out);
    for (unsigned kind = 0; kind < LINUX_MESSAGE_KINDS; kind++) {
        const struct linux_message_entry *entry = linux_message_at((enum linux_message_kind)kind);

        (void)fprintf(out, "| %s | ", linux_level_name(entry->level));
        put_cell(out, entry->pattern);
        (void)fputs(" | ", out);
        put_cell(out, entry->when);
        (void)fputs(" | ", out);
        put_versions(out, entry);
        (void)fputs(" | ", out);
        put_cell(out, entry->meaning);
        (void)fputs(" |\n", out);
    }
    (void)fprintf(out, "\n%u messages.\n", (unsigned)LINUX_MESSAGE_KINDS);
}

static void the_document_is_the_table(void **state)
{
    char *wanted = NULL;
    char *found;
    size_t wanted_bytes = 0;
    size_t found_bytes;
    FILE *out = open_memstream(&wanted, &wanted_bytes);
    FILE *file;

    (void)state;
    assert_non_null(out);
    put_document(out);
    (void)fclose(out);
    if (getenv("ASSAY_WRITE_DOCS") != NULL) {
        file = fopen(DOC, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(wanted, 1, wanted_bytes, file), wanted_bytes);
        (void)fclose(file);
    }
    file = fopen(DOC, "rb");
    assert_non_null(file);
    found = calloc(1, wanted_bytes + 2);
    assert_non_null(found);
    found_bytes = fread(found, 1, wanted_bytes + 1, file);
    (void)fclose(file);
    assert_int_equal(found_bytes, wanted_bytes);
    assert_memory_equal(found, wanted, wanted_bytes);
    free(found);
    free(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_appears_by_one_change),
        cmocka_unit_test(each_has_its_case),
        cmocka_unit_test(limits_of_pstates),
        cmocka_unit_test(limits_of_apic_numbers),
        cmocka_unit_test(the_first_complaint_is_the_last),
        cmocka_unit_test(the_document_is_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
