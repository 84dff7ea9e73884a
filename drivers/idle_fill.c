#include "drivers/idle_run.h"

/* The samples of a set, summed up. */

/* At least this share of the samples must agree on where the CPU stopped. */
#define AGREEMENT_PCT 90U

static void judge_stop(const struct idle_votes *votes, struct idle_sample_set *set)
{
    uint64_t total = votes->first + votes->dummy + votes->late + votes->none;
    uint64_t most = votes->none + votes->late;

    set->stopped_in = STOPPED_NONE;
    if (votes->first > most) {
        most = votes->first;
        set->stopped_in = STOPPED_FIRST_READ;
    }
    if (votes->dummy > most) {
        most = votes->dummy;
        set->stopped_in = STOPPED_DUMMY_READ;
    }
    set->stopped_confidence_pct = total == 0 ? 0 : (uint32_t)(most * 100 / total);
    if (set->stopped_confidence_pct < AGREEMENT_PCT) {
        set->stopped_in = STOPPED_UNKNOWN;
    }
}

static void fill_times(const struct idle_sampler *sampler, struct idle_sample_set *set)
{
    const struct idle_tally *tally = sampler->tally;

    histogram_summarise(&tally->first, &set->first_read_tsc);
    histogram_summarise(&tally->dummy, &set->dummy_read_tsc);
    if (set->stopped_in == STOPPED_FIRST_READ || set->stopped_in == STOPPED_DUMMY_READ) {
        histogram_summarise(&tally->asleep, &set->asleep_tsc);
        histogram_summarise(&tally->exit, &set->exit_tsc);
        histogram_summarise(&tally->handler, &set->handler_tsc);
        histogram_shape(&tally->exit, &set->shape);
    } else {
        histogram_shape(&tally->first, &set->shape);
    }
    histogram_summarise(&tally->ran_on, &set->ran_on_tsc);
    histogram_summarise(&tally->flush, &set->flush_tsc);
}

static void keep_samples(const struct idle_sampler *sampler, struct idle_sample_set *set)
{
    const struct idle_tally *tally = sampler->tally;
    struct sample_store *store = sampler->samples;

    set->bins[SAMPLE_FIRST_READ] = samples_keep(store, &tally->first);
    set->bins[SAMPLE_DUMMY_READ] = samples_keep(store, &tally->dummy);
    if (set->asleep_tsc.n != 0) {
        set->bins[SAMPLE_ASLEEP] = samples_keep(store, &tally->asleep);
        set->bins[SAMPLE_EXIT] = samples_keep(store, &tally->exit);
        set->bins[SAMPLE_HANDLER] = samples_keep(store, &tally->handler);
    }
    set->bins[SAMPLE_RAN_ON] = samples_keep(store, &tally->ran_on);
}

static void fill_way(const struct idle_way *way, struct idle_sample_set *set)
{
    *set = (struct idle_sample_set){.state = way->state,
                                    .entry = way->entry,
                                    .port = way->port,
                                    .hint = way->hint,
                                    .port_from = way->from,
                                    .has_declared_latency = way->has_declared_latency,
                                    .declared_latency_us = way->declared_latency_us,
                                    .dummy_read = way->dummy_read,
                                    .dummy_port = way->dummy_port,
                                    .dummy_paddr = way->dummy_paddr,
                                    .bus = way->bus};
}

void idle_run_fill(const struct idle_run *run, const struct idle_way *way,
                   struct idle_sample_set *set)
{
    fill_way(way, set);
    judge_stop(&run->votes, set);
    fill_times(run->sampler, set);
    keep_samples(run->sampler, set);
}
