#include "rules/expect.h"

#include "model/nearest.h"
#include "model/textbuf.h"
#include "model/units.h"
#include "rules/expect_line.h"
#include "rules/rule.h"

#include <string.h>

#define TEXT_BYTES 256

/* A file of expectations while it is judged. */
struct judging {
    const struct platform *platform;
    struct findings *findings;
    uint32_t today_yyyymmdd;
    uint32_t line_number;
    const char *text; /* of the line */
    size_t length;
};

static const char *keep(struct judging *judging, const char *text, size_t length)
{
    const char *kept = arena_text(judging->findings->arena, text, length);

    return kept != NULL ? kept : "";
}

static size_t trimmed(const char *text, size_t length)
{
    while (length > 0 &&
           (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r')) {
        length--;
    }
    return length;
}

static void format(char *text, const char *template, ...) __attribute__((format(printf, 2, 3)));

static void format(char *text, const char *template, ...)
{
    struct textbuf out;
    va_list arguments;

    va_start(arguments, template);
    textbuf_init(&out, text, TEXT_BYTES, NULL, NULL);
    textbuf_vprintf(&out, template, arguments);
    va_end(arguments);
    (void)textbuf_finish(&out);
}

/* The finding of a line: its id and title are the line itself. */
static struct finding line_finding(struct judging *judging)
{
    struct finding finding;
    char text[TEXT_BYTES];

    memset(&finding, 0, sizeof(finding));
    format(text, "EXP-%03u", judging->line_number);
    finding.id = keep(judging, text, strlen(text));
    finding.title = keep(judging, judging->text, trimmed(judging->text, judging->length));
    format(text, "expectation file, line %u", judging->line_number);
    finding.spec = keep(judging, text, strlen(text));
    finding.severity = SEVERITY_HIGH;
    finding.why = "The product does not have what its vendor says it must have.";
    finding.advice = "Correct the firmware, or the expectation.";
    return finding;
}

/* --- Values. */

/* A number in the base unit (Hz, ns, mW); without a unit of its own it has the path's. */
static uint64_t to_base(const struct expect_number *number, const struct expect_reading *reading)
{
    uint64_t unit = number->dimension == EXPECT_PLAIN ? reading->unit : number->unit;

    return mul_div_u64(number->value, unit, 1);
}

static bool holds(const struct expect_line *line, const struct expect_reading *reading)
{
    uint64_t value = mul_div_u64(reading->value, reading->unit, 1);
    uint64_t low = to_base(&line->low, reading);
    uint64_t high = to_base(&line->high, reading);

    switch (line->comparison) {
    case EXPECT_EQUAL:
        return value == low;
    case EXPECT_NOT_EQUAL:
        return value != low;
    case EXPECT_BELOW:
        return value < low;
    case EXPECT_AT_MOST:
        return value <= low;
    case EXPECT_ABOVE:
        return value > low;
    case EXPECT_AT_LEAST:
        return value >= low;
    case EXPECT_WITHIN:
        return (value > low ? value - low : low - value) <= mul_div_u64(low, line->pct, 100);
    case EXPECT_IN:
    default:
        return value >= low && value <= high;
    }
}

static const char *unit_name(const struct expect_reading *reading)
{
    switch (reading->dimension) {
    case EXPECT_FREQUENCY:
        return reading->unit == 1 ? " Hz" : reading->unit == 1000 ? " kHz" : " MHz";
    case EXPECT_TIME:
        return reading->unit == 1 ? " ns" : " us";
    case EXPECT_POWER:
        return " mW";
    case EXPECT_PLAIN:
    default:
        return "";
    }
}

static void judge_value(struct judging *judging, const struct expect_line *line, uint32_t cpu,
                        const struct expect_reading *reading, struct finding *finding)
{
    char actual[TEXT_BYTES];

    if (reading->is_known) {
        finding->verdict = holds(line, reading) ? VERDICT_PASS : VERDICT_FAIL;
        format(actual, "%llu%s", (unsigned long long)reading->value, unit_name(reading));
    } else {
        finding->verdict = VERDICT_FAIL;
        format(actual, "this machine has no such value");
    }
    finding->object = line->path;
    finding->expected = finding->title;
    finding->actual = actual;
    findings_add(judging->findings, finding, cpu);
    finding->actual = NULL;
}

static bool is_chosen(const struct platform *platform, const struct expect_line *line, uint32_t cpu)
{
    if (line->has_cpus && !cpuset_has(&line->cpus, cpu)) {
        return false;
    }
    return line->core_type == EXPECT_CORE_ANY || platform->cpus[cpu].core_type == line->core_type;
}

static void judge_line(struct judging *judging, const struct expect_line *line)
{
    const struct platform *platform = judging->platform;
    struct finding finding = line_finding(judging);
    struct expect_reading reading;
    const char *nearest;
    uint32_t chosen = 0;

    if (expect_path_read(line->path, platform, 0, &reading, &nearest) != STATUS_OK) {
        return;
    }
    if (!reading.is_of_cpu) {
        judge_value(judging, line, FINDING_NO_CPU, &reading, &finding);
        return;
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (is_chosen(platform, line, cpu) &&
            expect_path_read(line->path, platform, cpu, &reading, &nearest) == STATUS_OK) {
            chosen++;
            judge_value(judging, line, cpu, &reading, &finding);
        }
    }
    if (chosen == 0) {
        memset(&reading, 0, sizeof(reading));
        judge_value(judging, line, FINDING_NO_CPU, &reading, &finding);
    }
}

/* --- Waivers. */

static bool covers(const struct expect_line *line, const struct finding *finding)
{
    if (strcmp(finding->id, line->path) != 0 ||
        (finding->verdict != VERDICT_FAIL && finding->verdict != VERDICT_WARN)) {
        return false;
    }
    for (uint32_t cpu = cpuset_next(&finding->cpus, 0); line->has_cpus && cpu != CPUSET_NONE;
         cpu = cpuset_next(&finding->cpus, cpu + 1)) {
        if (!cpuset_has(&line->cpus, cpu)) {
            return false;
        }
    }
    return true;
}

static void add_note(struct judging *judging, const struct expect_line *line, enum verdict verdict,
                     const char *actual)
{
    struct finding finding = line_finding(judging);

    finding.verdict = verdict;
    finding.severity = SEVERITY_LOW;
    finding.why = "An exception that no longer applies hides faults.";
    finding.advice = "Remove the waiver, or give it a new date.";
    finding.object = line->path;
    finding.expected = "a waiver that is in force and needed";
    finding.actual = actual;
    findings_add(judging->findings, &finding, FINDING_NO_CPU);
}

static void waive(struct judging *judging, const struct expect_line *line)
{
    uint32_t day = line->until_yyyymmdd;
    uint32_t waived = 0;
    char text[TEXT_BYTES * 2];

    if (judging->today_yyyymmdd != 0 && judging->today_yyyymmdd > day) {
        add_note(judging, line, VERDICT_WARN, "the waiver has expired");
        return;
    }
    for (uint32_t i = 0; i < judging->findings->count; i++) {
        struct finding *finding = &judging->findings->items[i];
        struct textbuf out;

        if (!covers(line, finding)) {
            continue;
        }
        waived++;
        textbuf_init(&out, text, sizeof(text), NULL, NULL);
        textbuf_printf(&out, "waived until %04u-%02u-%02u (%s), was %s: %s", day / 10000,
                       day / 100 % 100, day % 100, line->reason, verdict_name(finding->verdict),
                       finding->actual);
        (void)textbuf_finish(&out);
        finding->actual = keep(judging, text, strlen(text));
        finding->verdict = VERDICT_INFO;
    }
    if (waived == 0) {
        add_note(judging, line, VERDICT_INFO, "nothing to waive");
    }
}

/* --- The file. */

static enum status wrong(struct expect_error *error, uint32_t line_number, const char *what,
                         const char *word, const char *nearest)
{
    struct textbuf out;

    error->line = line_number;
    textbuf_init(&out, error->text, sizeof(error->text), NULL, NULL);
    textbuf_printf(&out, "%s \"%s\"; the nearest is \"%s\"", what, word, nearest);
    (void)textbuf_finish(&out);
    return STATUS_BAD_INPUT;
}

static enum status check_rule(const struct expect_line *line, uint32_t line_number,
                              struct expect_error *error)
{
    const char *nearest = rules_at(0)->id;
    uint32_t best = UINT32_MAX;

    if (rules_find(line->path) != NULL) {
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < rules_count(); i++) {
        uint32_t rank = nearest_rank(line->path, strlen(line->path), rules_at(i)->id);

        if (rank < best) {
            best = rank;
            nearest = rules_at(i)->id;
        }
    }
    return wrong(error, line_number, "no such rule", line->path, nearest);
}

/* Whether the path exists and the units fit it. */
static enum status check_path(const struct judging *judging, const struct expect_line *line,
                              uint32_t line_number, struct expect_error *error)
{
    struct expect_reading reading;
    const char *nearest = "";

    if (expect_path_read(line->path, judging->platform, 0, &reading, &nearest) != STATUS_OK) {
        return wrong(error, line_number, "no such path", line->path, nearest);
    }
    if (line->low.dimension != EXPECT_PLAIN && line->low.dimension != reading.dimension) {
        return wrong(error, line_number, "the unit does not fit", line->path,
                     reading.dimension == EXPECT_PLAIN ? "no unit" : unit_name(&reading) + 1);
    }
    return STATUS_OK;
}

static enum status visit_line(struct judging *judging, bool is_check, struct expect_error *error)
{
    struct cpuset cpus = cpuset_create(judging->findings->arena, judging->platform->cpus_count);
    struct expect_line line;

    if (expect_line_parse(judging->text, judging->length, cpus, &line, error->text,
                          sizeof(error->text)) != STATUS_OK) {
        error->line = judging->line_number;
        return STATUS_BAD_INPUT;
    }
    if (line.is_empty) {
        return STATUS_OK;
    }
    if (is_check) {
        return line.is_waiver ? check_rule(&line, judging->line_number, error)
                              : check_path(judging, &line, judging->line_number, error);
    }
    if (line.is_waiver) {
        waive(judging, &line);
    } else {
        judge_line(judging, &line);
    }
    return STATUS_OK;
}

static enum status visit_lines(struct judging *judging, const char *text, size_t length,
                               bool is_check, struct expect_error *error)
{
    size_t start = 0;

    judging->line_number = 0;
    while (start < length) {
        const char *end = memchr(text + start, '\n', length - start);
        size_t line_length = end != NULL ? (size_t)(end - text) - start : length - start;

        judging->line_number++;
        judging->text = text + start;
        judging->length = line_length;
        if (visit_line(judging, is_check, error) != STATUS_OK) {
            return STATUS_BAD_INPUT;
        }
        start += line_length + 1;
    }
    return STATUS_OK;
}

enum status expect_judge(const char *text, size_t length, const struct platform *platform,
                         uint32_t today_yyyymmdd, struct findings *findings,
                         struct expect_error *ret_error)
{
    struct judging judging = {
        .platform = platform, .findings = findings, .today_yyyymmdd = today_yyyymmdd};
    enum status status = visit_lines(&judging, text, length, true, ret_error);

    if (status != STATUS_OK) {
        return status;
    }
    status = visit_lines(&judging, text, length, false, ret_error);
    findings_sort(findings);
    return status;
}
