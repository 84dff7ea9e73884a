#include "drivers/idle_session.h"
#include "model/textbuf.h"
#include "model/units.h"

#include <stddef.h>

/* What a run says of itself while it lasts: which CPU, which state, and how long it will take. */

#define SAY_BYTES 128U

uint64_t session_seconds_left(const struct session *session)
{
    uint64_t gone_tsc = session_now(session) - session->start_tsc;
    uint64_t limit_s = gone_tsc >= session->limit_tsc
                           ? 0
                           : (session->limit_tsc - gone_tsc) / session->crew.tsc_hz + 1;
    uint64_t needed_s = (session->own_left_ns + session->others_left_ns) / NS_PER_S + 1;

    return needed_s < limit_s ? needed_s : limit_s;
}

void idle_way_text(const struct idle_way *way, bool has_dummy_read, struct textbuf *text)
{
    switch (way->entry) {
    case IDLE_MWAIT:
        textbuf_printf(text, "%s by MWAIT 0x%x", way->state, (unsigned)way->hint);
        break;
    case IDLE_IO:
        textbuf_printf(text, "%s by port 0x%x%s", way->state, (unsigned)way->port,
                       has_dummy_read ? " and the PM timer" : "");
        break;
    case IDLE_HLT:
    default:
        textbuf_printf(text, "%s by HLT", way->state);
        break;
    }
}

static void start_text(struct textbuf *text, char *what, uint32_t cpu)
{
    textbuf_init(text, what, SAY_BYTES, NULL, NULL);
    textbuf_printf(text, "CPU %u", (unsigned)cpu);
}

static void end_text(const struct textbuf *text, char *what)
{
    what[text->length < SAY_BYTES ? text->length : SAY_BYTES - 1] = '\0';
}

const char *session_say_own(void *context, const struct idle_task *task, uint32_t way,
                            bool *ret_is_window_over)
{
    struct session *session = context;
    uint32_t all = idle_task_ways(task, 0);
    char what[SAY_BYTES];
    struct textbuf text;
    const struct step step = {
        .name = IDLE_MEASURE_STEP, .object = "", .part = what, .kind = STEP_TIMED};

    session->own_left_ns =
        all == 0 ? 0 : idle_task_estimate_ns(task) / all * idle_task_ways(task, way);
    start_text(&text, what, 0);
    textbuf_string(&text, ": ");
    idle_way_text(&task->plan.ways[way], task->plan.ways[way].dummy_read != DUMMY_NONE, &text);
    end_text(&text, what);
    (void)session_say(session, &step, what);
    *ret_is_window_over = false;
    return session->why;
}

void session_say_others(struct session *session, uint32_t cpu, uint32_t beside, uint32_t done,
                        uint32_t all)
{
    const struct idle_task *task = &session->tasks[cpu];
    uint32_t way = __atomic_load_n(&task->way_now, __ATOMIC_ACQUIRE);
    char what[SAY_BYTES];
    struct textbuf text;

    start_text(&text, what, cpu);
    if (beside != 0) {
        textbuf_printf(&text, " and %u more", (unsigned)beside);
    }
    textbuf_string(&text, ": ");
    idle_way_text(&task->plan.ways[way], task->plan.ways[way].dummy_read != DUMMY_NONE, &text);
    textbuf_printf(&text, "; %u of %u other CPUs done", (unsigned)done, (unsigned)all);
    end_text(&text, what);
    (void)session_say(session, NULL, what);
}
