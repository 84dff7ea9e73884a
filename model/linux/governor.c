#include "model/linux/governor.h"

#include "model/linux/history.h"
#include "model/units.h"

#include <string.h>

enum governor_form governor_form_at(struct linux_version version)
{
    if (linux_rule_holds(LINUX_RULE_FORM_CLIPPED_EARLY, version)) {
        return GOVERNOR_CLIPPED_EARLY;
    }
    if (linux_rule_holds(LINUX_RULE_FORM_CLIPPED, version)) {
        return GOVERNOR_CLIPPED;
    }
    return linux_rule_holds(LINUX_RULE_FORM_UTIL_QUARTER, version) ? GOVERNOR_UTIL_PLUS_QUARTER
                                                                   : GOVERNOR_MAX_PLUS_QUARTER;
}

const char *governor_form_text(enum governor_form form)
{
    switch (form) {
    case GOVERNOR_MAX_PLUS_QUARTER:
        return "(max + max/4) * util / 1024";
    case GOVERNOR_UTIL_PLUS_QUARTER:
        return "max * (util + util/4) / 1024";
    case GOVERNOR_CLIPPED_EARLY:
    case GOVERNOR_CLIPPED:
        break;
    }
    return "max * min(util + util/4, 1024) / 1024";
}

static uint64_t row_delivers_khz(const struct governor_input *input, uint32_t row)
{
    return row <= input->p0_row ? input->delivered_khz : input->row_khz[row];
}

bool governor_tick_scale(uint64_t aperf, uint64_t mperf, uint64_t ratio_1024, uint32_t *ret_scale)
{
    uint64_t scale;

    if (aperf > UINT64_MAX >> 20 || (ratio_1024 != 0 && mperf > UINT64_MAX / ratio_1024) ||
        mperf * ratio_1024 == 0) {
        return false;
    }
    scale = (aperf << 20) / (mperf * ratio_1024);
    *ret_scale = scale > GOVERNOR_CAPACITY ? GOVERNOR_CAPACITY : (uint32_t)scale;
    return scale != 0;
}

/* The utilisation that the scheduler sees: of the maximum, which is 1024/1024 of itself. */
static uint32_t seen_util(const struct governor_input *input, uint64_t current_khz)
{
    uint32_t scale = 0;

    if (!input->is_invariant) {
        return input->util;
    }
    (void)governor_tick_scale(current_khz, input->invariance_khz, GOVERNOR_CAPACITY, &scale);
    return input->util * scale / GOVERNOR_CAPACITY;
}

/*
 * get_next_freq. Without invariance the reference is the current frequency, and from 6.8 on it carries
 * the headroom itself, because the utilisation can no longer exceed the capacity.
 */
static uint64_t target_khz(const struct governor_input *input, uint64_t current_khz, uint32_t util)
{
    uint64_t max_khz = input->is_invariant ? input->reference_khz : current_khz;
    uint64_t raised = util + (util >> 2);

    if (input->form == GOVERNOR_MAX_PLUS_QUARTER) {
        return mul_div_u64(max_khz + (max_khz >> 2), util, GOVERNOR_CAPACITY);
    }
    if (input->form == GOVERNOR_CLIPPED || input->form == GOVERNOR_CLIPPED_EARLY) {
        if (!input->is_invariant && input->form == GOVERNOR_CLIPPED) {
            max_khz += max_khz >> 2;
        }
        raised = raised > GOVERNOR_CAPACITY ? GOVERNOR_CAPACITY : raised;
    }
    return mul_div_u64(max_khz, raised, GOVERNOR_CAPACITY);
}

/* The L relation: the lowest row at or above the target, or the highest where none is. */
static uint32_t quantise(const struct governor_input *input, uint64_t khz)
{
    for (uint32_t row = input->rows_count; row-- > 0;) {
        if (input->row_khz[row] >= khz) {
            return row;
        }
    }
    return 0;
}

static bool is_usable(const struct governor_input *input)
{
    return input->rows_count > 0 && input->rows_count <= GOVERNOR_ROWS &&
           input->start_row < input->rows_count && input->p0_row < input->rows_count &&
           input->util <= GOVERNOR_CAPACITY && (!input->is_invariant || input->invariance_khz != 0);
}

/* The step, if any, that already ran in this row: from there on the rows repeat. */
static uint32_t find_row(const struct governor_run *run, uint32_t row)
{
    for (uint32_t i = 0; i < run->steps_count; i++) {
        if (run->steps[i].row == row) {
            return i;
        }
    }
    return run->steps_count;
}

static void conclude(const struct governor_input *input, uint32_t first, struct governor_run *run)
{
    run->is_settled = first + 1 == run->steps_count;
    run->steady_row = run->steps[first].row;
    for (uint32_t i = first; i < run->steps_count; i++) {
        if (run->steps[i].row > run->steady_row) {
            run->steady_row = run->steps[i].row;
        }
    }
    run->steady_khz = row_delivers_khz(input, run->steady_row);
}

void governor_run(const struct governor_input *input, struct governor_run *ret_run)
{
    uint32_t row = input->start_row;

    memset(ret_run, 0, sizeof(*ret_run));
    if (!is_usable(input)) {
        return;
    }
    while (ret_run->steps_count < GOVERNOR_STEPS) {
        struct governor_step *step = &ret_run->steps[ret_run->steps_count];
        uint32_t seen = find_row(ret_run, row);

        if (seen < ret_run->steps_count) {
            conclude(input, seen, ret_run);
            return;
        }
        step->row = row;
        step->current_khz = row_delivers_khz(input, row);
        step->util = seen_util(input, step->current_khz);
        step->target_khz = target_khz(input, step->current_khz, step->util);
        row = quantise(input, step->target_khz);
        ret_run->steps_count++;
    }
    conclude(input, ret_run->steps_count - 1, ret_run);
}

uint32_t governor_next_row(const struct governor_input *input, uint64_t target_khz)
{
    return quantise(input, target_khz);
}

/* The same walk without its record: only the rows matter for where it ends. */
uint32_t governor_steady_row(const struct governor_input *input, uint32_t start_row, uint32_t util)
{
    struct governor_input at = *input;
    uint32_t rows[GOVERNOR_STEPS];
    uint32_t count = 0;
    uint32_t row = start_row;
    uint32_t lowest;

    at.start_row = start_row;
    at.util = util;
    if (!is_usable(&at)) {
        return start_row;
    }
    while (count < GOVERNOR_STEPS) {
        uint64_t khz = row_delivers_khz(&at, row);
        uint32_t seen = 0;

        while (seen < count && rows[seen] != row) {
            seen++;
        }
        if (seen < count) {
            for (lowest = row; seen < count; seen++) {
                lowest = rows[seen] > lowest ? rows[seen] : lowest;
            }
            return lowest;
        }
        rows[count++] = row;
        row = quantise(&at, target_khz(&at, khz, seen_util(&at, khz)));
    }
    return rows[count - 1];
}

bool governor_is_trap(const struct governor_input *input)
{
    if (!is_usable(input) || input->p0_row + 1 >= input->rows_count) {
        return false;
    }
    return governor_steady_row(input, input->rows_count - 1, GOVERNOR_CAPACITY) > input->p0_row;
}

/* A P0 that delivers less than the row below it breaks the order on which halving rests. */
static bool is_monotone(const struct governor_input *input)
{
    return input->p0_row + 1 >= input->rows_count ||
           input->delivered_khz >= input->row_khz[input->p0_row + 1];
}

static bool ends_at(const struct governor_input *input, uint32_t row, uint32_t util)
{
    return governor_steady_row(input, input->p0_row, util) >= row;
}

/* The largest utilisation whose loop from P0 ends in `row` or lower. More load never ends lower as long as a
 * higher row delivers more, so the interval can be halved. */
static uint32_t ends_at_or_below(const struct governor_input *input, uint32_t row)
{
    uint32_t low = 0; /* ends there, or is 0 */
    uint32_t high = GOVERNOR_CAPACITY + 1;

    if (!is_monotone(input)) {
        for (low = GOVERNOR_CAPACITY; low > 0 && !ends_at(input, row, low); low--) {
        }
        return low;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (ends_at(input, row, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t governor_leaves_p0_below(const struct governor_input *input)
{
    if (!is_usable(input) || input->p0_row + 1 >= input->rows_count) {
        return 0;
    }
    return ends_at_or_below(input, input->p0_row + 1);
}

uint32_t governor_falls_to_lowest_below(const struct governor_input *input)
{
    if (!is_usable(input) || input->p0_row + 1 >= input->rows_count) {
        return 0;
    }
    return ends_at_or_below(input, input->rows_count - 1);
}
