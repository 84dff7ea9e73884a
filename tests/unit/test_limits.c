/* Values at the edges of what functions take, and tables against a second copy of them: what slips in the source
 * (tests/torture/mutants.sh) once got past the other suites. */

#include "model/bus_clock.h"
#include "model/core_id.h"
#include "model/freq.h"
#include "model/idle_clock.h"
#include "model/journal.h"
#include "model/linux/version.h"
#include "model/menu.h"
#include "model/msr_catalog.h"
#include "model/nearest.h"
#include "model/objects.h"
#include "model/result_name.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void kinds_beyond_the_last_have_a_name(void **state)
{
    (void)state;
    assert_string_equal(object_kind_name(OBJECT_KINDS), "unknown object");
    assert_string_equal(object_kind_field(OBJECT_KINDS), "unknown");
    assert_string_equal(cpc_register_name(CPC_REGISTERS), "unknown");
    assert_string_equal(freq_request_kind_name(FREQ_REQUEST_KINDS), "none");
}

/* Capital and small letters are alike in both directions, and nothing else is. */
static void words_are_folded(void **state)
{
    (void)state;
    assert_int_equal(nearest_rank("AZ", 2, "az"), nearest_rank("az", 2, "az"));
    assert_int_equal(nearest_rank("az", 2, "AZ"), nearest_rank("az", 2, "az"));
    assert_true(nearest_rank("@[", 2, "`{") > nearest_rank("@[", 2, "@["));
}

/* APM vol. 3, 8000_001EH EBX[15:8]: threads of a core less one. SDM vol. 2A, 0BH EAX[4:0] goes before. */
static void threads_of_a_core_share_its_id(void **state)
{
    struct sim_platform sim;

    (void)state;
    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x21);
    sim.platform.cpus[3].apic_id = 7;
    assert_int_equal(core_id_of(&sim.platform, 3), 7);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x8000001E, .ebx = 0x0100});
    assert_int_equal(core_id_of(&sim.platform, 3), 3);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x8000001E, .ebx = 0x10000});
    assert_int_equal(core_id_of(&sim.platform, 3), 7);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0xB, .eax = 2, .ebx = 4});
    assert_int_equal(core_id_of(&sim.platform, 3), 1);
    sim_platform_free(&sim);
}

static void a_tsc_that_stands_is_known(void **state)
{
    struct idle_sample_set set = {.elapsed_pmt = 3579545, .elapsed_tsc = 0};

    (void)state;
    assert_int_equal(idle_tsc_pct(&set, 3000000000), 1);
    assert_true(idle_tsc_stops(&set, 3000000000));
    set.elapsed_tsc = 3000000000;
    assert_int_equal(idle_tsc_pct(&set, 3000000000), 100);
    assert_false(idle_tsc_stops(&set, 3000000000));
    set.elapsed_pmt = 3579545 / 100 - 1;
    assert_int_equal(idle_tsc_pct(&set, 3000000000), 0);
    set.elapsed_pmt = 3579545 / 100;
    assert_int_not_equal(idle_tsc_pct(&set, 3000000000), 0);
}

static void every_month_has_its_days(void **state)
{
    static const uint32_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    (void)state;
    for (uint32_t month = 1; month <= 12; month++) {
        const struct wall_time last = {2023, month, days[month - 1], 23, 59, 59};
        const struct wall_time first = {2023, month, 1, 0, 0, 0};
        const uint32_t before = month == 1 ? 12 : month - 1;
        struct wall_time next = wall_time_shift(&last, 1);
        struct wall_time previous = wall_time_shift(&first, -1);

        assert_int_equal(next.day, 1);
        assert_int_equal(next.month, month % 12 + 1);
        assert_int_equal(next.year, month == 12 ? 2024 : 2023);
        assert_int_equal(previous.day, days[before - 1]);
        assert_int_equal(previous.month, before);
        assert_int_equal(previous.year, month == 1 ? 2022 : 2023);
    }
}

static void digits_choose_up_to_nine(void **state)
{
    static const struct menu_item items[9];
    struct menu menu = {.title = "t", .items = items, .count = 9, .rows = 9};

    (void)state;
    assert_int_equal(menu_key(&menu, (struct key){.code = KEY_CHARACTER, .character = '9'}),
                     MENU_CHOSEN);
    assert_int_equal(menu.selected, 8);
    assert_int_equal(menu_key(&menu, (struct key){.code = KEY_CHARACTER, .character = '1'}),
                     MENU_CHOSEN);
    assert_int_equal(menu.selected, 0);
    menu.count = 8;
    assert_int_equal(menu_key(&menu, (struct key){.code = KEY_CHARACTER, .character = '9'}),
                     MENU_NOTHING);
    assert_int_equal(menu_key(&menu, (struct key){.code = KEY_CHARACTER, .character = '0'}),
                     MENU_NOTHING);
}

/* Every character that can be printed may stand in a step, blank and tilde included. */
static void a_step_keeps_every_character(void **state)
{
    struct journal journal;
    struct journal back;
    uint8_t bytes[JOURNAL_BYTES];

    (void)state;
    memset(&journal, 0, sizeof(journal));
    (void)journal_begin(&journal, 0x123, "");
    strcpy(journal.current, "evaluate _CST: ~ !");
    for (uint32_t i = 0; i < JOURNAL_RECORDS; i++) {
        journal_record(&journal, i, (char *)bytes + (size_t)i * JOURNAL_RECORD_BYTES);
    }
    assert_int_equal(journal_parse(bytes, sizeof(bytes), &back), STATUS_OK);
    assert_string_equal(back.current, "evaluate _CST: ~ !");
    bytes[JOURNAL_RECORD_BYTES + 3] = 0x7F;
    assert_string_not_equal((journal_parse(bytes, sizeof(bytes), &back) == STATUS_OK) ? back.current
                                                                                      : "",
                            "evaluate _CST: ~ !");
}

/* The kernels at which a rule of ours changed: docs/linux.md. */
static void profiles_are_these(void **state)
{
    static const uint16_t releases[][3] = {{5, 4, 0},  {5, 10, 0}, {5, 11, 4}, {5, 11, 0},
                                           {5, 12, 0}, {5, 19, 0}, {6, 0, 0},  {6, 6, 0},
                                           {6, 12, 0}, {6, 14, 0}, {6, 16, 0}};

    (void)state;
    assert_int_equal(linux_profiles_count(), sizeof(releases) / sizeof(releases[0]));
    for (uint32_t i = 0; i < linux_profiles_count(); i++) {
        struct linux_version version = linux_profile_at(i);

        assert_int_equal(version.major, releases[i][0]);
        assert_int_equal(version.minor, releases[i][1]);
        assert_int_equal(version.rc, releases[i][2]);
    }
    assert_int_equal(linux_profile_at(linux_profiles_count()).minor, 16);
}

/* SDM vol. 4, MSR CDH; Linux 6.12 tsc_msr.c: the exact fraction of 100 MHz for each selector of models 37H and 4DH. */
static void bus_clocks_have_their_fractions(void **state)
{
    static const uint8_t models[] = {0x37, 0x4D};
    static const uint64_t fractions[][2] = {{5, 6}, {1, 1}, {4, 3}, {7, 6}, {4, 5}};

    (void)state;
    for (size_t m = 0; m < sizeof(models); m++) {
        for (uint64_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++) {
            struct cpu_identity identity = {
                .avail = AVAIL_PRESENT, .vendor = VENDOR_INTEL, .family = 6, .model = models[m]};
            struct bus_clock clock;

            bus_clock_decode(&identity, (struct msr_value){AVAIL_PRESENT, i}, &clock);
            assert_int_equal(clock.tsc_mul, fractions[i][0]);
            assert_int_equal(clock.tsc_div, fractions[i][1]);
        }
    }
}

/* A second copy of the numbers of SDM vol. 4 and of the AMD64 manual vol. 2, appendix A: a number that
 * is off by one reads another register. */
static void registers_have_their_numbers(void **state)
{
    static const struct {
        enum cpu_vendor vendor;
        uint32_t msr;
        const char *name;
    } registers[] = {
        {VENDOR_INTEL, 0x1B, "IA32_APIC_BASE"},
        {VENDOR_INTEL, 0x3A, "IA32_FEATURE_CONTROL"},
        {VENDOR_INTEL, 0x3B, "IA32_TSC_ADJUST"},
        {VENDOR_INTEL, 0x8B, "IA32_BIOS_SIGN_ID"},
        {VENDOR_AMD, 0x8B, "PATCH_LEVEL"},
        {VENDOR_INTEL, 0xE7, "IA32_MPERF"},
        {VENDOR_INTEL, 0xE8, "IA32_APERF"},
        {VENDOR_INTEL, 0x198, "IA32_PERF_STATUS"},
        {VENDOR_INTEL, 0x199, "IA32_PERF_CTL"},
        {VENDOR_INTEL, 0x19A, "IA32_CLOCK_MODULATION"},
        {VENDOR_INTEL, 0x19C, "IA32_THERM_STATUS"},
        {VENDOR_INTEL, 0x1A0, "IA32_MISC_ENABLE"},
        {VENDOR_INTEL, 0x1B0, "IA32_ENERGY_PERF_BIAS"},
        {VENDOR_INTEL, 0x1B1, "IA32_PACKAGE_THERM_STATUS"},
        {VENDOR_INTEL, 0x6E0, "IA32_TSC_DEADLINE"},
        {VENDOR_INTEL, 0x770, "IA32_PM_ENABLE"},
        {VENDOR_INTEL, 0x771, "IA32_HWP_CAPABILITIES"},
        {VENDOR_INTEL, 0x772, "IA32_HWP_REQUEST_PKG"},
        {VENDOR_INTEL, 0x773, "IA32_HWP_INTERRUPT"},
        {VENDOR_INTEL, 0x774, "IA32_HWP_REQUEST"},
        {VENDOR_INTEL, 0x777, "IA32_HWP_STATUS"},
        {VENDOR_INTEL, 0x34, "SMI_COUNT"},
        {VENDOR_INTEL, 0xCD, "FSB_FREQ"},
        {VENDOR_INTEL, 0xCE, "PLATFORM_INFO"},
        {VENDOR_INTEL, 0xE2, "PKG_CST_CONFIG_CONTROL"},
        {VENDOR_INTEL, 0xE4, "PMG_IO_CAPTURE_BASE"},
        {VENDOR_INTEL, 0x1A2, "TEMPERATURE_TARGET"},
        {VENDOR_INTEL, 0x1A4, "MISC_FEATURE_CONTROL"},
        {VENDOR_INTEL, 0x1AA, "MISC_PWR_MGMT"},
        {VENDOR_INTEL, 0x1AD, "TURBO_RATIO_LIMIT"},
        {VENDOR_INTEL, 0x1AE, "TURBO_RATIO_LIMIT1"},
        {VENDOR_INTEL, 0x1AF, "TURBO_RATIO_LIMIT2"},
        {VENDOR_INTEL, 0x1FC, "POWER_CTL"},
        {VENDOR_INTEL, 0x3F8, "PKG_C3_RESIDENCY"},
        {VENDOR_INTEL, 0x3F9, "PKG_C6_RESIDENCY"},
        {VENDOR_INTEL, 0x3FA, "PKG_C7_RESIDENCY"},
        {VENDOR_INTEL, 0x3FC, "CORE_C3_RESIDENCY"},
        {VENDOR_INTEL, 0x3FD, "CORE_C6_RESIDENCY"},
        {VENDOR_INTEL, 0x3FE, "CORE_C7_RESIDENCY"},
        {VENDOR_INTEL, 0x3FF, "CORE_C6_RESIDENCY"},
        {VENDOR_INTEL, 0x601, "VR_CURRENT_CONFIG"},
        {VENDOR_INTEL, 0x606, "RAPL_POWER_UNIT"},
        {VENDOR_INTEL, 0x60A, "PKGC3_IRTL"},
        {VENDOR_INTEL, 0x60B, "PKGC6_IRTL"},
        {VENDOR_INTEL, 0x60C, "PKGC7_IRTL"},
        {VENDOR_INTEL, 0x60D, "PKG_C2_RESIDENCY"},
        {VENDOR_INTEL, 0x610, "PKG_POWER_LIMIT"},
        {VENDOR_INTEL, 0x611, "PKG_ENERGY_STATUS"},
        {VENDOR_INTEL, 0x613, "PKG_PERF_STATUS"},
        {VENDOR_INTEL, 0x614, "PKG_POWER_INFO"},
        {VENDOR_INTEL, 0x618, "DRAM_POWER_LIMIT"},
        {VENDOR_INTEL, 0x619, "DRAM_ENERGY_STATUS"},
        {VENDOR_INTEL, 0x61B, "DRAM_PERF_STATUS"},
        {VENDOR_INTEL, 0x61C, "DRAM_POWER_INFO"},
        {VENDOR_INTEL, 0x630, "PKG_C8_RESIDENCY"},
        {VENDOR_INTEL, 0x631, "PKG_C9_RESIDENCY"},
        {VENDOR_INTEL, 0x632, "PKG_C10_RESIDENCY"},
        {VENDOR_INTEL, 0x633, "PKGC8_IRTL"},
        {VENDOR_INTEL, 0x634, "PKGC9_IRTL"},
        {VENDOR_INTEL, 0x635, "PKGC10_IRTL"},
        {VENDOR_INTEL, 0x638, "PP0_POWER_LIMIT"},
        {VENDOR_INTEL, 0x639, "PP0_ENERGY_STATUS"},
        {VENDOR_INTEL, 0x640, "PP1_POWER_LIMIT"},
        {VENDOR_INTEL, 0x641, "PP1_ENERGY_STATUS"},
        {VENDOR_INTEL, 0x648, "CONFIG_TDP_NOMINAL"},
        {VENDOR_INTEL, 0x649, "CONFIG_TDP_LEVEL1"},
        {VENDOR_INTEL, 0x64A, "CONFIG_TDP_LEVEL2"},
        {VENDOR_INTEL, 0x64B, "CONFIG_TDP_CONTROL"},
        {VENDOR_INTEL, 0x64C, "TURBO_ACTIVATION_RATIO"},
        {VENDOR_INTEL, 0x64D, "PLATFORM_ENERGY_COUNTER"},
        {VENDOR_INTEL, 0x64F, "CORE_PERF_LIMIT_REASONS"},
        {VENDOR_INTEL, 0x650, "SECONDARY_TURBO_RATIO_LIMIT"},
        {VENDOR_INTEL, 0x658, "WEIGHTED_CORE_C0"},
        {VENDOR_INTEL, 0x659, "ANY_CORE_C0"},
        {VENDOR_INTEL, 0x65A, "ANY_GFXE_C0"},
        {VENDOR_INTEL, 0x65B, "CORE_GFXE_OVERLAP_C0"},
        {VENDOR_INTEL, 0x65C, "PLATFORM_POWER_LIMIT"},
        {VENDOR_INTEL, 0x660, "CORE_C1_RESIDENCY"},
        {VENDOR_INTEL, 0x664, "MC6_RESIDENCY_COUNTER"},
        {VENDOR_INTEL, 0x668, "CC6_DEMOTION_POLICY_CONFIG"},
        {VENDOR_INTEL, 0x669, "MC6_DEMOTION_POLICY_CONFIG"},
        {VENDOR_INTEL, 0x66A, "ATOM_CORE_RATIOS"},
        {VENDOR_INTEL, 0x66B, "ATOM_CORE_VIDS"},
        {VENDOR_INTEL, 0x66C, "ATOM_CORE_TURBO_RATIOS"},
        {VENDOR_INTEL, 0x66D, "ATOM_CORE_TURBO_VIDS"},
        {VENDOR_INTEL, 0x690, "CORE_PERF_LIMIT_REASONS"},
        {VENDOR_INTEL, 0x6B0, "GRAPHICS_PERF_LIMIT_REASONS"},
        {VENDOR_INTEL, 0x6B1, "RING_PERF_LIMIT_REASONS"},
        {VENDOR_AMD, 0xC00000E7, "MPerfReadOnly"},
        {VENDOR_AMD, 0xC00000E8, "APerfReadOnly"},
        {VENDOR_AMD, 0xC0010010, "SYS_CFG"},
        {VENDOR_AMD, 0xC0010015, "HWCR"},
        {VENDOR_AMD, 0xC0010055, "INT_PENDING_MSG"},
        {VENDOR_AMD, 0xC0010061, "PStateCurLim"},
        {VENDOR_AMD, 0xC0010062, "PStateCtl"},
        {VENDOR_AMD, 0xC0010063, "PStateStat"},
        {VENDOR_AMD, 0xC0010071, "COFVID_STATUS"},
        {VENDOR_AMD, 0xC0010073, "CStateBaseAddr"},
        {VENDOR_AMD, 0xC0010299, "RAPL_PWR_UNIT"},
        {VENDOR_AMD, 0xC001029A, "CORE_ENERGY_STAT"},
        {VENDOR_AMD, 0xC001029B, "PKG_ENERGY_STAT"},
        {VENDOR_AMD, 0xC00102B0, "CPPC_CAPABILITY_1"},
        {VENDOR_AMD, 0xC00102B1, "CPPC_ENABLE"},
        {VENDOR_AMD, 0xC00102B2, "CPPC_CAPABILITY_2"},
        {VENDOR_AMD, 0xC00102B3, "CPPC_REQUEST"},
        {VENDOR_AMD, 0xC00102B4, "CPPC_STATUS"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
        bool is_found = false;

        for (uint32_t k = 0; k < msr_catalog_count() && !is_found; k++) {
            const struct msr_entry *entry = msr_catalog_at(k);

            is_found =
                entry->msr == registers[i].msr && strcmp(entry->name, registers[i].name) == 0;
        }
        if (!is_found) {
            fail_msg("%s is not %X", registers[i].name, registers[i].msr);
        }
        assert_non_null(msr_catalog_find(registers[i].vendor, registers[i].msr));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_beyond_the_last_have_a_name),
        cmocka_unit_test(words_are_folded),
        cmocka_unit_test(threads_of_a_core_share_its_id),
        cmocka_unit_test(a_tsc_that_stands_is_known),
        cmocka_unit_test(every_month_has_its_days),
        cmocka_unit_test(digits_choose_up_to_nine),
        cmocka_unit_test(a_step_keeps_every_character),
        cmocka_unit_test(profiles_are_these),
        cmocka_unit_test(bus_clocks_have_their_fractions),
        cmocka_unit_test(registers_have_their_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
