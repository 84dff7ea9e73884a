#include "report/report_pages.h"

#include "report/report_text_parts.h"

static void clocked(const struct report *report, struct textbuf *out)
{
    report_text_clocked(report, out);
    report_text_clocked_plots(report, out);
}

static void interpreter(const struct report *report, struct textbuf *out)
{
    report_text_repairs(report, out);
    report_text_aml(report, out);
}

static const struct report_page pages[] = {
    {"Summary: what is wrong, and what to do", false, report_summary},
    {"Claimed, assumed, measured side by side", true, report_text_columns},
    {"P-states: the ladder, _PSS, _PCT, _PPC", true, report_text_pstates},
    {"CPPC (_CPC)", true, report_text_cpc},
    {"Frequencies, boost and settling as measured", true, clocked},
    {"Work and energy", true, report_text_work},
    {"Idle states as declared", true, report_text_idle_states},
    {"Idle states as measured", true, report_text_timing},
    {"Ports that several CPUs read at once", true, report_text_contention},
    {"As Linux sees it", true, report_text_linux},
    {"Idle states for Windows", true, report_text_windows},
    {"Clocks", true, report_text_clocks},
    {"Dependencies (_PSD, _CSD)", true, report_text_dependencies},
    {"Processors", true, report_text_processors},
    {"Model-specific registers", true, report_text_msrs},
    {"What the interpreter met", true, interpreter},
    {"Tables", true, report_text_tables},
    {"Rules that could not be judged", true, report_text_skipped},
    {"The whole report", false, report_text},
};

uint32_t report_pages_count(void)
{
    return sizeof(pages) / sizeof(pages[0]);
}

const struct report_page *report_pages_at(uint32_t index)
{
    return &pages[index];
}
