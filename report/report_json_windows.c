#include "model/windows.h"
#include "report/report_json_parts.h"

static void state(struct json_out *json, const struct windows_cstate *cstate)
{
    json_out_flat_object(json, NULL);
    json_out_u64(json, "type", cstate->type);
    json_out_string(json, "entry", cstate->is_port ? "io" : "instruction");
    json_out_u64(json, "address", cstate->address);
    json_out_u64(json, "latency_us", cstate->latency_us);
    json_out_string(json, "from", cstate->from);
    json_out_u64(json, "index", cstate->index);
    json_out_string(json, "verdict", windows_verdict_name(cstate->verdict));
    json_out_string(json, "why", cstate->why);
    json_out_string(json, "source", cstate->source);
    json_out_end(json);
}

void report_json_windows(const struct report *report, struct json_out *json)
{
    const struct windows_view *view = report->platform->windows;

    json_out_object(json, "windows");
    json_out_array(json, "cstates");
    for (uint32_t i = 0; view != NULL && i < view->count; i++) {
        state(json, &view->states[i]);
    }
    json_out_end(json);
    json_out_array(json, "notes");
    for (uint32_t i = 0; view != NULL && i < view->notes_count; i++) {
        json_out_flat_object(json, NULL);
        json_out_string(json, "text", view->notes[i].text);
        json_out_string(json, "source", view->notes[i].source);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}
