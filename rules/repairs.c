#include "model/textbuf.h"
#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/*
 * What the interpreter or Linux silently mends, drops or sorts: what the firmware said and what the
 * system will use. ACPICA 20240827, nsrepair.c and nsrepair2.c; Linux 6.12.
 */

#define SPEC "ACPICA 20240827, components/namespace/nsrepair2.c"

/* Both forms of an object that repair changed, or false with the judge told to skip. */
static bool is_changed(struct judge *judge, const struct processor *processor,
                       enum object_kind kind)
{
    const struct object_result *result = &processor->objects[kind];

    if (result->repair == REPAIR_CHANGED && result->set != NULL && result->repaired != NULL) {
        return true;
    }
    if (result->repair != REPAIR_SAME) {
        judge_skip(judge, "repair was not tried on this object");
    }
    return false;
}

static void list_frequencies(const struct pss *pss, uint32_t first, char *text, size_t bytes)
{
    struct textbuf out;

    textbuf_init(&out, text, bytes, NULL, NULL);
    for (uint32_t i = first; i < pss->count && i < first + 6; i++) {
        textbuf_printf(&out, "%s%llu", i == first ? "" : ", ",
                       (unsigned long long)pss->rows[i].field[PSS_FREQ_MHZ]);
    }
    (void)textbuf_finish(&out);
}

/* Rows from the first to the last one that now stands for another frequency. */
static bool changed_rows(const struct pss *raw, const struct pss *repaired, struct judge_rows *rows)
{
    for (uint32_t i = 0; i < raw->count && i < repaired->count; i++) {
        if (raw->rows[i].field[PSS_FREQ_MHZ] != repaired->rows[i].field[PSS_FREQ_MHZ]) {
            judge_rows_add(rows, i);
        }
    }
    return rows->count > 0;
}

static void pss_is_kept(struct judge *judge, const struct processor *processor)
{
    const struct object_result *result = &processor->objects[OBJECT_PSS];
    struct judge_rows rows = {0};
    struct judge_text expected;
    char said[64];
    char used[64];

    if (!is_changed(judge, processor, OBJECT_PSS)) {
        return;
    }
    if (!changed_rows(&result->set->pss, &result->repaired->pss, &rows)) {
        judge_warn(judge, "a _PSS that needs no repair",
                   "%u rows became %u, or types were converted", result->set->pss.count,
                   result->repaired->pss.count);
        return;
    }
    list_frequencies(&result->set->pss, rows.first, said, sizeof(said));
    list_frequencies(&result->repaired->pss, rows.first, used, sizeof(used));
    judge_warn(
        judge,
        judge_text(&expected, "what the firmware says from row %u: %s MHz", rows.first, said),
        "Linux uses: %s MHz; _PPC %s means another row", used, judge_rows_text(&rows));
}

static void cst_is_kept(struct judge *judge, const struct processor *processor)
{
    const struct object_result *result = &processor->objects[OBJECT_CST];
    struct judge_text expected;

    if (!is_changed(judge, processor, OBJECT_CST)) {
        return;
    }
    judge_warn(judge,
               judge_text(&expected, "what the firmware says: count %llu, %u states",
                          (unsigned long long)result->set->cst.count,
                          result->set->cst.states_count),
               "Linux uses: count %llu, %u states, sorted by type",
               (unsigned long long)result->repaired->cst.count, result->repaired->cst.states_count);
}

static void cpc_is_kept(struct judge *judge, const struct processor *processor)
{
    const struct object_result *result = &processor->objects[OBJECT_CPC];
    struct judge_text expected;

    if (!is_changed(judge, processor, OBJECT_CPC)) {
        return;
    }
    judge_warn(
        judge,
        judge_text(&expected, "what the firmware says: %u elements", result->set->cpc.elements),
        "Linux uses: %u elements; uninitialised ones are removed, types converted",
        result->repaired->cpc.elements);
}

static void others_are_kept(struct judge *judge, const struct processor *processor)
{
    static const enum object_kind kinds[] = {OBJECT_PCT, OBJECT_PPC, OBJECT_PSD, OBJECT_CSD,
                                             OBJECT_LPI};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct judge_text name;

        if (processor->objects[kinds[i]].repair == REPAIR_CHANGED) {
            judge->object = judge_text(&name, "%s.%s", processor->path, object_kind_name(kinds[i]));
            judge_warn(judge, "an object that needs no repair",
                       "the interpreter wraps it, fills it in or converts its type");
        }
    }
    judge->object = NULL;
}

/* Calls `report` for each object of the processor with this outcome, with the object named. */
static void each_outcome(struct judge *judge, const struct processor *processor,
                         enum repair_outcome outcome,
                         void (*report)(struct judge *judge, const struct object_result *result))
{
    for (int k = 0; k < OBJECT_KINDS; k++) {
        const struct object_result *result = &processor->objects[k];
        struct judge_text name;

        if (result->repair == outcome && judge_is_certain(judge->platform, result)) {
            judge->object =
                judge_text(&name, "%s.%s", processor->path, object_kind_name((enum object_kind)k));
            report(judge, result);
        }
    }
    judge->object = NULL;
}

static void report_unsafe(struct judge *judge, const struct object_result *result)
{
    (void)result;
    judge_fail(judge, "an object that the interpreter can look at",
               "ACPICA's repair would read beyond its end; it was not tried");
}

static void repair_is_safe(struct judge *judge, const struct processor *processor)
{
    each_outcome(judge, processor, REPAIR_UNSAFE, report_unsafe);
}

static void report_rescued(struct judge *judge, const struct object_result *result)
{
    judge_warn(judge, "a value without repair", "%s; repair makes a value of it",
               result->error != NULL ? result->error : "no value");
}

static void needs_no_rescue(struct judge *judge, const struct processor *processor)
{
    each_outcome(judge, processor, REPAIR_RESCUED, report_rescued);
}

static void report_failed(struct judge *judge, const struct object_result *result)
{
    judge_fail(judge, "a value with repair too", "%s once repair is on",
               result->repair_error != NULL ? result->repair_error : "no value");
}

static void survives_repair(struct judge *judge, const struct processor *processor)
{
    each_outcome(judge, processor, REPAIR_FAILED, report_failed);
}

/* Linux 6.12 drivers/acpi/processor_perflib.c and drivers/cpufreq/acpi-cpufreq.c: rows of 0 or of more
 * than 32 bits of kHz go, then every row that is not slower than the last one kept. */
static uint32_t rows_kept(const struct pss *pss)
{
    uint64_t last_mhz = UINT64_MAX;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < pss->count; i++) {
        uint64_t mhz = pss->rows[i].field[PSS_FREQ_MHZ];

        if ((pss->rows[i].valid & 1) != 0 && mhz != 0 && mhz <= UINT32_MAX / 1000 &&
            mhz < last_mhz) {
            last_mhz = mhz;
            kept++;
        }
    }
    return kept;
}

static void linux_keeps_rows(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSS);
    struct judge_text expected;

    if (set == NULL || !judge_is_certain(judge->platform, &processor->objects[OBJECT_PSS])) {
        judge_skip(judge, "no _PSS that is certain");
        return;
    }
    uint32_t kept = rows_kept(&set->pss);
    if (kept < set->pss.count) {
        judge_note(judge,
                   judge_text(&expected, "all %u rows in the frequency table", set->pss.count),
                   "Linux keeps %u: it drops rows of no frequency and repeated ones", kept);
    }
}

static bool is_taken(const struct cst_state *state)
{
    const struct gas *gas = &state->reg.gas;
    uint64_t type = state->field[CST_TYPE];

    if (state->elements != 4 || state->reg.avail != AVAIL_PRESENT || state->valid != 7 ||
        (gas->space != GAS_FFH && gas->space != GAS_SYSTEM_IO)) {
        return false;
    }
    return type == 1 || ((type == 2 || type == 3) && gas->address != 0);
}

static void linux_keeps_states(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_CST);
    struct judge_text expected;
    uint32_t kept = 0;

    if (set == NULL || !judge_is_certain(judge->platform, &processor->objects[OBJECT_CST])) {
        judge_skip(judge, "no _CST that is certain");
        return;
    }
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        kept += is_taken(&set->cst.states[i]) ? 1 : 0;
    }
    if (kept < set->cst.states_count) {
        judge_note(judge, judge_text(&expected, "all %u states in use", set->cst.states_count),
                   "Linux uses %u of them", kept);
    }
}

#define HIDDEN                                                                                     \
    "Users of Linux see no fault, users of systems with another interpreter do; a later "          \
    "interpreter "                                                                                 \
    "may mend it differently."

const struct rule repair_rules[] = {
    {
        .id = "REP-001",
        .title = "_PSS is used as the firmware gives it",
        .spec = SPEC " acpi_ns_repair_PSS",
        .why = "The list is sorted or converted silently: a _PPC index means another frequency "
               "than the "
               "firmware meant.",
        .advice = "Correct what the other findings about _PSS name.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = pss_is_kept,
        .object = "_PSS",
    },
    {
        .id = "REP-002",
        .title = "_CST is used as the firmware gives it",
        .spec = SPEC " acpi_ns_repair_CST",
        .why = HIDDEN,
        .advice = "Correct what the other findings about _CST name.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = cst_is_kept,
        .object = "_CST",
    },
    {
        .id = "REP-003",
        .title = "_CPC is used as the firmware gives it",
        .spec = SPEC " acpi_ns_remove_null_elements",
        .why = "Elements move to other places: requests go to wrong registers.",
        .advice = "Correct what the other findings about _CPC name.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = cpc_is_kept,
        .object = "_CPC",
    },
    {
        .id = "REP-004",
        .title = "Other processor objects are used as the firmware gives them",
        .spec = "ACPICA 20240827, components/namespace/nsrepair.c",
        .why = HIDDEN,
        .advice = "Return the type and shape that the specification asks for.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = others_are_kept,
    },
    {
        .id = "REP-005",
        .title = "The interpreter's repair can look at every processor object",
        .spec = SPEC,
        .why = "The kernel reads memory beyond the object while it boots and may crash.",
        .advice = "Return complete packages: no empty _CST, no short row of _PSS.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_processors,
        .judge_processor = repair_is_safe,
    },
    {
        .id = "REP-006",
        .title = "Processor objects have a value without repair",
        .spec = "ACPICA 20240827, components/namespace/nsrepair.c",
        .why = HIDDEN,
        .advice = "Return a value on every path through the method.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = needs_no_rescue,
    },
    {
        .id = "REP-007",
        .title = "Processor objects have a value with repair",
        .spec = "ACPICA 20240827, components/namespace/nsrepair.c",
        .why = "Linux does without the object.",
        .advice = "Return the type and shape that the specification asks for.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = survives_repair,
    },
    {
        .id = "REP-008",
        .title = "Linux keeps every row of _PSS",
        .spec = "Linux 6.12 drivers/cpufreq/acpi-cpufreq.c acpi_cpufreq_cpu_init",
        .why = "States of the list cannot be chosen.",
        .advice = "Correct what the other findings about _PSS name.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = linux_keeps_rows,
        .object = "_PSS",
    },
    {
        .id = "REP-009",
        .title = "Linux keeps every state of _CST",
        .spec = "Linux 6.12 drivers/acpi/acpi_processor.c acpi_processor_evaluate_cst",
        .why = "States of the list are never entered.",
        .advice = "Correct what the other findings about _CST name.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = linux_keeps_states,
        .object = "_CST",
    },
    {.id = NULL},
};
