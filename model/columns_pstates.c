/* The ladder of P-states, boost by active cores, and the time a change takes. */
#include "model/columns_parts.h"
#include "model/frequency.h"
#include "model/turbo_limit.h"
#include "model/units.h"

#define PSS_ROWS_MAX 32U /* the others are counted */

static const struct object_set *pss_of(const struct platform *platform, uint32_t cpu)
{
    const struct processor *processor = platform_processor(platform, cpu);

    return processor == NULL ? NULL : platform_object_as_linux(processor, OBJECT_PSS);
}

static const struct pss *group_pss(const struct columns_builder *builder)
{
    const struct object_set *set = platform_object_as_linux(builder->first, OBJECT_PSS);

    return set == NULL || !set->pss.is_package ? NULL : &set->pss;
}

static bool pss_number(const struct pss *pss, uint32_t row, enum pss_field field,
                       uint64_t *ret_value)
{
    if (row >= pss->count || (pss->rows[row].valid >> field & 1U) == 0) {
        return false;
    }
    *ret_value = pss->rows[row].field[field];
    return true;
}

static struct column_cell number_cell(const struct linux_number *number)
{
    if (number->avail == AVAIL_PRESENT) {
        return column_number(number->value);
    }
    return column_nothing(number->avail, number->avail == AVAIL_UNTRIED ? "not known" : "none");
}

static void widen(struct column_cell *cell, uint64_t value)
{
    if (cell->avail != AVAIL_PRESENT || cell->word != NULL) {
        *cell = column_number(value);
        return;
    }
    cell->low = value < cell->low ? value : cell->low;
    cell->high = value > cell->high ? value : cell->high;
}

/* What highest_perf comes to by the firmware's own numbers, over the CPUs of the group. */
static struct column_cell claimed_by_cpc(const struct columns_builder *builder)
{
    struct column_cell cell = column_nothing(AVAIL_ABSENT, "not stated");
    const struct pss *pss = group_pss(builder);
    uint64_t p0_mhz = 0;

    if (pss != NULL) {
        (void)pss_number(pss, 0, PSS_FREQ_MHZ, &p0_mhz);
    }
    for (uint32_t cpu = cpuset_next(&builder->group, 0); cpu != CPUSET_NONE;
         cpu = cpuset_next(&builder->group, cpu + 1)) {
        const struct processor *processor = platform_processor(builder->platform, cpu);
        uint64_t mhz = processor->cpc_value[CPC_NOMINAL_FREQ_MHZ];
        uint64_t ratio = frequency_boost_ratio_1024(processor->cpc_value[CPC_HIGHEST_PERF],
                                                    processor->cpc_value[CPC_NOMINAL_PERF]);

        mhz = mhz == 0 ? p0_mhz : mhz;
        if (ratio != 0 && mhz != 0) {
            widen(&cell, frequency_scale_khz(units_mhz_to_khz(mhz), ratio));
        }
    }
    return cell;
}

/* Intel: what the turbo limit allows one core; elsewhere what the _CPC promises, or else P0. */
static struct column_cell claimed_maximum(const struct columns_builder *builder)
{
    struct column_cell cell;
    struct turbo_limit limit;
    const struct pss *pss = group_pss(builder);
    uint64_t mhz;

    turbo_limit_of(builder->platform, builder->first->cpu, &limit);
    if (limit.avail == AVAIL_PRESENT && builder->bus_khz != 0) {
        return column_number(mul_div_u64(limit.steps[0].ratio, builder->bus_khz, 1));
    }
    if (builder->platform->identity.vendor == VENDOR_INTEL) {
        return column_nothing(limit.avail, limit.avail == AVAIL_UNTRIED ? "not in dump" : "none");
    }
    cell = claimed_by_cpc(builder);
    if (cell.avail != AVAIL_PRESENT && pss != NULL && pss_number(pss, 0, PSS_FREQ_MHZ, &mhz)) {
        return column_number(units_mhz_to_khz(mhz));
    }
    return cell;
}

/* Hybrid parts have a maximum for each kind of core. */
static struct column_cell assumed_maximum(const struct columns_builder *builder)
{
    const struct linux_view *view = builder->view;
    struct column_cell cell = column_nothing(AVAIL_ABSENT, "none");

    for (uint32_t i = 0; view->limits_count > 1 && i < view->limits_count; i++) {
        if (cpuset_has(&builder->group, view->limits[i].first_cpu)) {
            widen(&cell, view->limits[i].max_khz);
        }
    }
    return cell.avail == AVAIL_PRESENT ? cell : number_cell(&view->cpuinfo_max);
}

static uint64_t high_of(const struct column_cell *cell)
{
    return cell->avail == AVAIL_PRESENT && cell->word == NULL ? cell->high : 0;
}

static bool is_near(const struct columns_builder *builder, uint64_t khz, uint64_t measured_khz,
                    uint64_t uncertainty_ppm)
{
    uint64_t apart = khz > measured_khz ? khz - measured_khz : measured_khz - khz;

    return apart <= column_tolerance_khz(builder->bus_khz, khz, uncertainty_ppm);
}

/* Best of the run on each CPU: with the fewest cores active where that was tried, else of any request. */
static bool is_of_maximum(const struct columns_builder *builder,
                          const struct column_measurement *item)
{
    bool has_active = false;

    for (uint32_t i = 0; i < builder->measured->count; i++) {
        has_active |= builder->measured->items[i].what == COLUMN_MEASURED_ACTIVE;
    }
    return has_active ? item->what == COLUMN_MEASURED_ACTIVE && item->index == 1
                      : item->what == COLUMN_MEASURED_ROW && item->index == 0;
}

static void maximum_row(struct columns_builder *builder)
{
    struct column_row row = {.part = COLUMN_PSTATES,
                             .subject = "maximum",
                             .unit = COLUMN_KHZ,
                             .claimed = claimed_maximum(builder),
                             .assumed = assumed_maximum(builder),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    uint64_t khz = high_of(&row.assumed) != 0 ? high_of(&row.assumed) : high_of(&row.claimed);
    struct column_split split;

    columns_compare_claim(builder, &row,
                          columns_text(builder, "Linux %s takes %lu kHz: %s",
                                       builder->view->version_text, row.assumed.low,
                                       builder->view->cpuinfo_max.why));
    columns_split_init(builder, &split);
    for (uint32_t i = 0; khz != 0 && i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];

        if (is_of_maximum(builder, item)) {
            bool agrees = is_near(builder, khz, item->value, item->uncertainty_ppm);

            columns_split_add(builder, &split, item->cpu, columns_class(builder, agrees),
                              item->value, NULL);
        }
    }
    columns_add(builder, &row, &split, "the maximum is not what one busy core reaches");
}

/* The kernel's row for row `index` of the _PSS, where the driver uses rows. */
static struct column_cell assumed_row(const struct columns_builder *builder, uint32_t index)
{
    const struct linux_view *view = builder->view;
    const struct linux_table *table = &view->table;

    if (view->driver != LINUX_DRIVER_ACPI_CPUFREQ) {
        return column_nothing(AVAIL_ABSENT,
                              view->driver == LINUX_DRIVER_NONE ? "no driver" : "not used");
    }
    if (table->no_table_why != NULL || pss_of(builder->platform, table->cpu) !=
                                           platform_object_as_linux(builder->first, OBJECT_PSS)) {
        return column_nothing(AVAIL_UNTRIED, "not shown");
    }
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->rows[i].kind == FREQUENCY_PSTATE && table->rows[i].pss_index == index) {
            return column_number(table->rows[i].khz);
        }
    }
    return column_word("dropped");
}

/* P0 asks for boost as well: all from its own clock up to `ceiling_khz` keeps its promise. */
static void measure_row(const struct columns_builder *builder, uint32_t index, uint64_t khz,
                        uint64_t ceiling_khz, struct column_split *split)
{
    columns_split_init(builder, split);
    for (uint32_t i = 0; i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];
        bool agrees = is_near(builder, khz, item->value, item->uncertainty_ppm) ||
                      (index == 0 && item->value >= khz &&
                       (item->value <= ceiling_khz ||
                        is_near(builder, ceiling_khz, item->value, item->uncertainty_ppm)));

        if (item->what == COLUMN_MEASURED_ROW && item->index == index) {
            columns_split_add(builder, split, item->cpu, columns_class(builder, agrees),
                              item->value, NULL);
        }
    }
}

static void pss_rows(struct columns_builder *builder, uint64_t ceiling_khz)
{
    const struct pss *pss = group_pss(builder);
    struct column_split split;
    uint64_t mhz;

    for (uint32_t i = 0; pss != NULL && i < pss->count && i < PSS_ROWS_MAX; i++) {
        struct column_row row = {.part = COLUMN_PSTATES,
                                 .subject = columns_text(builder, "P%u", i),
                                 .unit = COLUMN_KHZ,
                                 .assumed = assumed_row(builder, i),
                                 .measured = column_nothing(AVAIL_UNTRIED, "-")};

        if (!pss_number(pss, i, PSS_FREQ_MHZ, &mhz)) {
            continue;
        }
        row.claimed = column_number(units_mhz_to_khz(mhz));
        columns_compare_claim(builder, &row, "the kernel's row is another one");
        if (row.assumed.word != NULL && row.assumed.avail == AVAIL_PRESENT) {
            row.mark = COLUMN_DIFFER;
            row.why = "Linux drops the row: not below the one before it";
        }
        measure_row(builder, i, row.claimed.low, ceiling_khz, &split);
        columns_add(builder, &row, &split, "the clock asked for is not the clock delivered");
    }
    if (pss != NULL && pss->count > PSS_ROWS_MAX) {
        struct column_row row = {
            .part = COLUMN_PSTATES,
            .subject = "further rows",
            .claimed = column_word(columns_text(builder, "%u", pss->count - PSS_ROWS_MAX)),
            .assumed = column_nothing(AVAIL_UNTRIED, "not shown"),
            .measured = column_nothing(AVAIL_UNTRIED, "not shown")};

        columns_add(builder, &row, NULL, NULL);
    }
}

/* nominal_freq against the clock that Linux takes ratios of; measured: the rate of the reference counter. */
static void nominal_row(struct columns_builder *builder)
{
    const struct linux_view *view = builder->view;
    uint64_t mhz = builder->first->cpc_value[CPC_NOMINAL_FREQ_MHZ];
    bool is_of_group = !view->invariance.is_per_cpu || cpuset_has(&builder->group, 0);
    uint64_t base_khz =
        view->driver == LINUX_DRIVER_AMD_PSTATE ? view->amd.nominal_khz : view->invariance.base_khz;
    struct column_row row = {.part = COLUMN_PSTATES,
                             .subject = "nominal",
                             .unit = COLUMN_KHZ,
                             .claimed = mhz == 0 ? column_nothing(AVAIL_ABSENT, "not stated")
                                                 : column_number(units_mhz_to_khz(mhz)),
                             .assumed = base_khz == 0 || !is_of_group
                                            ? column_nothing(AVAIL_UNTRIED, "not known")
                                            : column_number(base_khz),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;
    uint64_t khz = mhz == 0 ? high_of(&row.assumed) : high_of(&row.claimed);

    columns_compare_claim(builder, &row, "the base that Linux takes ratios of is another clock");
    columns_split_init(builder, &split);
    for (uint32_t i = 0; khz != 0 && i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];

        if (item->what == COLUMN_MEASURED_NOMINAL) {
            columns_split_add(
                builder, &split, item->cpu,
                columns_class(builder, is_near(builder, khz, item->value, item->uncertainty_ppm)),
                item->value, NULL);
        }
    }
    if (row.claimed.avail == AVAIL_PRESENT || row.assumed.avail == AVAIL_PRESENT) {
        columns_add(builder, &row, &split, "the reference counter runs at another rate");
    }
}

void columns_pstates(struct columns_builder *builder)
{
    struct column_cell claimed = claimed_maximum(builder);
    struct column_cell assumed = assumed_maximum(builder);
    uint64_t ceiling_khz = high_of(&claimed);

    if (builder->view->table.no_table_why != NULL && group_pss(builder) == NULL &&
        claimed.avail != AVAIL_PRESENT && assumed.avail != AVAIL_PRESENT) {
        return;
    }
    ceiling_khz = high_of(&assumed) > ceiling_khz ? high_of(&assumed) : ceiling_khz;
    maximum_row(builder);
    pss_rows(builder, ceiling_khz);
    nominal_row(builder);
}

/* One step of the turbo limit: cores `from` to `to` of a package (UINT32_MAX: all). */
struct active_step {
    uint32_t from;
    uint32_t to;
    uint64_t claimed_khz; /* 0: the firmware says nothing by cores */
};

static const char *step_subject(const struct columns_builder *builder,
                                const struct active_step *step)
{
    if (step->from == 1 && step->to == UINT32_MAX) {
        return "all cores";
    }
    if (step->to == UINT32_MAX && step->claimed_khz == 0) {
        return "all cores";
    }
    if (step->to == UINT32_MAX) {
        return columns_text(builder, "%u cores and more", step->from);
    }
    if (step->from == step->to) {
        return columns_text(builder, "%u core%s", step->from, step->from == 1 ? "" : "s");
    }
    return columns_text(builder, "%u to %u cores", step->from, step->to);
}

/*
 * Linux has two numbers: cpuinfo.max for the best case, and the maximum of frequency invariance for the usual
 * one. The second is compared with what all cores reach: above it, utilisation never gets to 100 % (mission S1).
 */
static void active_row(struct columns_builder *builder, const struct active_step *step)
{
    uint64_t usual_khz = builder->view->invariance.max_khz;
    struct column_row row = {.part = COLUMN_BOOST,
                             .subject = step_subject(builder, step),
                             .unit = COLUMN_KHZ,
                             .assumed = column_nothing(AVAIL_ABSENT, "-"),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;
    bool is_below_usual = false;

    row.claimed = step->claimed_khz == 0 ? column_nothing(AVAIL_ABSENT, "not stated")
                                         : column_number(step->claimed_khz);
    if (step->from == 1 && step->to != UINT32_MAX) {
        row.assumed = assumed_maximum(builder);
    } else if (step->to == UINT32_MAX && usual_khz != 0) {
        row.assumed = column_number(usual_khz);
    }
    columns_split_init(builder, &split);
    for (uint32_t i = 0; i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];
        bool agrees = step->claimed_khz == 0 || item->value >= step->claimed_khz ||
                      is_near(builder, step->claimed_khz, item->value, item->uncertainty_ppm);

        if (item->what != COLUMN_MEASURED_ACTIVE || item->index < step->from ||
            item->index > step->to) {
            continue;
        }
        if (step->to == UINT32_MAX && usual_khz > item->value &&
            !is_near(builder, usual_khz, item->value, item->uncertainty_ppm)) {
            is_below_usual = true;
            agrees = false;
        }
        columns_split_add(builder, &split, item->cpu, columns_class(builder, agrees), item->value,
                          NULL);
    }
    columns_add(builder, &row, &split,
                is_below_usual ? "all cores stay below the maximum that the scheduler reckons with"
                               : "the cores do not reach what is promised for so many");
}

/* How many cores the measurements had active at most. */
static uint32_t most_active(const struct column_measurements *measured)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < measured->count; i++) {
        if (measured->items[i].what == COLUMN_MEASURED_ACTIVE && measured->items[i].index > most) {
            most = measured->items[i].index;
        }
    }
    return most;
}

/* Nothing is promised by cores: one core, then every number that was measured, the last as "and more". */
static void unpromised_rows(struct columns_builder *builder)
{
    uint32_t most = most_active(builder->measured);
    struct active_step step = {.from = 1, .to = 1};

    active_row(builder, &step);
    for (uint32_t cores = 2; cores < most; cores *= 2) {
        step = (struct active_step){.from = cores, .to = cores * 2 - 1};
        step.to = step.to >= most ? most - 1 : step.to;
        active_row(builder, &step);
    }
    if (builder->group_size > 1) {
        step = (struct active_step){.from = most < 2 ? 2 : most, .to = UINT32_MAX};
        active_row(builder, &step);
    }
}

void columns_boost(struct columns_builder *builder)
{
    struct turbo_limit limit;
    struct active_step step = {.from = 1};

    if (!builder->view->is_boost_supported) {
        return;
    }
    turbo_limit_of(builder->platform, builder->first->cpu, &limit);
    if (limit.avail != AVAIL_PRESENT || builder->bus_khz == 0) {
        unpromised_rows(builder);
        return;
    }
    for (uint32_t i = 0; i < limit.count; i++) {
        step.to = limit.steps[i].cores;
        step.claimed_khz = mul_div_u64(limit.steps[i].ratio, builder->bus_khz, 1);
        active_row(builder, &step);
        step.from = step.to == UINT32_MAX ? step.to : step.to + 1;
    }
}

/* The slowest settling that was measured on each CPU, against an upper bound. */
static void measure_settling(const struct columns_builder *builder, uint64_t most_ns,
                             struct column_split *split)
{
    columns_split_init(builder, split);
    for (uint32_t i = 0; i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];

        if (item->what == COLUMN_MEASURED_SETTLE) {
            columns_split_add(builder, split, item->cpu,
                              columns_class(builder, item->value <= most_ns), item->value, NULL);
        }
    }
}

static void latency_row(struct columns_builder *builder)
{
    const struct pss *pss = group_pss(builder);
    struct column_row row = {.part = COLUMN_TIMING,
                             .subject = "P-state latency",
                             .unit = COLUMN_NS,
                             .claimed = column_nothing(AVAIL_ABSENT, "not stated"),
                             .assumed = number_cell(&builder->view->latency_ns),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;
    uint64_t latency_us;
    uint64_t most_ns;

    for (uint32_t i = 0; pss != NULL && i < pss->count; i++) {
        if (pss_number(pss, i, PSS_LATENCY_US, &latency_us)) {
            uint64_t latency_ns = mul_div_u64(latency_us, 1000, 1);

            if (row.claimed.avail != AVAIL_PRESENT || latency_ns > row.claimed.high) {
                row.claimed = column_number(latency_ns);
            }
        }
    }
    columns_compare_claim(builder, &row, builder->view->latency_ns.why);
    most_ns = high_of(&row.claimed) == 0 ? high_of(&row.assumed) : high_of(&row.claimed);
    measure_settling(builder, most_ns > (UINT64_MAX - 1000) / 2 ? UINT64_MAX : most_ns * 2 + 1000,
                     &split);
    if (row.claimed.avail == AVAIL_PRESENT || row.assumed.avail == AVAIL_PRESENT) {
        columns_add(builder, &row, &split, "a change takes more than twice as long");
    }
}

/* mission S4: the part says that its loop is fast, Linux then waits 600 us instead of 1000. */
static void delay_row(struct columns_builder *builder)
{
    const struct linux_view *view = builder->view;
    const struct cpuid_set *cpuid = platform_cpuid(builder->platform, builder->first->cpu);
    struct column_row row = {.part = COLUMN_TIMING,
                             .subject = "transition delay",
                             .unit = COLUMN_NS,
                             .claimed = column_nothing(AVAIL_ABSENT, "not stated"),
                             .assumed = number_cell(&view->delay_us),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;

    if (cpuid_has(cpuid, CPU_FEATURE_CPPC)) {
        row.claimed =
            column_word(cpuid_has(cpuid, CPU_FEATURE_FAST_CPPC) ? "fast CPPC" : "no fast CPPC");
    }
    if (row.assumed.avail == AVAIL_PRESENT) {
        row.assumed = column_number(mul_div_u64(view->delay_us.value, 1000, 1));
        measure_settling(builder, row.assumed.high, &split);
    } else {
        columns_split_init(builder, &split);
    }
    if (row.assumed.avail == AVAIL_PRESENT || row.claimed.avail == AVAIL_PRESENT) {
        columns_add(builder, &row, &split,
                    "a change has not settled when Linux asks for the next one");
    }
}

void columns_timing(struct columns_builder *builder)
{
    latency_row(builder);
    delay_row(builder);
}
