#include "model/linux/view.h"
#include "report/ladder.h"
#include "report/ranges.h"
#include "report/report_html_ladder.h"

/* P-states: the picture, and its numbers in tables. */

#define SETS_MAX 8U

static void pss_table(const struct platform *platform, const struct object_set *set,
                      struct textbuf *out)
{
    static const char *const columns[] = {"row",    "#MHz",    "#power mW", "#latency us",
                                          "#bm us", "control", "status"};
    html_table_start(out, "P-states as claimed (_PSS)");
    textbuf_printf(out, ", pss#%u, CPU ", set->index);
    ranges_of_object(out, platform, set);
    html_table_head(out, columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        html_row_open(out);
        html_cell_printf(out, "P%u", i);
        for (unsigned field = 0; field < PSS_FIELDS; field++) {
            if ((row->valid >> field & 1U) == 0) {
                html_cell(out, "not an Integer");
            } else if (field >= PSS_CONTROL) {
                html_cell_printf(out, "0x%08llX", (unsigned long long)row->field[field]);
            } else {
                html_cell_number(out, "%llu", (unsigned long long)row->field[field]);
            }
        }
        html_row_close(out);
    }
    html_table_close(out);
}

static void claimed_tables(const struct platform *platform, struct textbuf *out)
{
    uint32_t shown = 0;
    uint32_t more = 0;

    for (uint32_t i = 0; i < platform->sets_count; i++) {
        if (platform->sets[i]->kind != OBJECT_PSS || platform->sets[i]->is_repaired) {
            continue;
        }
        if (shown < SETS_MAX) {
            pss_table(platform, platform->sets[i], out);
            shown++;
        } else {
            more++;
        }
    }
    if (more > 0) {
        html_note(out, "%u more different _PSS are in report.json.", more);
    }
}

static void assumed_table(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"entry", "#kHz", "kind", "_PSS row"};
    struct rung rung;

    if (!ladder_rung(platform, LADDER_ASSUMED, 0, &rung)) {
        html_absent(out, platform->frequency.no_table_why != NULL
                             ? platform->frequency.no_table_why
                             : "Linux makes no frequency table on this machine.");
        return;
    }
    html_table_start(out, "The frequency table as assumed");
    if (platform->linux_views != NULL && platform->linux_views->count > 0) {
        html_printf(out, " by Linux %s", platform->linux_views->views[0].version_text);
    }
    html_table_head(out, columns, 4);
    for (uint32_t i = 0; ladder_rung(platform, LADDER_ASSUMED, i, &rung); i++) {
        html_row_open(out);
        if (rung.subject != NULL) {
            html_cell(out, "");
            html_cell_number(out, "%llu", (unsigned long long)rung.khz);
            html_cell(out, rung.subject);
            html_cell(out, "");
        } else {
            html_cell_printf(out, "%u", i);
            html_cell_number(out, "%llu", (unsigned long long)rung.khz);
            html_cell(out, rung.is_boost ? "boost" : "P-state");
            html_cell_printf(out, "P%u", rung.pss_index);
        }
        html_row_close(out);
    }
    html_table_close(out);
}

static void measured_table(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"what", "#kHz"};
    struct rung rung;

    if (!ladder_rung(platform, LADDER_MEASURED, 0, &rung)) {
        html_absent(out, platform->freq_skipped != NULL ? platform->freq_skipped
                                                        : "No clock was measured in this run.");
        return;
    }
    html_table_open(out, "Clocks as measured", columns, 2);
    for (uint32_t i = 0; ladder_rung(platform, LADDER_MEASURED, i, &rung); i++) {
        html_row_open(out);
        html_cell(out, rung.subject);
        html_cell_number(out, "%llu", (unsigned long long)rung.khz);
        html_row_close(out);
    }
    html_table_close(out);
}

static void boost_words(const struct frequency *frequency, struct textbuf *out)
{
    char mhz[FIGURE_BYTES];

    textbuf_string(out, "<p>");
    if (frequency->boost_ratio_1024 != 0) {
        html_printf(out, "Boost to %s: ratio %llu/1024 with numerator %llu (%s).",
                    figure_mhz(frequency->max_boost_khz, mhz),
                    (unsigned long long)frequency->boost_ratio_1024,
                    (unsigned long long)frequency->boost_numerator,
                    frequency->boost_numerator_why == NULL ? "" : frequency->boost_numerator_why);
    } else if (frequency->no_boost_why != NULL) {
        html_printf(out, "No boost entry: %s.", frequency->no_boost_why);
    }
    textbuf_string(out, "</p>\n");
}

void report_html_pstates(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    if (report_html_ladder(platform, out)) {
        boost_words(&platform->frequency, out);
    } else {
        html_absent(out, platform->frequency.no_table_why != NULL ? platform->frequency.no_table_why
                                                                  : "No CPU has a _PSS.");
    }
    html_heading(out, "Claimed");
    claimed_tables(platform, out);
    html_heading(out, "Assumed");
    assumed_table(platform, out);
    html_heading(out, "Measured");
    measured_table(platform, out);
}
