/* schedutil on this machine's numbers: inputs by version, runs, thresholds, the trap, the two remedies. */
#include "model/frequency.h"
#include "model/linux/parts.h"

#include <string.h>

static const uint32_t run_utils[] = {300, 512, 700, 819, 1024};
#define RUN_UTILS (sizeof(run_utils) / sizeof(run_utils[0]))

static uint64_t row_khz_of(const struct governor_input *input, uint32_t row)
{
    return row < input->rows_count ? input->row_khz[row] : 0;
}

/* Whether a loop that starts in `row` comes back to P0 at full load. */
static bool comes_back(const struct governor_input *input, uint32_t row)
{
    return governor_steady_row(input, row, GOVERNOR_CAPACITY) <= input->p0_row;
}

static void add_run(const struct governor_input *input, uint32_t start_row, uint32_t util,
                    struct linux_governor *governor)
{
    struct linux_governor_run *kept = &governor->runs[governor->runs_count];
    struct governor_input at = *input;
    struct governor_run run;

    at.start_row = start_row;
    at.util = util;
    governor_run(&at, &run);
    if (run.steps_count == 0 || governor->runs_count == LINUX_RUNS) {
        return;
    }
    governor->runs_count++;
    kept->util = util;
    kept->delivered_khz = input->delivered_khz;
    kept->start_khz = row_khz_of(input, start_row);
    for (uint32_t i = 0; i < run.steps_count && kept->visited_count < LINUX_RUN_STEPS; i++) {
        kept->visited_khz[kept->visited_count++] = row_khz_of(input, run.steps[i].row);
    }
    kept->steady_khz = row_khz_of(input, run.steady_row);
    kept->is_settled = run.is_settled;
    kept->is_trapped = run.steady_row > input->p0_row && !comes_back(input, run.steady_row);
}

void linux_governor_fill(const struct governor_input *input, struct linux_governor *governor)
{
    governor->form = input->form;
    governor->formula = governor_form_text(input->form);
    governor->is_invariant = input->is_invariant;
    governor->reference_khz = input->reference_khz;
    governor->invariance_khz = input->invariance_khz;
    governor->delivered_khz = input->delivered_khz;
    for (size_t i = 0; i < RUN_UTILS; i++) {
        add_run(input, input->p0_row, run_utils[i], governor);
    }
    if (input->rows_count > 1) {
        add_run(input, input->rows_count - 1, GOVERNOR_CAPACITY, governor);
    }
    if (governor->runs_count == 0) {
        governor->no_runs_why = "the loop has no usable table or no base clock";
        return;
    }
    governor->is_trap = governor_is_trap(input);
    governor->leaves_p0_below = governor_leaves_p0_below(input);
    governor->falls_to_lowest_below = governor_falls_to_lowest_below(input);
}

static const char *no_driver_why(const struct linux_view *view)
{
    return view->driver == LINUX_DRIVER_NONE ? "there is no cpufreq driver"
                                             : "powernow-k8 is not modelled";
}

static void name_default(const struct linux_builder *builder, struct linux_governor *governor)
{
    const struct linux_view *view = builder->view;
    uint64_t profile = fadt_value(&builder->platform->fadt, FADT_PREFERRED_PM_PROFILE, 0);

    if (view->driver == LINUX_DRIVER_NONE || view->driver == LINUX_DRIVER_POWERNOW_K8) {
        governor->default_name = "none";
        governor->default_why = no_driver_why(view);
    } else if (view->mode == LINUX_MODE_ACTIVE) {
        bool is_server = view->driver == LINUX_DRIVER_AMD_PSTATE &&
                         (profile == 4 || profile == 5 || profile == 7);

        governor->default_name = is_server ? "performance" : "powersave";
        governor->default_why = "the driver's own policy in active mode";
    } else if (linux_builder_holds(builder, LINUX_RULE_SCHEDUTIL_DEFAULT)) {
        governor->default_name = "schedutil";
        governor->default_why = "the kernel's own default since 5.8; distributions choose theirs";
    } else {
        governor->default_name = "performance";
        governor->default_why = "the kernel's own default before 5.8; distributions choose theirs";
    }
}

static const char *rows_of_table(const struct linux_builder *builder, struct governor_input *input)
{
    const struct linux_table *table = &builder->view->table;
    uint64_t *khz;

    if (table->count > GOVERNOR_ROWS) {
        return "the table has more rows than the model keeps";
    }
    khz = arena_array(builder->platform->arena, table->count, sizeof(uint64_t));
    if (khz == NULL) {
        return "no memory for the rows";
    }
    for (uint32_t i = 0; i < table->count; i++) {
        khz[i] = table->rows[i].khz;
    }
    input->rows_count = table->count;
    input->row_khz = khz;
    input->p0_row = table->p0_row;
    input->reference_khz = table->cpuinfo_max_khz;
    return NULL;
}

static const char *rows_of_ladder(const struct linux_builder *builder, struct governor_input *input)
{
    const struct linux_facts *facts = builder->facts;

    if (facts->ladder_count == 0) {
        return "the ratios of this part are not known";
    }
    input->rows_count = facts->ladder_count;
    input->row_khz = facts->ladder_khz;
    input->p0_row = facts->ladder_p0_row;
    input->reference_khz = builder->view->cpuinfo_max.value;
    return NULL;
}

/* The rows that a request is rounded to, or why there is no loop to run. */
static const char *take_rows(const struct linux_builder *builder, struct governor_input *input)
{
    const struct linux_view *view = builder->view;

    if (view->mode == LINUX_MODE_ACTIVE) {
        return "active mode: the driver or the hardware chooses, schedutil does not run";
    }
    if (view->driver == LINUX_DRIVER_ACPI_CPUFREQ) {
        return rows_of_table(builder, input);
    }
    if (view->driver == LINUX_DRIVER_INTEL_PSTATE) {
        return rows_of_ladder(builder, input);
    }
    return no_driver_why(view);
}

void linux_governor_make(const struct linux_builder *builder)
{
    struct linux_governor *governor = &builder->view->governor;
    const struct linux_view *view = builder->view;
    const struct linux_invariance *invariance = &view->invariance;
    struct governor_input input;

    memset(&input, 0, sizeof(input));
    name_default(builder, governor);
    governor->form = governor_form_at(builder->view->version);
    governor->formula = governor_form_text(governor->form);
    governor->no_runs_why = take_rows(builder, &input);
    if (governor->no_runs_why != NULL) {
        return;
    }
    if (invariance->avail == AVAIL_UNTRIED ||
        (view->driver == LINUX_DRIVER_ACPI_CPUFREQ && view->table.is_boost_unknown) ||
        (invariance->ratio_1024 != 0 && invariance->max_khz == 0)) {
        governor->no_runs_why = "maximum or invariance cannot be told from the snapshot";
        return;
    }
    input.is_invariant = invariance->ratio_1024 != 0;
    input.invariance_khz = invariance->max_khz;
    input.delivered_khz = input.row_khz[input.p0_row];
    input.form = governor->form;
    linux_governor_fill(&input, governor);
}

/* The table of 5.11-rc4 with remedy A's row in front; rows[0] is free for it. */
static bool remedy_rows(const struct linux_builder *builder, uint64_t boost_khz,
                        uint64_t **ret_rows)
{
    const struct linux_table *table = &builder->facts->table;
    uint64_t *rows =
        arena_array(builder->platform->arena, (size_t)table->count + 1, sizeof(uint64_t));

    if (rows == NULL) {
        return false;
    }
    rows[0] = boost_khz;
    for (uint32_t i = 0; i < table->count; i++) {
        rows[i + 1] = table->rows[i].khz;
    }
    *ret_rows = rows;
    return true;
}

static const char *remedies_why(const struct linux_builder *builder,
                                const struct linux_remedies *remedies)
{
    const struct linux_table *table = &builder->facts->table;

    if (table->no_table_why != NULL) {
        return table->no_table_why;
    }
    if (table->count + 1 > GOVERNOR_ROWS) {
        return "the table has more rows than the model keeps";
    }
    return remedies->boost_ratio_1024 == 0 ? "there is no boost: highest or nominal performance is "
                                             "missing, zero or in the wrong "
                                             "order"
                                           : NULL;
}

static void take_boost(const struct linux_builder *builder, struct linux_remedies *remedies)
{
    const struct linux_table *table = &builder->facts->table;
    const struct processor *processor = platform_processor(builder->platform, table->cpu);
    uint64_t highest;
    uint64_t nominal;

    if (table->no_table_why != NULL || processor == NULL ||
        frequency_no_caps_why(builder->platform, processor) != NULL) {
        return;
    }
    highest = processor->cpc_value[CPC_HIGHEST_PERF];
    nominal = processor->cpc_value[CPC_NOMINAL_PERF];
    remedies->boost_ratio_1024 = frequency_boost_ratio_1024(highest, nominal);
    remedies->boost_khz = frequency_scale_khz(table->rows[0].khz, remedies->boost_ratio_1024);
    remedies->invariance_khz =
        frequency_scale_khz(table->rows[0].khz, frequency_midpoint_ratio_1024(highest, nominal));
}

void linux_remedies_make(const struct linux_builder *builder, struct linux_remedies *ret_remedies)
{
    const struct linux_table *table = &builder->facts->table;
    struct governor_input input;
    uint64_t *rows = NULL;

    take_boost(builder, ret_remedies);
    ret_remedies->none_why = remedies_why(builder, ret_remedies);
    if (ret_remedies->none_why != NULL) {
        return;
    }
    if (!remedy_rows(builder, ret_remedies->boost_khz, &rows)) {
        ret_remedies->none_why = "no memory for the rows";
        return;
    }
    memset(&input, 0, sizeof(input));
    input.is_invariant = true;
    input.invariance_khz = ret_remedies->invariance_khz;
    input.delivered_khz = rows[1];
    input.form = GOVERNOR_MAX_PLUS_QUARTER;
    input.rows_count = table->count;
    input.row_khz = rows + 1;
    input.reference_khz = rows[1];
    linux_governor_fill(&input, &ret_remedies->without);
    input.reference_khz = ret_remedies->boost_khz;
    linux_governor_fill(&input, &ret_remedies->max_boost);
    input.rows_count = table->count + 1;
    input.row_khz = rows;
    input.p0_row = 1;
    linux_governor_fill(&input, &ret_remedies->extended_table);
}
