#include "report/ladder.h"

#include "model/columns.h"
#include "model/linux/view.h"
#include "model/units.h"

#define CREDIBLE_KHZ 100000000U

/* That of the CPU whose table is assumed, else the first one there is. */
static const struct object_set *claimed_set(const struct platform *platform)
{
    uint32_t processor = platform->frequency.processor;
    const struct object_set *set = NULL;

    if (processor < platform->processors_count) {
        set = platform_object(&platform->processors[processor], OBJECT_PSS);
    }
    for (uint32_t i = 0; set == NULL && i < platform->sets_count; i++) {
        const struct object_set *other = platform->sets[i];

        set = other->kind == OBJECT_PSS && !other->is_repaired ? other : NULL;
    }
    return set;
}

/* The frequency that highest_perf stands for: no row of _PSS, and still a claim. */
static bool boost_by_cpc(const struct platform *platform, struct rung *ret_rung)
{
    const struct frequency *frequency = &platform->frequency;

    *ret_rung = (struct rung){
        .khz = frequency->max_boost_khz, .is_boost = true, .subject = "boost by _CPC"};
    return frequency->boost_ratio_1024 != 0;
}

static bool claimed_rung(const struct platform *platform, uint32_t index, struct rung *ret_rung)
{
    const struct object_set *set = claimed_set(platform);

    if (set == NULL || index >= set->pss.count) {
        return set != NULL && index == set->pss.count && boost_by_cpc(platform, ret_rung);
    }
    *ret_rung = (struct rung){.pss_index = index};
    if ((set->pss.rows[index].valid >> PSS_FREQ_MHZ & 1U) != 0) {
        ret_rung->khz = units_mhz_to_khz(set->pss.rows[index].field[PSS_FREQ_MHZ]);
    }
    return true;
}

static const struct linux_view *view_of(const struct platform *platform)
{
    return platform->linux_views != NULL && platform->linux_views->count > 0
               ? &platform->linux_views->views[0]
               : NULL;
}

/* What the kernel knows beside its rows: a maximum above them, and what utilisation is scaled by. */
static bool limit_above(const struct linux_view *view, uint32_t index, struct rung *ret_rung)
{
    const struct linux_table *table = &view->table;
    bool has_maximum =
        table->count > 0 && !table->is_boost_unknown && table->cpuinfo_max_khz > table->rows[0].khz;

    if (has_maximum && index-- == 0) {
        *ret_rung = (struct rung){
            .khz = table->cpuinfo_max_khz, .is_boost = true, .subject = "cpuinfo.max_freq"};
        return true;
    }
    *ret_rung = (struct rung){
        .khz = view->governor.invariance_khz, .is_boost = true, .subject = "invariance max"};
    return index == 0 && view->governor.is_invariant && view->governor.invariance_khz != 0;
}

/* Linux' table where its driver makes one, and its cpuinfo.max_freq; else the extended table of the model. */
static bool assumed_rung(const struct platform *platform, uint32_t index, struct rung *ret_rung)
{
    const struct linux_view *view = view_of(platform);
    const struct frequency *frequency = &platform->frequency;

    if (view != NULL && view->table.no_table_why == NULL) {
        const struct linux_table *table = &view->table;

        if (index < table->count) {
            *ret_rung = (struct rung){.khz = table->rows[index].khz,
                                      .pss_index = table->rows[index].pss_index,
                                      .is_boost = table->rows[index].kind == FREQUENCY_BOOST};
            return true;
        }
        return limit_above(view, index - table->count, ret_rung);
    }
    if (index >= frequency->count) {
        return false;
    }
    *ret_rung = (struct rung){.khz = frequency->rows[index].khz,
                              .pss_index = frequency->rows[index].pss_index,
                              .is_boost = frequency->rows[index].kind == FREQUENCY_BOOST};
    return true;
}

/* The figures of the measured column that are frequencies, by its own subjects. */
static bool measured_rung(const struct platform *platform, uint32_t index, struct rung *ret_rung)
{
    const struct columns *columns = platform->columns;

    for (uint32_t i = 0; columns != NULL && i < columns->count; i++) {
        const struct column_row *row = &columns->rows[i];
        bool is_shown = (row->part == COLUMN_PSTATES || row->part == COLUMN_BOOST) &&
                        row->unit == COLUMN_KHZ && row->measured.avail == AVAIL_PRESENT &&
                        row->measured.word == NULL;

        if (is_shown && index-- == 0) {
            *ret_rung = (struct rung){.khz = row->measured.high,
                                      .is_boost = row->part == COLUMN_BOOST,
                                      .subject = row->subject};
            return true;
        }
    }
    return false;
}

typedef bool (*rung_at)(const struct platform *platform, uint32_t index, struct rung *ret_rung);

static const struct {
    const char *name;
    rung_at at;
} lanes[LADDER_LANES] = {[LADDER_CLAIMED] = {"claimed", claimed_rung},
                         [LADDER_ASSUMED] = {"assumed", assumed_rung},
                         [LADDER_MEASURED] = {"measured", measured_rung}};

const char *ladder_lane_name(enum ladder_lane lane)
{
    return lanes[lane].name;
}

bool ladder_rung(const struct platform *platform, enum ladder_lane lane, uint32_t index,
                 struct rung *ret_rung)
{
    if (!lanes[lane].at(platform, index, ret_rung)) {
        return false;
    }
    /* What no clock can be would leave no room for the others; the tables have it. */
    ret_rung->khz = ret_rung->khz > CREDIBLE_KHZ ? 0 : ret_rung->khz;
    return true;
}

/* The highest frequency of the lane below `khz`; 0: none. */
static uint64_t below(const struct ladder_walk *walk)
{
    uint64_t next_khz = 0;
    struct rung rung;

    for (uint32_t i = 0; i < LADDER_RUNGS_MAX && ladder_rung(walk->platform, walk->lane, i, &rung);
         i++) {
        next_khz = rung.khz < walk->khz && rung.khz > next_khz ? rung.khz : next_khz;
    }
    return next_khz;
}

bool ladder_next(struct ladder_walk *walk, struct rung *ret_rung)
{
    while (walk->khz != 0) {
        while (walk->index < LADDER_RUNGS_MAX &&
               ladder_rung(walk->platform, walk->lane, walk->index, ret_rung)) {
            walk->index++;
            if (ret_rung->khz == walk->khz) {
                return true;
            }
        }
        walk->khz = below(walk);
        walk->index = 0;
    }
    return false;
}

const char *ladder_linux_version(const struct platform *platform)
{
    const struct linux_view *view = view_of(platform);

    return view != NULL && view->table.no_table_why == NULL ? view->version_text : NULL;
}

void ladder_name(const struct rung *rung, struct textbuf *out)
{
    if (rung->subject != NULL) {
        textbuf_string(out, rung->subject);
    } else if (rung->is_boost) {
        textbuf_string(out, "boost");
    } else {
        textbuf_printf(out, "P%u", rung->pss_index);
    }
}

bool ladder_axis(const struct platform *platform, unsigned ticks, struct axis *ret_axis)
{
    struct rung rung;

    ret_axis->scale = AXIS_LINEAR;
    ret_axis->low = UINT64_MAX;
    ret_axis->high = 0;
    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        for (uint32_t i = 0; ladder_rung(platform, (enum ladder_lane)lane, i, &rung); i++) {
            if (rung.khz != 0) {
                ret_axis->low = rung.khz < ret_axis->low ? rung.khz : ret_axis->low;
                ret_axis->high = rung.khz > ret_axis->high ? rung.khz : ret_axis->high;
            }
        }
    }
    if (ret_axis->high == 0) {
        return false;
    }
    ret_axis->low -= ret_axis->low / 20;
    ret_axis->high += ret_axis->high / 50;
    axis_round(ret_axis, ticks);
    return true;
}
