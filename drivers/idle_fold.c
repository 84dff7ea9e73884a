#include "drivers/idle_session.h"
#include "model/textbuf.h"

#include <stddef.h>

/* What the CPUs left, as one list of figures and one of what has none: no CPU goes unnamed. */

static bool is_of_way(const struct idle_sample_set *set, const struct idle_way *way)
{
    return set->entry == way->entry && set->port == way->port && set->hint == way->hint &&
           set->dummy_read == way->dummy_read;
}

static bool has_figures(const struct idle_task *task, const struct idle_way *way)
{
    for (uint32_t i = 0; i < task->sets_count; i++) {
        if (is_of_way(&task->sets[i], way)) {
            return true;
        }
    }
    return false;
}

static bool was_wanted(const struct session *session, uint32_t cpu)
{
    return session->crew.wanted[cpu] != 0;
}

/* Of a CPU that has no figures for a way that could have been entered. */
static const char *reason_of(const struct session *session, uint32_t cpu)
{
    const struct crew_slot *slot = &session->crew.slots[cpu];

    if (!was_wanted(session, cpu)) {
        return slot->why;
    }
    if (session->tasks[cpu].why != NULL) {
        return session->tasks[cpu].why;
    }
    if (slot->why != NULL) {
        return slot->why;
    }
    return session->why != NULL ? session->why : "the measurement ended before this CPU's turn";
}

#define REASON_BYTES 256U

/* Nothing could have ended a sleep on the boot CPU: that no CPU was there is said by the way, here follows what the
 * machine's other timer lacks. */
static const char *with_guard(const struct session *session)
{
    const char *why = session->tasks[0].unwatched_why;
    char *text = arena_take(session->platform->arena, REASON_BYTES);
    struct textbuf line;

    if (why == NULL || text == NULL) {
        return idle_task_no_watch;
    }
    textbuf_init(&line, text, REASON_BYTES, NULL, NULL);
    textbuf_printf(&line, "%s; %s", idle_task_no_watch, why);
    text[line.length < REASON_BYTES ? line.length : REASON_BYTES - 1] = '\0';
    return text;
}

static void give_reasons(struct session *session, uint32_t cpu)
{
    struct idle_task *task = &session->tasks[cpu];

    if (!was_wanted(session, cpu)) {
        /* HLT stands for all of them: nothing was meant to be timed there. */
        task->plan.count = 1;
        task->plan.ways[0] =
            (struct idle_way){.state = "C1", .entry = IDLE_HLT, .from = "architecture"};
    }
    for (uint32_t i = 0; i < task->plan.count; i++) {
        struct idle_way *way = &task->plan.ways[i];

        if (way->not_timed == NULL && !has_figures(task, way)) {
            way->not_timed = reason_of(session, cpu);
        } else if (way->not_timed == idle_task_no_watch && cpu == 0) {
            way->not_timed = with_guard(session);
        }
    }
}

static const char *reason(const struct session *session)
{
    const struct idle_plan *plan = &session->tasks[0].plan;

    if (session->why != NULL) {
        return session->why;
    }
    for (uint32_t i = plan->count; i > 0; i--) {
        if (plan->ways[i - 1].not_timed != NULL) {
            return plan->ways[i - 1].not_timed;
        }
    }
    return "no undisturbed sample was had in the time given";
}

static void fold_sets(struct session *session)
{
    struct platform *platform = session->platform;
    struct idle_sample_set *all;
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        count += session->tasks[cpu].sets_count;
    }
    all = arena_array(platform->arena, count, sizeof(*all));
    platform->idle = all;
    for (uint32_t cpu = 0; all != NULL && cpu < platform->cpus_count; cpu++) {
        const struct idle_task *task = &session->tasks[cpu];

        for (uint32_t i = 0; i < task->sets_count; i++) {
            all[platform->idle_count++] = task->sets[i];
        }
    }
    if (platform->idle_count == 0) {
        platform->idle_skipped = reason(session);
    } else if (session->why != NULL) {
        platform->idle_skipped = session->why;
    }
}

static uint32_t count_refusals(const struct session *session)
{
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < session->platform->cpus_count; cpu++) {
        const struct idle_plan *plan = &session->tasks[cpu].plan;

        for (uint32_t i = 0; i < plan->count; i++) {
            count += plan->ways[i].not_timed != NULL ? 1U : 0U;
        }
    }
    return count;
}

static void fold_refusals(struct session *session)
{
    struct platform *platform = session->platform;
    uint32_t room = count_refusals(session);
    struct idle_not_timed *all = arena_array(platform->arena, room, sizeof(*all));

    platform->idle_not_timed = all;
    for (uint32_t cpu = 0; all != NULL && cpu < platform->cpus_count; cpu++) {
        const struct idle_plan *plan = &session->tasks[cpu].plan;

        for (uint32_t i = 0; i < plan->count; i++) {
            /* One that did not come back in time may still change its plan. */
            if (plan->ways[i].not_timed != NULL && platform->idle_not_timed_count < room) {
                all[platform->idle_not_timed_count++] =
                    (struct idle_not_timed){.cpu = cpu, .way = plan->ways[i]};
            }
        }
    }
}

void session_fold(struct session *session)
{
    for (uint32_t cpu = 0; cpu < session->platform->cpus_count; cpu++) {
        give_reasons(session, cpu);
    }
    fold_sets(session);
    fold_refusals(session);
}
