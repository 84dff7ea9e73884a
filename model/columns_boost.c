/* Boost by active cores, and the time that a change takes. */
#include "model/columns_parts.h"
#include "model/turbo_limit.h"
#include "model/units.h"

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
        row.assumed = columns_assumed_maximum(builder);
    } else if (step->to == UINT32_MAX && usual_khz != 0) {
        row.assumed = column_number(usual_khz);
    }
    columns_split_init(builder, &split);
    for (uint32_t i = 0; i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];
        bool agrees =
            step->claimed_khz == 0 || item->value >= step->claimed_khz ||
            columns_is_near(builder, step->claimed_khz, item->value, item->uncertainty_ppm);

        if (item->what != COLUMN_MEASURED_ACTIVE || item->index < step->from ||
            item->index > step->to) {
            continue;
        }
        if (step->to == UINT32_MAX && usual_khz > item->value &&
            !columns_is_near(builder, usual_khz, item->value, item->uncertainty_ppm)) {
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
    const struct pss *pss = columns_pss(builder);
    struct column_row row = {.part = COLUMN_TIMING,
                             .subject = "P-state latency",
                             .unit = COLUMN_NS,
                             .claimed = column_nothing(AVAIL_ABSENT, "not stated"),
                             .assumed = column_of_number(&builder->view->latency_ns),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;
    uint64_t latency_us;
    uint64_t most_ns;

    for (uint32_t i = 0; pss != NULL && i < pss->count; i++) {
        if (columns_pss_number(pss, i, PSS_LATENCY_US, &latency_us)) {
            uint64_t latency_ns = mul_div_u64(latency_us, 1000, 1);

            if (row.claimed.avail != AVAIL_PRESENT || latency_ns > row.claimed.high) {
                row.claimed = column_number(latency_ns);
            }
        }
    }
    /* The other drivers have a constant of their own. */
    if (builder->view->driver == LINUX_DRIVER_ACPI_CPUFREQ) {
        columns_compare_claim(builder, &row, builder->view->latency_ns.why);
    }
    most_ns =
        column_high(&row.claimed) == 0 ? column_high(&row.assumed) : column_high(&row.claimed);
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
                             .assumed = column_of_number(&view->delay_us),
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
