#include "drivers/freq_session.h"
#include "drivers/work_kernel.h"
#include "model/textbuf.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

/*
 * Work and energy: a fixed kernel under every request, on one core and on all, with the package's energy counter read
 * from edge to edge by the first CPU at work in each package. Everything of one window fits into one
 * stretch of the boot CPU.
 */
#define WINDOW_NS UINT64_C(25000000)
#define WARM_NS UINT64_C(5000000)
#define EDGE_US                                                                                    \
    UINT64_C(5000) /* a counter that has not moved after so long is no use for short windows */
#define PIECE_NS UINT64_C(50000)  /* between two looks at a counter whose edge is waited for */
#define TAIL_NS UINT64_C(7000000) /* work on for the CPU that still waits for its edge */
#define MEET_NS UINT64_C(300000000)
#define JOB_NS UINT64_C(3000000000)
#define PLAN_NS UINT64_C(45000000)
#define SETS 2U /* one core, all cores */
#define ROW_PLAN_NS (PLAN_NS * WORK_KERNELS * SETS)
#define SAY_BYTES 64U

/* Works until a time, and adds what was done. */
static void work_until(struct freq_session *session, uint32_t cpu, uint64_t until_tsc,
                       struct work_done *done)
{
    const struct timing *core = session->crew.slots[cpu].core;

    done->pieces += core->pieces(core, session->kernel, session->work_buffer, done->pieces,
                                 until_tsc, &done->is_wrong);
}

static void work_for(struct freq_session *session, uint32_t cpu, uint64_t ns,
                     struct work_done *done)
{
    work_until(session, cpu, freq_now(session) + freq_ticks(session, ns), done);
}

/* Works on in short pieces until every counter has shown an edge. */
static void work_to_edge(struct freq_session *session, uint32_t cpu, bool is_at_end,
                         struct work_done *done)
{
    struct rapl_meter *meter = session->cpus[cpu].meter;
    const struct hw *hw = session->measure->hw;

    rapl_meter_arm(hw, meter, is_at_end);
    while (!rapl_meter_poll(hw, meter)) {
        work_for(session, cpu, PIECE_NS, done);
    }
}

void freq_work_run(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    struct work_done aside = {0};
    struct freq_meter meter;
    uint64_t start_tsc;

    freq_meter_of(session, cpu, &meter);
    (void)freq_meet(session, &meter, &session->ready, MEET_NS);
    memset(&own->done, 0, sizeof(own->done));
    work_for(session, cpu, WARM_NS, &aside);
    if (own->meter != NULL) {
        work_to_edge(session, cpu, false, &aside);
    }
    start_tsc = freq_now(session);
    work_until(session, cpu, start_tsc + freq_ticks(session, WINDOW_NS), &own->done);
    own->done.window_tsc = freq_now(session) - start_tsc;
    if (own->meter != NULL) {
        work_to_edge(session, cpu, true, &aside);
    } else {
        work_for(session, cpu, TAIL_NS, &aside);
    }
    own->done.is_wrong = own->done.is_wrong || aside.is_wrong;
}

static void select_first(struct freq_session *session)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->cpus[cpu].is_in = false;
    }
    session->cpus[0].is_in = true;
}

static void select_cores(struct freq_session *session)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        own->is_in = own->is_wanted && own->is_first && !own->is_lost &&
                     (cpu == 0 || crew_is_here(&session->crew, cpu));
    }
}

static bool is_first_in_package(const struct freq_session *session, uint32_t cpu)
{
    for (uint32_t i = 0; i < cpu; i++) {
        if (session->cpus[i].is_in &&
            session->platform->cpus[i].package_id == session->platform->cpus[cpu].package_id) {
            return false;
        }
    }
    return session->cpus[cpu].is_in;
}

/* The first CPU at work in each package gets a meter; the counters are those that its own MSRs say. */
static void give_meters(struct freq_session *session)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        struct freq_energy *energy = session->cpus[cpu].energy;

        session->cpus[cpu].meter = NULL;
        if (energy == NULL || !is_first_in_package(session, cpu)) {
            continue;
        }
        rapl_meter_init(&energy->meter, &energy->counters, session->platform->tsc_hz);
        energy->meter.edge_wait_us = EDGE_US;
        session->cpus[cpu].meter = &energy->meter;
    }
}

static void take_energy(const struct rapl_meter *meter, struct work_sample *sample)
{
    struct rapl_reading package, dram;

    rapl_meter_reading(meter, RAPL_PACKAGE, &package);
    rapl_meter_reading(meter, RAPL_DRAM, &dram);
    sample->package_avail = package.avail;
    sample->package_uj = package.uj;
    sample->energy_tsc = package.span_tsc;
    sample->uncertainty_ppm = package.uncertainty_ppm;
    sample->no_energy_why = package.avail == AVAIL_PRESENT ? NULL : package.why;
    sample->dram_avail = dram.avail;
    sample->dram_uj = dram.uj;
}

static void take_request(const struct freq_session *session, uint32_t cpu,
                         struct work_sample *sample)
{
    const struct freq_cpu *own = &session->cpus[cpu];

    sample->pss_index = FREQ_NO_ROW;
    if (session->row < own->count && own->ask_why == NULL) {
        sample->pss_index = own->requests[session->row].pss_index;
        sample->requested_khz = own->requests[session->row].khz;
    }
}

/* One entry for each package that had a meter. */
static void fold(struct freq_session *session)
{
    struct platform *platform = session->platform;

    for (uint32_t first = 0; first < session->crew.count; first++) {
        struct work_sample sample = {.kernel = session->kernel,
                                     .package = platform->cpus[first].package_id,
                                     .cpu = first,
                                     .is_boost_off = session->is_boost_off};

        if (session->cpus[first].meter == NULL || session->cpus[first].is_lost ||
            platform->work_count == session->work_room) {
            continue;
        }
        for (uint32_t cpu = first; cpu < session->crew.count; cpu++) {
            const struct freq_cpu *own = &session->cpus[cpu];

            if (!own->is_in || own->is_lost || own->done.window_tsc == 0 ||
                platform->cpus[cpu].package_id != sample.package) {
                continue;
            }
            sample.active++;
            sample.pieces_per_s +=
                mul_div_round_u64(own->done.pieces, platform->tsc_hz, own->done.window_tsc);
            sample.is_wrong = sample.is_wrong || own->done.is_wrong;
        }
        take_request(session, first, &sample);
        take_energy(session->cpus[first].meter, &sample);
        platform->work[platform->work_count++] = sample;
    }
}

/* All cores are one: that has been measured. */
static bool is_one_core(const struct freq_session *session)
{
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        count += session->cpus[cpu].is_in ? 1U : 0U;
    }
    return count == 1 && session->cpus[0].is_in;
}

static bool measure_sets(struct freq_session *session)
{
    for (unsigned kernel = 0; kernel < WORK_KERNELS; kernel++) {
        for (unsigned set = 0; set < SETS; set++) {
            if (set == 0) {
                select_first(session);
            } else {
                select_cores(session);
            }
            if (set > 0 && is_one_core(session)) {
                continue;
            }
            give_meters(session);
            if (!freq_breathe_now(session)) {
                return false;
            }
            session->kernel = (enum work_kernel)kernel;
            freq_give_job(session, FREQ_JOB_WORK, JOB_NS);
            fold(session);
        }
    }
    return session->why == NULL;
}

static bool measure_row(struct freq_session *session, uint32_t row)
{
    char what[SAY_BYTES];
    struct textbuf text;

    textbuf_init(&text, what, sizeof(what), NULL, NULL);
    textbuf_printf(&text, "work and energy at request %u of %u", row + 1, session->rows);
    if (!freq_say_part(session, freq_part_names[FREQ_PART_WORK], what,
                       row == 0 ? 0 : ROW_PLAN_NS)) {
        return false;
    }
    session->row = row;
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_ASK, JOB_NS);
    return measure_sets(session);
}

static bool has_boost_switch(const struct freq_session *session)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        if (session->cpus[cpu].is_wanted && session->cpus[cpu].boost.msr != 0) {
            return true;
        }
    }
    return false;
}

static void switch_boost(struct freq_session *session, bool is_off)
{
    session->is_boost_off = is_off;
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_BOOST, JOB_NS);
}

/* Of the counters only what the table needs, and no more reads than that. */
static struct freq_energy *make_energy(struct platform *platform, uint32_t cpu)
{
    struct freq_energy *energy = arena_take(platform->arena, sizeof(*energy));

    if (energy == NULL) {
        return NULL;
    }
    rapl_counters_of(platform, cpu, &energy->counters);
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_counter *counter = &energy->counters.domain[i];

        if (i != RAPL_PACKAGE && i != RAPL_DRAM && counter->avail == AVAIL_PRESENT) {
            counter->avail = AVAIL_UNTRIED;
            counter->why = "not asked for";
        }
    }
    return energy;
}

void freq_prepare_work(struct freq_session *session)
{
    struct platform *platform = session->platform;
    uint64_t *buffer;
    uint32_t packages = 1;

    if (session->measure->timing->pieces == NULL) {
        platform->work_skipped = "no kernels for this core";
        return;
    }
    buffer = arena_take(platform->arena, WORK_BUFFER_BYTES);
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        uint32_t package = platform->cpus[cpu].package_id;

        packages = package >= packages ? package + 1 : packages;
        if (session->cpus[cpu].is_wanted) {
            session->cpus[cpu].energy = make_energy(platform, cpu);
        }
    }
    session->work_room = (session->rows + 1) * WORK_KERNELS * SETS * packages;
    platform->work = arena_array(platform->arena, session->work_room, sizeof(*platform->work));
    if (buffer == NULL || platform->work == NULL) {
        platform->work_skipped = "no memory for the kernels";
        return;
    }
    work_buffer_fill(buffer);
    session->work_buffer = buffer;
}

uint64_t freq_plan_work_ns(const struct freq_session *session)
{
    return session->work_buffer == NULL ? 0 : (session->rows + 1) * ROW_PLAN_NS;
}

void freq_lead_work(struct freq_session *session)
{
    bool goes_on = session->why == NULL && session->work_buffer != NULL;

    for (uint32_t row = 0; row < session->rows && goes_on; row++) {
        goes_on = measure_row(session, row);
    }
    if (goes_on && has_boost_switch(session)) {
        switch_boost(session, true);
        (void)measure_row(session, 0);
        switch_boost(session, false);
    }
}
