#include "model/windows.h"
#include "report/report_text_parts.h"

#define STATE_COLUMN 16

static void state_line(const struct windows_cstate *state, struct wrap *line)
{
    wrap_printf(line, "C%u from %s%s", state->type, state->from, state->is_port ? " by port" : "");
    if (state->address != 0) {
        wrap_printf(line, " 0x%lx", state->address);
    }
    wrap_printf(line, ", %lu us, %s: %s (%s)", state->latency_us,
                windows_verdict_name(state->verdict), state->why, state->source);
    wrap_end(line, STATE_COLUMN);
}

/* What the documents say; nothing where there is no processor. */
void report_text_windows(const struct report *report, struct textbuf *out)
{
    const struct windows_view *view = report->platform->windows;
    struct wrap line;

    if (view == NULL || view->cpu == CPU_NONE) {
        return;
    }
    wrap_heading(out, "Idle states for Windows, as far as documented");
    wrap_init(&line, out);
    for (uint32_t i = 0; i < view->count; i++) {
        state_line(&view->states[i], &line);
    }
    for (uint32_t i = 0; i < view->notes_count; i++) {
        wrap_printf(&line, "note: %s (%s)", view->notes[i].text, view->notes[i].source);
        wrap_end(&line, STATE_COLUMN);
    }
}
