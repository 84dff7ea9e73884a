/* measured, work, requests, pcc_commands: the reverse of report/report_json_clocked.c, report_json_work.c and parts of
 * report_json_measured.c. Figures follow from the counts again: model/freq_derive.h. */
#include "host/json_text.h"
#include "host/rebuild_parts.h"
#include "model/freq_derive.h"

#include <stddef.h>
#include <string.h>

static const json_t *measured_of(const struct rebuilder *rebuilder)
{
    return json_object_get(rebuilder->root, "measured");
}

static enum freq_request_kind kind_of(const json_t *json)
{
    const char *names[FREQ_REQUEST_KINDS];

    for (unsigned i = 0; i < FREQ_REQUEST_KINDS; i++) {
        names[i] = freq_request_kind_name((enum freq_request_kind)i);
    }
    return (enum freq_request_kind)rebuild_word(json_text_string(json, "kind"), names,
                                                FREQ_REQUEST_KINDS, FREQ_NO_REQUEST);
}

static void take_counts(const json_t *json, struct freq_counts *counts)
{
    uint32_t left_out = rebuild_u32(json, "slices_left_out");

    counts->window_tsc = json_text_number(json, "window_tsc", 0);
    counts->aperf = json_text_number(json, "aperf", 0);
    counts->mperf = json_text_number(json, "mperf", 0);
    counts->stamp_tsc = json_text_number(json, "stamp_tsc", 0);
    counts->slices = rebuild_u32(json, "slices");
    counts->slow_ppm = json_text_number(json, "slowest_slice_ppm", 0);
    counts->fast_ppm = json_text_number(json, "fastest_slice_ppm", 0);
    if (counts->fast_ppm < counts->slow_ppm) {
        counts->fast_ppm = counts->slow_ppm;
    }
    counts->wrapped = rebuild_u32(json, "backward_slices");
    counts->stopped = rebuild_u32(json, "stopped_slices");
    counts->torn = counts->wrapped + counts->stopped < left_out
                       ? left_out - counts->wrapped - counts->stopped
                       : 0;
    counts->causes = freq_causes_of_text(rebuild_text(json, "held_back_by", ""));
}

static void take_sample(const json_t *json, struct freq_sample *sample)
{
    const json_t *request = json_object_get(json, "request");
    bool has_row = json_object_get(request, "pss_index") != NULL;
    bool has_status = json_object_get(json, "status") != NULL;

    sample->cpu = rebuild_u32(json, "cpu");
    sample->kind = kind_of(request);
    sample->pss_index = has_row ? rebuild_u32(request, "pss_index") : FREQ_NO_ROW;
    sample->requested_khz = json_text_number(request, "khz", 0);
    sample->control = json_text_number(request, "control", 0);
    sample->status_expected = json_text_number(json, "status_expected", 0);
    sample->status_avail = has_status ? AVAIL_PRESENT : AVAIL_UNTRIED;
    sample->status = json_text_number(json, "status", 0);
    sample->was_long = rebuild_is_true(json, "measured_longer");
    take_counts(json, &sample->counts);
}

static void take_samples(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(measured_of(rebuilder), "frequency");
    uint32_t count = rebuild_count(array);
    struct freq_sample *samples = arena_array(rebuilder->arena, count, sizeof(*samples));

    for (uint32_t i = 0; samples != NULL && i < count; i++) {
        take_sample(json_array_get(array, i), &samples[i]);
    }
    rebuilder->platform->freq = samples;
    rebuilder->platform->freq_count = samples == NULL ? 0 : count;
    rebuilder->platform->freq_skipped = json_text_string(
        measured_of(rebuilder), count == 0 ? "frequency_skipped" : "frequency_ended_early");
}

static void take_boost(const json_t *json, struct freq_boost *boost)
{
    static const char *const kinds[FREQ_BOOST_KINDS] = {[FREQ_BOOST_CORES] = "cores",
                                                        [FREQ_BOOST_THREADS] = "threads",
                                                        [FREQ_BOOST_ALONE] = "alone",
                                                        [FREQ_BOOST_OFF] = "boost_off",
                                                        [FREQ_BOOST_ON] = "boost_on"};

    boost->kind = (enum freq_boost_kind)rebuild_word(json_text_string(json, "kind"), kinds,
                                                     FREQ_BOOST_KINDS, FREQ_BOOST_CORES);
    boost->package = rebuild_u32(json, "package");
    boost->active = rebuild_u32(json, "active");
    boost->cpu = rebuild_u32(json, "cpu");
    boost->parked = json_text_string(json, "parked");
    boost->parked_tsc = json_text_number(json, "parked_tsc", 0);
    boost->deep_tsc = json_text_number(json, "parked_deep_tsc", 0);
    boost->has_residency = json_object_get(json, "parked_tsc") != NULL;
    take_counts(json, &boost->counts);
}

static void take_boosts(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(measured_of(rebuilder), "boost_by_active_cores");
    uint32_t count = rebuild_count(array);
    struct freq_boost *boosts = arena_array(rebuilder->arena, count, sizeof(*boosts));

    for (uint32_t i = 0; boosts != NULL && i < count; i++) {
        take_boost(json_array_get(array, i), &boosts[i]);
    }
    rebuilder->platform->freq_boosts = boosts;
    rebuilder->platform->freq_boosts_count = boosts == NULL ? 0 : count;
}

static void take_settling(const json_t *json, struct freq_settling *settling)
{
    settling->cpu = rebuild_u32(json, "cpu");
    settling->kind = kind_of(json);
    settling->from_index = rebuild_u32(json, "from");
    settling->to_index = rebuild_u32(json, "to");
    settling->from_khz = json_text_number(json, "from_khz", 0);
    settling->to_khz = json_text_number(json, "to_khz", 0);
    settling->latency_us = json_text_number(json, "declared_latency_us", 0);
    settling->changes = rebuild_u32(json, "changes");
    settling->unsettled = rebuild_u32(json, "unsettled");
    settling->loop_from_tsc = json_text_number(json, "loop_from_tsc", 0);
    settling->loop_to_tsc = json_text_number(json, "loop_to_tsc", 0);
    settling->limit_tsc = json_text_number(json, "limit_tsc", 0);
    settling->why = json_text_string(json, "why");
    settling->settle_tsc = rebuild_distribution(json, "settle_tsc");
}

static void take_settlings(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(measured_of(rebuilder), "settling");
    uint32_t count = rebuild_count(array);
    struct freq_settling *settlings = arena_array(rebuilder->arena, count, sizeof(*settlings));

    for (uint32_t i = 0; settlings != NULL && i < count; i++) {
        take_settling(json_array_get(array, i), &settlings[i]);
    }
    rebuilder->platform->freq_settlings = settlings;
    rebuilder->platform->freq_settlings_count = settlings == NULL ? 0 : count;
}

static void take_refusals(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(measured_of(rebuilder), "not_asked");
    uint32_t count = rebuild_count(array);
    struct freq_refusal *refusals = arena_array(rebuilder->arena, count, sizeof(*refusals));

    for (uint32_t i = 0; refusals != NULL && i < count; i++) {
        const json_t *json = json_array_get(array, i);

        refusals[i] = (struct freq_refusal){.cpu = rebuild_u32(json, "cpu"),
                                            .kind = kind_of(json),
                                            .why = rebuild_text(json, "why", "")};
    }
    rebuilder->platform->freq_refusals = refusals;
    rebuilder->platform->freq_refusals_count = refusals == NULL ? 0 : count;
}

static void take_work_sample(const json_t *json, struct work_sample *sample)
{
    static const char *const kernels[] = {"integer", "memory"};

    sample->kernel =
        (enum work_kernel)rebuild_word(json_text_string(json, "kernel"), kernels, 2, WORK_INTEGER);
    sample->pss_index =
        json_object_get(json, "pss_index") != NULL ? rebuild_u32(json, "pss_index") : FREQ_NO_ROW;
    sample->requested_khz = json_text_number(json, "requested_khz", 0);
    sample->is_boost_off = rebuild_is_true(json, "boost_off");
    sample->package = rebuild_u32(json, "package");
    sample->active = rebuild_u32(json, "active_cores");
    sample->cpu = rebuild_u32(json, "cpu");
    sample->pieces_per_s = json_text_number(json, "work", 0);
    sample->is_wrong = rebuild_is_true(json, "wrong_result");
    sample->package_avail =
        json_object_get(json, "energy_uj") != NULL ? AVAIL_PRESENT : AVAIL_ABSENT;
    sample->package_uj = json_text_number(json, "energy_uj", 0);
    sample->energy_tsc = json_text_number(json, "energy_tsc", 0);
    sample->uncertainty_ppm = json_text_number(json, "uncertainty_ppm", 0);
    sample->no_energy_why = json_text_string(json, "no_energy_why");
    sample->dram_avail = json_object_get(json, "dram_uj") != NULL ? AVAIL_PRESENT : AVAIL_ABSENT;
    sample->dram_uj = json_text_number(json, "dram_uj", 0);
}

static void take_work(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "work");
    uint32_t count = rebuild_count(array);
    struct work_sample *work = arena_array(rebuilder->arena, count, sizeof(*work));

    for (uint32_t i = 0; work != NULL && i < count; i++) {
        take_work_sample(json_array_get(array, i), &work[i]);
    }
    rebuilder->platform->work = work;
    rebuilder->platform->work_count = work == NULL ? 0 : count;
    rebuilder->platform->work_skipped = json_text_string(rebuilder->root, "work_skipped");
}

static void take_left(const json_t *json, struct request_left *left)
{
    static const char *const ends[] = {[REQUEST_END_DIFFERENT] = "different",
                                       [REQUEST_END_FAULTED] = "faulted",
                                       [REQUEST_END_NO_ANSWER] = "no answer"};

    left->cpu = rebuild_u32(json, "cpu");
    left->msr = (uint32_t)rebuild_hex(json, "msr");
    left->end = (enum request_end)rebuild_word(json_text_string(json, "end"), ends, 3,
                                               REQUEST_END_NO_ANSWER);
    left->before = rebuild_hex(json, "before");
    left->after = rebuild_hex(json, "after");
    if (json_object_get(json, "port") != NULL) {
        left->where = REQUEST_IN_PORT;
        left->address = rebuild_hex(json, "port");
    } else if (json_object_get(json, "address") != NULL) {
        left->where = REQUEST_IN_MEMORY;
        left->address = rebuild_hex(json, "address");
    }
}

static void take_requests(const struct rebuilder *rebuilder)
{
    const json_t *requests = json_object_get(rebuilder->root, "requests");
    const json_t *array = json_object_get(requests, "left_behind");
    uint32_t count = rebuild_count(array);
    struct request_left *left = arena_array(rebuilder->arena, count, sizeof(*left));
    struct platform *platform = rebuilder->platform;
    const char *set = rebuild_text(requests, "set_until_reset", "");

    for (uint32_t i = 0; left != NULL && i < count; i++) {
        take_left(json_array_get(array, i), &left[i]);
    }
    platform->requests_left = left;
    platform->requests_left_count = left == NULL ? 0 : count;
    platform->requests =
        (struct request_account){.was_opened = json_text_number(requests, "registers_saved", 0) > 0,
                                 .has_set_cppc = strcmp(set, "cppc-enable") == 0,
                                 .has_set_hwp = strcmp(set, "hwp-enable") == 0,
                                 .saved = rebuild_u32(requests, "registers_saved"),
                                 .writes = rebuild_u32(requests, "writes"),
                                 .left = platform->requests_left_count,
                                 .not_opened_why = json_text_string(requests, "not_opened_why")};
}

static void take_pcc(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "pcc_commands");
    uint32_t count = rebuild_count(array);
    struct pcc_account *accounts = arena_array(rebuilder->arena, count, sizeof(*accounts));

    for (uint32_t i = 0; accounts != NULL && i < count; i++) {
        const json_t *json = json_array_get(array, i);

        accounts[i] = (struct pcc_account){.subspace = rebuild_u32(json, "subspace"),
                                           .commands = rebuild_u32(json, "commands"),
                                           .timeouts = rebuild_u32(json, "timeouts"),
                                           .errors = rebuild_u32(json, "errors"),
                                           .timed = rebuild_u32(json, "timed"),
                                           .sum_ns = json_text_number(json, "sum_ns", 0),
                                           .longest_ns = json_text_number(json, "longest_ns", 0)};
    }
    rebuilder->platform->pcc = accounts;
    rebuilder->platform->pcc_count = accounts == NULL ? 0 : count;
}

/* Where no clock says it: counts that were brought from elsewhere. After the clocks. */
static void take_rate(const struct rebuilder *rebuilder)
{
    if (rebuilder->platform->tsc_hz == 0) {
        rebuilder->platform->tsc_hz = json_text_number(measured_of(rebuilder), "tsc_hz", 0);
    }
}

void rebuild_clocked(const struct rebuilder *rebuilder)
{
    take_rate(rebuilder);
    take_samples(rebuilder);
    take_boosts(rebuilder);
    take_settlings(rebuilder);
    take_refusals(rebuilder);
    take_work(rebuilder);
    take_requests(rebuilder);
    take_pcc(rebuilder);
}
