#include "model/idle_booking.h"

#include "model/idle_reach.h"
#include "model/units.h"

#include <stddef.h>

#define SLEEPS_MAX 1000U

static uint64_t difference(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

bool idle_booking_of(const struct idle_sample_set *set, uint64_t tsc_hz,
                     struct idle_booking *ret_booking)
{
    uint64_t dummy_tsc = set->dummy_read_tsc.n == 0 ? 0 : set->dummy_read_tsc.mean;
    uint64_t first_tsc = set->first_read_tsc.mean;
    bool has_stopped = set->asleep_tsc.n != 0;

    if (set->first_read_tsc.n == 0 || tsc_hz == 0 || dummy_tsc > UINT64_MAX - first_tsc) {
        return false;
    }
    *ret_booking = (struct idle_booking){
        .booked_ns = units_tsc_to_ns(first_tsc + dummy_tsc, tsc_hz),
        .true_ns = units_tsc_to_ns(has_stopped ? set->asleep_tsc.mean : first_tsc, tsc_hz),
        .is_at_most = !has_stopped,
        .dummy_permyriad = first_tsc + dummy_tsc == 0
                               ? 0
                               : mul_div_round_u64(dummy_tsc, 10000, first_tsc + dummy_tsc)};
    ret_booking->error_pct =
        mul_div_round_u64(difference(ret_booking->booked_ns, ret_booking->true_ns), 100,
                          ret_booking->true_ns == 0 ? 1 : ret_booking->true_ns);
    return true;
}

/* What menu makes of a residency: Linux 6.12 drivers/cpuidle/governors/menu.c menu_update. */
static uint64_t measured_of(uint64_t residency_ns, uint64_t latency_ns)
{
    return residency_ns / 2 > latency_ns ? residency_ns - latency_ns : residency_ns / 2;
}

uint32_t idle_sleeps_until_wrong(uint64_t true_ns, uint64_t booked_ns, uint64_t latency_ns)
{
    uint64_t target_ns = mul_div_u64(latency_ns, IDLE_LATENCY_FACTOR, 1);
    uint64_t measured_ns = measured_of(booked_ns, latency_ns);
    uint64_t expected_ns = true_ns;

    if (latency_ns == 0 || true_ns >= target_ns || measured_ns < target_ns) {
        return 0;
    }
    for (uint32_t sleeps = 1; sleeps <= SLEEPS_MAX; sleeps++) {
        uint64_t step_ns = difference(measured_ns, expected_ns) / 8;

        expected_ns += step_ns;
        if (expected_ns >= target_ns || step_ns == 0) {
            return sleeps;
        }
    }
    return 0;
}

static const struct idle_sample_set *find_without(const struct platform *platform,
                                                  const struct idle_sample_set *with)
{
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (set->cpu == with->cpu && set->entry == with->entry && set->port == with->port &&
            set->dummy_read == DUMMY_NONE && set->requested_ns == with->requested_ns) {
            return set;
        }
    }
    return NULL;
}

/* The most CPUs at once that read what the second read reads. */
static void find_crowd(const struct platform *platform, struct dummy_judgement *judgement)
{
    const struct idle_sample_set *with = judgement->with;

    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];

        if (cost->cpus > 1 && cost->cpus > judgement->crowd_cpus && cost->read_tsc.n != 0 &&
            cost->paddr == with->dummy_paddr && cost->port == with->dummy_port) {
            judgement->crowd_cpus = cost->cpus;
            judgement->crowd_cost_ns = units_tsc_to_ns(cost->read_tsc.mean, platform->tsc_hz);
        }
    }
}

/* Without the second read it runs on before it stops; with it, it stops there. */
static bool is_needed(const struct dummy_judgement *judgement)
{
    const struct idle_sample_set *without = judgement->without;

    return judgement->with->stopped_in == STOPPED_DUMMY_READ ||
           (without != NULL && without->ran_on_tsc.n * 2 > without->samples);
}

static uint64_t share_in_crowd(const struct dummy_judgement *judgement)
{
    uint64_t own_ns = difference(judgement->booking.booked_ns, judgement->cost_ns);
    uint64_t cost_ns = judgement->crowd_cost_ns > judgement->cost_ns ? judgement->crowd_cost_ns
                                                                     : judgement->cost_ns;

    return own_ns > UINT64_MAX - cost_ns ? 10000
                                         : mul_div_round_u64(cost_ns, 10000, own_ns + cost_ns);
}

static void weigh(const struct platform *platform, struct dummy_judgement *judgement)
{
    judgement->cost_ns = units_tsc_to_ns(judgement->with->dummy_read_tsc.mean, platform->tsc_hz);
    if (is_needed(judgement) && !platform->is_emulated) {
        judgement->verdict = DUMMY_NEEDED;
        judgement->why = "without the second read the CPU runs on before it stops";
    } else if (platform->is_emulated) {
        judgement->why = "an emulator's figures say nothing about it";
    } else if (judgement->booking.booked_ns == 0) {
        judgement->why = "both reads are shorter than a tick";
    } else if (judgement->with->stopped_in == STOPPED_UNKNOWN) {
        judgement->why = "the samples do not agree on where the CPU stops";
    } else if (share_in_crowd(judgement) >= IDLE_HARMFUL_PERMYRIAD) {
        judgement->verdict = DUMMY_HARMFUL;
        judgement->why = judgement->with->stopped_in == STOPPED_NONE
                             ? "the CPU does not stop in it, and a good part of what is booked as "
                               "idle is this read"
                             : "the CPU has slept in the read before it, and a good part of what "
                               "is booked as idle is this one";
    } else {
        judgement->verdict = DUMMY_HARMLESS;
        judgement->why = "the CPU has stopped before, and the read is short beside the sleep";
    }
}

static void find_misled(const struct platform *platform, const struct idle_sample_set *way,
                        struct dummy_judgement *judgement)
{
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];
        struct idle_booking booking;
        uint32_t sleeps;

        if (!idle_is_same_way(set, way) || !set->has_declared_latency ||
            !idle_booking_of(set, platform->tsc_hz, &booking)) {
            continue;
        }
        sleeps = idle_sleeps_until_wrong(booking.true_ns, booking.booked_ns,
                                         mul_div_u64(set->declared_latency_us, 1000, 1));
        if (sleeps != 0 && judgement->sleeps_until_wrong == 0) {
            judgement->sleeps_until_wrong = sleeps;
            judgement->wrong_length_ns = set->requested_ns;
        }
    }
}

/* The shortest sleep on which the samples agree: there the read weighs most. */
static const struct idle_sample_set *find_weightiest(const struct platform *platform,
                                                     uint32_t index)
{
    const struct idle_sample_set *way = &platform->idle[index];
    const struct idle_sample_set *best = way;

    for (uint32_t i = index; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (idle_is_same_way(set, way) && set->stopped_in != STOPPED_UNKNOWN &&
            (best->stopped_in == STOPPED_UNKNOWN || set->requested_ns < best->requested_ns)) {
            best = set;
        }
    }
    return best;
}

void idle_dummy_judge(const struct platform *platform, uint32_t index,
                      struct dummy_judgement *ret_judgement)
{
    *ret_judgement = (struct dummy_judgement){.why = "the rate of the TSC is not known",
                                              .with = find_weightiest(platform, index)};
    ret_judgement->without = find_without(platform, ret_judgement->with);
    if (!idle_booking_of(ret_judgement->with, platform->tsc_hz, &ret_judgement->booking)) {
        return;
    }
    if (ret_judgement->without != NULL) {
        (void)idle_booking_of(ret_judgement->without, platform->tsc_hz,
                              &ret_judgement->booking_without);
    }
    find_crowd(platform, ret_judgement);
    weigh(platform, ret_judgement);
    find_misled(platform, &platform->idle[index], ret_judgement);
}

bool idle_dummy_next(const struct platform *platform, uint32_t *index)
{
    for (; *index < platform->idle_count; (*index)++) {
        const struct idle_sample_set *set = &platform->idle[*index];
        const struct idle_sample_set *before = *index == 0 ? NULL : set - 1;

        if (set->dummy_read != DUMMY_NONE && set->entry == IDLE_IO &&
            (before == NULL || !idle_is_same_way(before, set))) {
            return true;
        }
    }
    return false;
}
