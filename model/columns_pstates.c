/* The ladder of P-states: the maximum, each row, the nominal clock. */
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

const struct pss *columns_pss(const struct columns_builder *builder)
{
    const struct object_set *set = platform_object_as_linux(builder->first, OBJECT_PSS);

    return set == NULL || !set->pss.is_package ? NULL : &set->pss;
}

bool columns_pss_number(const struct pss *pss, uint32_t row, enum pss_field field,
                        uint64_t *ret_value)
{
    if (row >= pss->count || (pss->rows[row].valid >> field & 1U) == 0) {
        return false;
    }
    *ret_value = pss->rows[row].field[field];
    return true;
}

struct column_cell column_of_number(const struct linux_number *number)
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
    const struct pss *pss = columns_pss(builder);
    uint64_t p0_mhz = 0;

    if (pss != NULL) {
        (void)columns_pss_number(pss, 0, PSS_FREQ_MHZ, &p0_mhz);
    }
    for (uint32_t cpu = cpuset_next(&builder->group, 0); cpu != CPUSET_NONE;
         cpu = cpuset_next(&builder->group, cpu + 1)) {
        const struct processor *processor = platform_processor(builder->platform, cpu);
        uint64_t mhz = processor->cpc_value[CPC_NOMINAL_FREQ_MHZ];
        uint64_t ratio = frequency_boost_ratio_1024(processor->cpc_value[CPC_HIGHEST_PERF],
                                                    processor->cpc_value[CPC_NOMINAL_PERF]);

        /* An Intel P0 may be a marker for turbo, one MHz above base. */
        if (mhz == 0 && builder->platform->identity.vendor != VENDOR_INTEL) {
            mhz = p0_mhz;
        }
        if (ratio != 0 && mhz != 0) {
            widen(&cell, frequency_scale_khz(units_mhz_to_khz(mhz), ratio));
        }
    }
    return cell;
}

/* Intel: what the turbo limit allows one core, where the snapshot has it; else what the _CPC promises, or P0. */
static struct column_cell claimed_maximum(const struct columns_builder *builder)
{
    struct column_cell cell;
    struct turbo_limit limit;
    const struct pss *pss = columns_pss(builder);
    uint64_t mhz;

    turbo_limit_of(builder->platform, builder->first->cpu, &limit);
    if (limit.avail == AVAIL_PRESENT && builder->bus_khz != 0) {
        return column_number(mul_div_u64(limit.steps[0].ratio, builder->bus_khz, 1));
    }
    cell = claimed_by_cpc(builder);
    if (builder->platform->identity.vendor == VENDOR_INTEL) {
        return cell.avail == AVAIL_PRESENT
                   ? cell
                   : column_nothing(limit.avail,
                                    limit.avail == AVAIL_UNTRIED ? "not in dump" : "not stated");
    }
    if (cell.avail != AVAIL_PRESENT && pss != NULL &&
        columns_pss_number(pss, 0, PSS_FREQ_MHZ, &mhz)) {
        return column_number(units_mhz_to_khz(mhz));
    }
    return cell;
}

/* Hybrid parts have a maximum for each kind of core. */
struct column_cell columns_assumed_maximum(const struct columns_builder *builder)
{
    const struct linux_view *view = builder->view;
    struct column_cell cell = column_nothing(AVAIL_ABSENT, "none");

    for (uint32_t i = 0; view->limits_count > 1 && i < view->limits_count; i++) {
        if (cpuset_has(&builder->group, view->limits[i].first_cpu)) {
            widen(&cell, view->limits[i].max_khz);
        }
    }
    return cell.avail == AVAIL_PRESENT ? cell : column_of_number(&view->cpuinfo_max);
}

uint64_t column_high(const struct column_cell *cell)
{
    return cell->avail == AVAIL_PRESENT && cell->word == NULL ? cell->high : 0;
}

bool columns_is_near(const struct columns_builder *builder, uint64_t khz, uint64_t measured_khz,
                     uint64_t uncertainty_ppm)
{
    uint64_t apart = khz > measured_khz ? khz - measured_khz : measured_khz - khz;

    return apart <= column_tolerance_khz(builder->bus_khz, khz, uncertainty_ppm);
}

/* What the maximum is judged by: each core alone, else the fewest cores active, else P0; whichever was tried. */
static enum column_measured best_measured(const struct columns_builder *builder)
{
    enum column_measured best = COLUMN_MEASURED_ROW;

    for (uint32_t i = 0; i < builder->measured->count; i++) {
        enum column_measured what = builder->measured->items[i].what;

        if (what == COLUMN_MEASURED_ALONE) {
            return what;
        }
        if (what == COLUMN_MEASURED_ACTIVE) {
            best = what;
        }
    }
    return best;
}

static bool is_of_maximum(const struct column_measurement *item, enum column_measured best)
{
    return item->what == best && item->index == (best == COLUMN_MEASURED_ROW ? 0U : 1U);
}

static void maximum_row(struct columns_builder *builder)
{
    struct column_row row = {.part = COLUMN_PSTATES,
                             .subject = "maximum",
                             .unit = COLUMN_KHZ,
                             .claimed = claimed_maximum(builder),
                             .assumed = columns_assumed_maximum(builder),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    uint64_t khz =
        column_high(&row.assumed) != 0 ? column_high(&row.assumed) : column_high(&row.claimed);
    enum column_measured best = best_measured(builder);
    struct column_split split;

    columns_compare_claim(builder, &row,
                          columns_text(builder, "Linux %s takes %lu kHz: %s",
                                       builder->view->version_text, row.assumed.low,
                                       builder->view->cpuinfo_max.why));
    columns_split_init(builder, &split);
    for (uint32_t i = 0; khz != 0 && i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];

        if (is_of_maximum(item, best)) {
            bool agrees = columns_is_near(builder, khz, item->value, item->uncertainty_ppm);

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
        bool agrees = columns_is_near(builder, khz, item->value, item->uncertainty_ppm) ||
                      (index == 0 && item->value >= khz &&
                       (item->value <= ceiling_khz ||
                        columns_is_near(builder, ceiling_khz, item->value, item->uncertainty_ppm)));

        if (item->what == COLUMN_MEASURED_ROW && item->index == index) {
            columns_split_add(builder, split, item->cpu, columns_class(builder, agrees),
                              item->value, NULL);
        }
    }
}

static void pss_rows(struct columns_builder *builder, uint64_t ceiling_khz)
{
    const struct pss *pss = columns_pss(builder);
    struct column_split split;
    uint64_t mhz;

    for (uint32_t i = 0; pss != NULL && i < pss->count && i < PSS_ROWS_MAX; i++) {
        struct column_row row = {.part = COLUMN_PSTATES,
                                 .subject = columns_text(builder, "P%u", i),
                                 .unit = COLUMN_KHZ,
                                 .assumed = assumed_row(builder, i),
                                 .measured = column_nothing(AVAIL_UNTRIED, "-")};

        if (!columns_pss_number(pss, i, PSS_FREQ_MHZ, &mhz)) {
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

/* Linux takes the base of CPU 0 for all; cores of another kind have their own. */
static bool is_like_boot_cpu(const struct columns_builder *builder)
{
    const struct cpu *cpus = builder->platform->cpus;

    return cpus[builder->first->cpu].core_type == cpus[0].core_type;
}

/* nominal_freq against the clock that Linux takes ratios of; measured: the rate of the reference counter. */
static void nominal_row(struct columns_builder *builder)
{
    const struct linux_view *view = builder->view;
    uint64_t mhz = builder->first->cpc_value[CPC_NOMINAL_FREQ_MHZ];
    bool is_of_group = is_like_boot_cpu(builder);
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
    uint64_t khz = mhz == 0 ? column_high(&row.assumed) : column_high(&row.claimed);

    columns_compare_claim(builder, &row, "the base that Linux takes ratios of is another clock");
    columns_split_init(builder, &split);
    for (uint32_t i = 0; khz != 0 && i < builder->measured->count; i++) {
        const struct column_measurement *item = &builder->measured->items[i];

        if (item->what == COLUMN_MEASURED_NOMINAL) {
            columns_split_add(builder, &split, item->cpu,
                              columns_class(builder, columns_is_near(builder, khz, item->value,
                                                                     item->uncertainty_ppm)),
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
    struct column_cell assumed = columns_assumed_maximum(builder);
    uint64_t ceiling_khz = column_high(&claimed);

    if (builder->view->table.no_table_why != NULL && columns_pss(builder) == NULL &&
        claimed.avail != AVAIL_PRESENT && assumed.avail != AVAIL_PRESENT) {
        return;
    }
    ceiling_khz = column_high(&assumed) > ceiling_khz ? column_high(&assumed) : ceiling_khz;
    maximum_row(builder);
    pss_rows(builder, ceiling_khz);
    nominal_row(builder);
}
