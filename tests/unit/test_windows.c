#include "model/windows.h"
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

static const struct windows_view *view_of(void)
{
    platform_freeze(&sim.platform);
    windows_view_compute(&sim.platform);
    assert_non_null(sim.platform.windows);
    return sim.platform.windows;
}

static bool has_note(const struct windows_view *view, const char *words)
{
    for (uint32_t i = 0; i < view->notes_count; i++) {
        assert_non_null(view->notes[i].source);
        if (strstr(view->notes[i].text, words) != NULL) {
            return true;
        }
    }
    return false;
}

/* Types 1 and 2 with their latencies as they are; every verdict names its document. */
static void cst_is_taken_as_it_is(void **state)
{
    const struct windows_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    view = view_of();
    assert_int_equal(view->count, 2);
    assert_int_equal(view->states[0].verdict, WINDOWS_KEPT);
    assert_false(view->states[0].is_port);
    assert_int_equal(view->states[1].verdict, WINDOWS_KEPT);
    assert_true(view->states[1].is_port);
    assert_int_equal(view->states[1].address, 0x814);
    assert_int_equal(view->states[1].latency_us, 400);
    assert_non_null(strstr(view->states[1].source, "PEP_PPM_CST_STATE"));
    assert_int_equal(view->notes_count, 0);
}

static void what_no_document_says_is_said(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 2, 2, 0, 1, 1},
                                         {0x7F, 2, 2, 0x10, 2, 90},
                                         {0x7F, 2, 2, 0x20, 2, 50},
                                         {0x7F, 2, 2, 0x30, 4, 100},
                                         {0x00, 8, 0, 0x1000, 3, 100}};
    const struct windows_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 5);
    view = view_of();
    assert_int_equal(view->count, 5);
    assert_int_equal(view->states[2].verdict, WINDOWS_KEPT);
    assert_int_equal(view->states[2].latency_us, 50);
    assert_int_equal(view->states[3].verdict, WINDOWS_NOT_DOCUMENTED);
    assert_int_equal(view->states[4].verdict, WINDOWS_NOT_DOCUMENTED);
    assert_true(has_note(view, "share a type"));
    assert_true(has_note(view, "entry n of _CST is not of type n"));
    assert_true(has_note(view, "latencies out of order"));
}

/* Without _CST: C1, and the P_BLK states that the FADT's latencies allow. */
static void p_blk_stands_in_for_cst(void **state)
{
    const struct windows_view *view;

    (void)state;
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x0F);
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        sim.platform.processors[cpu].kind = PROCESSOR_OBJECT;
        sim.platform.processors[cpu].pblk_address = 0x410;
        sim.platform.processors[cpu].pblk_length = 6;
    }
    sim_linux_fadt(&sim, FADT_P_LVL2_LAT, 100);
    sim_linux_fadt(&sim, FADT_P_LVL3_LAT, 1001);
    sim_linux_fadt(&sim, FADT_CST_CNT, 0x85);
    view = view_of();
    assert_int_equal(view->count, 3);
    assert_int_equal(view->states[0].type, 1);
    assert_int_equal(view->states[1].verdict, WINDOWS_KEPT);
    assert_int_equal(view->states[1].address, 0x414);
    assert_int_equal(view->states[2].verdict, WINDOWS_DROPPED);
    assert_int_equal(view->states[2].address, 0x415);
    assert_true(has_note(view, "P_LVL2_UP"));
    assert_true(has_note(view, "CST_CNT"));
}

static void a_machine_without_processors_has_no_list(void **state)
{
    (void)state;
    sim_platform_init(&sim, 0);
    assert_int_equal(view_of()->cpu, CPU_NONE);
    assert_int_equal(view_of()->count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(cst_is_taken_as_it_is, tear_down),
        cmocka_unit_test_teardown(what_no_document_says_is_said, tear_down),
        cmocka_unit_test_teardown(p_blk_stands_in_for_cst, tear_down),
        cmocka_unit_test_teardown(a_machine_without_processors_has_no_list, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
