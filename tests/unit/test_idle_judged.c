#include "report/report_text_parts.h"
#include "rules/rule.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/*
 * From the sleep to the sentence: simulated machines, each with one thing wrong, are measured by the same code
 * as real ones, and the rules judge what came out. Each case names all that the rules of idle states may say.
 */

#define CORE_C6 0x3FDU
#define PACKAGE_C6 0x3F9U
#define FINDINGS_MAX 1024U
#define SAID_MAX 256U

struct idle_case {
    const char *name;
    void (*change)(void);
    const char *
        says; /* "IDL-005 WARN; IDL-009 FAIL": every verdict but PASS and SKIP, in the order of the ids */
    const char *text; /* part of what the first of them says is the case; NULL: there is none */
};

/* A machine with nothing to say of: 1 us for C1 by either way, 30 us for C2, which declares 40. */
static void sound(void)
{
    states[1].field[CST_LATENCY_US] = 40;
    machine.port_ps = US / 2;
    machine.pm_ps = US / 20;
}

static void understated(void)
{
    states[1].field[CST_LATENCY_US] = 5;
}

static void overstated(void)
{
    states[1].field[CST_LATENCY_US] = 400;
}

static void just_not_understated(void)
{
    states[1].field[CST_LATENCY_US] = 16;
}

static void just_not_overstated(void)
{
    states[1].field[CST_LATENCY_US] = 290;
}

/* C1 declares 1 us and may take 200. */
static void shallow_is_slower(void)
{
    states[0].field[CST_LATENCY_US] = 200;
    machine.mwait_exit_ps = 200 * US;
    machine.halt_exit_ps = 200 * US;
}

static void two_are_one(void)
{
    states[0].field[CST_LATENCY_US] = 40;
    machine.mwait_exit_ps = 30 * US;
    machine.halt_exit_ps = 30 * US;
}

/* FreeBSD review D47444. */
static void halt_wakes_late(void)
{
    states[1].field[CST_LATENCY_US] = 500;
    machine.halt_exit_ps = 400 * US;
    machine.exit_ps = 450 * US;
}

static void never_entered(void)
{
    machine.stop = SIM_IDLE_NOT;
}

static void mwait_never_entered(void)
{
    machine.is_mwait_void = true;
}

/* Only the PM timer read keeps the core from running on. */
static void stops_late(void)
{
    machine.stop = SIM_IDLE_LATE;
    machine.late_ps = US / 2;
    machine.pm_ps = US;
}

static void second_read_is_dear(void)
{
    machine.stop = SIM_IDLE_NOT;
    machine.port_ps = 17800;
    machine.pm_ps = 12623800;
}

static void intel_with_arat(bool is_promised)
{
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = is_promised ? 4 : 0});
}

static void timer_stops_against_its_promise(void)
{
    remake(2);
    sound();
    intel_with_arat(true);
    machine.is_timer_stopped = true;
}

static void timer_stops(void)
{
    remake(2);
    sound();
    intel_with_arat(false);
    machine.is_timer_stopped = true;
}

static void core_counts(uint32_t permille)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, CORE_C6, 0);
    machine.core_msr = CORE_C6;
    machine.core_permille = permille;
}

static void core_counter_agrees(void)
{
    core_counts(950);
}

static void core_counter_knows_half(void)
{
    core_counts(450);
}

static void core_counter_stands_still(void)
{
    core_counts(0);
}

static void package_counts(uint32_t permille)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, PACKAGE_C6, 0);
    machine.package_msr = PACKAGE_C6;
    machine.package_permille = permille;
}

static void package_sleeps(void)
{
    package_counts(600);
}

static void package_stays_up(void)
{
    package_counts(0);
}

static void tsc_stops(void)
{
    machine.is_tsc_stopped = true;
}

static void tsc_stops_against_its_promise(void)
{
    sim_platform_feature(&sim, CPU_FEATURE_INVARIANT_TSC);
    machine.is_tsc_stopped = true;
}

static void smis_that_nobody_counts(void)
{
    machine.smi.every_ps = 50000 * US;
    machine.smi.lasts_ps = 100 * US;
}

static void smis_that_are_counted(void)
{
    smis_that_nobody_counts();
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x34, 0);
    machine.has_smi_count = true;
}

/* Twice as often as the longest sleep lasts. */
static void a_device_that_interrupts(void)
{
    machine.intruder.every_ps = 5000 * US;
    machine.intruder.lasts_ps = 2 * US;
}

static void crowd_of(uint32_t cpus)
{
    remake(cpus);
    sound();
    machine.is_bus_shared = true;
}

static void a_bus_for_one(void)
{
    crowd_of(16);
}

static void a_bus_for_four(void)
{
    crowd_of(16);
    machine.bus_readers = 4;
}

/* 40 W awake, 20 W in HLT, and so much in the port's state. */
static void powered(uint64_t port_mw)
{
    sim.options.samples = 0;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x5E);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = 4});
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x606, 0xA0E03);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 0);
    machine.awake_mw = 40000;
    machine.halt_mw = 20000;
    machine.port_mw = port_mw;
}

static void state_pays(void)
{
    states[1].field[CST_LATENCY_US] = 100;
    powered(10000);
}

/* From 120 us on, and Linux assumes twice 40. */
static void state_pays_late(void)
{
    powered(10000);
}

static void state_wastes(void)
{
    powered(25000);
}

static void emulated(void)
{
    understated();
    never_entered();
    machine.smi.every_ps = 50000 * US;
    machine.smi.lasts_ps = 100 * US;
    sim.options.run = RUN_IDLE;
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
}

static const struct idle_case cases[] = {
    {"sound", sound, "", NULL},
    {"understated", understated, "IDL-005 WARN", "C2: declared 5 us, measured 30"},
    {"overstated", overstated, "IDL-006 INFO", "C2: declared 400 us, measured 30"},
    {"just not understated", just_not_understated, "", NULL},
    {"just not overstated", just_not_overstated, "", NULL},
    {"shallow is slower", shallow_is_slower, "IDL-007 WARN", "C1 takes 200"},
    {"two are one", two_are_one, "IDL-008 INFO", "C1 and C2 both take 30"},
    {"HLT wakes late", halt_wakes_late, "IDL-004 WARN", "HLT 400"},
    {"never entered", never_entered, "IDL-009 WARN", "C2: never, in sleeps of up to 10000 us"},
    {"MWAIT never entered", mwait_never_entered, "IDL-009 WARN", "C1: never"},
    {"stops late", stops_late, "IDL-001 INFO", "C2: "},
    {"dear second read", second_read_is_dear, "IDL-001 WARN; IDL-009 WARN", "C2: 126"},
    {"timer stops against promise", timer_stops_against_its_promise, "IDL-010 FAIL",
     "C2: 3 sleeps"},
    {"timer stops", timer_stops, "IDL-010 INFO", "C2: it stops"},
    {"core counter agrees", core_counter_agrees, "", NULL},
    {"core counter knows half", core_counter_knows_half, "IDL-011 WARN", "C2: "},
    {"core counter stands still", core_counter_stands_still, "IDL-011 WARN", "C2: 0 of "},
    {"package sleeps", package_sleeps, "", NULL},
    {"package stays up", package_stays_up, "IDL-015 INFO", "the package for 0 ns"},
    {"TSC stops", tsc_stops, "IDL-014 INFO", "C2: it stops"},
    {"TSC stops against promise", tsc_stops_against_its_promise, "IDL-014 FAIL", "C2: "},
    {"SMIs", smis_that_nobody_counts, "IDL-012 WARN", "the longest 100"},
    {"SMIs, counted", smis_that_are_counted, "IDL-003 INFO; IDL-012 WARN", " SMIs"},
    {"a device that interrupts", a_device_that_interrupts, "IDL-002 WARN; IDL-012 WARN",
     " dropped"},
    {"a bus for one", a_bus_for_one, "IDL-013 INFO", "on 16 at once"},
    {"a bus for four", a_bus_for_four, "", NULL},
    {"state pays", state_pays, "", NULL},
    {"state pays late", state_pays_late, "IDL-016 INFO", "declared 40 us"},
    {"state wastes", state_wastes, "IDL-016 INFO", "more, at every length"},
    {"emulated", emulated, "", NULL},
};

/* The platform as the pipeline freezes it, judged. */
static void judge(struct findings *ret_findings)
{
    platform_freeze(&sim.platform);
    assert_int_equal(
        findings_init(ret_findings, &sim.heap.arena, FINDINGS_MAX, sim.platform.cpus_count),
        STATUS_OK);
    rules_run(&sim.platform, ret_findings);
    findings_sort(ret_findings);
    assert_int_equal(ret_findings->dropped, 0);
}

static bool speaks(const struct finding *finding)
{
    return strncmp(finding->id, "IDL-", 4) == 0 && finding->verdict != VERDICT_PASS &&
           finding->verdict != VERDICT_SKIP;
}

/* Each rule and verdict once, by id; the text of the first. */
static const struct finding *collect_said(const struct findings *findings, char *ret_said)
{
    const struct finding *first = NULL;
    const char *last = "";

    ret_said[0] = '\0';
    for (;;) {
        const struct finding *next = NULL;

        for (uint32_t i = 0; i < findings->count; i++) {
            const struct finding *finding = &findings->items[i];

            if (speaks(finding) && strcmp(finding->id, last) > 0 &&
                (next == NULL || strcmp(finding->id, next->id) < 0)) {
                next = finding;
            }
        }
        if (next == NULL) {
            return first;
        }
        first = first == NULL ? next : first;
        last = next->id;
        assert_true(strlen(ret_said) + strlen(last) + 10 < SAID_MAX);
        (void)strcat(ret_said, ret_said[0] == '\0' ? "" : "; ");
        (void)strcat(strcat(strcat(ret_said, last), " "), verdict_name(next->verdict));
    }
}

static void run_case(const struct idle_case *each)
{
    struct findings findings;
    char said[SAID_MAX];
    const struct finding *first;

    remake(1);
    sound();
    each->change();
    (void)measure();
    judge(&findings);
    first = collect_said(&findings, said);
    if (strcmp(said, each->says) != 0) {
        fail_msg("%s: the rules say \"%s\"%s%s", each->name, said, first == NULL ? "" : ": ",
                 first == NULL ? "" : first->actual);
    }
    if (each->text != NULL && strstr(first->actual, each->text) == NULL) {
        fail_msg("%s: \"%s\" does not have \"%s\"", each->name, first->actual, each->text);
    }
}

static void what_is_measured_is_judged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        run_case(&cases[i]);
    }
}

/* An emulator's figures are there, and no rule takes them for the silicon's. */
static void an_emulator_is_not_judged(void **state)
{
    struct findings findings;
    uint32_t skipped = 0;

    (void)state;
    remake(1);
    sound();
    emulated();
    (void)measure();
    assert_true(sim.platform.idle_count > 0);
    judge(&findings);
    for (uint32_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.items[i];

        if (strncmp(finding->id, "IDL-", 4) == 0 && finding->verdict == VERDICT_SKIP) {
            skipped++;
        }
    }
    assert_int_equal(skipped, 16);
}

static char page[65536];

static bool page_says(const char *text)
{
    const struct findings none = {0};
    const struct build_info build = {0};
    const struct report report = {.build = &build, .platform = &sim.platform, .findings = &none};
    struct textbuf out;

    (void)measure();
    platform_freeze(&sim.platform);
    textbuf_init(&out, page, sizeof(page) - 1, NULL, NULL);
    report_text_timing(&report, &out);
    page[out.length] = '\0';
    /* Lines end where they are full. */
    for (char *at = strstr(page, "\n        "); at != NULL; at = strstr(at, "\n        ")) {
        memmove(at, at + 8, strlen(at + 8) + 1);
    }
    return strstr(page, text) != NULL;
}

/* What the figures rest on stands beside them: how the others rested, who watched, and what a limit cut. */
static void the_report_says_how_it_was_measured(void **state)
{
    (void)state;
    remake(2);
    assert_true(page_says("other CPUs: MWAIT"));
    assert_non_null(strstr(page, "watched by another CPU"));
    assert_null(strstr(page, "cut by the time limit"));
    remake(2);
    sim.options.park = PARK_HLT;
    assert_true(page_says("other CPUs: HLT"));
    remake(2);
    sim.options.park = PARK_SPIN;
    assert_true(page_says("other CPUs: spinning"));
    remake(2);
    machine.is_serial = true;
    assert_true(page_says("other CPUs: left to the firmware"));
    remake(1);
    sim.options.samples = 100000;
    sim.options.seconds = 2;
    assert_true(page_says("cut by the time limit"));
    assert_null(strstr(page, "other CPUs"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_measured_is_judged),
        TEST(an_emulator_is_not_judged),
        TEST(the_report_says_how_it_was_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
