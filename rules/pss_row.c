#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.5.2 _PSS (Performance Supported States)"

/* Above this no x86 processor runs; a larger number is kHz, Hz or a placeholder. */
#define FREQ_MAX_MHZ 10000
#define FREQ_MIN_MHZ 100
/* fwts calls a list whose fastest state is slower than this suspicious. */
#define FREQ_USUAL_MIN_MHZ 1000
#define POWER_MAX_MW 1000000
#define POWER_UNIT_MW 300
#define LATENCY_MAX_US 1000

static bool has(const struct pss_row *row, enum pss_field field)
{
    return (row->valid >> field & 1) != 0;
}

/* The values that firmware leaves in rows it did not fill: all ones, or the top bit alone. */
static bool is_marker(uint64_t value)
{
    return value == 0xFFFF || value == 0x8000 || value == 0x7FFFFFFF || value == 0x80000000 ||
           value == 0xFFFFFFFF || value == UINT64_MAX || value == UINT64_C(1) << 63;
}

static bool is_placeholder(const struct pss_row *row)
{
    return has(row, PSS_FREQ_MHZ) && is_marker(row->field[PSS_FREQ_MHZ]);
}

static bool is_usable(const struct pss_row *row)
{
    return has(row, PSS_FREQ_MHZ) && row->field[PSS_FREQ_MHZ] != 0 &&
           row->field[PSS_FREQ_MHZ] <= FREQ_MAX_MHZ;
}

static void frequencies_are_not_zero(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        if (has(&set->pss.rows[i], PSS_FREQ_MHZ) && set->pss.rows[i].field[PSS_FREQ_MHZ] == 0) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_fail(judge, "a frequency in MHz", "%u of %u rows have 0 MHz (row %s)", rows.count,
                   set->pss.count, judge_rows_text(&rows));
    }
}

static void has_no_placeholders(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        if (is_placeholder(&set->pss.rows[i])) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "only rows that stand for a P-state",
                   "%u of %u rows invalid (0x%llX MHz; row %s)", rows.count, set->pss.count,
                   (unsigned long long)set->pss.rows[rows.first].field[PSS_FREQ_MHZ],
                   judge_rows_text(&rows));
    }
}

static void has_a_usable_row(struct judge *judge, const struct object_set *set)
{
    if (set->pss.count == 0) {
        judge_skip(judge, "_PSS has no rows, see PSS-002");
        return;
    }
    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (!has(row, PSS_FREQ_MHZ)) {
            judge_skip(judge, "rows of _PSS are malformed, see PSS-003 and PSS-005");
            return;
        }
        if (row->field[PSS_FREQ_MHZ] != 0 && !is_placeholder(row)) {
            return;
        }
    }
    judge_fail(judge, "at least one row with a frequency", "none of %u rows is usable",
               set->pss.count);
}

static void frequencies_are_mhz(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (has(row, PSS_FREQ_MHZ) && row->field[PSS_FREQ_MHZ] > FREQ_MAX_MHZ &&
            !is_placeholder(row)) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_fail(judge, "a frequency in MHz, below 10000", "row %u: %llu (all: row %s)",
                   rows.first, (unsigned long long)set->pss.rows[rows.first].field[PSS_FREQ_MHZ],
                   judge_rows_text(&rows));
    }
}

static uint64_t highest_mhz(const struct pss *pss)
{
    uint64_t highest = 0;

    for (uint32_t i = 0; i < pss->count; i++) {
        if (is_usable(&pss->rows[i]) && pss->rows[i].field[PSS_FREQ_MHZ] > highest) {
            highest = pss->rows[i].field[PSS_FREQ_MHZ];
        }
    }
    return highest;
}

/* A processor with a base clock below 1 GHz exists (Intel N100: 800 MHz): its _CPC says so too. */
static bool is_confirmed_by_cpc(const struct judge *judge, uint64_t mhz)
{
    const struct object_set *cpc = platform_object(judge->processor, OBJECT_CPC);

    if (cpc == NULL || cpc->cpc.registers[CPC_NOMINAL_FREQ_MHZ].kind != CPC_ELEMENT_INTEGER) {
        return false;
    }
    uint64_t nominal = cpc->cpc.registers[CPC_NOMINAL_FREQ_MHZ].integer;
    return nominal != 0 && mhz * 100 >= nominal * 95 && mhz * 100 <= nominal * 105;
}

/* Intel's control value is a ratio of 100 MHz in [15:8]: a list that agrees with it is in MHz, however slow. */
static bool is_confirmed_by_ratio(const struct pss *pss)
{
    const struct pss_row *last = &pss->rows[pss->count - 1];
    uint64_t mhz = (last->field[PSS_CONTROL] >> 8) * 100;

    return is_usable(last) && has(last, PSS_CONTROL) && mhz != 0 &&
           last->field[PSS_FREQ_MHZ] * 100 >= mhz * 93 &&
           last->field[PSS_FREQ_MHZ] * 100 <= mhz * 107;
}

static void is_fast_enough(struct judge *judge, const struct object_set *set)
{
    uint64_t mhz = highest_mhz(&set->pss);

    if (mhz == 0) {
        judge_skip(judge, "no usable row, see PSS-022");
    } else if (mhz < FREQ_USUAL_MIN_MHZ && !is_confirmed_by_cpc(judge, mhz) &&
               !is_confirmed_by_ratio(&set->pss)) {
        judge_warn(judge, "a fastest state of 1000 MHz or more", "the fastest row has %llu MHz",
                   (unsigned long long)mhz);
    }
}

static void is_no_row_too_slow(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (is_usable(row) && row->field[PSS_FREQ_MHZ] < FREQ_MIN_MHZ) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "100 MHz or more in every row", "row %u: %llu MHz (all: row %s)",
                   rows.first, (unsigned long long)set->pss.rows[rows.first].field[PSS_FREQ_MHZ],
                   judge_rows_text(&rows));
    }
}

/* Power is judged in the order of frequency only: a list out of order is another rule's business. */
static void power_falls(struct judge *judge, const struct object_set *set)
{
    const struct pss_row *above = NULL;
    uint32_t above_index = 0;

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (!is_usable(row) || !has(row, PSS_POWER_MW)) {
            continue;
        }
        if (above != NULL && row->field[PSS_FREQ_MHZ] < above->field[PSS_FREQ_MHZ] &&
            row->field[PSS_POWER_MW] > above->field[PSS_POWER_MW]) {
            judge_fail(judge, "no more power at a lower frequency",
                       "row %u: %llu mW at %llu MHz, but row %u: %llu mW at %llu MHz", i,
                       (unsigned long long)row->field[PSS_POWER_MW],
                       (unsigned long long)row->field[PSS_FREQ_MHZ], above_index,
                       (unsigned long long)above->field[PSS_POWER_MW],
                       (unsigned long long)above->field[PSS_FREQ_MHZ]);
            return;
        }
        above = row;
        above_index = i;
    }
}

static void power_is_given(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (is_usable(row) && has(row, PSS_POWER_MW) && row->field[PSS_POWER_MW] == 0) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "the power in mW", "0 mW in %u of %u rows (row %s)", rows.count,
                   set->pss.count, judge_rows_text(&rows));
    }
}

static void power_is_mw(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};
    bool is_high = false;

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (!is_usable(row) || !has(row, PSS_POWER_MW)) {
            continue;
        }
        uint64_t mw = row->field[PSS_POWER_MW];
        if (mw > POWER_MAX_MW || (mw > 0 && i == 0 && mw < POWER_UNIT_MW)) {
            is_high = mw > POWER_MAX_MW;
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "power in mW: 300 mW to 1000 W for a processor",
                   "row %u: %llu, which looks like %s (all: row %s)", rows.first,
                   (unsigned long long)set->pss.rows[rows.first].field[PSS_POWER_MW],
                   is_high ? "uW or a wrong factor" : "W", judge_rows_text(&rows));
    }
}

static void latency_is_plausible(struct judge *judge, const struct object_set *set,
                                 enum pss_field field)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (has(row, field) && !is_placeholder(row) && row->field[field] > LATENCY_MAX_US) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "microseconds, at most 1000", "row %u: %llu us (all: row %s)", rows.first,
                   (unsigned long long)set->pss.rows[rows.first].field[field],
                   judge_rows_text(&rows));
    }
}

static void transition_latency_is_plausible(struct judge *judge, const struct object_set *set)
{
    latency_is_plausible(judge, set, PSS_LATENCY_US);
}

static void bm_latency_is_plausible(struct judge *judge, const struct object_set *set)
{
    latency_is_plausible(judge, set, PSS_BM_LATENCY_US);
}

/* How many bits of Control the register takes: MSR C0010062H [2:0], MSR 199H [15:0], else the port. */
static unsigned control_bits(const struct platform *platform, const struct processor *processor)
{
    const struct object_set *set = platform_object(processor, OBJECT_PCT);

    if (set == NULL || set->pct.control.avail != AVAIL_PRESENT) {
        return 32;
    }
    const struct gas *gas = &set->pct.control.gas;
    if (gas->space == GAS_SYSTEM_IO) {
        return gas->width_bits == 8 || gas->width_bits == 16 ? gas->width_bits : 32;
    }
    if (gas->space != GAS_FFH) {
        return 32;
    }
    if (gas->address == 0xC0010062 || platform->identity.vendor == VENDOR_AMD) {
        return 3;
    }
    return gas->address == 0x199 || platform->identity.vendor == VENDOR_INTEL ? 16 : 32;
}

static void control_fits(struct judge *judge, const struct object_set *set)
{
    unsigned width = control_bits(judge->platform, judge->processor);
    struct judge_rows rows = {0};
    struct judge_text expected;

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (has(row, PSS_CONTROL) && is_usable(row) && row->field[PSS_CONTROL] >> width != 0) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_fail(judge, judge_text(&expected, "a control value of %u bits", width),
                   "row %u: 0x%llX (all: row %s)", rows.first,
                   (unsigned long long)set->pss.rows[rows.first].field[PSS_CONTROL],
                   judge_rows_text(&rows));
    }
}

/* Functional fixed hardware reads back what was written (MSR C0010063H [2:0], MSR 198H [15:0]). Real: in
 * Intel's row below the minimum ratio the status is that of the minimum, so the last row is left out. */
static bool is_readback_expected(const struct judge *judge, const struct pss *pss, uint32_t i)
{
    const struct object_set *pct = platform_object(judge->processor, OBJECT_PCT);

    if (pct == NULL || pct->pct.control.avail != AVAIL_PRESENT ||
        pct->pct.control.gas.space != GAS_FFH) {
        return false;
    }
    return i + 1 < pss->count || pss->rows[i].field[PSS_CONTROL] < 0x100;
}

static void status_reads_back(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (is_usable(row) && has(row, PSS_CONTROL) && has(row, PSS_STATUS) &&
            row->field[PSS_CONTROL] != row->field[PSS_STATUS] &&
            is_readback_expected(judge, &set->pss, i)) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "the status that the register reads back after the control value",
                   "row %u: control 0x%llX, status 0x%llX (all: row %s)", rows.first,
                   (unsigned long long)set->pss.rows[rows.first].field[PSS_CONTROL],
                   (unsigned long long)set->pss.rows[rows.first].field[PSS_STATUS],
                   judge_rows_text(&rows));
    }
}

const struct rule pss_row_rules[] = {
    {
        .id = "PSS-020",
        .title = "No row of _PSS has a frequency of zero",
        .spec = SPEC,
        .why = "Linux drops the row and complains for every processor; the rows after it move up.",
        .advice = "Fill in CoreFrequency or leave the row out.",
        .known_as = "Linux: Invalid BIOS _PSS frequency found for processor",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = frequencies_are_not_zero,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-021",
        .title = "No row of _PSS is a placeholder",
        .spec = SPEC,
        .why =
            "An unused row looks like a P-state of many GHz; Linux drops it with a complaint per "
            "processor and row, other systems may choose it.",
        .advice = "Return a package with only the rows that are in use; each row keeps its own "
                  "Control value.",
        .known_as = "Linux: Invalid BIOS _PSS frequency found for processor",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = has_no_placeholders,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-022",
        .title = "_PSS has a row with a usable frequency",
        .spec = SPEC,
        .why = "No usable P-state: the processor stays at the frequency the firmware left it at.",
        .advice = "Fill the rows before _PSS is evaluated, or leave _PSS, _PCT and _PPC out.",
        .known_as = "Linux: No valid BIOS _PSS frequency found for processor",
        .severity = SEVERITY_CRITICAL,
        .check = judge_sets,
        .judge_set = has_a_usable_row,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-023",
        .title = "Frequencies of _PSS are in MHz",
        .spec = SPEC,
        .why =
            "Wrong units make the operating system believe in a processor of thousands of GHz, or "
            "drop the row when kHz no longer fit 32 bits.",
        .advice = "Give CoreFrequency in MHz.",
        .known_as = "Linux: Invalid BIOS _PSS frequency found for processor",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = frequencies_are_mhz,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-024",
        .title = "The fastest state of _PSS reaches 1000 MHz",
        .spec = SPEC,
        .why = "The system may be held far below the speed it was sold with.",
        .advice =
            "List the rated frequency in row 0; if the processor really is that slow, give the "
            "same figure as nominal frequency in _CPC.",
        .known_as = "fwts: Method_PSSSubPackageLowFreq",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = is_fast_enough,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-025",
        .title = "No row of _PSS is slower than 100 MHz",
        .spec = SPEC,
        .why =
            "A frequency in GHz or with a digit missing lets the system crawl when it is chosen.",
        .advice = "Give CoreFrequency in MHz.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = is_no_row_too_slow,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-026",
        .title = "A lower frequency of _PSS does not take more power",
        .spec = SPEC,
        .why = "Software that weighs power against speed chooses the wrong state.",
        .advice = "Correct the Power values: they fall, or stay equal, with the frequency.",
        .known_as =
            "fwts: Method_PSSSubPackagePowerNotDecending; BITS: _PSS power in falling order; "
            "ACPICA: suspicious power dissipation values",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = power_falls,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-027",
        .title = "Each row of _PSS states its power",
        .spec = SPEC,
        .why = "Software that weighs power against speed takes the state as free.",
        .advice = "Give the power dissipation of the state in mW.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = power_is_given,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-028",
        .title = "Power in _PSS is in mW",
        .spec = SPEC,
        .why = "Thermal and power tools show nonsense and limit the wrong state.",
        .advice = "Give Power in milliwatts.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = power_is_mw,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-029",
        .title = "Transition latency in _PSS is at most 1000 us",
        .spec = SPEC,
        .why = "The governor changes the frequency so rarely that the system reacts late to load.",
        .advice = "Give TransitionLatency in microseconds; 10 us is usual for fixed hardware.",
        .known_as = "Linux: P-state transition latency capped at 20 uS",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = transition_latency_is_plausible,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-030",
        .title = "Bus master latency in _PSS is at most 1000 us",
        .spec = SPEC,
        .why =
            "An operating system that honours it avoids transitions while devices transfer data.",
        .advice = "Give BusMasterLatency in microseconds, or 0.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = bm_latency_is_plausible,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-031",
        .title = "Control values of _PSS fit the control register",
        .spec = SPEC "; 8.4.5.1 _PCT (Performance Control)",
        .why =
            "The bits that do not fit are cut off and another P-state is requested than the list "
            "promises.",
        .advice = "Correct the Control value or the register width in _PCT.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = control_fits,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-032",
        .title = "Status values of _PSS are what fixed hardware reads back",
        .spec = SPEC "; 8.4.5.1 _PCT (Performance Control)",
        .why = "The operating system never recognises the state and shows a wrong frequency, or "
               "reports the transition as failed.",
        .advice = "Give the same value for Control and Status where _PCT names fixed hardware.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = status_reads_back,
        .kind = OBJECT_PSS,
    },
    {.id = NULL},
};
