#pragma once

#include "report/report.h"
#include "tests/sim/sim_platform.h"

/*
 * A snapshot in which every part of a report has something to say, with the strings, numbers and object shapes
 * of a hostile firmware: control bytes, quotes, broken UTF-8, 64-bit values, rows of the wrong type. Three
 * CPUs; call sim_report_free at the end.
 */
struct sim_report {
    struct sim_platform sim;
    struct findings findings;
    struct build_info build;
    struct report report;
    char *text; /* what sim_report_write gave last, NUL-terminated */
};

#define SIM_HOSTILE "q\"b\\s\n\t\x01\x7f<&>']]></script>--> \xC3\x28 \xED\xA0\x80 \xFF end"

void sim_report_init(struct sim_report *sample);
void sim_report_free(struct sim_report *sample);

/* Runs a writer over the sample; the text lives until the next call. */
const char *sim_report_write(struct sim_report *sample,
                             void (*writer)(const struct report *report, struct textbuf *out));

/* An AML Integer, a String, and a Package of `count` copies of what `elements` points to. */
struct aml_value sim_integer(uint64_t integer);
struct aml_value sim_string(const char *string);
struct aml_value sim_package(const struct aml_value *elements, uint32_t count);
