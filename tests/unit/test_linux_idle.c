#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static uint32_t kept(const struct linux_view *view)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->idle.count; i++) {
        count += view->idle.states[i].is_kept ? 1 : 0;
    }
    return count;
}

static bool has_message(const struct linux_view *view, const char *part)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (strstr(view->messages[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static void intel(uint32_t model, uint32_t substates)
{
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
    sim_platform_leaf(
        &sim, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = substates});
}

/* Bug 22: C1 by MWAIT on AMD, C2 by port with its own latency. */
static void amd_list(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.driver, "acpi_idle");
    assert_int_equal(kept(view), 2);
    assert_int_equal(view->idle.states[0].entry, LINUX_ENTRY_MWAIT);
    assert_int_equal(view->idle.states[1].entry, LINUX_ENTRY_IO);
    assert_int_equal(view->idle.states[1].address, 0x814);
    assert_int_equal(view->idle.states[1].residency_us, 800);
    assert_true(view->idle.is_lapic_trusted);
}

/* Bug 22's variants: another class is no MWAIT, C1 then halts, without a message. */
static void class_that_is_no_mwait(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 1, 1, 0, 1, 1}, {0x7F, 2, 0, 0x10, 2, 40}};
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 2);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->idle.states[0].entry, LINUX_ENTRY_HALT);
    assert_false(view->idle.states[1].is_kept);
    assert_true(has_message(view, "_CST C2 declares FIXED_HARDWARE"));
    assert_false(has_message(view, "not supported by HW"));
}

/* Bug 25: hint 30H without sub-states in CPUID 5 EDX[19:16]. */
static void hint_without_substates(void **state)
{
    static const struct sim_cst cst[] = {
        {0x7F, 1, 2, 0x00, 1, 1}, {0x7F, 1, 2, 0x30, 3, 100}, {0x7F, 1, 2, 0x40, 3, 200}};
    const struct linux_view *view;

    (void)state;
    intel(0x96, 0x00100010);
    sim_linux_cst(&sim, cst, 3);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.driver, "intel_idle");
    assert_int_equal(kept(view), 2);
    assert_true(has_message(view, "ACPI MWAIT C-state 0x30 not supported by HW (0x10)"));
    assert_int_equal(view->idle.states[2].residency_us, 600);
    assert_string_equal(sim_linux_view(&sim, "5.4")->idle.driver, "acpi_idle");
}

static void table_switched_by_cst(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 1, 2, 0x00, 1, 1}};
    const struct linux_view *view;

    (void)state;
    intel(0x55, 0x0220);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 2); /* C6 has no sub-state: nibble 3 is 0 */
    sim_platform_leaf(
        &sim, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = 0x2220});
    sim_linux_cst(&sim, cst, 1);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.states[2].name, "C6");
    assert_false(view->idle.states[2].is_kept);
    assert_true(view->idle.states[1].is_kept); /* C1E is always on */
    assert_int_equal(kept(sim_linux_view(&sim, "5.4")), 3);
}

static void shapes_that_cost_everything(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 2, 2, 0, 1, 1}};
    struct object_set *set;
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 1);
    sim_linux_cst(&sim, cst, 1);
    set = arena_take(sim.platform.arena, sizeof(*set));
    *set = *sim.platform.processors[0].objects[OBJECT_CST].set;
    set->cst.count = 2;
    sim.platform.processors[0].objects[OBJECT_CST].set = set;
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.driver, "none");
    assert_true(has_message(view, "Inconsistent _CST data"));
    set->cst.states_count = 0;
    assert_true(has_message(sim_linux_view(&sim, "6.12"), "Invalid _CST output"));
}

static void latencies_out_of_order(void **state)
{
    static const struct sim_cst cst[] = {
        {0x01, 8, 0, 0x814, 1, 5}, {0x01, 8, 0, 0x815, 2, 400}, {0x01, 8, 0, 0x816, 3, 100}};
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 3);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->idle.states[1].latency_us, 100);
    assert_int_equal(view->idle.states[2].latency_us, 400);
    assert_true(view->idle.states[2].is_latency_sorted);
    assert_true(has_message(view, "C-state latencies out of order"));
    assert_non_null(view->idle.bus_master);
    view = sim_linux_view(&sim, "5.4");
    assert_int_equal(view->idle.states[1].latency_us, 400);
}

static void eight_states_are_one_too_many(void **state)
{
    static const struct sim_cst cst[] = {{0x01, 8, 0, 0x801, 1, 1}, {0x01, 8, 0, 0x802, 2, 2},
                                         {0x01, 8, 0, 0x803, 2, 3}, {0x01, 8, 0, 0x804, 2, 4},
                                         {0x01, 8, 0, 0x805, 2, 5}, {0x01, 8, 0, 0x806, 2, 6},
                                         {0x01, 8, 0, 0x807, 2, 7}, {0x01, 8, 0, 0x808, 2, 8}};
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 8);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 7);
    assert_true(has_message(view, "No room for more idle states"));
}

/* Without a _CST: the processor block, as far as the FADT's latencies allow. */
static void processor_block(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 1);
    sim.platform.processors[0].objects[OBJECT_CST] = (struct object_result){.avail = AVAIL_ABSENT};
    sim.platform.processors[0].kind = PROCESSOR_OBJECT;
    sim.platform.processors[0].pblk_address = 0x810;
    sim.platform.processors[0].pblk_length = 6;
    sim_linux_fadt(&sim, FADT_P_LVL2_LAT, 100);
    sim_linux_fadt(&sim, FADT_P_LVL3_LAT, 1001);
    view = sim_linux_view(&sim, "5.19");
    assert_int_equal(kept(view), 2);
    assert_int_equal(view->idle.states[1].address, 0x814);
    assert_true(view->idle.dummy_wait);
    sim_linux_fadt(&sim, FADT_P_LVL2_LAT, 101);
    assert_int_equal(kept(sim_linux_view(&sim, "5.19")), 1);
    sim.platform.processors[0].pblk_length = 7;
    assert_true(has_message(sim_linux_view(&sim, "5.19"), "Invalid PBLK length [7]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(amd_list, tear_down),
        cmocka_unit_test_teardown(class_that_is_no_mwait, tear_down),
        cmocka_unit_test_teardown(hint_without_substates, tear_down),
        cmocka_unit_test_teardown(table_switched_by_cst, tear_down),
        cmocka_unit_test_teardown(shapes_that_cost_everything, tear_down),
        cmocka_unit_test_teardown(latencies_out_of_order, tear_down),
        cmocka_unit_test_teardown(eight_states_are_one_too_many, tear_down),
        cmocka_unit_test_teardown(processor_block, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
