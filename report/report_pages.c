#include "report/report_pages.h"

#include "report/report_text_parts.h"

static void interpreter(const struct report *report, struct textbuf *out)
{
    report_text_repairs(report, out);
    report_text_aml(report, out);
}

static const struct report_page pages[] = {
    {"Summary: what is wrong, and what to do", report_summary},
    {"P-states (_PSS, _PCT, _PPC)", report_text_pstates},
    {"CPPC (_CPC)", report_text_cpc},
    {"Idle states as declared", report_text_idle_states},
    {"Idle states as measured", report_text_timing},
    {"As Linux sees it", report_text_linux},
    {"Clocks", report_text_clocks},
    {"Dependencies (_PSD, _CSD)", report_text_dependencies},
    {"Processors", report_text_processors},
    {"Model-specific registers", report_text_msrs},
    {"What the interpreter met", interpreter},
    {"Tables", report_text_tables},
    {"Rules that could not be judged", report_text_skipped},
    {"The whole report", report_text},
};

uint32_t report_pages_count(void)
{
    return sizeof(pages) / sizeof(pages[0]);
}

const struct report_page *report_pages_at(uint32_t index)
{
    return &pages[index];
}
