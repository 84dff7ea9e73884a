#include "tests/rules/cases.h"

#include <stddef.h>
#include <stdio.h>

/* Processors, the handshake, clocks, and how CPUs start. */

static void no_processors(struct fixture *fixture)
{
    fixture->platform.processors_count = 0;
}

/* The regression of 2021: boost half as much again as P0, and a maximum that stays at P0. */
static void falls_for_good(struct fixture *fixture)
{
    fixture_edit(
        fixture,
        "cpc (23 3 255 119 60 20 N {127 8 16 4 0xC00102B3} {127 8 8 4 0xC00102B3} "
        "{127 8 0 4 0xC00102B3} N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} "
        "{127 2 0 4 0xC00102B4} {127 1 0 4 0xC00102B1} 1 N {127 8 24 4 0xC00102B3} 119 570 "
        "3400);msr 0xC00102B0 0xFF773C14");
    (void)snprintf(fixture->options.linux_version, sizeof(fixture->options.linux_version),
                   "5.11-rc4");
}

static void string_uid(struct fixture *fixture)
{
    fixture->processors[1].uid_text = "CPU1";
}

static void no_uid(struct fixture *fixture)
{
    fixture->processors[1].uid_avail = AVAIL_ABSENT;
}

static void twin_uid(struct fixture *fixture)
{
    fixture->processors[1].uid = 0;
}

/* As numbering leaves them: the MADT entry belongs to the first, the second is not enabled. */
static void twin_without_entry(struct fixture *fixture)
{
    fixture->processors[1].uid = 0;
    fixture->processors[1].is_enabled = false;
    fixture->processors[1].cpu = CPU_NONE;
}

static void string_without_entry(struct fixture *fixture)
{
    fixture->processors[1].uid_text = "CPU1";
    fixture->processors[1].is_enabled = false;
    fixture->processors[1].cpu = CPU_NONE;
}

static void long_pblk(struct fixture *fixture)
{
    fixture->processors[1].pblk_length = 7;
}

static void pblk_nowhere(struct fixture *fixture)
{
    fixture->processors[1].pblk_address = 0;
}

static void enabled_but_absent(struct fixture *fixture)
{
    fixture->processors[1].sta = 2;
}

static void reserved_id(struct fixture *fixture)
{
    fixture->processors[1].uid = 0xFF;
}

static void none_enabled(struct fixture *fixture)
{
    for (uint32_t i = 0; i < FIXTURE_CPUS; i++) {
        fixture->processors[i].is_enabled = false;
        fixture->processors[i].cpu = CPU_NONE;
    }
}

static void osc_type(struct fixture *fixture)
{
    fixture->platform.handshake.platform_error = "AE_TYPE";
}

static void osc_fails(struct fixture *fixture)
{
    fixture->processors[1].osc_error = "AE_AML_OPERAND_TYPE";
}

static void pdc_fails(struct fixture *fixture)
{
    fixture->processors[1].pdc_error = "AE_AML_OPERAND_TYPE";
}

static void no_cppc(struct fixture *fixture)
{
    fixture->platform.handshake.platform_reply &= ~(1U << 6);
}

static const struct request_left left_behind[] = {
    {.cpu = 2, .msr = 0xC0010062, .end = REQUEST_END_DIFFERENT, .before = 0, .after = 2}};
static const struct request_left lost[] = {
    {.cpu = 1, .msr = 0xC0010015, .end = REQUEST_END_NO_ANSWER},
    {.cpu = 3, .msr = 0xC00102B3, .end = REQUEST_END_FAULTED, .before = 0x80}};
static const struct request_left elsewhere[] = {
    {.cpu = 0, .where = REQUEST_IN_PORT, .address = 0x880, .before = 1, .after = 2},
    {.cpu = 1, .where = REQUEST_IN_MEMORY, .address = 0x7E000008, .end = REQUEST_END_NO_ANSWER}};

static void request_left_behind(struct fixture *fixture)
{
    fixture->platform.requests =
        (struct request_account){.was_opened = true, .saved = 8, .writes = 40, .left = 1};
    fixture->platform.requests_left = left_behind;
    fixture->platform.requests_left_count = 1;
}

static void requests_lost(struct fixture *fixture)
{
    fixture->platform.requests =
        (struct request_account){.was_opened = true, .saved = 8, .writes = 40, .left = 2};
    fixture->platform.requests_left = lost;
    fixture->platform.requests_left_count = 2;
}

static void requests_left_elsewhere(struct fixture *fixture)
{
    fixture->platform.requests =
        (struct request_account){.was_opened = true, .saved = 8, .writes = 40, .left = 2};
    fixture->platform.requests_left = elsewhere;
    fixture->platform.requests_left_count = 2;
}

/* Set by this run, as --allow said: it stays, and that is told. */
static void one_way_set(struct fixture *fixture)
{
    fixture->platform.requests.has_set_cppc = true;
    fixture->options.allow_cppc_enable = true;
}

static void silent_cpu(struct fixture *fixture)
{
    fixture->cpus[3].answer = CPU_DID_NOT_ANSWER;
}

static void unhealthy_cpu(struct fixture *fixture)
{
    fixture->cpus[3].answer = CPU_DISABLED;
}

static void unknown_cpu(struct fixture *fixture)
{
    fixture->cpus[3].answer = CPU_NOT_PRESENT;
}

static void no_services(struct fixture *fixture)
{
    fixture->platform.is_mp_services_absent = true;
}

static void no_fault_handler(struct fixture *fixture)
{
    fixture->platform.is_fault_handler_proved = false;
}

static void out_of_memory(struct fixture *fixture)
{
    fixture->platform.incomplete = "no memory for the frequency table";
}

static void interrupt(struct fixture *fixture, const char *step, bool was_left_out)
{
    static struct interrupted all[2];

    all[0] = (struct interrupted){.step = step, .was_left_out = was_left_out};
    all[1] = (struct interrupted){.step = "evaluate _CST"};
    fixture->platform.interrupted = all;
    fixture->platform.interrupted_count = was_left_out ? 2 : 1;
}

static void came_back(struct fixture *fixture)
{
    interrupt(fixture, "evaluate _CST", false);
}

static void hung_once(struct fixture *fixture)
{
    interrupt(fixture, "measure clocks", true);
}

static void hung_twice(struct fixture *fixture)
{
    interrupt(fixture, "evaluate _CST: \\_SB.C002", true);
}

static void nmis(struct fixture *fixture)
{
    fixture->platform.nmi_count = 2;
}

static void mixed_steppings(struct fixture *fixture)
{
    fixture->leaves[1][1].eax = 0x00090675;
}

static void mixed_families(struct fixture *fixture)
{
    fixture->leaves[1][1].eax = 0x00000F41;
}

static void untrue_rate(struct fixture *fixture)
{
    fixture->platform.clocks[0].hz = fixture->platform.clocks[0].hz / 100 * 102;
}

static void slightly_untrue_rate(struct fixture *fixture)
{
    fixture->platform.clocks[0].hz = fixture->platform.clocks[0].hz / 1000 * 1001;
}

static void unstable(struct fixture *fixture)
{
    fixture->platform.clocks[1].rejected = 4;
}

/* As the collector leaves them when the HPET and CPUID outvote a PM timer. */
static void disagree(struct fixture *fixture, const char *from, uint64_t hz)
{
    struct platform *platform = &fixture->platform;

    platform->clocks[platform->clocks_count++] = (struct clock){.name = "tsc",
                                                                .hz = hz,
                                                                .from = from,
                                                                .uncertainty_ppm = 20,
                                                                .status = "disagrees",
                                                                .runs = 8};
}

static void pm_timer_at_double_speed(struct fixture *fixture)
{
    fixture->platform.clocks[1].from = CLOCK_FROM_HPET;
    disagree(fixture, CLOCK_FROM_PM_TIMER, fixture->platform.tsc_hz / 2);
}

static void hpet_slightly_off(struct fixture *fixture)
{
    disagree(fixture, CLOCK_FROM_HPET, fixture->platform.tsc_hz / 1000 * 1003);
}

static void pm_timer_is_torn(struct fixture *fixture)
{
    fixture->platform.clocks[2].status = "counts, but single reads are torn";
}

static struct work_sample wrong_work[] = {
    {.kernel = WORK_INTEGER, .pss_index = 1, .active = 4},
    {.kernel = WORK_MEMORY, .pss_index = UINT32_MAX, .active = 1}};

static void wrong_result(struct fixture *fixture)
{
    wrong_work[0].is_wrong = true;
    wrong_work[1].is_wrong = true;
    fixture->platform.work = wrong_work;
    fixture->platform.work_count = 2;
}

static void tsc_ahead(struct fixture *fixture)
{
    fixture->platform.tsc_sync = (struct tsc_sync){
        .compared = 3, .differing = 1, .widest_tsc = 400, .worst_tsc = 81234, .worst_cpu = 2};
}

static void p0_redefined(struct fixture *fixture)
{
    disagree(fixture, CLOCK_FROM_P0, fixture->platform.tsc_hz / 10 * 12);
    fixture->platform.clocks[fixture->platform.clocks_count - 1].runs = 0;
    fixture->platform.clocks[fixture->platform.clocks_count - 1].tolerance_ppm = 5000;
}

static void pm_timer_stands(struct fixture *fixture)
{
    fixture->platform.clocks[2].status = "does not count";
}

static void pit_stands(struct fixture *fixture)
{
    fixture->platform.clocks[3].status = "does not count";
}

static void hpet_stands(struct fixture *fixture)
{
    fixture->platform.clocks[4].status = "does not count";
}

const struct rule_case cases_of_machine[] = {
    {"PROC-001", MACHINE_AMD, NULL, NULL, no_processors},
    {"PROC-002", MACHINE_AMD, NULL, NULL, string_uid},
    {"PROC-002", MACHINE_AMD, NULL, NULL, no_uid},
    {"PROC-002", MACHINE_AMD, NULL, "MADT-011", string_without_entry},
    {"PROC-003", MACHINE_AMD, NULL, NULL, twin_uid},
    {"PROC-003", MACHINE_AMD, NULL, "MADT-011", twin_without_entry},
    {"PROC-004", MACHINE_PCC, NULL, NULL, long_pblk},
    {"PROC-005", MACHINE_PCC, NULL, NULL, pblk_nowhere},
    {"PROC-006", MACHINE_AMD, NULL, NULL, enabled_but_absent},
    {"PROC-007", MACHINE_PCC, NULL, NULL, reserved_id},
    {"PROC-008", MACHINE_AMD, NULL, NULL, none_enabled},

    {"LIN-001", MACHINE_AMD, NULL, "PROC-006", enabled_but_absent},
    {"LIN-002", MACHINE_AMD, NULL, "AMC-009", falls_for_good},

    {"OSC-001", MACHINE_AMD, NULL, NULL, osc_type},
    {"OSC-002", MACHINE_AMD, NULL, NULL, osc_fails},
    {"OSC-003", MACHINE_INTEL, NULL, NULL, pdc_fails},
    {"OSC-004", MACHINE_INTEL, NULL, NULL, no_cppc},

    {"MP-001", MACHINE_AMD, NULL, NULL, silent_cpu},
    {"MP-002", MACHINE_AMD, NULL, NULL, unhealthy_cpu},
    {"MP-002", MACHINE_AMD, NULL, NULL, unknown_cpu},
    {"MP-003", MACHINE_AMD, NULL, NULL, no_services},
    {"MP-004", MACHINE_HYBRID, NULL, NULL, mixed_steppings},
    {"MP-004", MACHINE_HYBRID, NULL, NULL, mixed_families},
    {"MP-005", MACHINE_AMD, NULL, NULL, no_fault_handler},
    {"MP-006", MACHINE_AMD, NULL, NULL, out_of_memory},

    {"RUN-001", MACHINE_AMD, NULL, NULL, came_back},
    {"RUN-001", MACHINE_AMD, NULL, NULL, hung_once},
    {"RUN-001", MACHINE_AMD, NULL, NULL, hung_twice},
    {"RUN-002", MACHINE_AMD, NULL, NULL, nmis},

    {"REQ-001", MACHINE_AMD, NULL, NULL, request_left_behind},
    {"REQ-001", MACHINE_AMD, NULL, NULL, requests_lost},
    {"REQ-001", MACHINE_AMD, NULL, NULL, requests_left_elsewhere},
    {"REQ-002", MACHINE_AMD, "msr 0xC00102B1 0", NULL, NULL},
    {"REQ-002", MACHINE_INTEL, "msr 0x770 0", NULL, NULL},
    {"REQ-002", MACHINE_AMD, "msr 0xC00102B1 0", NULL, one_way_set},
    {"WRK-001", MACHINE_AMD, NULL, NULL, wrong_result},
    {"CLK-001", MACHINE_AMD, "cpuid 0x80000007 edx 0x280", NULL, NULL},
    {"CLK-002", MACHINE_AMD, NULL, NULL, untrue_rate},
    {"CLK-002", MACHINE_AMD, NULL, NULL, slightly_untrue_rate},
    {"CLK-003", MACHINE_AMD, NULL, NULL, unstable},
    {"CLK-004", MACHINE_AMD, NULL, NULL, pm_timer_stands},
    {"CLK-004", MACHINE_AMD, NULL, NULL, pm_timer_is_torn},
    {"CLK-007", MACHINE_AMD, NULL, NULL, pm_timer_at_double_speed},
    {"CLK-007", MACHINE_AMD, NULL, NULL, hpet_slightly_off},
    {"CLK-008", MACHINE_AMD, NULL, NULL, tsc_ahead},
    {"CLK-002", MACHINE_AMD, NULL, NULL, p0_redefined},
    {"CLK-005", MACHINE_AMD, NULL, NULL, pit_stands},
    {"CLK-006", MACHINE_AMD, NULL, NULL, hpet_stands},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};
