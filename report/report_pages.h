#pragma once

#include "report/report.h"

#include <stdint.h>

/* The subjects of the text report, a page each, for the browser on the machine. */
struct report_page {
    const char *title;
    void (*write)(const struct report *report, struct textbuf *out);
};

uint32_t report_pages_count(void);
const struct report_page *report_pages_at(uint32_t index);
