#include "rules/judge.h"

#include "model/textbuf.h"

#include <string.h>

static const char *format_into(char *text, size_t bytes, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static const char *format_into(char *text, size_t bytes, const char *format, va_list arguments)
{
    struct textbuf out;

    textbuf_init(&out, text, bytes, NULL, NULL);
    textbuf_vprintf(&out, format, arguments);
    (void)textbuf_finish(&out);
    return text;
}

const char *judge_text(struct judge_text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)format_into(text->text, sizeof(text->text), format, arguments);
    va_end(arguments);
    return text->text;
}

static struct judge judge_begin(const struct rule *rule, const struct platform *platform,
                                struct findings *findings)
{
    struct judge judge;

    memset(&judge, 0, sizeof(judge));
    judge.rule = rule;
    judge.platform = platform;
    judge.findings = findings;
    judge.cpu = FINDING_NO_CPU;
    return judge;
}

/* What a finding calls the subject: a path with the object's name, or the words of the rule. */
static const char *object_name(const struct judge *judge, struct judge_text *text)
{
    const struct rule *rule = judge->rule;

    if (judge->object != NULL) {
        return judge->object;
    }
    if (judge->processor == NULL || judge->processor->path == NULL) {
        return rule->object != NULL ? rule->object : "";
    }
    if (rule->object != NULL) {
        return judge_text(text, "%s.%s", judge->processor->path, rule->object);
    }
    if (judge->set != NULL) {
        return judge_text(text, "%s.%s", judge->processor->path, object_kind_name(rule->kind));
    }
    return judge->processor->path;
}

static bool has_set(const struct judge *judge, const struct processor *processor)
{
    return processor->is_enabled && platform_object(processor, judge->rule->kind) == judge->set;
}

/* Adds the finding for every CPU that has the set. One search of the findings is enough as long as the
 * finding is a new one. */
static void add_for_set(struct judge *judge, const struct finding *proto)
{
    struct findings *findings = judge->findings;
    struct cpuset *cpus = NULL;
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        if (!has_set(judge, processor)) {
            continue;
        }
        if (cpus != NULL) {
            cpuset_add(cpus, processor->cpu);
            continue;
        }
        uint32_t before = findings->count;
        findings_add(findings, proto, processor->cpu);
        if (findings->count > before) {
            cpus = &findings->items[before].cpus;
        }
    }
}

static struct finding prototype(const struct judge *judge, enum verdict verdict)
{
    struct finding finding;

    memset(&finding, 0, sizeof(finding));
    finding.id = judge->rule->id;
    finding.verdict = verdict;
    finding.severity = judge->rule->severity;
    finding.title = judge->rule->title;
    finding.spec = judge->rule->spec;
    finding.why = judge->rule->why;
    finding.advice = judge->rule->advice;
    finding.object = "";
    finding.expected = "";
    finding.actual = "";
    return finding;
}

/* Where memory ran out, what seems to be missing or not to match may just not have been kept: then only rules about the
 * run itself accuse, and the others note. */
static enum verdict as_known(const struct judge *judge, enum verdict verdict)
{
    bool accuses = verdict == VERDICT_FAIL || verdict == VERDICT_WARN;

    return accuses && judge->platform->incomplete != NULL && !judge->rule->is_of_run ? VERDICT_INFO
                                                                                     : verdict;
}

static void report(struct judge *judge, enum verdict verdict, const char *expected,
                   const char *actual)
{
    struct judge_text name;
    struct finding finding = prototype(judge, as_known(judge, verdict));

    finding.object = object_name(judge, &name);
    finding.expected = expected;
    finding.actual = actual;
    judge->found++;
    if (judge->set != NULL) {
        add_for_set(judge, &finding);
    } else {
        findings_add(judge->findings, &finding, judge->cpu);
    }
}

void judge_fail(struct judge *judge, const char *expected, const char *format, ...)
{
    char actual[JUDGE_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    report(judge, VERDICT_FAIL, expected, format_into(actual, sizeof(actual), format, arguments));
    va_end(arguments);
}

void judge_warn(struct judge *judge, const char *expected, const char *format, ...)
{
    char actual[JUDGE_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    report(judge, VERDICT_WARN, expected, format_into(actual, sizeof(actual), format, arguments));
    va_end(arguments);
}

void judge_note(struct judge *judge, const char *expected, const char *format, ...)
{
    char actual[JUDGE_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    report(judge, VERDICT_INFO, expected, format_into(actual, sizeof(actual), format, arguments));
    va_end(arguments);
}

void judge_skip(struct judge *judge, const char *reason)
{
    judge->skipped++;
    if (judge->skip_reason == NULL) {
        judge->skip_reason = reason;
    }
}

void judge_holds(struct judge *judge)
{
    judge->held++;
}

void judge_about(struct judge *judge, const struct processor *processor)
{
    judge->processor = processor;
    judge->cpu = processor != NULL ? processor->cpu : FINDING_NO_CPU;
}

/* PASS names every CPU that has the object: those with the sets that held. */
static void pass_sets(struct judge *judge, const struct finding *proto)
{
    uint32_t index = 0;
    const struct processor *processor;
    struct cpuset *cpus = NULL;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        const struct object_set *set = platform_object(processor, judge->rule->kind);

        if (set == NULL || (set->index < JUDGE_MARKED_SETS &&
                            (judge->held_sets[set->index / 64] >> (set->index % 64) & 1) == 0)) {
            continue;
        }
        if (cpus == NULL) {
            uint32_t before = judge->findings->count;
            findings_add(judge->findings, proto, processor->cpu);
            if (judge->findings->count == before) {
                return;
            }
            cpus = &judge->findings->items[before].cpus;
        }
        cpuset_add(cpus, processor->cpu);
    }
}

static void judge_end(struct judge *judge, const char *nothing)
{
    struct finding finding;

    if (judge->found > 0) {
        return;
    }
    judge->set = NULL;
    if (judge->held == 0) {
        finding = prototype(judge, VERDICT_SKIP);
        finding.actual = judge->skip_reason != NULL ? judge->skip_reason : nothing;
        findings_add(judge->findings, &finding, FINDING_NO_CPU);
        return;
    }
    finding = prototype(judge, VERDICT_PASS);
    if (judge->rule->judge_set != NULL) {
        pass_sets(judge, &finding);
    } else {
        findings_add(judge->findings, &finding, FINDING_NO_CPU);
    }
}

/* Whether the body said nothing about its subject, which then held. */
static bool has_held(struct judge *judge, uint32_t found, uint32_t skipped)
{
    bool is_silent = judge->found == found && judge->skipped == skipped;

    judge->held += is_silent ? 1 : 0;
    return is_silent;
}

static bool mark(uint64_t *marks, uint32_t index)
{
    if (index >= JUDGE_MARKED_SETS) {
        return false;
    }
    bool was_marked = (marks[index / 64] >> (index % 64) & 1) != 0;
    marks[index / 64] |= UINT64_C(1) << (index % 64);
    return was_marked;
}

static void judge_one_set(struct judge *judge, const struct processor *processor,
                          const struct object_set *set)
{
    uint32_t found = judge->found;
    uint32_t skipped = judge->skipped;

    judge->processor = processor;
    judge->set = set;
    judge->cpu = processor->cpu;
    if (!judge->rule->is_shape &&
        !judge_is_certain(judge->platform, &processor->objects[judge->rule->kind])) {
        judge_skip(judge, "the values were read from registers that a dump does not hold");
    } else {
        judge->rule->judge_set(judge, set);
    }
    if (has_held(judge, found, skipped)) {
        (void)mark(judge->held_sets, set->index);
    }
}

void judge_sets(const struct rule *rule, const struct platform *platform, struct findings *findings)
{
    struct judge judge = judge_begin(rule, platform, findings);
    uint64_t seen[JUDGE_MARKED_SETS / 64] = {0};
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(platform, &index)) != NULL) {
        const struct object_set *set = platform_object(processor, rule->kind);

        if (set != NULL && !mark(seen, set->index)) {
            judge_one_set(&judge, processor, set);
        }
    }
    judge.processor = NULL;
    judge_end(&judge, judge_missing(&judge, rule->kind));
}

void judge_processors(const struct rule *rule, const struct platform *platform,
                      struct findings *findings)
{
    struct judge judge = judge_begin(rule, platform, findings);
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(platform, &index)) != NULL) {
        uint32_t found = judge.found;
        uint32_t skipped = judge.skipped;

        judge_about(&judge, processor);
        rule->judge_processor(&judge, processor);
        (void)has_held(&judge, found, skipped);
    }
    judge_about(&judge, NULL);
    judge_end(&judge, "no enabled processor in the namespace");
}

void judge_cpus(const struct rule *rule, const struct platform *platform, struct findings *findings)
{
    struct judge judge = judge_begin(rule, platform, findings);

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        uint32_t found = judge.found;
        uint32_t skipped = judge.skipped;

        judge.cpu = cpu;
        rule->judge_cpu(&judge, cpu);
        (void)has_held(&judge, found, skipped);
    }
    judge.cpu = FINDING_NO_CPU;
    judge_end(&judge, "no CPU was asked");
}

void judge_machine(const struct rule *rule, const struct platform *platform,
                   struct findings *findings)
{
    struct judge judge = judge_begin(rule, platform, findings);

    rule->judge_machine(&judge);
    (void)has_held(&judge, 0, 0);
    judge_about(&judge, NULL);
    judge_end(&judge, "nothing to judge");
}

bool judge_is_certain(const struct platform *platform, const struct object_result *result)
{
    if (result->unrecorded > 0 || result->denied > 0) {
        return false;
    }
    return platform_is_firsthand(platform) || result->hardware_reads == 0;
}

const char *judge_missing(const struct judge *judge, enum object_kind kind)
{
    static const char *const absent[OBJECT_KINDS] = {
        [OBJECT_PSS] = "no enabled processor has a _PSS",
        [OBJECT_PCT] = "no enabled processor has a _PCT",
        [OBJECT_PPC] = "no enabled processor has a _PPC",
        [OBJECT_PSD] = "no enabled processor has a _PSD",
        [OBJECT_CPC] = "no enabled processor has a _CPC",
        [OBJECT_CST] = "no enabled processor has a _CST",
        [OBJECT_CSD] = "no enabled processor has a _CSD",
        [OBJECT_LPI] = "no enabled processor has a _LPI",
    };
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        if (processor->objects[kind].avail == AVAIL_FAULTED) {
            return "the evaluation of the object failed, see AML-001";
        }
    }
    return absent[kind];
}

const struct object_set *judge_certain_object(const struct judge *judge,
                                              const struct processor *processor,
                                              enum object_kind kind)
{
    if (!judge_is_certain(judge->platform, &processor->objects[kind])) {
        return NULL;
    }
    return platform_object(processor, kind);
}

const struct processor *judge_next_processor(const struct platform *platform, uint32_t *index)
{
    while (*index < platform->processors_count) {
        const struct processor *processor = &platform->processors[(*index)++];

        if (processor->is_enabled && processor->cpu != CPU_NONE) {
            return processor;
        }
    }
    return NULL;
}

uint32_t judge_count_with(const struct platform *platform, enum object_kind kind)
{
    uint32_t count = 0;
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(platform, &index)) != NULL) {
        count += platform_object(processor, kind) != NULL ? 1 : 0;
    }
    return count;
}

bool judge_any_has(const struct platform *platform, enum object_kind kind)
{
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(platform, &index)) != NULL) {
        if (platform_object(processor, kind) != NULL) {
            return true;
        }
    }
    return false;
}

bool judge_knows_kinds(const struct platform *platform)
{
    return platform->identity.avail == AVAIL_PRESENT && platform->cpuid_kinds_count > 0;
}

bool judge_is_same_kind(const struct platform *platform, const struct processor *a,
                        const struct processor *b)
{
    if (a->cpu >= platform->cpus_count || b->cpu >= platform->cpus_count) {
        return true;
    }
    return platform->cpus[a->cpu].core_type == platform->cpus[b->cpu].core_type;
}

bool judge_msr(struct judge *judge, uint32_t cpu, uint32_t msr, uint64_t *ret_value)
{
    struct msr_value value = platform_msr(judge->platform, cpu, msr);

    if (value.avail == AVAIL_PRESENT) {
        *ret_value = value.value;
        return true;
    }
    judge_skip(judge, value.avail == AVAIL_FAULTED ? "reading the MSR faults on this CPU"
                                                   : "the MSR was not read");
    return false;
}

static void rows_close(struct judge_rows *rows)
{
    size_t used = strlen(rows->text);
    struct textbuf out;

    if (used + 16 > sizeof(rows->text)) {
        return;
    }
    textbuf_init(&out, rows->text + used, sizeof(rows->text) - used, NULL, NULL);
    textbuf_printf(&out, "%s%u", used > 0 ? ", " : "", rows->open_first);
    if (rows->open_last > rows->open_first) {
        textbuf_printf(&out, "-%u", rows->open_last);
    }
    (void)textbuf_finish(&out);
}

void judge_rows_add(struct judge_rows *rows, uint32_t row)
{
    if (rows->count == 0) {
        rows->first = row;
        rows->open_first = row;
    } else if (row != rows->open_last + 1) {
        rows_close(rows);
        rows->open_first = row;
    }
    rows->open_last = row;
    rows->count++;
}

const char *judge_rows_text(struct judge_rows *rows)
{
    if (rows->count > 0) {
        rows_close(rows);
    }
    return rows->text;
}

const char *judge_register(struct judge_text *text, const struct gas *gas)
{
    return judge_text(text, "{%s, %u bits at %u, access %u, 0x%llX}", gas_space_name(gas->space),
                      gas->width_bits, gas->offset_bits, gas->access,
                      (unsigned long long)gas->address);
}
