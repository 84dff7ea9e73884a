#pragma once

#include "report/report_html_parts.h"

/* The way of a set as the page shows it, escaped. */
void report_html_idle_way(const struct platform *platform, const struct idle_sample_set *set,
                          struct textbuf *out);

/* The CPUs whose set of this length is like `set`, as ranges. */
void report_html_idle_cpus(const struct platform *platform, const struct idle_sample_set *set,
                           uint64_t length_ns, struct textbuf *out);

/* Latencies of every way on one logarithmic axis. Needs idle_count > 0. */
void report_html_idle_picture(const struct platform *platform, struct textbuf *out);
