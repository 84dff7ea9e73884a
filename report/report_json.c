#include "report/report_json_parts.h"

/* Counts up when a key of report.json changes its meaning; new keys do not count. */
#define REPORT_SCHEMA 1

static void assay(const struct report *report, struct json_out *json)
{
    json_out_object(json, "assay");
    json_out_string(json, "version", report->build->version);
    json_out_u64(json, "schema", REPORT_SCHEMA);
    json_out_string(json, "acpica", report->build->acpica);
    json_out_string(json, "build", report->build->build);
    json_out_end(json);
}

static void totals(const struct report *report, struct json_out *json)
{
    static const char *const names[VERDICTS] = {[VERDICT_PASS] = "pass",
                                                [VERDICT_FAIL] = "fail",
                                                [VERDICT_WARN] = "warn",
                                                [VERDICT_INFO] = "info",
                                                [VERDICT_SKIP] = "skip"};
    struct totals counted = findings_totals(report->findings);

    json_out_object(json, "totals");
    for (unsigned i = 0; i < VERDICTS; i++) {
        json_out_u64(json, names[i], counted.by_verdict[i]);
    }
    json_out_end(json);
}

void report_json(const struct report *report, struct textbuf *out)
{
    struct json_out json;

    json_out_init(&json, out);
    json_out_object(&json, NULL);
    assay(report, &json);
    report_json_machine(report, &json);
    report_json_tables(report, &json);
    report_json_processors(report, &json);
    report_json_sets(report, &json);
    report_json_repairs(report, &json);
    report_json_aml(report, &json);
    report_json_cpuid(report, &json);
    report_json_msrs(report, &json);
    report_json_clocks(report, &json);
    report_json_frequency(report, &json);
    report_json_linux(report, &json);
    report_json_windows(report, &json);
    report_json_columns(report, &json);
    report_json_clocked(report, &json);
    report_json_work(report, &json);
    report_json_measured(report, &json);
    report_json_findings(report, &json);
    totals(report, &json);
    json_out_end(&json);
    (void)json_out_finish(&json);
}
