#include "report/ranges.h"
#include "report/report_json_parts.h"

/* What is empty could not be had or does not apply: it is absent. */
static void text(struct json_out *json, const char *key, const char *string)
{
    if (string != NULL && string[0] != '\0') {
        json_out_string(json, key, string);
    }
}

static void one(const struct finding *finding, struct json_out *json)
{
    json_out_object(json, NULL);
    json_out_string(json, "id", finding->id);
    json_out_string(json, "verdict", verdict_name(finding->verdict));
    json_out_string(json, "severity", severity_name(finding->severity));
    json_out_string(json, "title", finding->title);
    if (finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0 &&
        json_out_open_string(json, "cpus")) {
        ranges_of_set(json->out, &finding->cpus);
        json_out_close_string(json);
    }
    text(json, "object", finding->object);
    text(json, "expected", finding->expected);
    text(json, "actual", finding->actual);
    text(json, "spec", finding->spec);
    text(json, "why", finding->why);
    text(json, "advice", finding->advice);
    json_out_end(json);
}

void report_json_findings(const struct report *report, struct json_out *json)
{
    const struct findings *findings = report->findings;

    json_out_array(json, "findings");
    for (uint32_t i = 0; i < findings->count; i++) {
        one(&findings->items[i], json);
    }
    json_out_end(json);
    if (findings->dropped > 0) {
        json_out_u64(json, "findings_dropped", findings->dropped);
    }
}
