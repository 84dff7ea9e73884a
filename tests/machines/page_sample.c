/*
 * page_sample DIR: writes the forms of three reports into DIR.
 * zen3.*: a simulated server of Zen 3 on which everything was measured: 16 CPUs
 * that share one bus, a C2 port that stops the CPU at once, and a PM timer
 * whose read takes 12.6 us, so that the dummy read is harmful (mission S2's
 * shares); zen3-summary.txt is what a console shows first.
 * many.html: the same of 1024 CPUs, every one of them measured.
 * hostile.*: strings that try to break out of every form.
 */
#include "drivers/idle_measure.h"
#include "model/columns.h"
#include "model/idle_reach.h"
#include "report/report.h"
#include "rules/rule.h"
#include "tests/sim/sim_idle.h"
#include "tests/sim/sim_linux.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CPUS 16U
#define MANY 1024U
#define FINDINGS 4096U
#define SAMPLE_BINS 65536U
#define TSC_HZ UINT64_C(3000000000)

static struct sim_idle machine;
static struct sim_platform small;
static struct sim_platform many;
static struct sim_platform *sim = &small;
static struct findings findings;
static struct sample_bin bins[SAMPLE_BINS];
static char buffer[65536];

static void measure_idle(void)
{
    const struct idle_measure measure = {
        .hw = &machine.hw, .timing = &machine.cpus[0].core, .crew = &machine.crew};

    sim_idle_init(&machine, CPUS, 1);
    machine.has_mwait = true;
    machine.is_bus_shared = true;
    machine.port_ps = 1000000;
    machine.pm_ps = 12623800;
    machine.jitter_permille = 150;
    machine.exit_spread_ps = 9000000;
    machine.exit_tail_ps = 60000000;
    sim->options.run = RUN_ALL;
    sim->platform.samples = (struct sample_store){.bins = bins, .capacity = SAMPLE_BINS};
    sim->platform.tsc_hz = machine.tsc_hz;
    idle_measure(&measure, &sim->platform);
    idle_reach_find(&sim->platform);
    sim_idle_free(&machine);
}

/* What collecting would have listed: each different object once, by kind. */
static void list_sets(uint32_t cpus)
{
    static const struct object_set *sets[OBJECT_KINDS * MANY];
    uint32_t count = 0;

    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        uint32_t of_kind = 0;

        for (uint32_t cpu = 0; cpu < cpus; cpu++) {
            const struct object_set *set = sim->platform.processors[cpu].objects[kind].set;
            uint32_t i = 0;

            while (i < count && sets[i] != set) {
                i++;
            }
            if (set != NULL && i == count) {
                ((struct object_set *)(uintptr_t)set)->index = of_kind++;
                sets[count++] = set;
            }
        }
    }
    sim->platform.sets = sets;
    sim->platform.sets_count = count;
}

static void make_machine(uint32_t cpus)
{
    sim_linux_epyc_7742(sim, cpus);
    sim_platform_identity(sim, "AuthenticAMD", 0x19, 0x01);
    sim_platform_brand(sim, "AMD EPYC 7713 64-Core Processor");
    sim_platform_feature(sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x11});
    sim->platform.source = SOURCE_FIRMWARE;
    sim->platform.vendor = "Simulated";
    sim->platform.product = "Zen 3 server";
    sim->platform.firmware_version = "1.0";
    sim->platform.firmware_date = "01/02/2026";
    sim->platform.clocks[0] = (struct clock){.name = "tsc",
                                             .hz = TSC_HZ,
                                             .from = "measured against the PM timer",
                                             .uncertainty_ppm = 12,
                                             .status = "used",
                                             .runs = 5};
    sim->platform.clocks[1] = (struct clock){
        .name = "pm_timer", .hz = 3579545, .from = "ACPI 6.5, 4.8.2.1", .status = "reference"};
    sim->platform.clocks_count = 2;
    list_sets(cpus);
}

/* The others look at objects as the interpreter gave them, which a snapshot
 * built by hand has not. */
static bool is_about_the_run(const struct rule *rule)
{
    return strncmp(rule->id, "IDL-", 4) == 0 || strncmp(rule->id, "LIN-", 4) == 0 ||
           strncmp(rule->id, "CLK-", 4) == 0;
}

/* The counts of a clock of `khz` over a tenth of a second; MPERF runs with the
 * TSC. */
static struct freq_counts counts_of(uint64_t khz)
{
    const uint64_t window_tsc = TSC_HZ / 10;

    return (struct freq_counts){.window_tsc = window_tsc,
                                .mperf = window_tsc,
                                .aperf = khz * 100,
                                .stamp_tsc = 900,
                                .slow_ppm = 999000,
                                .fast_ppm = 1001000,
                                .slices = 10};
}

/* Boost that decays with the active cores, rows that hold, a loop of some
 * hundred microseconds. */
static void measure_clocks(uint32_t cpus)
{
    static const uint64_t rows_khz[] = {2250000, 2000000, 1500000};
    static const uint64_t boost_khz[] = {3391000, 3391000, 3350000, 3200000, 2950000};
    static struct freq_sample samples[MANY * 3];
    static struct freq_boost boosts[5];
    static struct freq_settling settlings[4];

    for (uint32_t i = 0; i < cpus * 3; i++) {
        samples[i] =
            (struct freq_sample){.cpu = i / 3,
                                 .kind = FREQ_PSTATE_CTL,
                                 .pss_index = i % 3,
                                 .requested_khz = rows_khz[i % 3],
                                 .control = i % 3,
                                 .counts = counts_of(i % 3 == 0 ? 2950000 : rows_khz[i % 3])};
    }
    for (uint32_t i = 0; i < 5; i++) {
        boosts[i] = (struct freq_boost){
            .active = 1U << i, .parked = "MWAIT", .counts = counts_of(boost_khz[i])};
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t us = 40 + 90 * (uint64_t)i;

        settlings[i] =
            (struct freq_settling){.kind = FREQ_PSTATE_CTL,
                                   .from_index = i < 2 ? i : i - 1,
                                   .to_index = i < 2 ? i + 1 : i - 2,
                                   .from_khz = rows_khz[i < 2 ? i : i - 1],
                                   .to_khz = rows_khz[i < 2 ? i + 1 : i - 2],
                                   .latency_us = 1,
                                   .changes = 32,
                                   .settle_tsc = {32, us * 2400, us * 3000, us * 3600, us * 4200,
                                                  us * 4500, us * 3100, us * 300}};
    }
    sim->platform.freq = samples;
    sim->platform.freq_count = cpus * 3;
    sim->platform.freq_boosts = boosts;
    sim->platform.freq_boosts_count = 5;
    sim->platform.freq_settlings = settlings;
    sim->platform.freq_settlings_count = 4;
}

/* Work in a second and the energy it takes, in the form of mission S4's table: each row, one core and all. */
static void measure_work(void)
{
    static const uint32_t active[] = {1, CPUS};
    static const uint64_t rows_khz[] = {2250000, 2000000, 1500000};
    static const uint64_t clock_khz[2][3] = {{3391000, 2000000, 1500000},
                                             {2950000, 2000000, 1500000}};
    static const uint64_t package_mw[2][3] = {{72000, 61000, 57000}, {205000, 131000, 98000}};
    static struct work_sample samples[WORK_KERNELS * 2 * 3];
    uint32_t count = 0;

    for (uint32_t kernel = 0; kernel < WORK_KERNELS; kernel++) {
        for (uint32_t crowd = 0; crowd < 2; crowd++) {
            for (uint32_t row = 0; row < 3; row++) {
                uint64_t per_core = kernel == WORK_INTEGER ? clock_khz[crowd][row] / 1000
                                                           : 900 + clock_khz[crowd][row] / 9000;

                samples[count++] = (struct work_sample){.kernel = (enum work_kernel)kernel,
                                                        .pss_index = row,
                                                        .requested_khz = rows_khz[row],
                                                        .active = active[crowd],
                                                        .pieces_per_s = per_core * active[crowd],
                                                        .package_avail = AVAIL_PRESENT,
                                                        .package_uj = package_mw[crowd][row] * 1000,
                                                        .dram_avail = AVAIL_ABSENT,
                                                        .energy_tsc = TSC_HZ,
                                                        .uncertainty_ppm = 2100};
            }
        }
    }
    sim->platform.work = samples;
    sim->platform.work_count = count;
}

static void judge(void)
{
    struct linux_version version;

    assert_true(linux_version_parse("5.11-rc4", &version));
    platform_freeze(&sim->platform);
    linux_views_compute(&sim->platform, version);
    columns_compute(&sim->platform);
    assert_int_equal(findings_init(&findings, &sim->heap.arena, FINDINGS, MANY), STATUS_OK);
    for (uint32_t i = 0; i < rules_count(); i++) {
        const struct rule *rule = rules_at(i);

        if (is_about_the_run(rule)) {
            rule->check(rule, &sim->platform, &findings);
        }
    }
    findings_sort(&findings);
}

static bool flush(void *context, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, context) == length;
}

static const struct build_info build = {.version = "0", .build = "sample", .acpica = "none"};

static void write_form(const struct report *report, const char *folder, const char *name,
                       void (*form)(const struct report *report, struct textbuf *out))
{
    char path[1024];
    struct textbuf out;
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    textbuf_init(&out, buffer, sizeof(buffer), flush, file);
    form(report, &out);
    assert_true(textbuf_finish(&out));
    assert_int_equal(fclose(file), 0);
}

/* Every form of a report whose strings try to break out of it. */
static void write_hostile(const char *folder)
{
    static struct sim_report sample;

    sim_report_init(&sample);
    write_form(&sample.report, folder, "hostile.html", report_html);
    write_form(&sample.report, folder, "hostile.json", report_json);
    write_form(&sample.report, folder, "hostile.xml", report_junit);
    write_form(&sample.report, folder, "hostile.tap", report_tap);
    write_form(&sample.report, folder, "hostile.csv", report_csv);
    write_form(&sample.report, folder, "hostile.txt", report_text);
    sim_report_free(&sample);
}

/* The small machine's idle states on each CPU of a large one: as many CPUs as a page must bear, all of it measured. */
static void repeat_idle(void)
{
    static struct idle_sample_set sets[MANY * 64];
    uint32_t count = 0;

    for (uint32_t first = 0; first < MANY; first += CPUS) {
        for (uint32_t i = 0; i < small.platform.idle_count; i++) {
            assert_true(count < sizeof(sets) / sizeof(sets[0]));
            sets[count] = small.platform.idle[i];
            sets[count++].cpu += first;
        }
    }
    many.platform.idle = sets;
    many.platform.idle_count = count;
    many.platform.port_costs = small.platform.port_costs;
    many.platform.port_costs_count = small.platform.port_costs_count;
    many.platform.samples = small.platform.samples;
    many.platform.tsc_hz = small.platform.tsc_hz;
}

static void write_many(const char *folder)
{
    const struct report report = {&build, &many.platform, &findings};

    sim = &many;
    make_machine(MANY);
    repeat_idle();
    measure_clocks(MANY);
    measure_work();
    judge();
    write_form(&report, folder, "many.html", report_html);
}

int main(int count, char **words)
{
    const struct report report = {&build, &small.platform, &findings};

    if (count != 2) {
        (void)fprintf(stderr, "usage: page_sample DIR\n");
        return 2;
    }
    make_machine(CPUS);
    measure_idle();
    measure_clocks(CPUS);
    measure_work();
    judge();
    write_form(&report, words[1], "zen3.html", report_html);
    write_form(&report, words[1], "zen3.txt", report_text);
    write_form(&report, words[1], "zen3-summary.txt", report_summary);
    write_form(&report, words[1], "zen3.json", report_json);
    write_form(&report, words[1], "zen3.csv", report_csv);
    write_hostile(words[1]);
    write_many(words[1]);
    sim_platform_free(&many);
    sim_platform_free(&small);
    return EXIT_SUCCESS;
}
