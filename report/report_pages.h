#pragma once

#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The text report by subject: the one list that both the report and the browser on the machine follow. The report
 * is its sections in this order; the browser shows each entry as a page of its own.
 */
struct report_page {
    const char *title;
    bool is_section; /* of the text report; the others are pages only */
    void (*write)(const struct report *report, struct textbuf *out);
};

uint32_t report_pages_count(void);
const struct report_page *report_pages_at(uint32_t index);
