#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.5.2 _PSS (Performance Supported States)"

/* ACPI 6.5, 6.2.11.2 Platform-Wide OSPM Capabilities, bit 10: more than 16 P-states. */
#define OSC_MORE_PSTATES_BIT 10
#define PSS_ROWS_MAX 16

static bool has_all_fields(const struct pss_row *row)
{
    return row->valid == (1U << PSS_FIELDS) - 1;
}

static void is_package(struct judge *judge, const struct object_set *set)
{
    if (!set->pss.is_package) {
        judge_fail(judge, "a Package of packages", "%s", aml_type_name(set->raw->type));
    }
}

static void has_rows(struct judge *judge, const struct object_set *set)
{
    if (set->pss.is_package && set->pss.count == 0) {
        judge_fail(judge, "at least one row", "an empty Package");
    }
}

static void rows_are_complete(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        if (set->pss.rows[i].elements < PSS_FIELDS) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_fail(judge, "a Package of 6 elements in every row",
                   "%u of %u rows are shorter or no Package (row %s; row %u has %u elements)",
                   rows.count, set->pss.count, judge_rows_text(&rows), rows.first,
                   set->pss.rows[rows.first].elements);
    }
}

static void rows_are_not_longer(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};

    for (uint32_t i = 0; i < set->pss.count; i++) {
        if (set->pss.rows[i].elements > PSS_FIELDS) {
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(judge, "6 elements in every row", "%u of %u rows have more (row %s)", rows.count,
                   set->pss.count, judge_rows_text(&rows));
    }
}

/* The type of the first element among the six that is no Integer, or NULL. */
static const struct aml_value *wrong_element(const struct object_set *set, uint32_t row,
                                             uint32_t *ret_index)
{
    const struct aml_value *package = aml_element(set->raw, row);

    for (uint32_t i = 0; i < PSS_FIELDS && i < set->pss.rows[row].elements; i++) {
        if ((set->pss.rows[row].valid >> i & 1) == 0) {
            *ret_index = i;
            return aml_element(package, i);
        }
    }
    return NULL;
}

static void elements_are_integers(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->pss.count; i++) {
        uint32_t index = 0;
        const struct aml_value *wrong = wrong_element(set, i, &index);

        if (wrong != NULL) {
            judge_fail(judge, "Integers only", "row %u: element %u is of type %s", i, index,
                       aml_type_name(wrong->type));
            return;
        }
    }
}

/* Much firmware masks the reply by what its memory says, which a dump does not hold. */
static bool is_reply_certain(const struct platform *platform)
{
    const struct aml_accounting *aml = &platform->aml;

    return platform->source == SOURCE_FIRMWARE ||
           (aml->memory_reads == 0 && aml->io_reads == 0 && aml->pci_reads == 0);
}

/* The reply to \_SB._OSC decides whether the platform may list more. */
static void has_at_most_16_rows(struct judge *judge, const struct object_set *set)
{
    const struct platform *platform = judge->platform;
    const struct handshake *handshake = &platform->handshake;

    if (set->pss.count <= PSS_ROWS_MAX) {
        return;
    }
    if (platform->options != NULL && platform->options->caps == CAPS_NONE) {
        judge_skip(judge, "more than 16 rows, and no handshake was made (--os-caps=none)");
        return;
    }
    if (!handshake->has_platform_osc) {
        judge_warn(judge, "at most 16 rows without \\_SB._OSC", "%u rows and no \\_SB._OSC",
                   set->pss.count);
    } else if ((handshake->platform_reply >> OSC_MORE_PSTATES_BIT & 1) == 0 &&
               !is_reply_certain(platform)) {
        judge_note(judge, "a reply of \\_SB._OSC that keeps bit 10",
                   "%u rows; the reply is 0x%X, in a dump whose AML reads memory that is not there",
                   set->pss.count, handshake->platform_reply);
    } else if ((handshake->platform_reply >> OSC_MORE_PSTATES_BIT & 1) == 0) {
        judge_warn(judge, "at most 16 rows unless the reply of \\_SB._OSC keeps bit 10",
                   "%u rows; the reply is 0x%X", set->pss.count, handshake->platform_reply);
    }
}

/* Row `i` and the row before it that both have a usable frequency, as Linux drops the others. */
static bool is_usable(const struct pss_row *row)
{
    return (row->valid & 1U << PSS_FREQ_MHZ) != 0 && row->field[PSS_FREQ_MHZ] != 0 &&
           row->field[PSS_FREQ_MHZ] < 0xFFFF;
}

static void is_descending(struct judge *judge, const struct object_set *set)
{
    struct judge_rows rows = {0};
    uint64_t last_mhz = UINT64_MAX;
    uint64_t before_mhz = 0;

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (!is_usable(row)) {
            continue;
        }
        if (row->field[PSS_FREQ_MHZ] > last_mhz) {
            before_mhz = rows.count == 0 ? last_mhz : before_mhz;
            judge_rows_add(&rows, i);
        }
        last_mhz = row->field[PSS_FREQ_MHZ];
    }
    if (rows.count > 0) {
        judge_fail(judge, "frequencies in descending order",
                   "row %u has %llu MHz after %llu MHz (out of order: row %s)", rows.first,
                   (unsigned long long)set->pss.rows[rows.first].field[PSS_FREQ_MHZ],
                   (unsigned long long)before_mhz, judge_rows_text(&rows));
    }
}

static bool is_equal_row(const struct pss_row *a, const struct pss_row *b)
{
    if (!has_all_fields(a) || !has_all_fields(b)) {
        return false;
    }
    for (unsigned f = 0; f < PSS_FIELDS; f++) {
        if (a->field[f] != b->field[f]) {
            return false;
        }
    }
    return true;
}

/* The earlier row with which `match` pairs row i, or i when there is none. */
static uint32_t earlier_match(const struct pss *pss, uint32_t i,
                              bool (*match)(const struct pss_row *, const struct pss_row *))
{
    for (uint32_t j = 0; j < i && j < 256; j++) {
        if (match(&pss->rows[j], &pss->rows[i])) {
            return j;
        }
    }
    return i;
}

static void warn_of_pairs(struct judge *judge, const struct pss *pss, const char *expected,
                          const char *what,
                          bool (*match)(const struct pss_row *, const struct pss_row *))
{
    struct judge_rows rows = {0};
    uint32_t partner = 0;

    for (uint32_t i = 1; i < pss->count; i++) {
        uint32_t earlier = earlier_match(pss, i, match);

        if (earlier != i) {
            partner = rows.count == 0 ? earlier : partner;
            judge_rows_add(&rows, i);
        }
    }
    if (rows.count > 0) {
        judge_warn(
            judge, expected, "row %u %s row %u (%llu MHz, control 0x%llX; all: row %s)", rows.first,
            what, partner, (unsigned long long)pss->rows[rows.first].field[PSS_FREQ_MHZ],
            (unsigned long long)pss->rows[rows.first].field[PSS_CONTROL], judge_rows_text(&rows));
    }
}

static void rows_are_distinct(struct judge *judge, const struct object_set *set)
{
    warn_of_pairs(judge, &set->pss, "no row twice", "repeats", is_equal_row);
}

static bool has_equal_frequency(const struct pss_row *a, const struct pss_row *b)
{
    return is_usable(a) && is_usable(b) && !is_equal_row(a, b) &&
           a->field[PSS_FREQ_MHZ] == b->field[PSS_FREQ_MHZ];
}

static void frequencies_are_distinct(struct judge *judge, const struct object_set *set)
{
    warn_of_pairs(judge, &set->pss, "each frequency once", "has the frequency of",
                  has_equal_frequency);
}

/* The turbo marker of Intel's reference code: P0 is P1 plus 1 MHz, and where there is no turbo to be
 * had both ask for the same ratio. */
static bool is_turbo_pair(const struct pss_row *a, const struct pss_row *b)
{
    return a->field[PSS_FREQ_MHZ] == b->field[PSS_FREQ_MHZ] + 1;
}

static bool has_equal_control(const struct pss_row *a, const struct pss_row *b)
{
    return is_usable(a) && is_usable(b) && has_all_fields(a) && has_all_fields(b) &&
           a->field[PSS_FREQ_MHZ] != b->field[PSS_FREQ_MHZ] && !is_turbo_pair(a, b) &&
           a->field[PSS_CONTROL] == b->field[PSS_CONTROL];
}

static void controls_are_distinct(struct judge *judge, const struct object_set *set)
{
    warn_of_pairs(judge, &set->pss, "a control value of its own for each frequency",
                  "has the control value of", has_equal_control);
}

static bool has_equal_status(const struct pss_row *a, const struct pss_row *b)
{
    return is_usable(a) && is_usable(b) && has_all_fields(a) && has_all_fields(b) &&
           a->field[PSS_FREQ_MHZ] != b->field[PSS_FREQ_MHZ] && !is_turbo_pair(a, b) &&
           a->field[PSS_CONTROL] != b->field[PSS_CONTROL] &&
           a->field[PSS_STATUS] == b->field[PSS_STATUS];
}

/* Intel's low-frequency row below the minimum ratio (real: control 0x700, status 0x800, m085 and others)
 * reads back as the row above it; only the last row may do so. */
static void statuses_are_distinct(struct judge *judge, const struct object_set *set)
{
    struct pss without_last = set->pss;

    if (without_last.count > 2 &&
        set->pss.rows[without_last.count - 1].field[PSS_STATUS] >= 0x100) {
        without_last.count--;
    }
    warn_of_pairs(judge, &without_last, "a status value of its own for each frequency",
                  "has the status value of", has_equal_status);
}

/* Intel's ratio is in [13:8]; Core 2 adds a half by bit 14 (real: 0x4A22) and marks its lowest state, on half
 * the bus clock, by bit 15 (real: m092, 0x861B after 0x61D). */
static uint64_t plain_control(const struct pss_row *row, bool is_ratio)
{
    uint64_t control = row->field[PSS_CONTROL];

    return is_ratio ? (control >> 8 & 0x3F) << 1 | (control >> 14 & 1) : control;
}

/* Numbers of P-states and values for a port are plain. */
static bool has_ratios(const struct pss *pss)
{
    for (uint32_t i = 0; i < pss->count; i++) {
        if (is_usable(&pss->rows[i]) && pss->rows[i].field[PSS_CONTROL] < 0x100) {
            return false;
        }
    }
    return true;
}

static bool is_half_bus(const struct pss_row *row)
{
    return (row->field[PSS_CONTROL] & 0x8000) != 0;
}

/* Ratios fall with the frequency, P-state numbers rise: either way in one direction. */
static void controls_run_one_way(struct judge *judge, const struct object_set *set)
{
    const struct pss_row *above = NULL;
    bool is_ratio = has_ratios(&set->pss);
    int direction = 0;

    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];

        if (!is_usable(row) || !has_all_fields(row) || is_half_bus(row)) {
            continue;
        }
        if (above != NULL && row->field[PSS_FREQ_MHZ] < above->field[PSS_FREQ_MHZ] &&
            plain_control(row, is_ratio) != plain_control(above, is_ratio)) {
            int step = plain_control(row, is_ratio) > plain_control(above, is_ratio) ? 1 : -1;

            if (direction == -step) {
                judge_warn(judge, "control values that run in one direction with the frequency",
                           "row %u: 0x%llX after 0x%llX turns", i,
                           (unsigned long long)row->field[PSS_CONTROL],
                           (unsigned long long)above->field[PSS_CONTROL]);
                return;
            }
            direction = step;
        }
        above = row;
    }
}

/* AMD numbers its P-states from the fastest: MSR C0010062H takes 0 for P0. */
static void numbers_ascend(struct judge *judge, const struct object_set *set)
{
    const struct object_set *pct = platform_object(judge->processor, OBJECT_PCT);
    const struct pss *pss = &set->pss;

    if (pct == NULL || pct->pct.control.avail != AVAIL_PRESENT ||
        pct->pct.control.gas.space != GAS_FFH || pct->pct.control.gas.address != 0xC0010062) {
        judge_skip(judge, "no P-state numbers: _PCT does not name MSR C0010062H");
        return;
    }
    for (uint32_t i = 1; i < pss->count; i++) {
        const struct pss_row *above = &pss->rows[i - 1];
        const struct pss_row *row = &pss->rows[i];

        if (is_usable(above) && is_usable(row) && has_all_fields(above) && has_all_fields(row) &&
            row->field[PSS_FREQ_MHZ] < above->field[PSS_FREQ_MHZ] &&
            above->field[PSS_CONTROL] < 8 && row->field[PSS_CONTROL] < above->field[PSS_CONTROL]) {
            judge_fail(judge, "a higher P-state number for a lower frequency",
                       "row %u: P%llu at %llu MHz after P%llu at %llu MHz", i,
                       (unsigned long long)row->field[PSS_CONTROL],
                       (unsigned long long)row->field[PSS_FREQ_MHZ],
                       (unsigned long long)above->field[PSS_CONTROL],
                       (unsigned long long)above->field[PSS_FREQ_MHZ]);
            return;
        }
    }
}

static void is_more_than_one_row(struct judge *judge, const struct object_set *set)
{
    if (set->pss.is_package && set->pss.count == 1) {
        judge_warn(judge, "at least two rows", "one row: nothing to scale to");
    }
}

const struct rule pss_rules[] = {
    {
        .id = "PSS-001",
        .title = "_PSS returns a Package",
        .spec = SPEC,
        .why = "The operating system rejects the object and the processor stays at one frequency.",
        .advice = "Return a Package of packages from _PSS.",
        .known_as = "Linux: Invalid _PSS data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_package,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-002",
        .title = "_PSS has at least one row",
        .spec = SPEC,
        .why = "There is no performance state to choose; frequency scaling does not start.",
        .advice = "List every supported P-state, or leave _PSS, _PCT and _PPC out together.",
        .known_as = "BITS: _PSS must not be empty",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_rows,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-003",
        .title = "Each row of _PSS has six elements",
        .spec = SPEC,
        .why = "One short row makes Linux throw the whole list away: no frequency scaling.",
        .advice = "Give CoreFrequency, Power, TransitionLatency, BusMasterLatency, Control and "
                  "Status in each row.",
        .known_as = "fwts: Method_PSSElementCount; Linux: Invalid _PSS data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = rows_are_complete,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-004",
        .title = "No row of _PSS has more than six elements",
        .spec = SPEC,
        .why = "What follows the sixth element is ignored; the row may not mean what was intended.",
        .advice = "Remove the elements after Status.",
        .known_as = "fwts: Method_PSSElementCount",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = rows_are_not_longer,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-005",
        .title = "Each element of a _PSS row is an Integer",
        .spec = SPEC,
        .why = "An operating system that does not convert the type loses all P-states.",
        .advice = "Use Integer constants in _PSS, no strings, buffers or references.",
        .known_as = "fwts: Method_PSSElementType; Linux: Invalid _PSS data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = elements_are_integers,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-006",
        .title = "_PSS has at most 16 rows unless the platform agreed to more",
        .spec = SPEC "; 6.2.11.2 Platform-Wide OSPM Capabilities, bit 10",
        .why = "Operating systems that can take only 16 states drop the rest or the whole list.",
        .advice = "List at most 16 states, or return the long list only when \\_SB._OSC bit 10 was "
                  "granted.",
        .known_as = "BITS: _PSS must have at most 16 Pstates",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = has_at_most_16_rows,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-007",
        .title = "_PSS lists frequencies in descending order",
        .spec = SPEC,
        .why =
            "Row 0 must be the fastest: a list out of order is sorted by some systems and taken as "
            "it is by others, and _PPC then limits the processor to another frequency than meant.",
        .advice = "Sort the rows so that row 0 has the highest CoreFrequency.",
        .known_as = "Linux: P-state 0 is not max freq; BITS: _PSS must be in descending order",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_descending,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-008",
        .title = "No frequency of _PSS appears in two different rows",
        .spec = SPEC,
        .why = "The operating system skips the second row silently and a _PPC index means another "
               "frequency than the list shows.",
        .advice = "Remove the second row or correct its CoreFrequency.",
        .known_as = "fwts: CPUFreqDuplicate; BITS: _PSS must not list equal frequencies",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = frequencies_are_distinct,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-009",
        .title = "No row of _PSS is repeated",
        .spec = SPEC,
        .why =
            "The operating system skips the copy silently; every later _PPC index is off by one.",
        .advice = "Remove the repeated row.",
        .known_as = "BITS: _PSS must not contain duplicate Pstates",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = rows_are_distinct,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-010",
        .title = "Each frequency of _PSS has a control value of its own",
        .spec = SPEC,
        .why = "Two states that write the same control value run at the same frequency: the slower "
               "one "
               "saves nothing or the faster one is never reached.",
        .advice = "Correct the Control value of the row.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = controls_are_distinct,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-011",
        .title = "Each frequency of _PSS has a status value of its own",
        .spec = SPEC,
        .why = "The operating system cannot tell which of the two states was reached and shows a "
               "wrong "
               "frequency.",
        .advice = "Correct the Status value of the row.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = statuses_are_distinct,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-012",
        .title = "_PSS offers more than one state",
        .spec = SPEC,
        .why = "Linux does not load a frequency driver for a single state.",
        .advice = "List the lower P-states too, or leave the performance objects out.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = is_more_than_one_row,
        .kind = OBJECT_PSS,
        .is_shape = true,
    },
    {
        .id = "PSS-013",
        .title = "Control values of _PSS run in one direction",
        .spec = SPEC,
        .why = "A slower row asks for a faster state than the row before: load makes the machine "
               "slower.",
        .advice = "Give each row the control value of its own frequency.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = controls_run_one_way,
        .kind = OBJECT_PSS,
    },
    {
        .id = "PSS-014",
        .title = "P-state numbers in _PSS rise as the frequency falls",
        .spec = SPEC "; AMD PPR 55898, MSRC001_0062 P-state Control",
        .why = "Asking for the fastest row gives the slowest clock.",
        .advice = "Number the rows from 0 for the fastest.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = numbers_ascend,
        .kind = OBJECT_PSS,
    },
    {.id = NULL},
};
