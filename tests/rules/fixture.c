#include "tests/rules/fixture.h"

#include "acpi/decode_objects.h"
#include "model/linux/view.h"
#include "model/windows.h"
#include "rules/rule.h"
#include "tests/rules/aml_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FINDINGS_MAX 1024

/* The clean system of two processors: an AMD list with zero latencies. */
#define CLEAN_PSS "((3500 4500 0 0 0 0) (2800 3000 0 0 1 1) (1700 1500 0 0 2 2))"
#define CLEAN_PCT "({127 64 0 0 0xC0010062} {127 64 0 0 0xC0010063})"
#define CLEAN_CST "(3 ({127 0 0 0 0} 1 1 100) ({1 8 0 0 0x414} 2 18 50) ({1 8 0 0 0x415} 3 350 0))"
#define CLEAN_CPC                                                                                  \
    "(23 3 166 126 60 20 N {127 8 16 4 0xC00102B3} {127 8 8 4 0xC00102B3} {127 8 0 4 0xC00102B3} " \
    "N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 0 4 0xC00102B4} {127 1 0 4 0xC00102B1} 1 N " \
    "{127 8 24 4 0xC00102B3} 126 550 3500)"

#define PCC_CPC                                                                                    \
    "(23 3 {10 32 0 0 0} {10 32 0 0 4} {10 32 0 0 8} {10 32 0 0 12} N {10 32 0 0 20} "             \
    "{10 32 0 0 24} {10 32 0 0 28} N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} {10 32 0 0 52} "      \
    "{10 32 0 0 56} {10 32 0 0 60} N {10 32 0 0 68} N 560 3400)"

#define INTEL_CPC                                                                                  \
    "(23 3 {127 8 0 4 0x771} {127 8 8 4 0xCE} {127 8 16 4 0x771} {127 8 24 4 0x771} "              \
    "{127 8 8 4 0x771} {127 8 16 4 0x774} {127 8 0 4 0x774} {127 8 8 4 0x774} N N N "              \
    "{127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 1 4 0x777} {127 1 0 4 0x770} 1 "                   \
    "{127 10 32 4 0x774} {127 8 24 4 0x774} 36 100 3600)"

#define LPI                                                                                        \
    "(0 0 2 (2 1 1 0 0 0 {127 2 2 0 0} N N \"C1\") "                                               \
    "(36 18 1 0 0 0 {1 8 0 1 0x414} N N \"C2\"))"

/* --- Objects. */

static struct object_set *take_set(struct fixture *fixture, enum object_kind kind, bool is_repaired,
                                   const char *text)
{
    struct aml_value *value = arena_take(&fixture->heap.arena, sizeof(*value));
    uint32_t index = 0;

    assert_non_null(value);
    *value = aml_text_parse(&fixture->heap.arena, text);
    for (uint32_t i = 0; i < fixture->sets_count; i++) {
        struct object_set *set = &fixture->sets[i];

        if (set->kind != kind || set->is_repaired != is_repaired) {
            continue;
        }
        if (aml_value_equal(set->raw, value)) {
            return set;
        }
        index++;
    }
    assert_true(fixture->sets_count < FIXTURE_SETS);
    struct object_set *set = &fixture->sets[fixture->sets_count++];
    *set = (struct object_set){.kind = kind,
                               .index = index,
                               .is_repaired = is_repaired,
                               .hash = aml_value_hash(value),
                               .raw = value};
    decode_object(set, &fixture->heap.arena);
    return set;
}

void fixture_object(struct fixture *fixture, uint32_t cpu, enum object_kind kind, const char *text)
{
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        struct object_result *result = &fixture->processors[i].objects[kind];

        if (cpu != FIXTURE_ALL && cpu != i) {
            continue;
        }
        *result = (struct object_result){.repair = REPAIR_SAME};
        if (strncmp(text, "absent", 6) == 0) {
            result->avail = AVAIL_ABSENT;
        } else if (strncmp(text, "AE_", 3) == 0) {
            result->avail = AVAIL_FAULTED;
            result->error = arena_text(&fixture->heap.arena, text, strcspn(text, "; "));
            result->error_path = "\\_SB.LOOP";
        } else {
            result->avail = AVAIL_PRESENT;
            result->set = take_set(fixture, kind, false, text);
        }
    }
}

void fixture_repaired(struct fixture *fixture, enum object_kind kind, const char *text)
{
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        struct object_result *result = &fixture->processors[i].objects[kind];

        result->repair = REPAIR_CHANGED;
        result->repaired = take_set(fixture, kind, true, text);
    }
}

/* --- MSRs and CPUID. */

static struct fixture_msr *msr_entry(struct fixture *fixture, uint32_t msr)
{
    for (uint32_t i = 0; i < fixture->msrs_count; i++) {
        if (fixture->msrs[i].msr == msr) {
            return &fixture->msrs[i];
        }
    }
    assert_true(fixture->msrs_count < FIXTURE_MSRS);
    fixture->msrs[fixture->msrs_count].msr = msr;
    return &fixture->msrs[fixture->msrs_count++];
}

static void set_msr(struct fixture *fixture, uint32_t cpu, uint32_t msr, struct msr_value value)
{
    struct fixture_msr *entry = msr_entry(fixture, msr);

    for (uint32_t i = 0; i < FIXTURE_CPUS; i++) {
        if (cpu == FIXTURE_ALL || cpu == i) {
            entry->value[i] = value;
        }
    }
}

void fixture_msr(struct fixture *fixture, uint32_t cpu, uint32_t msr, uint64_t value)
{
    set_msr(fixture, cpu, msr, (struct msr_value){AVAIL_PRESENT, value});
}

struct cpuid_leaf *fixture_leaf(struct fixture *fixture, uint32_t leaf)
{
    struct cpuid_set *kind = &fixture->kinds[0];

    for (uint32_t i = 0; i < kind->count; i++) {
        if (fixture->leaves[0][i].leaf == leaf) {
            return &fixture->leaves[0][i];
        }
    }
    assert_true(kind->count < FIXTURE_LEAVES);
    fixture->leaves[0][kind->count] = (struct cpuid_leaf){.leaf = leaf};
    return &fixture->leaves[0][kind->count++];
}

static void leaf_set(struct fixture *fixture, struct cpuid_leaf values)
{
    *fixture_leaf(fixture, values.leaf) = values;
}

/* --- What all machines but the bare one have. */

static void add_processors(struct fixture *fixture, uint32_t count)
{
    static const char *const paths[FIXTURE_CPUS] = {
        "\\_SB.C000", "\\_SB.C001", "\\_SB.C002", "\\_SB.C003",
        "\\_SB.C004", "\\_SB.C005", "\\_SB.C006", "\\_SB.C007",
    };
    struct platform *platform = &fixture->platform;

    for (uint32_t i = 0; i < count; i++) {
        fixture->processors[i] = (struct processor){.path = paths[i],
                                                    .kind = PROCESSOR_DEVICE,
                                                    .uid_avail = AVAIL_PRESENT,
                                                    .uid = i,
                                                    .sta_avail = AVAIL_ABSENT,
                                                    .sta = 0x0F,
                                                    .madt_index = i,
                                                    .apic_id = i,
                                                    .is_enabled = true,
                                                    .cpu = i};
        for (int k = 0; k < OBJECT_KINDS; k++) {
            fixture->processors[i].objects[k].avail = AVAIL_ABSENT;
        }
        fixture->cpus[i] = (struct cpu){
            .apic_id = i, .uid = i, .processor = i, .is_boot = i == 0, .answer = CPU_ANSWERED};
        fixture->entries[i] = (struct madt_entry){
            .type = 0, .uid = i, .apic_id = i, .flags = 1, .offset = 44 + 8 * i};
    }
    platform->processors = fixture->processors;
    platform->processors_count = count;
    platform->cpus = fixture->cpus;
    platform->cpus_count = count;
}

static void fadt_set(struct fixture *fixture, enum fadt_field field, uint64_t value)
{
    fixture->platform.fadt.field[field] = value;
    fixture->platform.fadt.has_field[field] = true;
}

static void fadt_block(struct fixture *fixture, enum fadt_field address, enum fadt_register reg,
                       uint16_t port, uint8_t width_bits)
{
    fadt_set(fixture, address, port);
    fixture->platform.fadt.has_register[reg] = true;
    fixture->platform.fadt.reg[reg] = (struct gas){
        .space = GAS_SYSTEM_IO, .width_bits = width_bits, .access = 3, .address = port};
}

static void add_fadt(struct fixture *fixture)
{
    struct fadt *fadt = &fixture->platform.fadt;

    *fadt =
        (struct fadt){.avail = AVAIL_PRESENT, .revision = 6, .length = 276, .checksum_ok = true};
    for (int i = 0; i < FADT_FIELDS; i++) {
        fadt->has_field[i] = true;
    }
    fadt_set(fixture, FADT_MINOR_VERSION, 3);
    fadt_set(fixture, FADT_PREFERRED_PM_PROFILE, 1);
    fadt_set(fixture, FADT_SMI_CMD, 0xB2);
    fadt_set(fixture, FADT_P_LVL2_LAT, 101);
    fadt_set(fixture, FADT_P_LVL3_LAT, 1001);
    fadt_set(fixture, FADT_PM1_EVT_LEN, 4);
    fadt_set(fixture, FADT_PM1_CNT_LEN, 2);
    fadt_set(fixture, FADT_PM_TMR_LEN, 4);
    fadt_set(fixture, FADT_FLAGS, 0x5);
    fadt_set(fixture, FADT_DSDT, 0x7F000000);
    fadt_set(fixture, FADT_X_DSDT, 0x7F000000);
    fadt_block(fixture, FADT_PM1A_EVT_BLK, FADT_X_PM1A_EVT_BLK, 0x800, 32);
    fadt_block(fixture, FADT_PM1A_CNT_BLK, FADT_X_PM1A_CNT_BLK, 0x804, 16);
    fadt_block(fixture, FADT_PM_TMR_BLK, FADT_X_PM_TMR_BLK, 0x808, 32);
}

static void add_tables(struct fixture *fixture)
{
    static const char *const names[4] = {"FACP", "APIC", "DSDT", "SSDT"};
    struct platform *platform = &fixture->platform;

    for (unsigned i = 0; i < 4; i++) {
        struct acpi_table *table = &fixture->tables[i];

        *table = (struct acpi_table){.length = 276,
                                     .read_bytes = 276,
                                     .revision = 6,
                                     .has_header = true,
                                     .checksum_ok = true,
                                     .origin = "xsdt"};
        memcpy(table->signature, names[i], 5);
        memcpy(table->oem_id, "FIXTUR", 7);
    }
    platform->tables = fixture->tables;
    platform->tables_count = 4;
    platform->has_rsdp = true;
    platform->is_rsdp_checksum_ok = true;
    platform->rsdp_revision = 2;
    platform->madt = (struct madt){.avail = AVAIL_PRESENT,
                                   .revision = 5,
                                   .lapic_address = 0xFEE00000,
                                   .count = platform->cpus_count,
                                   .entries = fixture->entries,
                                   .enabled_count = platform->cpus_count};
    platform->hpet = (struct hpet){
        .avail = AVAIL_PRESENT,
        .base = {.space = GAS_SYSTEM_MEMORY, .width_bits = 64, .address = 0xFED00000}};
}

static void add_handshake(struct fixture *fixture)
{
    fixture->platform.handshake = (struct handshake){.is_done = true,
                                                     .proc_caps = 0x1BBF,
                                                     .platform_caps = 0x7FFF,
                                                     .has_platform_osc = true,
                                                     .platform_reply = 0x7FFF,
                                                     .osc_count = fixture->platform.cpus_count};
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        fixture->processors[i].has_osc = true;
        fixture->processors[i].has_pdc = true;
    }
}

static void add_clocks(struct fixture *fixture, uint64_t hz)
{
    struct platform *platform = &fixture->platform;

    platform->clocks[0] =
        (struct clock){.name = "tsc", .hz = hz, .from = "CPUID 15H", .status = "used"};
    platform->clocks[1] = (struct clock){.name = "tsc",
                                         .hz = hz,
                                         .from = "measured against the PM timer",
                                         .uncertainty_ppm = 20,
                                         .status = "agrees",
                                         .runs = 5};
    platform->clocks[2] = (struct clock){
        .name = "pm_timer", .hz = 3579545, .from = "its specification", .status = "counts"};
    platform->clocks[3] = (struct clock){
        .name = "pit", .hz = 1193182, .from = "its specification", .status = "counts"};
    platform->clocks[4] = (struct clock){
        .name = "hpet", .hz = 14318180, .from = "its specification", .status = "counts"};
    platform->clocks_count = 5;
    platform->tsc_hz = hz;
    platform->tsc_from = "CPUID 15H";
}

static struct distribution flat(uint64_t tsc)
{
    return (struct distribution){
        .n = 100, .min = tsc, .p50 = tsc, .p90 = tsc, .p99 = tsc, .max = tsc, .mean = tsc};
}

/* HLT and MWAIT wake after 1 us, C2 by port after 5 us; the PM timer takes 1 us. */
static void add_idle(struct fixture *fixture)
{
    uint64_t us = fixture->platform.tsc_hz / 1000000;

    fixture->idle[0] = (struct idle_sample_set){.state = "C1",
                                                .entry = IDLE_HLT,
                                                .requested_ns = 100000,
                                                .samples = 100,
                                                .first_read_tsc = flat(101 * us),
                                                .asleep_tsc = flat(100 * us),
                                                .exit_tsc = flat(us),
                                                .stopped_in = STOPPED_FIRST_READ,
                                                .has_smi_count = true};
    fixture->idle[1] = fixture->idle[0];
    fixture->idle[1].entry = IDLE_MWAIT;
    fixture->idle[2] = (struct idle_sample_set){.state = "C2",
                                                .entry = IDLE_IO,
                                                .port = 0x414,
                                                .port_from = "_CST",
                                                .has_declared_latency = true,
                                                .declared_latency_us = 18,
                                                .requested_ns = 100000,
                                                .samples = 100,
                                                .first_read_tsc = flat(105 * us),
                                                .asleep_tsc = flat(99 * us),
                                                .exit_tsc = flat(5 * us),
                                                .stopped_in = STOPPED_FIRST_READ};
    fixture->idle[2].has_residency = true;
    fixture->idle[2].spent_tsc = 9900 * us;
    fixture->idle[2].resident_tsc = 9500 * us;
    fixture->idle[2].requested_ns = 1000000;
    fixture->idle[2].has_package_residency = true;
    fixture->idle[2].package_tsc = 5000 * us;
    fixture->idle[2].elapsed_tsc = 100000 * us;
    fixture->idle[2].elapsed_pmt = 357955;
    fixture->idle[3] = fixture->idle[2];
    fixture->idle[3].dummy_read = DUMMY_PM_TIMER;
    fixture->idle[3].dummy_port = 0x808;
    fixture->idle[3].dummy_read_tsc = flat(us);
    fixture->platform.idle = fixture->idle;
    fixture->platform.idle_count = 4;
    for (uint32_t i = 0; i < 3; i++) {
        fixture->costs[i] = (struct port_cost){.cpus = 1U << i,
                                               .port = 0x808,
                                               .port_name = "PM timer",
                                               .read_tsc = flat(us),
                                               .reads_per_s = 1000000U << i};
    }
    fixture->platform.port_costs = fixture->costs;
    fixture->platform.port_costs_count = 3;
    fixture->platform.tsc_gaps = (struct tsc_gaps){
        .watched_tsc = fixture->platform.tsc_hz, .threshold_tsc = 10 * us, .longest_tsc = 100};
}

void fixture_count(const struct fixture *fixture, uint64_t khz, struct freq_counts *ret_counts)
{
    uint64_t window_tsc = fixture->platform.tsc_hz / 10;
    uint64_t ppm = khz * 1000000 / (fixture->platform.tsc_hz / 1000);

    *ret_counts = (struct freq_counts){.window_tsc = window_tsc,
                                       .aperf = khz * 100,
                                       .mperf = window_tsc,
                                       .stamp_tsc = window_tsc / 100000,
                                       .slow_ppm = ppm,
                                       .fast_ppm = ppm,
                                       .slices = 10};
}

/* Three rows as asked for on the boot CPU, and changes between two of them. */
static void add_frequencies(struct fixture *fixture)
{
    static const uint64_t khz[3] = {3400000, 2800000, 2200000};
    uint64_t us = fixture->platform.tsc_hz / 1000000;

    for (uint32_t i = 0; i < 3; i++) {
        fixture->freq[i] = (struct freq_sample){.kind = FREQ_PERF_CTL,
                                                .pss_index = i,
                                                .requested_khz = khz[i],
                                                .control = i,
                                                .status_expected = i,
                                                .status_avail = AVAIL_PRESENT,
                                                .status = i};
        fixture_count(fixture, khz[i], &fixture->freq[i].counts);
    }
    fixture->platform.freq = fixture->freq;
    fixture->platform.freq_count = 3;
    fixture->settlings[0] = (struct freq_settling){.kind = FREQ_CPPC,
                                                   .to_index = 1,
                                                   .from_khz = khz[0],
                                                   .to_khz = khz[1],
                                                   .latency_us = 10,
                                                   .changes = 100,
                                                   .loop_from_tsc = us / 2,
                                                   .loop_to_tsc = us / 2,
                                                   .settle_tsc = flat(8 * us)};
    fixture->platform.freq_settlings = fixture->settlings;
    fixture->platform.freq_settlings_count = 1;
}

static void add_boost(struct fixture *fixture, enum freq_boost_kind kind, uint32_t active,
                      uint64_t khz)
{
    struct freq_boost *boost = &fixture->boosts[fixture->platform.freq_boosts_count++];

    *boost = (struct freq_boost){.kind = kind, .active = active};
    fixture_count(fixture, khz, &boost->counts);
}

/* As the turbo limits and the boost entry of MACHINE_INTEL have it. */
static void add_boosts(struct fixture *fixture)
{
    fixture->platform.freq_boosts = fixture->boosts;
    add_boost(fixture, FREQ_BOOST_CORES, 1, 4200000);
    add_boost(fixture, FREQ_BOOST_CORES, 2, 4200000);
    add_boost(fixture, FREQ_BOOST_CORES, 4, 4000000);
    add_boost(fixture, FREQ_BOOST_OFF, 1, 3400000);
    add_boost(fixture, FREQ_BOOST_ON, 1, 4200000);
    add_boost(fixture, FREQ_BOOST_ALONE, 1, 4200000);
    add_boost(fixture, FREQ_BOOST_ALONE, 1, 4200000);
    fixture->boosts[6].cpu = 1;
}

static void add_common(struct fixture *fixture, uint64_t tsc_hz)
{
    fixture->platform.source = SOURCE_FIRMWARE;
    fixture->platform.is_fault_handler_proved = true;
    fixture->platform.cpuid_kinds = fixture->kinds;
    fixture->platform.cpuid_kinds_count = 1;
    fixture->kinds[0].leaves = fixture->leaves[0];
    fixture->kinds[1].leaves = fixture->leaves[1];
    add_fadt(fixture);
    add_tables(fixture);
    add_handshake(fixture);
    add_clocks(fixture, tsc_hz);
    add_idle(fixture);
    add_frequencies(fixture);
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        char psd[40];
        char csd[40];

        fixture->processors[i].sta_avail = AVAIL_PRESENT;
        (void)snprintf(psd, sizeof(psd), "((5 0 %u 0xFE 2))", i / 2);
        (void)snprintf(csd, sizeof(csd), "((6 0 %u 0xFE 2 1))", i / 2);
        fixture_object(fixture, i, OBJECT_PSD, psd);
        fixture_object(fixture, i, OBJECT_CSD, csd);
    }
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PPC, "0");
}

/* --- The machines. */

static void make_bare(struct fixture *fixture)
{
    add_processors(fixture, 2);
    fixture->platform.source = SOURCE_DUMP;
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PSS, CLEAN_PSS);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PCT, CLEAN_PCT);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PPC, "0");
    fixture_object(fixture, 0, OBJECT_PSD, "((5 0 0 0xFC 1))");
    fixture_object(fixture, 1, OBJECT_PSD, "((5 0 1 0xFC 1))");
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CST, CLEAN_CST);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CPC, CLEAN_CPC);
}

static void add_amd_cpuid(struct fixture *fixture, uint32_t signature)
{
    leaf_set(fixture,
             (struct cpuid_leaf){
                 .leaf = 0, .eax = 0x10, .ebx = 0x68747541, .ecx = 0x444D4163, .edx = 0x69746E65});
    leaf_set(fixture,
             (struct cpuid_leaf){
                 .leaf = 1, .eax = signature, .ecx = 1U << 3, .edx = 1U << 4 | 1U << 5 | 1U << 9});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = 0x11});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 6, .eax = 1U << 2, .ecx = 1});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x80000000, .eax = 0x80000023});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x80000007, .edx = 1U << 7 | 1U << 8 | 1U << 9});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x80000008, .ebx = 1U << 27});
}

/* Frequencies of family 17h and 19h: 25 MHz times FID with divisor id 8. */
static void add_amd_msrs(struct fixture *fixture)
{
    static const uint64_t fid[3] = {136, 112, 88};

    for (uint32_t i = 0; i < 3; i++) {
        fixture_msr(fixture, FIXTURE_ALL, 0xC0010064 + i, UINT64_C(1) << 63 | 8U << 8 | fid[i]);
    }
    for (uint32_t i = 3; i < 8; i++) {
        fixture_msr(fixture, FIXTURE_ALL, 0xC0010064 + i, 0);
    }
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010015, 1U << 24);
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010061, 2U << 4);
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010073, 0x413);
}

static void add_amd_objects(struct fixture *fixture)
{
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PSS,
                   "((3400 4500 0 0 0 0) (2800 3000 0 0 1 1) (2200 1500 0 0 2 2))");
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PCT, CLEAN_PCT);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CST,
                   "(3 ({127 2 2 0 0} 1 1 0) ({1 8 0 1 0x414} 2 18 0) ({1 8 0 1 0x415} 3 350 0))");
}

static void make_amd(struct fixture *fixture)
{
    add_processors(fixture, 4);
    add_common(fixture, UINT64_C(3400000000));
    add_amd_cpuid(fixture, 0x00A20F10);
    add_amd_msrs(fixture);
    add_amd_objects(fixture);
    fixture_msr(fixture, FIXTURE_ALL, 0xC00102B0, 166U << 24 | 119U << 16 | 60U << 8 | 20U);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CPC,
                   "(23 3 166 119 60 20 N {127 8 16 4 0xC00102B3} {127 8 8 4 0xC00102B3} "
                   "{127 8 0 4 0xC00102B3} N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} "
                   "{127 2 0 4 0xC00102B4} {127 1 0 4 0xC00102B1} 1 N {127 8 24 4 0xC00102B3} 119 "
                   "570 3400)");
}

static void make_pcc(struct fixture *fixture)
{
    add_processors(fixture, 4);
    add_common(fixture, UINT64_C(3400000000));
    add_amd_cpuid(fixture, 0x00870F10);
    fixture_leaf(fixture, 0x80000008)->ebx = 0;
    add_amd_msrs(fixture);
    add_amd_objects(fixture);
    fixture->subspaces[0] =
        (struct pcct_subspace){.type = 0,
                               .length = 62,
                               .is_decoded = true,
                               .base_paddr = 0x7E000000,
                               .length_bytes = 4096,
                               .doorbell = {.width_bits = 64, .access = 4, .address = 0xFD000000},
                               .preserve_mask = 0xFFFFFFFF00000000,
                               .write_mask = 1,
                               .latency_us = 4000,
                               .max_access_rate = 60000};
    fixture->subspaces[1] = fixture->subspaces[0];
    fixture->subspaces[1].base_paddr = 0x7E001000;
    fixture->platform.pcct =
        (struct pcct){.avail = AVAIL_PRESENT, .count = 2, .subspaces = fixture->subspaces};
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CPC, PCC_CPC);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_LPI, LPI);
    fadt_set(fixture, FADT_P_LVL2_LAT, 18);
    fadt_set(fixture, FADT_P_LVL3_LAT, 350);
    fadt_set(fixture, FADT_FLAGS, 0xD);
    for (uint32_t i = 0; i < 4; i++) {
        static const uint64_t level[4] = {166, 119, 60, 20};

        fixture->processors[i].kind = PROCESSOR_OBJECT;
        fixture->processors[i].pblk_address = 0x410;
        fixture->processors[i].pblk_length = 6;
        for (unsigned r = 0; r < 4; r++) {
            fixture->processors[i].cpc_avail[r] = AVAIL_PRESENT;
            fixture->processors[i].cpc_value[r] = level[r];
        }
    }
}

static void add_intel_cpuid(struct fixture *fixture, uint32_t signature)
{
    leaf_set(fixture,
             (struct cpuid_leaf){
                 .leaf = 0, .eax = 0x16, .ebx = 0x756E6547, .ecx = 0x6C65746E, .edx = 0x49656E69});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 1,
                                          .eax = signature,
                                          .ecx = 1U << 3 | 1U << 7 | 1U << 24,
                                          .edx = 1U << 4 | 1U << 5 | 1U << 9 | 1U << 22});
    leaf_set(fixture,
             (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = 0x11142120});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 6,
                                          .eax = 1U << 1 | 1U << 2 | 1U << 7 | 1U << 10,
                                          .ecx = 1U | 1U << 3});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 7, .ebx = 1U << 1});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x15, .eax = 2, .ebx = 300, .ecx = 24000000});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x16, .eax = 3600, .ebx = 4200, .ecx = 100});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x80000000, .eax = 0x80000008});
    leaf_set(fixture, (struct cpuid_leaf){.leaf = 0x80000007, .edx = 1U << 8});
}

static void add_intel_msrs(struct fixture *fixture)
{
    static const struct {
        uint32_t msr;
        uint64_t value;
    } msrs[] = {
        {0x3B, 0},
        {0x8B, UINT64_C(0xC6) << 32},
        {0xCE, UINT64_C(8) << 40 | 36U << 8},
        {0xE2, 0x8408},
        {0xE4, 0x1814},
        {0x19A, 0},
        {0x19C, 0x88000000},
        {0x1A0, 0x850089},
        {0x1AA, 0},
        {0x1AD, 0x28282A2A},
        {0x1FC, 0x2C005D},
        {0x610, 0x42820800DD8280},
        {0x64F, 0},
        {0x771, 1U << 24 | 12U << 16 | 36U << 8 | 42U},
    };

    for (size_t i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++) {
        fixture_msr(fixture, FIXTURE_ALL, msrs[i].msr, msrs[i].value);
    }
}

static void make_intel(struct fixture *fixture)
{
    static const uint64_t level[5] = {42, 36, 12, 1, 36};

    add_processors(fixture, 4);
    add_common(fixture, UINT64_C(3600000000));
    add_boosts(fixture);
    add_intel_cpuid(fixture, 0x000906E9);
    add_intel_msrs(fixture);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PSS,
                   "((3601 91000 10 10 0x2A00 0x2A00) (3600 91000 10 10 0x2400 0x2400) "
                   "(2400 50000 10 10 0x1800 0x1800) (800 12000 10 10 0x800 0x800))");
    fixture_object(fixture, FIXTURE_ALL, OBJECT_PCT, "({127 64 0 0 0x199} {127 64 0 0 0x198})");
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CST,
                   "(3 ({127 1 2 1 0} 1 1 1000) ({127 1 2 1 0x20} 2 85 500) "
                   "({1 8 0 0 0x1816} 3 200 200))");
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CPC, INTEL_CPC);
    for (uint32_t i = 0; i < 4; i++) {
        for (unsigned r = 0; r < 5; r++) {
            fixture->processors[i].cpc_avail[r] = AVAIL_PRESENT;
            fixture->processors[i].cpc_value[r] = level[r];
        }
    }
}

static void make_hybrid(struct fixture *fixture)
{
    make_intel(fixture);
    fixture_leaf(fixture, 1)->eax = 0x00090672;
    fixture_leaf(fixture, 7)->edx = 1U << 15;
    memcpy(fixture->leaves[1], fixture->leaves[0], sizeof(fixture->leaves[0]));
    fixture->kinds[1].count = fixture->kinds[0].count;
    fixture->platform.cpuid_kinds_count = 2;
    for (uint32_t i = 0; i < 4; i++) {
        fixture->cpus[i].core_type = i < 2 ? 0x40 : 0x20;
        fixture->cpus[i].kind = i < 2 ? 0 : 1;
    }
    for (uint32_t i = 2; i < 4; i++) {
        fixture_object(fixture, i, OBJECT_PSS,
                       "((3601 91000 10 10 0x2A00 0x2A00) (3600 91000 10 10 0x2400 0x2400) "
                       "(800 12000 10 10 0x800 0x800))");
        fixture_msr(fixture, i, 0x771, 1U << 24 | 12U << 16 | 36U << 8 | 40U);
        fixture->processors[i].cpc_value[CPC_HIGHEST_PERF] = 40;
    }
}

static void make_atom(struct fixture *fixture)
{
    make_intel(fixture);
    fixture_leaf(fixture, 1)->eax = 0x00030678;
    fixture_leaf(fixture, 1)->ecx &= ~(1U << 24);
    fixture_leaf(fixture, 6)->eax = 1U << 1 | 1U << 2;
    fixture->msrs_count = 0;
    fixture_msr(fixture, FIXTURE_ALL, 0xCD, 1);
    fixture_object(fixture, FIXTURE_ALL, OBJECT_CPC, "absent");
    fixture_leaf(fixture, 0x16)->eax = 0;
}

void fixture_init(struct fixture *fixture, enum fixture_machine machine)
{
    static void (*const make[MACHINES])(struct fixture *) = {make_bare,  make_amd,    make_pcc,
                                                             make_intel, make_hybrid, make_atom};

    memset(fixture, 0, sizeof(*fixture));
    heap_init(&fixture->heap, 0);
    options_init(&fixture->options);
    platform_init(&fixture->platform, &fixture->heap.arena, &fixture->options);
    make[machine](fixture);
}

void fixture_free(struct fixture *fixture)
{
    heap_free(&fixture->heap);
}

/* --- Edits. */

static bool takes_word(const char **at, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(*at, word, length) != 0 || ((*at)[length] != ' ' && (*at)[length] != '@')) {
        return false;
    }
    *at += length;
    return true;
}

static uint64_t take_number(const char **at)
{
    char *end;
    uint64_t number = strtoull(*at, &end, 0);

    assert_ptr_not_equal(end, *at);
    *at = end;
    return number;
}

static uint32_t take_cpu(const char **at)
{
    if (**at != '@') {
        return FIXTURE_ALL;
    }
    (*at)++;
    return (uint32_t)take_number(at);
}

static bool edit_object(struct fixture *fixture, const char *at)
{
    for (int k = 0; k < OBJECT_KINDS; k++) {
        enum object_kind kind = (enum object_kind)k;

        if (takes_word(&at, object_kind_field(kind))) {
            uint32_t cpu = take_cpu(&at);

            fixture_object(fixture, cpu, kind, at + strspn(at, " "));
            return true;
        }
    }
    return false;
}

static bool edit_fadt(struct fixture *fixture, const char *at)
{
    struct fadt *fadt = &fixture->platform.fadt;

    if (!takes_word(&at, "fadt")) {
        return false;
    }
    at += strspn(at, " ");
    for (int f = 0; f < FADT_FIELDS; f++) {
        if (takes_word(&at, fadt_field_name((enum fadt_field)f))) {
            fadt->field[f] = take_number(&at);
            fadt->has_field[f] = true;
            return true;
        }
    }
    for (int r = 0; r < FADT_REGISTERS; r++) {
        if (takes_word(&at, fadt_register_name((enum fadt_register)r))) {
            fadt->has_register[r] = true;
            fadt->reg[r].space = (uint8_t)take_number(&at);
            fadt->reg[r].width_bits = (uint8_t)take_number(&at);
            fadt->reg[r].offset_bits = (uint8_t)take_number(&at);
            fadt->reg[r].address = take_number(&at);
            return true;
        }
    }
    return false;
}

static bool edit_msr(struct fixture *fixture, const char *at)
{
    if (!takes_word(&at, "msr")) {
        return false;
    }
    uint32_t cpu = take_cpu(&at);
    uint32_t msr = (uint32_t)take_number(&at);
    at += strspn(at, " ");
    if (strncmp(at, "none", 4) == 0) {
        set_msr(fixture, cpu, msr, (struct msr_value){AVAIL_UNTRIED, 0});
    } else if (strncmp(at, "fault", 5) == 0) {
        set_msr(fixture, cpu, msr, (struct msr_value){AVAIL_FAULTED, 0});
    } else {
        fixture_msr(fixture, cpu, msr, take_number(&at));
    }
    return true;
}

static bool edit_cpuid(struct fixture *fixture, const char *at)
{
    if (!takes_word(&at, "cpuid")) {
        return false;
    }
    struct cpuid_leaf *leaf = fixture_leaf(fixture, (uint32_t)take_number(&at));
    at += strspn(at, " ");
    char reg = at[1];
    at += 3;
    uint32_t value = (uint32_t)take_number(&at);
    *(reg == 'a'   ? &leaf->eax
      : reg == 'b' ? &leaf->ebx
      : reg == 'c' ? &leaf->ecx
                   : &leaf->edx) = value;
    return true;
}

static bool edit_value(struct fixture *fixture, const char *at)
{
    if (!takes_word(&at, "value")) {
        return false;
    }
    uint32_t cpu = take_cpu(&at);
    uint32_t index = (uint32_t)take_number(&at);
    uint64_t value = take_number(&at);
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        if (cpu == FIXTURE_ALL || cpu == i) {
            fixture->processors[i].cpc_avail[index] = AVAIL_PRESENT;
            fixture->processors[i].cpc_value[index] = value;
        }
    }
    return true;
}

static bool edit_repaired(struct fixture *fixture, const char *at)
{
    if (!takes_word(&at, "repaired")) {
        return false;
    }
    at += strspn(at, " ");
    for (int k = 0; k < OBJECT_KINDS; k++) {
        enum object_kind kind = (enum object_kind)k;

        if (takes_word(&at, object_kind_field(kind))) {
            fixture_repaired(fixture, kind, at + strspn(at, " "));
            return true;
        }
    }
    return false;
}

void fixture_edit(struct fixture *fixture, const char *edits)
{
    const char *at = edits;

    while (at != NULL && *at != '\0') {
        at += strspn(at, " ");
        if (!edit_object(fixture, at) && !edit_fadt(fixture, at) && !edit_msr(fixture, at) &&
            !edit_cpuid(fixture, at) && !edit_value(fixture, at) && !edit_repaired(fixture, at)) {
            fail_msg("no such edit: \"%s\"", at);
        }
        at = strchr(at, ';');
        at = at != NULL ? at + 1 : NULL;
    }
}

/* --- Judging. */

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const struct fixture_msr *)a)->msr;
    uint32_t y = ((const struct fixture_msr *)b)->msr;

    return (x > y) - (x < y);
}

static void publish_msrs(struct fixture *fixture)
{
    struct platform *platform = &fixture->platform;
    uint32_t count = fixture->msrs_count;
    struct msr_value *values = arena_array(
        &fixture->heap.arena, (size_t)count * platform->cpus_count + 1, sizeof(struct msr_value));

    assert_non_null(values);
    qsort(fixture->msrs, count, sizeof(fixture->msrs[0]), by_number);
    for (uint32_t i = 0; i < count; i++) {
        fixture->msr_numbers[i] = fixture->msrs[i].msr;
        for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
            values[cpu * count + i] = fixture->msrs[i].value[cpu];
        }
    }
    platform->msrs = fixture->msr_numbers;
    platform->msrs_count = count;
    platform->msr_values = values;
}

/* As the collector does: Integers of a _CPC count as read. */
static void read_integers(struct fixture *fixture)
{
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        struct processor *processor = &fixture->processors[i];
        const struct object_set *set = processor->objects[OBJECT_CPC].set;

        for (uint32_t r = 0; set != NULL && r < CPC_REGISTERS; r++) {
            if (set->cpc.registers[r].kind == CPC_ELEMENT_INTEGER) {
                processor->cpc_avail[r] = AVAIL_PRESENT;
                processor->cpc_value[r] = set->cpc.registers[r].integer;
            }
        }
    }
}

void fixture_judge(struct fixture *fixture, struct findings *ret_findings)
{
    struct platform *platform = &fixture->platform;

    for (uint32_t i = 0; i < fixture->sets_count; i++) {
        fixture->set_list[i] = &fixture->sets[i];
    }
    platform->sets = fixture->set_list;
    platform->sets_count = fixture->sets_count;
    publish_msrs(fixture);
    read_integers(fixture);
    platform_freeze(platform);
    linux_views_compute(platform, linux_views_version(platform));
    windows_view_compute(platform);
    assert_int_equal(
        findings_init(ret_findings, &fixture->heap.arena, FINDINGS_MAX, platform->cpus_count),
        STATUS_OK);
    rules_run(platform, ret_findings);
    findings_sort(ret_findings);
    assert_int_equal(ret_findings->dropped, 0);
}

bool fixture_has(const struct findings *findings, const char *id, enum verdict verdict)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->items[i].verdict == verdict && strcmp(findings->items[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}
