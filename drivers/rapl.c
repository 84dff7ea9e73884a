#include "drivers/rapl.h"

#include "model/units.h"

#include <string.h>

#define UPDATES_PER_S UINT64_C(1000) /* SDM vol. 3B, "RAPL Domains": updated every ~1 msec */

void rapl_meter_init(struct rapl_meter *meter, const struct rapl_counters *counters,
                     uint64_t tsc_hz)
{
    memset(meter, 0, sizeof(*meter));
    meter->counters = counters;
    meter->tsc_hz = tsc_hz;
    meter->edge_wait_us = RAPL_EDGE_WAIT_US;
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        meter->track[i].is_counting = counters->domain[i].avail == AVAIL_PRESENT;
        meter->track[i].why = counters->domain[i].why;
    }
}

static struct rapl_edge *edge_waited_for(const struct rapl_meter *meter, struct rapl_track *track)
{
    return meter->is_at_end ? &track->end : &track->begin;
}

/* One reading of one counter, with the time of it. */
static bool read_counter(const struct hw *hw, const struct rapl_meter *meter, size_t domain,
                         uint64_t *ret_raw, uint64_t *ret_tsc)
{
    uint64_t before_tsc = hw->ops->tsc(hw);
    uint64_t raw = 0;

    if (hw->ops->rdmsr(hw, meter->counters->domain[domain].msr, &raw) != AVAIL_PRESENT) {
        return false;
    }
    *ret_raw = raw;
    *ret_tsc = before_tsc + (hw->ops->tsc(hw) - before_tsc) / 2;
    return true;
}

static void give_up(struct rapl_track *track, const char *why)
{
    track->is_counting = false;
    track->why = why;
}

/* Reads one counter; gives true when it has moved since the reading before. */
static bool advance(const struct hw *hw, struct rapl_meter *meter, size_t domain)
{
    struct rapl_track *track = &meter->track[domain];
    uint64_t raw = 0, tsc = 0, steps;
    struct rapl_edge *edge;

    if (!read_counter(hw, meter, domain, &raw, &tsc)) {
        give_up(track, "reading the energy counter faults");
        return false;
    }
    steps = rapl_steps(track->last_raw, raw);
    edge = edge_waited_for(meter, track);
    if (steps != 0) {
        edge->width_tsc = tsc - track->last_tsc;
        edge->tsc = track->last_tsc + edge->width_tsc / 2;
    }
    track->steps += track->begin.is_seen ? steps : 0;
    track->last_raw = raw;
    track->last_tsc = tsc;
    return steps != 0;
}

void rapl_meter_arm(const struct hw *hw, struct rapl_meter *meter, bool is_at_end)
{
    meter->is_at_end = is_at_end;
    meter->armed_tsc = hw->ops->tsc(hw);
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_track *track = &meter->track[i];

        if (!is_at_end) {
            memset(&track->begin, 0, sizeof(track->begin));
            track->steps = 0;
        }
        memset(&track->end, 0, sizeof(track->end));
        if (track->is_counting) {
            (void)advance(hw, meter, i);
        }
    }
}

bool rapl_meter_poll(const struct hw *hw, struct rapl_meter *meter)
{
    bool is_over = hw->ops->tsc(hw) - meter->armed_tsc >=
                   mul_div_u64(meter->edge_wait_us, meter->tsc_hz, 1000000);
    bool is_complete = true;

    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_track *track = &meter->track[i];
        struct rapl_edge *edge = edge_waited_for(meter, track);

        if (!track->is_counting || edge->is_seen) {
            continue;
        }
        edge->is_seen = advance(hw, meter, i);
        if (!edge->is_seen && is_over) {
            give_up(track, "the energy counter does not move");
        }
        is_complete = is_complete && (edge->is_seen || !track->is_counting);
    }
    return is_complete;
}

static bool is_any_counting(const struct rapl_meter *meter)
{
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        if (meter->track[i].is_counting) {
            return true;
        }
    }
    return false;
}

/* However long a read takes, and should the TSC stand still: no wait takes more reads than this. */
#define POLLS_MAX 4000000U

static void wait_for_edges(const struct hw *hw, struct rapl_meter *meter)
{
    for (uint32_t i = 0; i < POLLS_MAX; i++) {
        if (rapl_meter_poll(hw, meter)) {
            return;
        }
    }
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_track *track = &meter->track[i];

        if (track->is_counting && !edge_waited_for(meter, track)->is_seen) {
            give_up(track, "the energy counter does not move");
        }
    }
}

bool rapl_meter_begin(const struct hw *hw, struct rapl_meter *meter)
{
    rapl_meter_arm(hw, meter, false);
    wait_for_edges(hw, meter);
    return is_any_counting(meter);
}

void rapl_meter_keep(const struct hw *hw, struct rapl_meter *meter)
{
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_edge begin = meter->track[i].begin;

        if (meter->track[i].is_counting && begin.is_seen) {
            (void)advance(hw, meter, i);
            meter->track[i].begin = begin;
        }
    }
}

void rapl_meter_end(const struct hw *hw, struct rapl_meter *meter)
{
    rapl_meter_arm(hw, meter, true);
    wait_for_edges(hw, meter);
}

void rapl_meter_end_now(const struct hw *hw, struct rapl_meter *meter)
{
    uint64_t update_tsc = meter->tsc_hz / UPDATES_PER_S;

    rapl_meter_arm(hw, meter, true);
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_track *track = &meter->track[i];

        if (track->is_counting && track->begin.is_seen) {
            track->end = (struct rapl_edge){
                .is_seen = true, .tsc = track->last_tsc - update_tsc / 2, .width_tsc = update_tsc};
        }
    }
}

void rapl_meter_reading(const struct rapl_meter *meter, enum rapl_domain domain,
                        struct rapl_reading *ret_reading)
{
    const struct rapl_track *track = &meter->track[domain];
    uint64_t open_tsc = track->begin.width_tsc + track->end.width_tsc;

    memset(ret_reading, 0, sizeof(*ret_reading));
    ret_reading->avail = meter->counters->domain[domain].avail;
    ret_reading->why = track->why;
    if (!track->is_counting) {
        ret_reading->avail =
            ret_reading->avail == AVAIL_PRESENT ? AVAIL_ABSENT : ret_reading->avail;
        return;
    }
    if (!track->begin.is_seen || !track->end.is_seen || track->end.tsc <= track->begin.tsc) {
        ret_reading->avail = AVAIL_ABSENT;
        ret_reading->why = "the energy counter did not move twice";
        return;
    }
    ret_reading->uj = rapl_uj(&meter->counters->domain[domain], track->steps);
    ret_reading->span_tsc = track->end.tsc - track->begin.tsc;
    /* Each edge lies within half its gap of the middle; a step may have been left over at either. */
    ret_reading->uncertainty_ppm =
        1 + mul_div_round_u64(open_tsc / 2, 1000000, ret_reading->span_tsc) +
        mul_div_round_u64(1, 1000000, track->steps == 0 ? 1 : track->steps);
}
