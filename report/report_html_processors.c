#include "report/html_heat.h"
#include "report/ranges.h"
#include "report/report_html_parts.h"

/* The CPUs as folded ranges, and what differs between them as a map. */

#define GROUPS_MAX 64U
#define HEAT_CPUS_MIN 9U

/* Alike: the same objects, but for the dependency domains, which are a table of their own. */
static bool is_alike(const struct processor *a, const struct processor *b)
{
    if (a->kind != b->kind || a->is_enabled != b->is_enabled) {
        return false;
    }
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        if (kind != OBJECT_PSD && kind != OBJECT_CSD &&
            (a->objects[kind].avail != b->objects[kind].avail ||
             a->objects[kind].set != b->objects[kind].set ||
             a->objects[kind].error != b->objects[kind].error)) {
            return false;
        }
    }
    return true;
}

static bool is_first(const struct platform *platform, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (is_alike(&platform->processors[i], &platform->processors[index])) {
            return false;
        }
    }
    return true;
}

static void object_cell(const struct object_result *result, enum object_kind kind,
                        struct textbuf *out)
{
    if (result->avail == AVAIL_FAULTED) {
        html_cell(out, result->error == NULL ? "error" : result->error);
    } else if (result->set == NULL) {
        html_cell(out, "none");
    } else if (kind == OBJECT_PPC) {
        html_cell_printf(out, "%llu", (unsigned long long)result->set->ppc);
    } else {
        html_cell_printf(out, "%s#%u", object_kind_field(kind), result->set->index);
    }
}

static void group_row(const struct platform *platform, uint32_t index, struct textbuf *out)
{
    const struct processor *first = &platform->processors[index];
    struct ranges ranges;
    uint32_t count = 0;

    html_row_open(out);
    html_cell_list_open(out);
    if (first->is_enabled) {
        ranges_start(&ranges, out);
        for (uint32_t i = index; i < platform->processors_count; i++) {
            if (is_alike(first, &platform->processors[i])) {
                ranges_add(&ranges, platform->processors[i].cpu);
                count++;
            }
        }
        ranges_end(&ranges);
    } else {
        textbuf_string(out, "not enabled");
        for (uint32_t i = index; i < platform->processors_count; i++) {
            count += is_alike(first, &platform->processors[i]) ? 1 : 0;
        }
    }
    html_cell_close(out);
    html_cell_number(out, "%u", count);
    textbuf_string(out, "<td><code>");
    html_text(out, first->path);
    textbuf_string(out, "</code></td>");
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        if (kind != OBJECT_PSD && kind != OBJECT_CSD) {
            object_cell(&first->objects[kind], (enum object_kind)kind, out);
        }
    }
    html_row_close(out);
}

static void groups(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"CPUs", "#count", "the first", "_PSS", "_PCT",
                                          "_PPC", "_CPC",   "_CST",      "_LPI"};
    uint32_t shown = 0;
    uint32_t more = 0;

    html_table_open(out, "CPUs whose objects are alike", columns, 9);
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        if (shown >= GROUPS_MAX) {
            more++;
        } else if (is_first(platform, i)) {
            group_row(platform, i, out);
            shown++;
        }
    }
    html_table_close(out);
    if (more > 0) {
        html_note(out, "The last %u processors of the namespace are in report.json.", more);
    }
}

static const char *coordination(uint64_t type)
{
    return type == COORD_SW_ALL   ? "SW_ALL"
           : type == COORD_SW_ANY ? "SW_ANY"
           : type == COORD_HW_ALL ? "HW_ALL"
                                  : "unknown coordination";
}

static bool is_dependency(const struct object_set *set)
{
    return (set->kind == OBJECT_PSD || set->kind == OBJECT_CSD) && !set->is_repaired;
}

static void domain_row(const struct platform *platform, const struct object_set *set,
                       struct textbuf *out)
{
    const struct dependency *dependency = set->kind == OBJECT_PSD ? &set->psd : &set->csd;
    const struct dependency_row *row = dependency->count > 0 ? &dependency->rows[0] : NULL;

    html_row_open(out);
    html_cell_printf(out, "%s#%u", object_kind_field(set->kind), set->index);
    if (row == NULL || (row->valid >> DEPENDENCY_DOMAIN & 1U) == 0) {
        html_cell(out, "malformed");
        html_cell(out, "");
        html_cell(out, "");
    } else {
        html_cell_number(out, "%llu", (unsigned long long)row->field[DEPENDENCY_DOMAIN]);
        html_cell(out, coordination(row->field[DEPENDENCY_COORD_TYPE]));
        html_cell_number(out, "%llu", (unsigned long long)row->field[DEPENDENCY_NUM_PROCESSORS]);
    }
    html_cell_list_open(out);
    ranges_of_object(out, platform, set);
    html_cell_close(out);
    html_row_close(out);
}

static void domains(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"object", "#domain", "coordination", "#processors",
                                          "CPUs"};
    uint32_t shown = 0;
    uint32_t more = 0;

    for (uint32_t i = 0; i < platform->sets_count; i++) {
        if (!is_dependency(platform->sets[i])) {
            continue;
        }
        if (shown == GROUPS_MAX) {
            more++;
            continue;
        }
        if (shown++ == 0) {
            html_heading(out, "Dependency domains");
            html_table_open(out, "Dependency domains (_PSD, _CSD)", columns, 5);
        }
        domain_row(platform, platform->sets[i], out);
    }
    if (shown > 0) {
        html_table_close(out);
    }
    if (more > 0) {
        html_note(out, "%u more domains are in report.json.", more);
    }
}

static bool highest_perf(void *context, uint32_t cpu, uint64_t *ret_value)
{
    const struct processor *processor = platform_processor(context, cpu);

    if (processor == NULL || processor->cpc_avail[CPC_HIGHEST_PERF] != AVAIL_PRESENT) {
        return false;
    }
    *ret_value = processor->cpc_value[CPC_HIGHEST_PERF];
    return true;
}

static bool domain_of(void *context, uint32_t cpu, uint64_t *ret_value)
{
    const struct processor *processor = platform_processor(context, cpu);
    const struct object_set *set =
        processor == NULL ? NULL : platform_object(processor, OBJECT_PSD);

    if (set == NULL || set->psd.count == 0 ||
        (set->psd.rows[0].valid >> DEPENDENCY_DOMAIN & 1U) == 0) {
        return false;
    }
    *ret_value = set->psd.rows[0].field[DEPENDENCY_DOMAIN];
    return true;
}

static void heat_maps(const struct platform *platform, struct textbuf *out)
{
    struct html_heat heat = {.id = "cpu-map",
                             .title = "highest_perf of _CPC by CPU",
                             .cpus_count = platform->cpus_count,
                             .value = highest_perf,
                             .context = (void *)(uintptr_t)platform};

    if (platform->cpus_count < HEAT_CPUS_MIN) {
        return;
    }
    html_heat(out, &heat);
    heat.number = 1;
    heat.title = "Dependency domain of _PSD by CPU";
    heat.value = domain_of;
    html_heat(out, &heat);
}

void report_html_processors(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    if (platform->mp_note != NULL) {
        html_paragraph_printf(out, "Other CPUs: %s.", platform->mp_note);
    }
    if (platform->processors_count == 0) {
        html_absent(out, "There is no processor in the namespace.");
        return;
    }
    groups(platform, out);
    heat_maps(platform, out);
    domains(platform, out);
}
