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

#define FINDINGS_MAX 1024U
#define SAID_MAX 256U

struct idle_case {
    const char *name;
    void (*change)(uint64_t value);
    uint64_t value;
    uint32_t cpus;
    /* "IDL-005 WARN; IDL-009 FAIL": every verdict but PASS and SKIP, in the order of the ids; part of what the first
     * of them says is the case, or NULL. */
    const char *says;
    const char *text;
};

/* A machine with nothing to say of: 1 us for C1 by either way, 30 us for C2, which declares 40. */
static void sound(uint32_t cpus)
{
    remake(cpus);
    states[1].field[CST_LATENCY_US] = 40;
    machine.port_ps = US / 2;
    machine.pm_ps = US / 20;
}

static void nothing(uint64_t value)
{
    (void)value;
}

static void c2_declares(uint64_t latency_us)
{
    states[1].field[CST_LATENCY_US] = latency_us;
}

/* By either way, as C1 declares. */
static void c1_wakes_after(uint64_t us)
{
    states[0].field[CST_LATENCY_US] = us;
    machine.mwait_exit_ps = us * US;
    machine.halt_exit_ps = us * US;
}

/* FreeBSD review D47444: 400 us. */
static void halt_wakes_after(uint64_t us)
{
    states[1].field[CST_LATENCY_US] = us + 100;
    machine.halt_exit_ps = us * US;
    machine.exit_ps = (us + 50) * US;
}

static void port_never_stops(uint64_t value)
{
    (void)value;
    machine.stop = SIM_IDLE_NOT;
}

static void mwait_never_stops(uint64_t value)
{
    (void)value;
    machine.is_mwait_void = true;
}

/* Only the PM timer read keeps the core from running on. */
static void port_stops_after(uint64_t ns)
{
    machine.stop = SIM_IDLE_LATE;
    machine.late_ps = ns * 1000;
    machine.pm_ps = US;
}

/* 0.14 % of a sleep in the port, 99.33 % in the PM timer: 17.8 ns and 12.6 us. */
static void second_read_takes(uint64_t ps)
{
    machine.stop = SIM_IDLE_NOT;
    machine.port_ps = 17800;
    machine.pm_ps = ps;
}

/* ARAT (CPUID 6 EAX[2]) in spite of it, or none. */
static void timer_stops(uint64_t leaf_6_eax)
{
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = (uint32_t)leaf_6_eax});
    machine.is_timer_stopped = true;
}

static void core_counts(uint64_t permille)
{
    give_core_counter((uint32_t)permille);
}

static void package_counts(uint64_t permille)
{
    give_package_counter((uint32_t)permille);
}

static void tsc_stops(uint64_t is_promised)
{
    machine.is_tsc_stopped = true;
    if (is_promised != 0) {
        sim_platform_feature(&sim, CPU_FEATURE_INVARIANT_TSC);
    }
}

static void smis_come(uint64_t are_counted)
{
    machine.smi = (struct sim_idle_taker){.every_ps = 50000 * US, .lasts_ps = 100 * US};
    if (are_counted != 0) {
        sim_platform_msr(&sim, SIM_ALL_CPUS, 0x34, 0);
        machine.has_smi_count = true;
    }
}

/* Twice in the time of the longest sleep. */
static void a_device_interrupts_every(uint64_t us)
{
    machine.intruder = (struct sim_idle_taker){.every_ps = us * US, .lasts_ps = 2 * US};
}

static void bus_carries(uint64_t readers)
{
    machine.is_bus_shared = true;
    machine.bus_readers = (uint32_t)readers;
}

/* Beside 40 W awake and 20 W in HLT. With 10 W it pays from 120 us on, and Linux takes twice what is declared. */
static void port_takes(uint64_t mw)
{
    sim.options.samples = 0;
    give_power(40000, 20000, mw);
}

static void port_takes_and_c2_declares_100(uint64_t mw)
{
    c2_declares(100);
    port_takes(mw);
}

static const struct idle_case cases[] = {
    {"sound", nothing, 0, 1, "", NULL},
    {"understated", c2_declares, 5, 1, "IDL-005 WARN", "C2: declared 5 us, measured 30"},
    {"just not understated", c2_declares, 16, 1, "", NULL},
    {"just not overstated", c2_declares, 290, 1, "", NULL},
    {"overstated", c2_declares, 400, 1, "IDL-006 INFO", "C2: declared 400 us, measured 30"},
    {"shallow is slower", c1_wakes_after, 200, 1, "IDL-007 WARN", "C1 takes 200"},
    {"two are one", c1_wakes_after, 30, 1, "IDL-008 INFO", "C1 and C2 both take 30"},
    {"HLT wakes late", halt_wakes_after, 400, 1, "IDL-004 WARN", "HLT 400"},
    {"never entered", port_never_stops, 0, 1, "IDL-009 WARN",
     "C2: never, in sleeps of up to 10000 us"},
    {"MWAIT never entered", mwait_never_stops, 0, 1, "IDL-009 WARN", "C1: never"},
    {"stops late", port_stops_after, 500, 1, "IDL-001 INFO", "C2: "},
    {"dear second read", second_read_takes, 12623800, 1, "IDL-001 WARN; IDL-009 WARN", "C2: 126"},
    {"timer stops against promise", timer_stops, 4, 2, "IDL-010 FAIL", "C2: 3 sleeps"},
    {"timer stops", timer_stops, 0, 2, "IDL-010 INFO", "C2: it stops"},
    {"core counter agrees", core_counts, 950, 1, "", NULL},
    {"core counter knows half", core_counts, 450, 1, "IDL-011 WARN", "C2: "},
    {"core counter stands still", core_counts, 0, 1, "IDL-011 WARN", "C2: 0 of "},
    {"package sleeps", package_counts, 600, 1, "", NULL},
    {"package stays up", package_counts, 0, 1, "IDL-015 INFO", "the package for 0 ns"},
    {"TSC stops", tsc_stops, 0, 1, "IDL-014 INFO", "C2: it stops"},
    {"TSC stops against promise", tsc_stops, 1, 1, "IDL-014 FAIL", "C2: "},
    {"SMIs", smis_come, 0, 1, "IDL-012 WARN", "the longest 100"},
    {"SMIs, counted", smis_come, 1, 1, "IDL-003 INFO; IDL-012 WARN", " SMIs"},
    {"a device that interrupts", a_device_interrupts_every, 5000, 1, "IDL-002 WARN; IDL-012 WARN",
     " dropped"},
    {"a bus for one", bus_carries, 1, 16, "IDL-013 INFO", "on 16 at once"},
    {"a bus for four", bus_carries, 4, 16, "", NULL},
    {"state pays", port_takes_and_c2_declares_100, 10000, 1, "", NULL},
    {"state pays late", port_takes, 10000, 1, "IDL-016 INFO", "declared 40 us"},
    {"state wastes", port_takes, 25000, 1, "IDL-016 INFO", "more, at every length"},
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

    sound(each->cpus);
    each->change(each->value);
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

/* Of all that is wrong with an emulator nothing is said of the silicon: its figures are there, and every rule says
 * SKIP. */
static void an_emulator_is_not_judged(void **state)
{
    struct findings findings;
    char said[SAID_MAX];
    uint32_t skipped = 0;

    (void)state;
    sound(1);
    c2_declares(5);
    port_never_stops(0);
    smis_come(0);
    sim.options.run = RUN_IDLE;
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    (void)measure();
    assert_true(sim.platform.idle_count > 0);
    judge(&findings);
    assert_null(collect_said(&findings, said));
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
