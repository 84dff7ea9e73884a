#include "rules/alike.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.5.3 _PPC (Performance Present Capabilities)"

static void is_integer(struct judge *judge, const struct object_set *set)
{
    if (set->raw->type != AML_INTEGER) {
        judge_fail(judge, "an Integer", "%s", aml_type_name(set->raw->type));
    }
}

/* The list that the index is into: the firmware's own, of the same processor. */
static const struct pss *list_of(const struct judge *judge)
{
    const struct object_set *set = judge_certain_object(judge, judge->processor, OBJECT_PSS);

    return set != NULL && set->pss.is_package && set->pss.count > 0 ? &set->pss : NULL;
}

static void is_in_list(struct judge *judge, const struct object_set *set)
{
    const struct pss *pss = list_of(judge);
    struct judge_text expected;

    if (pss == NULL || set->raw->type != AML_INTEGER) {
        judge_skip(judge, "no usable _PSS to compare _PPC with");
        return;
    }
    if (set->ppc >= pss->count) {
        judge_fail(judge, judge_text(&expected, "an index from 0 to %u", pss->count - 1),
                   "%llu, and _PSS has %u rows", (unsigned long long)set->ppc, pss->count);
    }
}

static void is_no_limit(struct judge *judge, const struct object_set *set)
{
    const struct pss *pss = list_of(judge);

    if (pss == NULL || set->raw->type != AML_INTEGER) {
        judge_skip(judge, "no usable _PSS to compare _PPC with");
        return;
    }
    if (set->ppc > 0 && set->ppc < pss->count) {
        judge_note(judge, "0: no limit",
                   "%llu: capped at %llu MHz at present, a run-time limit; repeat on AC and cool",
                   (unsigned long long)set->ppc,
                   (unsigned long long)pss->rows[set->ppc].field[PSS_FREQ_MHZ]);
    }
}

static uint64_t ppc_key(const struct processor *processor, const struct object_set *set)
{
    (void)processor;
    return set->raw->type == AML_INTEGER ? set->ppc : UINT64_MAX;
}

static const char *ppc_words(const struct processor *processor, const struct object_set *set,
                             struct judge_text *text)
{
    (void)processor;
    return judge_text(text, "_PPC %llu", (unsigned long long)set->ppc);
}

static void ppc_is_alike(struct judge *judge)
{
    alike_values(judge, ppc_key, ppc_words);
}

static void ppc_is_there(struct judge *judge, const struct processor *processor)
{
    if (platform_object(processor, OBJECT_PSS) == NULL) {
        judge_skip(judge, "no _PSS");
    } else if (processor->objects[OBJECT_PPC].avail == AVAIL_ABSENT) {
        judge_warn(judge, "_PSS, _PCT and _PPC together", "no _PPC beside _PSS");
    }
}

const struct rule ppc_rules[] = {
    {
        .id = "PPC-001",
        .title = "_PPC returns an Integer",
        .spec = SPEC,
        .why =
            "Linux does not register the processor for frequency scaling when _PPC cannot be read.",
        .advice = "Return the index of the fastest row of _PSS that may be used.",
        .known_as = "fwts: Method_PPC return type",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_integer,
        .kind = OBJECT_PPC,
        .is_shape = true,
    },
    {
        .id = "PPC-002",
        .title = "_PPC is an index into _PSS",
        .spec = SPEC,
        .why = "Linux ignores an index beyond the list silently: the limit that the firmware wants "
               "does "
               "not hold. Other systems take the last row and are very slow.",
        .advice = "Return a value below the number of rows of _PSS; 0 for no limit.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_in_list,
        .kind = OBJECT_PPC,
    },
    {
        .id = "PPC-003",
        .title = "_PPC sets no limit at present",
        .spec = SPEC,
        .why =
            "The fastest states cannot be chosen now; that may be meant, on battery for instance.",
        .advice = "None when the limit is meant; otherwise return 0.",
        .known_as = "fwts: CPUFreqBIOSLimit",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = is_no_limit,
        .kind = OBJECT_PPC,
    },
    {
        .id = "PPC-004",
        .title = "All processors of one kind have the same _PPC",
        .spec = SPEC,
        .why = "Some processors are slower than others without a visible reason.",
        .advice = "Return one limit for all processors of a domain.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = ppc_is_alike,
        .kind = OBJECT_PPC,
        .object = "_PPC",
    },
    {
        .id = "PPC-005",
        .title = "A processor with _PSS has a _PPC",
        .spec = "ACPI 6.5, 8.4.5 Processor Performance Control",
        .why = "The firmware cannot limit the frequency on battery or when it is hot; systems that "
               "demand the object ignore the P-states.",
        .advice = "Declare _PPC beside _PSS, returning 0 when there is no limit.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = ppc_is_there,
        .object = "_PPC",
    },
    {.id = NULL},
};
