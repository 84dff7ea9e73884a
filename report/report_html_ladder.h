#pragma once

#include "report/report_html_parts.h"

/* The picture of claimed, assumed and measured; false when there is nothing to draw. */
bool report_html_ladder(const struct platform *platform, struct textbuf *out);
