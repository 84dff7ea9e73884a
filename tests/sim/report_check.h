#pragma once

#include "report/report.h"

/*
 * Writes the report in every form and looks whether the JSON, the page and the JUnit XML are well-formed. NULL:
 * they are; else one line of what is wrong, valid until the next call. A report that does not fit the buffer
 * (16 MB) is not looked at.
 */
const char *report_check(const struct report *report);
