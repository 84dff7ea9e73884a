#pragma once

#include "report/report_html_parts.h"

/* The pictures of the measured clocks. */

/* The clock over the number of active cores, a curve a package. */
void report_html_boost_picture(const struct platform *platform, struct textbuf *out);

/* Settling times on a logarithmic axis, beside what is declared and what Linux
 * waits. Needs the rate of the TSC. */
void report_html_settling_picture(const struct platform *platform, struct textbuf *out);

/* Whether an entry of freq_settlings is among those that are drawn and listed:
 * those of the first CPU that has any. */
bool report_html_is_shown_settling(const struct platform *platform, uint32_t index);
