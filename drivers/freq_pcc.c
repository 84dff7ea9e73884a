#include "drivers/freq_session.h"

#include <stddef.h>

/* The session's part of requests through PCC: the boot CPU makes them for all, between its jobs. */

bool freq_is_pcc(const struct freq_session *session, uint32_t cpu)
{
    return session->cpus[cpu].way.kind == FREQ_CPPC_PCC;
}

/* While the platform works on a PCC command: the firmware gets the boot CPU in time, whatever ended measuring. */
static void pause_for_pcc(void *context)
{
    struct freq_session *session = context;
    const struct timing *core = session->measure->timing;
    const char *why = NULL;

    if (session->is_core_taken &&
        freq_now(session) - session->stretch_start_tsc >= session->stretch_tsc) {
        if (core->breathe(core, &why) != STATUS_OK) {
            session->is_core_taken = false;
            session->why = session->why == NULL ? why : session->why;
        }
        session->stretch_start_tsc = freq_now(session);
    }
}

bool freq_open_pcc(struct freq_session *session)
{
    bool is_needed = false;

    for (uint32_t cpu = 0; cpu < session->platform->cpus_count; cpu++) {
        is_needed = is_needed || (session->cpus[cpu].is_wanted && session->cpus[cpu].count != 0 &&
                                  session->cpus[cpu].way.kind == FREQ_CPPC_PCC);
    }
    if (is_needed) {
        session->pcc = frequency_pcc_open(session->platform, pause_for_pcc, session);
    }
    return !is_needed || session->pcc != NULL;
}

void freq_save_pcc(struct freq_session *session)
{
    for (uint32_t cpu = 0; session->pcc != NULL && cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        if (own->is_wanted && own->way.kind == FREQ_CPPC_PCC && own->ask_why == NULL) {
            own->ask_why = frequency_pcc_save(session->measure->hw, session->pcc, cpu, &own->way);
        }
    }
}

void freq_store_pcc(struct freq_session *session, uint32_t cpu, uint32_t row)
{
    struct freq_cpu *own = &session->cpus[cpu];

    if (own->ask_why == NULL && own->count != 0 && freq_row_of(own, row) < own->count) {
        own->ask_why = frequency_pcc_store(session->measure->hw, session->pcc, cpu,
                                           own->requests[freq_row_of(own, row)].control);
    }
}

/* One command for all CPUs that share a subspace; those that do not share have theirs under way together. */
void freq_ask_through_pcc(struct freq_session *session)
{
    for (uint32_t cpu = 0; session->pcc != NULL && cpu < session->crew.count; cpu++) {
        if (session->cpus[cpu].is_in && freq_is_pcc(session, cpu)) {
            freq_store_pcc(session, cpu, session->row);
        }
    }
    for (uint32_t cpu = 0; session->pcc != NULL && cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        if (own->is_in && freq_is_pcc(session, cpu) && own->ask_why == NULL) {
            own->ask_why = frequency_pcc_start(session->measure->hw, session->pcc, cpu);
        }
    }
    for (uint32_t cpu = 0; session->pcc != NULL && cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        if (own->is_in && freq_is_pcc(session, cpu) && own->ask_why == NULL) {
            own->ask_why = frequency_pcc_finish(session->measure->hw, session->pcc, cpu);
        }
    }
}
