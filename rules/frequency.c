#include "model/cpu_id.h"
#include "model/freq_derive.h"
#include "model/freq_judge.h"
#include "model/units.h"
#include "rules/frequency_parts.h"
#include "rules/subjects.h"

#include <stddef.h>

/* Frequencies as measured at each request. */

#define COUNTERS                                                                                   \
    "Intel SDM vol. 3B, 15.2 P-State Hardware Coordination; AMD APM vol. 2, 17.3 Effective "       \
    "Frequency"
#define PSS_SPEC "ACPI 6.5, 8.4.5.2 _PSS (Performance Supported States)"

#define PPB UINT64_C(1000000000)
#define MPERF_PPM_MAX UINT64_C(5000)
#define CAUSES_BYTES 96

bool frequency_is_measured(struct judge *judge, uint32_t count, const char *none)
{
    const struct platform *platform = judge->platform;

    if (count == 0) {
        judge_skip(judge, platform->freq_skipped != NULL ? platform->freq_skipped : none);
    } else if (platform->is_emulated) {
        judge_skip(judge, "emulated: the figures mean nothing");
    } else if (platform->tsc_hz == 0) {
        judge_skip(judge, "the rate of the TSC is not known");
    } else {
        return true;
    }
    return false;
}

static bool has_samples(struct judge *judge)
{
    return frequency_is_measured(judge, judge->platform->freq_count, "no frequency was measured");
}

/* Why nothing was asked for by rows, where the hardware or the firmware had it so. */
static const char *no_rows_why(const struct platform *platform)
{
    return platform->freq_refusals_count > 0 ? platform->freq_refusals[0].why
                                             : "no frequency was asked for";
}

static void name_sample(const struct freq_sample *sample, struct judge_text *text)
{
    if (sample->pss_index != FREQ_NO_ROW) {
        (void)judge_text(text, "_PSS row %u", sample->pss_index);
    } else {
        (void)judge_text(text, "request 0x%llX", (unsigned long long)sample->control);
    }
}

static void counters_count(struct judge *judge)
{
    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_count; i++) {
        const struct freq_sample *sample = &judge->platform->freq[i];
        const struct freq_counts *counts = &sample->counts;

        judge->cpu = sample->cpu;
        if (counts->window_tsc == 0) {
            judge_fail(judge, "APERF and MPERF that count in C0", "%s", freq_no_figure_why(counts));
        } else if (counts->wrapped > 0) {
            judge_warn(judge, "64-bit counters that only grow", "a counter went backwards");
        } else if (counts->stopped > 0) {
            judge_warn(judge, "APERF and MPERF that count in C0",
                       "a counter stood still for a while");
        }
    }
}

static void mperf_is_at_tsc_rate(struct judge *judge)
{
    uint32_t cpu = CPU_NONE;
    uint32_t judged = 0;

    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_count; i++) {
        uint64_t ppb;

        if (judge->platform->freq[i].cpu == cpu) {
            continue;
        }
        cpu = judge->platform->freq[i].cpu;
        ppb = freq_mperf_ppb(judge->platform, cpu);
        judged += ppb != 0 ? 1U : 0U;
        if (ppb != 0 && units_difference_ppm(ppb, PPB) > MPERF_PPM_MAX) {
            judge->cpu = cpu;
            judge_note(judge, "MPERF at the rate of the TSC", "%llu.%02llu %% of it",
                       (unsigned long long)(ppb / 10000000),
                       (unsigned long long)(ppb / 100000 % 100));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "MPERF did not count");
    }
}

/* How many samples can be judged; tells the judge to skip when there are none. */
static bool has_requests(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (!has_samples(judge)) {
        return false;
    }
    for (uint32_t i = 0; i < platform->freq_count; i++) {
        if (platform->freq[i].figure.khz != 0 && platform->freq[i].requested_khz != 0) {
            return true;
        }
    }
    judge_skip(judge, no_rows_why(platform));
    return false;
}

static void requests_are_reached(struct judge *judge)
{
    if (!has_requests(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_count; i++) {
        const struct freq_sample *sample = &judge->platform->freq[i];
        struct freq_judgement judgement;
        struct judge_text name;
        struct judge_text expected;

        freq_judge(judge->platform, i, &judgement);
        if (judgement.verdict != FREQ_OFF ||
            freq_requests_do_nothing(judge->platform, sample->cpu)) {
            continue;
        }
        judge->cpu = sample->cpu;
        name_sample(sample, &name);
        judge_warn(judge,
                   judge_text(&expected, "%s: %llu kHz +- %llu", name.text,
                              (unsigned long long)sample->requested_khz,
                              (unsigned long long)judgement.tolerance_khz),
                   "%llu kHz (+- %llu ppm)", (unsigned long long)sample->figure.khz,
                   (unsigned long long)sample->figure.uncertainty_ppm);
    }
}

static void nothing_holds_back(struct judge *judge)
{
    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_count; i++) {
        const struct freq_sample *sample = &judge->platform->freq[i];
        char causes[CAUSES_BYTES];
        struct judge_text name;

        if (sample->counts.causes == 0 || sample->figure.khz == 0) {
            continue;
        }
        judge->cpu = sample->cpu;
        name_sample(sample, &name);
        judge_note(judge, "no limit at work while a frequency is measured", "%s: %llu kHz, %s",
                   name.text, (unsigned long long)sample->figure.khz,
                   freq_causes_text(sample->counts.causes, causes, sizeof(causes)));
    }
}

static void requests_do_something(struct judge *judge)
{
    uint32_t cpu = CPU_NONE;

    if (!has_requests(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_count; i++) {
        const struct freq_sample *sample = &judge->platform->freq[i];

        if (sample->cpu != cpu && freq_requests_do_nothing(judge->platform, sample->cpu)) {
            judge->cpu = sample->cpu;
            judge_fail(judge, "a frequency for each request", "%llu kHz at every request",
                       (unsigned long long)sample->figure.khz);
        }
        cpu = sample->cpu;
    }
}

/* The two rules that compare a row with the one above it. */
static void compare_rows(struct judge *judge, bool for_order)
{
    if (!has_requests(judge)) {
        return;
    }
    for (uint32_t i = 1; i < judge->platform->freq_count; i++) {
        const struct freq_sample *sample = &judge->platform->freq[i];
        const struct freq_sample *above = &judge->platform->freq[i - 1];
        struct freq_judgement judgement;
        struct judge_text name;

        freq_judge(judge->platform, i, &judgement);
        if (!(for_order ? judgement.is_faster : judgement.is_above_same) ||
            freq_requests_do_nothing(judge->platform, sample->cpu)) {
            continue;
        }
        judge->cpu = sample->cpu;
        name_sample(sample, &name);
        if (for_order) {
            judge_fail(judge, "less than the request above it reaches",
                       "%s: %llu kHz, the one above %llu kHz", name.text,
                       (unsigned long long)sample->figure.khz,
                       (unsigned long long)above->figure.khz);
        } else {
            judge_warn(judge, "a frequency of its own", "%s: %llu kHz, as the one above it",
                       name.text, (unsigned long long)sample->figure.khz);
        }
    }
}

static void rows_are_apart(struct judge *judge)
{
    compare_rows(judge, false);
}

static void order_is_kept(struct judge *judge)
{
    compare_rows(judge, true);
}

static void status_is_true(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_count; i++) {
        const struct freq_sample *sample = &judge->platform->freq[i];
        struct freq_judgement judgement;
        struct judge_text expected;

        if (sample->status_avail != AVAIL_PRESENT) {
            continue;
        }
        judged++;
        freq_judge(judge->platform, i, &judgement);
        /* A clock that is not what was asked for is another rule's matter. */
        if (judgement.status_differs && judgement.verdict == FREQ_AS_ASKED) {
            judge->cpu = sample->cpu;
            judge_warn(judge,
                       judge_text(&expected, "_PSS row %u: status 0x%llX", sample->pss_index,
                                  (unsigned long long)sample->status_expected),
                       "0x%llX, at %llu kHz", (unsigned long long)sample->status,
                       (unsigned long long)sample->figure.khz);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no status register was read");
    }
}

const struct rule frequency_rules[] = {
    {
        .id = "FRQ-001",
        .title = "APERF and MPERF count while a CPU works",
        .spec = COUNTERS,
        .why = "Without them no system knows how fast its processors run: frequency invariance and "
               "every monitor fail.",
        .advice = "Use the microcode of the processor's maker; nothing in firmware may write them.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = counters_count,
        .object = "APERF, MPERF",
    },
    {
        .id = "FRQ-002",
        .title = "MPERF counts at the rate of the TSC",
        .spec = COUNTERS,
        .why = "Systems that take the TSC's rate for MPERF's show frequencies that are off by as "
               "much.",
        .advice = "Nothing to change; use the measured rate.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = mperf_is_at_tsc_rate,
        .object = "MPERF",
    },
    {
        .id = "FRQ-003",
        .title = "A request reaches the frequency that it names",
        .spec = PSS_SPEC,
        .why = "The governor computes with frequencies that the silicon does not run at.",
        .advice = "Correct CoreFrequency or Control of the row.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = requests_are_reached,
        .object = "frequency",
    },
    {
        .id = "FRQ-004",
        .title = "Nothing holds the clock back while it is measured",
        .spec = "Intel SDM vol. 4, IA32_THERM_STATUS, MSR_CORE_PERF_LIMIT_REASONS; AMD APM vol. 2, "
                "17.1.1",
        .why = "A figure taken under a limit says what the limit allows, not what the row does.",
        .advice = "Cool the machine, raise the limit, or find what asserts PROCHOT.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = nothing_holds_back,
        .object = "frequency",
    },
    {
        .id = "FRQ-005",
        .title = "Requests change the frequency",
        .spec = PSS_SPEC,
        .why =
            "Every row does the same: the system neither saves power nor gains speed by choosing.",
        .advice = "Find what overrides the requests: a setup option, a fixed ratio, a limit.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = requests_do_something,
        .object = "frequency",
    },
    {
        .id = "FRQ-006",
        .title = "Two rows of _PSS are two frequencies",
        .spec = PSS_SPEC,
        .why = "The governor changes rows and nothing changes but the time lost.",
        .advice = "Leave the row out, or give it the control value of its frequency.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = rows_are_apart,
        .object = "frequency",
    },
    {
        .id = "FRQ-007",
        .title = "A lower request is not faster than a higher one",
        .spec = PSS_SPEC ": rows from the highest frequency to the lowest",
        .why = "Asking for less gives more: the governor runs the wrong way.",
        .advice = "Exchange the control values of the rows.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = order_is_kept,
        .object = "frequency",
    },
    {
        .id = "FRQ-008",
        .title = "The status register tells the request that is in force",
        .spec = "ACPI 6.5, 8.4.5.1 _PCT; 8.4.5.2 _PSS, Status",
        .why = "A system that compares Status after a change takes it for failed.",
        .advice = "Correct the Status values, or the status register of _PCT.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = status_is_true,
        .object = "frequency",
    },
    {.id = NULL},
};
