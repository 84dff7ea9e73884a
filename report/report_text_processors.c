#include "report/ranges.h"
#include "report/report_text_parts.h"

#include <string.h>

static const char *coordination(uint64_t type)
{
    switch (type) {
    case COORD_SW_ALL:
        return "SW_ALL";
    case COORD_SW_ANY:
        return "SW_ANY";
    case COORD_HW_ALL:
        return "HW_ALL";
    default:
        return "unknown coordination";
    }
}

static void dependency_line(const struct platform *platform, const struct object_set *set,
                            struct wrap *line)
{
    const struct dependency *dependency = set->kind == OBJECT_PSD ? &set->psd : &set->csd;
    const struct dependency_row *row = dependency->count > 0 ? &dependency->rows[0] : NULL;

    wrap_printf(line, "  %s#%-3u ", object_kind_field(set->kind), set->index);
    if (row == NULL || (row->valid >> DEPENDENCY_DOMAIN & 1U) == 0) {
        wrap_printf(line, "malformed");
    } else {
        wrap_printf(line, "domain %lu, %s, %lu processors", row->field[DEPENDENCY_DOMAIN],
                    coordination(row->field[DEPENDENCY_COORD_TYPE]),
                    row->field[DEPENDENCY_NUM_PROCESSORS]);
    }
    if (dependency->count > 1) {
        wrap_printf(line, " (first of %u)", dependency->count);
    }
    wrap_printf(line, ": CPU ");
    ranges_of_object(&line->line, platform, set);
    wrap_end(line, 8);
}

void report_text_dependencies(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    uint32_t shown = 0;
    uint32_t more = 0;
    struct wrap line;

    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->sets_count; i++) {
        const struct object_set *set = platform->sets[i];

        if ((set->kind != OBJECT_PSD && set->kind != OBJECT_CSD) || set->is_repaired) {
            continue;
        }
        if (shown == TEXT_SETS_MAX) {
            more++;
            continue;
        }
        if (shown++ == 0) {
            wrap_heading(out, "Dependency domains (_PSD, _CSD)");
        }
        dependency_line(platform, set, &line);
    }
    if (more > 0) {
        wrap_printf(&line, "  and %u more in report.json", more);
        wrap_end(&line, 4);
    }
}

/* Names of errors are the interpreter's or a stored report's. */
static bool is_same_error(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_alike(const struct processor *a, const struct processor *b)
{
    if (a->kind != b->kind || a->is_enabled != b->is_enabled) {
        return false;
    }
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        if (kind == OBJECT_PSD || kind == OBJECT_CSD) {
            continue; /* shown by domain above */
        }
        if (a->objects[kind].avail != b->objects[kind].avail ||
            a->objects[kind].set != b->objects[kind].set ||
            !is_same_error(a->objects[kind].error, b->objects[kind].error)) {
            return false;
        }
    }
    return true;
}

static void object_words(const struct processor *processor, struct wrap *line)
{
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        const struct object_result *result = &processor->objects[kind];

        if (result->avail == AVAIL_FAULTED) {
            wrap_printf(line, " %s=%s", object_kind_name((enum object_kind)kind),
                        result->error == NULL ? "error" : result->error);
        } else if (result->set != NULL && kind == OBJECT_PPC) {
            wrap_printf(line, " _PPC=%lu", result->set->ppc);
        } else if (result->set != NULL && kind != OBJECT_PSD && kind != OBJECT_CSD) {
            wrap_printf(line, " %s#%u", object_kind_field((enum object_kind)kind),
                        result->set->index);
        }
    }
}

/* Processors `first` to `last`, which are alike but for their ids. */
static void processors_line(const struct platform *platform, uint32_t first, uint32_t last,
                            struct wrap *line)
{
    const struct processor *a = &platform->processors[first];
    const struct processor *b = &platform->processors[last];
    struct ranges ranges;

    wrap_printf(line, "  %s", a->path);
    if (first != last) {
        wrap_printf(line, " to %s", b->path);
    }
    if (!a->is_enabled) {
        wrap_printf(line, ": not enabled");
    } else {
        wrap_printf(line, ": CPU ");
        ranges_start(&ranges, &line->line);
        for (uint32_t i = first; i <= last; i++) {
            ranges_add(&ranges, platform->processors[i].cpu);
        }
        ranges_end(&ranges);
    }
    object_words(a, line);
    wrap_end(line, 6);
}

void report_text_processors(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    uint32_t first = 0;
    struct wrap line;

    if (platform->processors_count == 0) {
        return;
    }
    wrap_heading(out, "Processors");
    wrap_init(&line, out);
    for (uint32_t i = 1; i <= platform->processors_count; i++) {
        if (i < platform->processors_count &&
            is_alike(&platform->processors[first], &platform->processors[i])) {
            continue;
        }
        processors_line(platform, first, i - 1, &line);
        first = i;
    }
}
