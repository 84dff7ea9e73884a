#pragma once

#include "model/aml_value.h"
#include "model/gas.h"
#include "report/json_out.h"
#include "report/report.h"

/* The parts of report.json, a file per subject. Each adds its keys to the open top-level object. */
void report_json_machine(const struct report *report, struct json_out *json);
void report_json_tables(const struct report *report, struct json_out *json); /* fadt, madt, pcct */
void report_json_aml(const struct report *report, struct json_out *json);    /* handshake, aml */
void report_json_processors(const struct report *report, struct json_out *json);
void report_json_sets(const struct report *report, struct json_out *json);
void report_json_repairs(const struct report *report, struct json_out *json);
void report_json_cpuid(const struct report *report, struct json_out *json);
void report_json_msrs(const struct report *report, struct json_out *json);
void report_json_clocks(const struct report *report, struct json_out *json);
void report_json_frequency(const struct report *report, struct json_out *json);
/* linux[], the assumed column, and the two remedies for a missing boost row. */
void report_json_linux(const struct report *report, struct json_out *json);

/* windows, which idle states it takes as far as that is documented. */
void report_json_windows(const struct report *report, struct json_out *json);
/* columns[]: claimed, assumed and measured beside each other. */
void report_json_columns(const struct report *report, struct json_out *json);
void report_json_work(const struct report *report, struct json_out *json);
/* measured{}: frequencies at each request, boost, settling times. */
void report_json_clocked(const struct report *report, struct json_out *json);
void report_json_measured(const struct report *report,
                          struct json_out *json); /* idle, contention */
void report_json_findings(const struct report *report, struct json_out *json);

/* {"reg":{"space","width","offset","access","address"}} of interfaces.md. */
void report_json_gas(struct json_out *json, const char *key, const struct gas *gas);

/*
 * Any AML value as what it is: an Integer a number, a Package an array, an uninitialised element null, the
 * others {"type":"String","text"}, {"type":"Buffer","hex"}, {"type":"Reference","path"}, {"type":...}.
 */
void report_json_value(struct json_out *json, const char *key, const struct aml_value *value);

/* The object of a set in the form of interfaces.md; parts that are malformed stand beside it as they are. */
void report_json_object(struct json_out *json, const char *key, const struct object_set *set,
                        const struct processor *first);

/* "pss#0" */
#define SET_NAME_BYTES 24
void report_json_set_name(const struct object_set *set, char *ret_name);

/* Decoded _CPC values of `processor`; with `but` only those that differ from that processor's. */
void report_json_cpc_values(struct json_out *json, const struct processor *processor,
                            const struct processor *but);

/* The first processor whose object, as firmware gave it, is `set`. NULL when there is none. */
const struct processor *report_json_first(const struct platform *platform,
                                          const struct object_set *set);
