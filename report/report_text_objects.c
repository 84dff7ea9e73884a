#include "report/ranges.h"
#include "report/report_text_parts.h"

void report_text_register(struct wrap *line, const struct object_register *reg)
{
    if (reg->avail != AVAIL_PRESENT) {
        wrap_printf(line, "register %s", avail_name(reg->avail));
    } else if (reg->is_null) {
        wrap_printf(line, "not supported");
    } else {
        wrap_printf(line, "%s 0x%lX width %u offset %u access %u", gas_space_name(reg->gas.space),
                    reg->gas.address, reg->gas.width_bits, reg->gas.offset_bits, reg->gas.access);
    }
}

/* One number in a column of its own, "?" when it could not be read. */
static void number(struct wrap *line, bool is_valid, uint64_t value, int width)
{
    if (is_valid) {
        wrap_printf(line, " %*lu", width, value);
    } else {
        wrap_printf(line, " %*s", width, "?");
    }
}

typedef void (*set_lines)(const struct report *report, const struct object_set *set,
                          struct wrap *line);

/* "pss#0: CPU 0-7", then what `lines` writes, for every distinct object of `kind` that firmware gave. */
static void each_set(const struct report *report, enum object_kind kind, const char *heading,
                     set_lines lines, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    uint32_t shown = 0;
    uint32_t more = 0;
    struct wrap line;

    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->sets_count; i++) {
        const struct object_set *set = platform->sets[i];

        if (set->kind != kind || set->is_repaired) {
            continue;
        }
        if (shown == TEXT_SETS_MAX) {
            more++;
            continue;
        }
        if (shown++ == 0) {
            wrap_heading(out, heading);
        }
        wrap_printf(&line, "%s#%u: CPU ", object_kind_field(kind), set->index);
        ranges_of_object(&line.line, platform, set);
        wrap_end(&line, 8);
        lines(report, set, &line);
    }
    if (more > 0) {
        wrap_printf(&line, "and %u more in report.json", more);
        wrap_end(&line, 2);
    }
}

static void pss_lines(const struct report *report, const struct object_set *set, struct wrap *line)
{
    static const int width[PSS_FIELDS] = {9, 9, 9, 9, 11, 11};

    (void)report;
    if (!set->pss.is_package) {
        wrap_printf(line, "  not a package");
        wrap_end(line, 4);
        return;
    }
    wrap_printf(line, "  row      MHz        mW        us     bm us     control      status");
    wrap_end(line, 8);
    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        wrap_printf(line, "  P%-2u", i);
        for (unsigned field = 0; field < PSS_FIELDS; field++) {
            bool is_valid = (row->valid >> field & 1U) != 0;

            if (is_valid && field >= PSS_CONTROL) {
                wrap_printf(line, "  0x%08lX", row->field[field]);
            } else {
                number(line, is_valid, row->field[field], width[field] - (field == 0 ? 2 : 0));
            }
        }
        wrap_end(line, 8);
    }
}

static void mhz(struct wrap *line, uint64_t khz)
{
    wrap_printf(line, "%lu.%03u MHz", khz / 1000, (unsigned)(khz % 1000));
}

static void boost_line(const struct frequency *frequency, struct wrap *line)
{
    if (frequency->boost_avail != AVAIL_PRESENT || frequency->boost_ratio_1024 == 0) {
        wrap_printf(line, "  no boost entry: %s",
                    frequency->no_boost_why == NULL ? "no reason recorded"
                                                    : frequency->no_boost_why);
        wrap_end(line, 4);
        return;
    }
    wrap_printf(line, "  boost to ");
    mhz(line, frequency->max_boost_khz);
    wrap_printf(line, ": ratio %lu/1024 with numerator %lu (%s)", frequency->boost_ratio_1024,
                frequency->boost_numerator,
                frequency->boost_numerator_why == NULL ? "" : frequency->boost_numerator_why);
    wrap_end(line, 4);
    if (frequency->raw_boost_khz != frequency->max_boost_khz) {
        wrap_printf(line, "  the firmware's own highest_perf would give ");
        mhz(line, frequency->raw_boost_khz);
        wrap_end(line, 4);
    }
}

static void invariance_line(const struct frequency *frequency, struct wrap *line)
{
    if (frequency->invariance_method == NULL) {
        return;
    }
    wrap_printf(line, "  frequency invariance: %s", frequency->invariance_method);
    if (frequency->invariance_ratio_1024 != 0) {
        wrap_printf(line, ", ratio %lu/1024", frequency->invariance_ratio_1024);
    }
    if (frequency->invariance_max_khz != 0) {
        wrap_printf(line, " = ");
        mhz(line, frequency->invariance_max_khz);
    }
    if (frequency->invariance_why != NULL) {
        wrap_printf(line, " (%s)", frequency->invariance_why);
    }
    wrap_end(line, 4);
}

static void extended_table(const struct report *report, struct textbuf *out)
{
    const struct frequency *frequency = &report->platform->frequency;
    struct wrap line;

    wrap_init(&line, out);
    if (frequency->count == 0 && frequency->no_table_why != NULL) {
        wrap_heading(out, "Extended frequency table");
        wrap_printf(&line, "none: %s", frequency->no_table_why);
        wrap_end(&line, 4);
    }
    if (frequency->processor >= report->platform->processors_count || frequency->count == 0) {
        return;
    }
    wrap_heading(out, "Extended frequency table");
    wrap_printf(&line, "of %s", report->platform->processors[frequency->processor].path);
    wrap_end(&line, 4);
    for (uint32_t i = 0; i < frequency->count; i++) {
        const struct frequency_row *row = &frequency->rows[i];

        wrap_printf(&line, "  %-6s ", row->kind == FREQUENCY_BOOST ? "boost" : "pstate");
        wrap_printf(&line, "%6lu.%03u MHz  control 0x%08lX of _PSS row %u", row->khz / 1000,
                    (unsigned)(row->khz % 1000), row->control, row->pss_index);
        wrap_end(&line, 8);
    }
    boost_line(frequency, &line);
    invariance_line(frequency, &line);
    if (frequency->skipped_rows > 0) {
        wrap_printf(&line, "  %u _PSS row%s left out (zero, or not below the row before)",
                    frequency->skipped_rows, frequency->skipped_rows == 1 ? " is" : "s are");
        wrap_end(&line, 4);
    }
}

void report_text_pstates(const struct report *report, struct textbuf *out)
{
    report_text_ladder(report->platform, out);
    each_set(report, OBJECT_PSS, "P-states as claimed (_PSS)", pss_lines, out);
    extended_table(report, out);
}

static void cst_lines(const struct report *report, const struct object_set *set, struct wrap *line)
{
    (void)report;
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];

        wrap_printf(line, "  %u: C", i + 1);
        if ((state->valid >> CST_TYPE & 1U) != 0) {
            wrap_printf(line, "%lu", state->field[CST_TYPE]);
        } else {
            wrap_printf(line, "?");
        }
        number(line, (state->valid >> CST_LATENCY_US & 1U) != 0, state->field[CST_LATENCY_US], 6);
        wrap_printf(line, " us");
        number(line, (state->valid >> CST_POWER_MW & 1U) != 0, state->field[CST_POWER_MW], 7);
        wrap_printf(line, " mW  ");
        report_text_register(line, &state->reg);
        wrap_end(line, 8);
    }
    if (set->cst.states_count == 0) {
        wrap_printf(line, "  no states");
        wrap_end(line, 4);
    }
}

static void lpi_lines(const struct report *report, const struct object_set *set, struct wrap *line)
{
    (void)report;
    for (uint32_t i = 0; i < set->lpi.states_count; i++) {
        const struct lpi_state *state = &set->lpi.states[i];

        wrap_printf(line, "  %u: residency", i + 1);
        number(line, (state->valid & 1U) != 0, state->field[LPI_MIN_RESIDENCY_US], 0);
        wrap_printf(line, " us, wake");
        number(line, (state->valid >> LPI_WAKE_LATENCY_US & 1U) != 0,
               state->field[LPI_WAKE_LATENCY_US], 0);
        wrap_printf(line, " us  %s ", state->name == NULL ? "" : state->name);
        if (state->entry_kind == CPC_ELEMENT_REGISTER) {
            report_text_register(line, &state->entry);
        } else if (state->entry_kind == CPC_ELEMENT_INTEGER) {
            wrap_printf(line, "entry 0x%lX", state->entry_integer);
        }
        wrap_end(line, 8);
    }
}

void report_text_idle_states(const struct report *report, struct textbuf *out)
{
    const struct fadt *fadt = &report->platform->fadt;
    struct wrap line;

    each_set(report, OBJECT_CST, "Idle states (_CST)", cst_lines, out);
    each_set(report, OBJECT_LPI, "Idle states (_LPI)", lpi_lines, out);
    if (fadt->has_field[FADT_P_LVL2_LAT] && fadt->has_field[FADT_P_LVL3_LAT]) {
        wrap_init(&line, out);
        wrap_printf(&line, "FADT: P_LVL2_LAT %lu us, P_LVL3_LAT %lu us",
                    fadt->field[FADT_P_LVL2_LAT], fadt->field[FADT_P_LVL3_LAT]);
        wrap_end(&line, 6);
    }
}
