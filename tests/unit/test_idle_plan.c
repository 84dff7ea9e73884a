#include "drivers/idle_plan.h"
#include "model/textbuf.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Which ways of going idle a machine's objects, FADT and CPUID give, and why one is not entered. */

static char text[4096];

/* A way a line: "C2 port 814 with 808, _CST 400 us, may stop the timer: why it is not timed". */
static void describe(const struct idle_way *way, struct textbuf *out)
{
    textbuf_printf(out, "%s ", way->state);
    if (way->entry == IDLE_HLT) {
        textbuf_printf(out, "HLT");
    } else if (way->entry == IDLE_MWAIT) {
        textbuf_printf(out, "MWAIT %x.%x", way->hint, way->mwait_extensions);
    } else {
        textbuf_printf(out, "port %x", way->port);
    }
    if (way->dummy_read != DUMMY_NONE) {
        textbuf_printf(out, " with %x", way->dummy_port);
    }
    textbuf_printf(out, ", %s", way->from);
    if (way->has_declared_latency) {
        textbuf_printf(out, " %llu us", (unsigned long long)way->declared_latency_us);
    }
    textbuf_printf(out, "%s%s%s\n", way->may_stop_timer ? ", may stop the timer" : "",
                   way->not_timed == NULL ? "" : ": ",
                   way->not_timed == NULL ? "" : way->not_timed);
}

static const char *plan(void)
{
    struct idle_plan made;
    struct textbuf out;

    idle_plan_make(&sim.platform, 0, &made);
    textbuf_init(&out, text, sizeof(text) - 1, NULL, NULL);
    for (uint32_t i = 0; i < made.count; i++) {
        describe(&made.ways[i], &out);
    }
    textbuf_printf(&out, "%s", made.is_cut ? "and more\n" : "");
    text[out.length] = '\0';
    return text;
}

static void cpuid_5(uint32_t ecx, uint32_t edx)
{
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 5, .ecx = ecx, .edx = edx});
}

static void without_objects(void)
{
    for (uint32_t i = 0; i < sim.platform.processors_count; i++) {
        sim.platform.processors[i].objects[OBJECT_CST] =
            (struct object_result){.avail = AVAIL_ABSENT};
    }
}

static void an_epyc_has_mwait_hlt_and_a_port(void **state)
{
    (void)state;
    assert_string_equal(plan(), "C1 MWAIT 0.1, _CST 1 us\n"
                                "C1 HLT, architecture\n"
                                "C2 port 814, _CST 400 us\n"
                                "C2 port 814 with 808, _CST 400 us\n");
}

static void nothing_but_hlt_needs_no_object(void **state)
{
    (void)state;
    without_objects();
    cpuid_5(0, 0);
    assert_string_equal(plan(), "C1 HLT, architecture\n");
}

/* A nibble of EDX a state, C0 first: SDM vol. 2A, CPUID, leaf 05H. */
static void cpuid_offers_what_no_object_names(void **state)
{
    (void)state;
    without_objects();
    cpuid_5(3, 0x01000121);
    assert_string_equal(plan(), "C1 HLT, architecture\n"
                                "MWAIT MWAIT 0.1, CPUID 5\n"
                                "MWAIT MWAIT 1.1, CPUID 5\n"
                                "MWAIT MWAIT 10.1, CPUID 5\n"
                                "MWAIT MWAIT 50.1, CPUID 5\n");
    /* No interrupt breaks through a cleared flag (ECX[1]): it stays set. */
    cpuid_5(1, 0x10);
    assert_string_equal(plan(), "C1 HLT, architecture\n"
                                "MWAIT MWAIT 0.0, CPUID 5\n");
}

static void a_hint_that_cpuid_does_not_have_is_refused(void **state)
{
    (void)state;
    states[0] = ffh_state(2, 0x10);
    give_cst(1);
    assert_string_equal(plan(),
                        "C2 MWAIT 10.1, _CST 1 us: CPUID 5 EDX has no sub-state for this hint\n"
                        "C1 HLT, architecture\n"
                        "MWAIT MWAIT 0.1, CPUID 5\n");
    cpuid_5(0, 0x110);
    assert_string_equal(plan(),
                        "C2 MWAIT 10.0, _CST 1 us: CPUID 5 ECX[0] is clear: hints have no meaning\n"
                        "C1 HLT, architecture\n");
}

static void a_monitor_that_is_off_is_not_waited_on(void **state)
{
    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x5E);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = 4});
    give_cst(1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, UINT64_C(1) << 18);
    assert_string_equal(plan(), "C1 MWAIT 0.1, _CST 1 us\n"
                                "C1 HLT, architecture\n");
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, 0);
    assert_string_equal(plan(),
                        "C1 MWAIT 0.0, _CST 1 us: MSR 1A0H bit 18 switches MONITOR and MWAIT off\n"
                        "C1 HLT, architecture\n");
}

/* Bit offset 0 is HLT, 1 an I/O read and HLT. */
static void each_class_of_fixed_hardware_is_itself(void **state)
{
    (void)state;
    states[0] = ffh_state(1, 0);
    states[0].reg.gas.offset_bits = 0;
    states[1] = ffh_state(2, 0x815);
    states[1].reg.gas.offset_bits = 1;
    cpuid_5(0, 0);
    assert_string_equal(plan(), "C1 HLT, _CST 1 us\n"
                                "C2 port 815, _CST 1 us: an I/O read that HLT follows (class 1) is "
                                "not timed as one\n");
}

static void lpi_offers_hints(void **state)
{
    static struct lpi_state lpi[2];
    static struct object_set set;

    (void)state;
    without_objects();
    cpuid_5(3, 0x110);
    for (uint32_t i = 0; i < 2; i++) {
        lpi[i] = (struct lpi_state){.elements = 10, .entry_kind = CPC_ELEMENT_REGISTER};
        lpi[i].entry.avail = AVAIL_PRESENT;
        lpi[i].entry.gas = (struct gas){.space = GAS_FFH, .offset_bits = 2, .address = 0x10 * i};
        lpi[i].valid = 1U << LPI_WAKE_LATENCY_US;
        lpi[i].field[LPI_WAKE_LATENCY_US] = 7 + 80 * i;
    }
    set = (struct object_set){.kind = OBJECT_LPI};
    set.lpi = (struct lpi){.is_package = true, .count = 2, .states_count = 2, .states = lpi};
    sim.platform.processors[0].objects[OBJECT_LPI] =
        (struct object_result){.avail = AVAIL_PRESENT, .set = &set};
    assert_string_equal(plan(), "C1 HLT, architecture\n"
                                "LPI MWAIT 0.1, _LPI 7 us\n"
                                "LPI MWAIT 10.1, _LPI 87 us\n");
}

/* P_LVL2 at offset 4 and P_LVL3 at offset 5 of a block of six bytes: ACPI 6.5, 4.8.3.5. */
static void have_block(uint64_t c2_us, uint64_t c3_us)
{
    without_objects();
    cpuid_5(0, 0);
    for (uint32_t i = 0; i < sim.platform.processors_count; i++) {
        sim.platform.processors[i].kind = PROCESSOR_OBJECT;
        sim.platform.processors[i].pblk_address = PORT - 4;
        sim.platform.processors[i].pblk_length = 6;
    }
    sim.platform.fadt.has_field[FADT_P_LVL2_LAT] = true;
    sim.platform.fadt.has_field[FADT_P_LVL3_LAT] = true;
    sim.platform.fadt.field[FADT_P_LVL2_LAT] = c2_us;
    sim.platform.fadt.field[FADT_P_LVL3_LAT] = c3_us;
}

static void a_processor_block_has_two_levels(void **state)
{
    (void)state;
    have_block(100, 1001);
    assert_string_equal(
        plan(), "C1 HLT, architecture\n"
                "C2 port 814, P_BLK 100 us\n"
                "C2 port 814 with 808, P_BLK 100 us\n"
                "C3 port 815, P_BLK 1001 us: P_LVL3_LAT says that there is no C3\n"
                "C3 port 815 with 808, P_BLK 1001 us: P_LVL3_LAT says that there is no C3\n");
    sim.platform.fadt.field[FADT_P_LVL2_LAT] = 101;
    assert_non_null(
        strstr(plan(), "C2 port 814, P_BLK 101 us: P_LVL2_LAT says that there is no C2\n"));
    sim.platform.processors[0].pblk_length = 5;
    assert_string_equal(plan(), "C1 HLT, architecture\n");
}

static void a_level_for_one_processor_is_not_for_two(void **state)
{
    (void)state;
    remake(2);
    have_block(90, 900);
    assert_non_null(strstr(plan(), "C2 port 814, P_BLK 90 us: P_LVL2_UP says that C2 and C3 are "
                                   "only for machines with one processor\n"));
    sim.platform.fadt.field[FADT_FLAGS] = 1U << FADT_FLAG_P_LVL2_UP;
    assert_non_null(strstr(plan(), "C2 port 814, P_BLK 90 us\n"));
}

static void a_level_is_measured(void **state)
{
    (void)state;
    have_block(40, 1001);
    (void)measure();
    assert_near(find(0, IDLE_IO, DUMMY_NONE, 100000)->exit_tsc.p50, 30 * US);
    assert_string_equal(find(0, IDLE_IO, DUMMY_PM_TIMER, 100000)->port_from, "P_BLK");
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 100000)->declared_latency_us, 40);
    assert_non_null(strstr(refusal(IDLE_IO), "P_LVL3_LAT"));
}

/* ARAT, and erratum 400 of AMD's families 0Fh and 10h, where C1E stops the timer. */
static void timers_that_may_stop_are_marked(void **state)
{
    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x10, 2);
    assert_string_equal(plan(), "C1 MWAIT 0.1, _CST 1 us\n"
                                "C1 HLT, architecture, may stop the timer\n"
                                "C2 port 814, _CST 400 us, may stop the timer\n"
                                "C2 port 814 with 808, _CST 400 us, may stop the timer\n");
}

static void more_ways_than_fit_are_said(void **state)
{
    (void)state;
    cpuid_5(3, 0xFFFFFFF0);
    assert_non_null(strstr(plan(), "and more\n"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_epyc_has_mwait_hlt_and_a_port),
        TEST(nothing_but_hlt_needs_no_object),
        TEST(cpuid_offers_what_no_object_names),
        TEST(a_hint_that_cpuid_does_not_have_is_refused),
        TEST(a_monitor_that_is_off_is_not_waited_on),
        TEST(each_class_of_fixed_hardware_is_itself),
        TEST(lpi_offers_hints),
        TEST(a_processor_block_has_two_levels),
        TEST(a_level_for_one_processor_is_not_for_two),
        TEST(a_level_is_measured),
        TEST(timers_that_may_stop_are_marked),
        TEST(more_ways_than_fit_are_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
