#include "rules/alike.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.5 Processor Performance Control"

static const char *pss_words(const struct processor *processor, const struct object_set *set,
                             struct judge_text *text)
{
    (void)processor;
    const struct pss *pss = &set->pss;

    if (pss->count == 0) {
        return "no rows";
    }
    const struct pss_row *last = &pss->rows[pss->count - 1];
    return judge_text(text, "%u rows, %llu to %llu MHz (pss#%u)", pss->count,
                      (unsigned long long)pss->rows[0].field[PSS_FREQ_MHZ],
                      (unsigned long long)last->field[PSS_FREQ_MHZ], set->index);
}

static void pss_is_alike(struct judge *judge)
{
    alike_values(judge, alike_whole, pss_words);
}

static bool has_object(const struct processor *processor, enum object_kind kind)
{
    return processor->objects[kind].avail == AVAIL_PRESENT ||
           processor->objects[kind].avail == AVAIL_FAULTED ||
           processor->objects[kind].avail == AVAIL_MALFORMED;
}

/* A hypervisor may show some of the objects; that says nothing about a machine. */
static void fail_incomplete(struct judge *judge, const struct processor *processor,
                            enum object_kind has, enum object_kind lacks)
{
    if (!has_object(processor, has) || has_object(processor, lacks)) {
        return;
    }
    if (judge->platform->is_emulated) {
        judge_skip(judge, "a hypervisor shows only some of the performance objects");
        return;
    }
    judge_fail(judge, "_PSS, _PCT and _PPC together",
               "performance objects incomplete: has %s, lacks %s", object_kind_name(has),
               object_kind_name(lacks));
}

static void pss_is_there(struct judge *judge, const struct processor *processor)
{
    uint32_t found = judge->found;

    if (!has_object(processor, OBJECT_PSS) && judge_any_has(judge->platform, OBJECT_PSS)) {
        judge_skip(judge, "other processors have a _PSS, see PSS-040");
        return;
    }
    fail_incomplete(judge, processor, OBJECT_PCT, OBJECT_PSS);
    if (judge->found == found && !has_object(processor, OBJECT_PCT)) {
        fail_incomplete(judge, processor, OBJECT_PPC, OBJECT_PSS);
    }
    if (!has_object(processor, OBJECT_PCT) && !has_object(processor, OBJECT_PPC)) {
        judge_skip(judge, "no performance objects at all");
    }
}

static void pct_is_there(struct judge *judge, const struct processor *processor)
{
    if (!has_object(processor, OBJECT_PSS)) {
        judge_skip(judge, "no _PSS");
        return;
    }
    fail_incomplete(judge, processor, OBJECT_PSS, OBJECT_PCT);
}

const struct rule pss_set_rules[] = {
    {
        .id = "PSS-040",
        .title = "Every enabled processor has a _PSS when one has",
        .spec = SPEC,
        .why =
            "Linux does not scale the frequency of the processors without it; they run at whatever "
            "speed the firmware left.",
        .advice = "Declare _PSS under every processor that is enabled.",
        .known_as = "BITS: every CPU has a _PSS; powernow-k8: No ACPI _PSS objects for CPU other "
                    "than CPU0",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_PSS,
        .object = "_PSS",
    },
    {
        .id = "PSS-041",
        .title = "All processors of one kind list the same P-states",
        .spec = SPEC,
        .why = "Threads run at different speeds depending on where they land, and shared frequency "
               "domains get contradictory requests.",
        .advice = "Return one list for all processors of one kind.",
        .known_as = "fwts: CPUFreqInconsistent; BITS: _PSS must be identical on all CPUs",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = pss_is_alike,
        .kind = OBJECT_PSS,
        .object = "_PSS",
    },
    {
        .id = "PSS-042",
        .title = "A processor with _PCT or _PPC has a _PSS",
        .spec = SPEC,
        .why =
            "Linux says that the BIOS needs an update for CPU frequency support and does not scale "
            "the frequency.",
        .advice =
            "Publish _PSS whenever _PCT and _PPC are there; check that the SSDT that holds it "
            "loads after _OSC and _PDC.",
        .known_as = "Linux: BIOS needs update for CPU frequency support",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = pss_is_there,
        .object = "_PSS",
    },
    {
        .id = "PSS-043",
        .title = "A processor with _PSS has a _PCT",
        .spec = SPEC,
        .why =
            "The operating system knows the states but no register to ask for them: the frequency "
            "stays as it is.",
        .advice = "Publish _PCT beside _PSS.",
        .known_as = "Linux: BIOS needs update for CPU frequency support",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = pct_is_there,
        .object = "_PCT",
    },
    {.id = NULL},
};
