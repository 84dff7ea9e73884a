#include "drivers/freq_session.h"
#include "model/freq_derive.h"
#include "model/textbuf.h"
#include "model/units.h"

#include <stddef.h>

/* Every request on every CPU at once, and the jobs that a CPU does for the leader. */

#define WINDOW_NS UINT64_C(100000000)
#define LONG_WINDOW_NS UINT64_C(1000000000)
#define AFTER_REQUEST_NS UINT64_C(5000000)
#define AFTER_REQUEST_MAX_NS UINT64_C(20000000)
#define WARM_NS UINT64_C(5000000)
#define MEET_NS UINT64_C(300000000)
#define PART_NS UINT64_C(3000000000)   /* to wait for a CPU that took the long window */
#define MEET_STEP_NS UINT64_C(20000)   /* between two looks at who has come ... */
#define MEET_LONG_NS UINT64_C(2000000) /* ... and for whom that takes longer than this ... */
#define MEET_LATER_NS UINT64_C(500000) /* ... this long */
#define SAY_BYTES 64U

static struct freq_session *session_of(const struct crew *crew)
{
    return (struct freq_session *)crew->call_context;
}

static bool breathe_here(void *context)
{
    return freq_breathe((struct freq_session *)context);
}

void freq_meter_of(struct freq_session *session, uint32_t cpu, struct freq_meter *ret_meter)
{
    freq_meter_init(ret_meter, session->measure->hw, session->crew.slots[cpu].core,
                    session->platform, cpu);
    if (cpu == 0) {
        ret_meter->breathe = breathe_here;
        ret_meter->breathe_context = session;
    }
}

bool freq_meet(struct freq_session *session, const struct freq_meter *meter, uint32_t *counter,
               uint64_t limit_ns)
{
    uint64_t start_tsc = freq_now(session);
    uint64_t limit_tsc = freq_ticks(session, limit_ns);

    if (session->is_solo) {
        return true;
    }
    (void)__atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < session->expected) {
        uint64_t waited_tsc = freq_now(session) - start_tsc;

        if (waited_tsc > limit_tsc) {
            return false;
        }
        freq_meter_work(meter, waited_tsc < freq_ticks(session, MEET_LONG_NS) ? MEET_STEP_NS
                                                                              : MEET_LATER_NS);
        if (meter->breathe != NULL && !meter->breathe(meter->breathe_context)) {
            return false;
        }
    }
    return true;
}

uint32_t freq_row_of(const struct freq_cpu *own, uint32_t row)
{
    return row == FREQ_LAST_ROW ? own->count - 1 : row;
}

static const char *refusal_of(enum status status)
{
    return status == STATUS_DENIED ? "the control register may not be written here"
                                   : "the write to the control register failed";
}

/* Requests through PCC are the boot CPU's; only while it times its own is it asked here. */
static bool is_asked_before(const struct freq_session *session, uint32_t cpu)
{
    return freq_is_pcc(session, cpu) && (cpu != 0 || session->job != FREQ_JOB_SETTLE);
}

void freq_ask_ready(struct freq_session *session, uint32_t cpu)
{
    if (freq_is_pcc(session, cpu) && !is_asked_before(session, cpu) &&
        session->cpus[cpu].ask_why == NULL) {
        session->cpus[cpu].ask_why = frequency_pcc_ready(session->measure->hw, session->pcc, cpu);
    }
}

bool freq_ask_start(struct freq_session *session, uint32_t cpu, uint32_t row)
{
    struct freq_cpu *own = &session->cpus[cpu];
    enum status status;

    if (own->count == 0 || freq_row_of(own, row) >= own->count || own->ask_why != NULL) {
        return false;
    }
    if (freq_is_pcc(session, cpu)) {
        if (!is_asked_before(session, cpu)) {
            freq_store_pcc(session, cpu, row);
            own->ask_why = own->ask_why != NULL
                               ? own->ask_why
                               : frequency_pcc_start(session->measure->hw, session->pcc, cpu);
        }
        return own->ask_why == NULL;
    }
    status = frequency_request(session->measure->hw, &session->guard, cpu, &own->way, &own->saved,
                               &own->requests[freq_row_of(own, row)]);
    if (status != STATUS_OK) {
        own->ask_why = refusal_of(status);
        return false;
    }
    return true;
}

bool freq_ask_finish(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];

    if (freq_is_pcc(session, cpu) && !is_asked_before(session, cpu) && own->ask_why == NULL) {
        own->ask_why = frequency_pcc_finish(session->measure->hw, session->pcc, cpu);
    }
    return own->ask_why == NULL;
}

bool freq_ask(struct freq_session *session, uint32_t cpu, uint32_t row)
{
    return freq_ask_start(session, cpu, row) && freq_ask_finish(session, cpu);
}

static uint64_t wait_of(const struct frequency_request *request)
{
    uint64_t wait_ns = request->latency_us > AFTER_REQUEST_MAX_NS ? AFTER_REQUEST_MAX_NS
                                                                  : 2000 * request->latency_us;

    wait_ns = wait_ns < AFTER_REQUEST_NS ? AFTER_REQUEST_NS : wait_ns;
    return wait_ns > AFTER_REQUEST_MAX_NS ? AFTER_REQUEST_MAX_NS : wait_ns;
}

/* 100 ms say the same as was asked for, and all parts of it the same. */
static bool agrees(const struct freq_session *session, const struct freq_sample *sample)
{
    struct freq_figure figure = freq_figure_of(&sample->counts, session->platform->tsc_hz, 0, 0);
    uint64_t khz = sample->requested_khz;
    uint64_t apart_khz = figure.khz > khz ? figure.khz - khz : khz - figure.khz;

    return freq_is_steady(&sample->counts) &&
           (khz == 0 || apart_khz <= freq_tolerance_khz(session->platform, sample->cpu, khz,
                                                        figure.uncertainty_ppm));
}

static void measure_sample(struct freq_session *session, struct freq_meter *meter,
                           struct freq_sample *sample)
{
    freq_meter_window(meter, WINDOW_NS, &sample->counts);
    if (sample->counts.window_tsc != 0 && !agrees(session, sample)) {
        freq_meter_window(meter, LONG_WINDOW_NS, &sample->counts);
        sample->was_long = true;
    }
}

static struct freq_sample *new_sample(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    struct freq_sample *sample = &own->samples[own->samples_count];

    if (own->count == 0 || own->ask_why != NULL) {
        *sample =
            (struct freq_sample){.cpu = cpu, .kind = FREQ_NO_REQUEST, .pss_index = FREQ_NO_ROW};
    } else {
        const struct frequency_request *request = &own->requests[session->row];

        *sample = (struct freq_sample){.cpu = cpu,
                                       .kind = request->kind,
                                       .pss_index = request->pss_index,
                                       .requested_khz = request->khz,
                                       .control = request->control,
                                       .status_expected = request->status_expected};
    }
    return sample;
}

/* A CPU with fewer requests than others works on under its last, so that the load is the same for all rows. */
void freq_row_run(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    bool has_row = session->row < own->count || (own->count == 0 && session->row == 0);
    struct freq_meter meter;

    freq_meter_of(session, cpu, &meter);
    if (own->count != 0 && has_row) {
        /* Where nothing may be asked for, what the firmware left is measured once. */
        has_row =
            freq_ask(session, cpu, session->row) || (session->row == 0 && own->ask_why != NULL);
        meter.asked_pstate = own->requests[session->row].control;
        meter.has_pstate_limit = meter.has_pstate_limit && own->way.kind == FREQ_PSTATE_CTL;
    } else {
        meter.has_pstate_limit = false;
    }
    (void)freq_meet(session, &meter, &session->ready, MEET_NS);
    if (has_row) {
        struct freq_sample *sample = new_sample(session, cpu);

        freq_meter_work(&meter, own->count == 0 ? WARM_NS : wait_of(&own->requests[session->row]));
        measure_sample(session, &meter, sample);
        sample->status_avail = frequency_status(session->measure->hw, &own->way, &sample->status);
        own->samples_count++;
    }
    (void)freq_meet(session, &meter, &session->finished, PART_NS);
}

void freq_active_run(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    struct freq_meter meter;

    freq_meter_of(session, cpu, &meter);
    meter.has_pstate_limit = meter.has_pstate_limit && own->way.kind == FREQ_PSTATE_CTL;
    meter.asked_pstate = own->count == 0 ? 0 : own->requests[0].control;
    (void)freq_meet(session, &meter, &session->ready, MEET_NS);
    freq_meter_work(&meter, WARM_NS);
    freq_meter_window(&meter, session->window_ns, &own->counts);
    (void)freq_meet(session, &meter, &session->finished, PART_NS);
}

static void mark(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    const struct hw *hw = session->measure->hw;
    uint64_t deep_tsc = 0;
    uint64_t now_tsc = freq_now(session);

    for (uint32_t i = 0; i < own->residency_count; i++) {
        uint64_t value = 0;

        if (hw->ops->rdmsr(hw, own->residency_msr[i], &value) == AVAIL_PRESENT) {
            deep_tsc += value;
        }
    }
    own->parked_tsc = now_tsc - own->marked_tsc;
    own->deep_tsc = deep_tsc - own->marked_deep_tsc;
    own->marked_tsc = now_tsc;
    own->marked_deep_tsc = deep_tsc;
}

static void save(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];

    frequency_save(session->measure->hw, &session->guard, cpu, &own->way, &own->saved);
    if (own->way.kind == FREQ_CPPC_PCC) {
        own->ask_why =
            session->is_solo && cpu != 0
                ? "requests through PCC are made by the boot CPU, and others run only after it here"
                : own->ask_why;
        return;
    }
    if (own->way.kind != FREQ_NO_REQUEST && own->saved.avail != AVAIL_PRESENT) {
        own->ask_why = "the control register could not be read, or is not one that may be written";
    }
}

static void switch_boost(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    uint64_t value = session->is_boost_off ? own->boost.off_mask : 0;

    own->has_switched =
        own->boost.msr != 0 && request_guard_write(session->measure->hw, &session->guard, cpu,
                                                   own->boost.msr, value) == AVAIL_PRESENT;
}

static void restore(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];

    if (!frequency_restore(session->measure->hw, &session->guard, cpu, &own->way, &own->saved)) {
        own->is_left = true;
    }
}

void freq_job_run(struct crew *crew, uint32_t cpu)
{
    struct freq_session *session = session_of(crew);

    switch (session->job) {
    case FREQ_JOB_SAVE:
        save(session, cpu);
        break;
    case FREQ_JOB_ROW:
        freq_row_run(session, cpu);
        break;
    case FREQ_JOB_ASK:
        (void)freq_ask(session, cpu, session->row);
        break;
    case FREQ_JOB_ACTIVE:
        freq_active_run(session, cpu);
        break;
    case FREQ_JOB_MARK:
        mark(session, cpu);
        break;
    case FREQ_JOB_BOOST:
        switch_boost(session, cpu);
        break;
    case FREQ_JOB_SETTLE:
        freq_settle_run(session, cpu);
        break;
    case FREQ_JOB_WORK:
        freq_work_run(session, cpu);
        break;
    case FREQ_JOB_RESTORE:
    default:
        restore(session, cpu);
        break;
    }
}

/* Alone, with nobody to lead: every request once. */
void freq_solo_run(struct crew *crew, uint32_t cpu)
{
    struct freq_session *session = session_of(crew);
    uint32_t rows = session->cpus[cpu].count == 0 ? 1 : session->cpus[cpu].count;

    session->is_solo = true;
    save(session, cpu);
    for (uint32_t row = 0; row < rows; row++) {
        session->row = row;
        freq_row_run(session, cpu);
    }
    restore(session, cpu);
}

void freq_select_all(struct freq_session *session)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->cpus[cpu].is_in = session->cpus[cpu].is_wanted;
    }
}

void freq_lead_rows(struct freq_session *session)
{
    for (uint32_t row = 0; row < session->rows; row++) {
        char what[SAY_BYTES];
        char part[FREQ_PART_BYTES];
        struct textbuf text;

        freq_name_row(session, row, part);
        textbuf_init(&text, what, sizeof(what), NULL, NULL);
        textbuf_printf(&text, "request %u of %u on every CPU", row + 1, session->rows);
        if (!freq_say_part(session, part, what, row == 0 ? 0 : WINDOW_NS)) {
            return;
        }
        session->row = row;
        freq_select_all(session);
        freq_give_job(session, FREQ_JOB_ROW, PART_NS);
    }
}
