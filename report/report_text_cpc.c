#include "report/ranges.h"
#include "report/report_text_parts.h"

/* Smallest and largest value that the CPUs of a _CPC set gave for one register. */
struct spread {
    uint32_t count;
    uint64_t min;
    uint64_t max;
};

static struct spread spread_of(const struct platform *platform, const struct object_set *set,
                               unsigned index)
{
    struct spread spread = {0, UINT64_MAX, 0};

    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];
        uint64_t value = processor->cpc_value[index];

        if (processor->objects[OBJECT_CPC].set != set ||
            processor->cpc_avail[index] != AVAIL_PRESENT) {
            continue;
        }
        spread.count++;
        spread.min = value < spread.min ? value : spread.min;
        spread.max = value > spread.max ? value : spread.max;
    }
    return spread;
}

/* A _CPC register by its bits; a PCC register is in a subspace, which its access field names. */
static void bits_of(struct wrap *line, const struct object_register *reg)
{
    const struct gas *gas = &reg->gas;
    unsigned first = gas->offset_bits;
    unsigned last = first + gas->width_bits - 1;

    if (reg->avail != AVAIL_PRESENT || reg->is_null || gas->width_bits == 0) {
        report_text_register(line, reg);
        return;
    }
    wrap_printf(line, "%s 0x%lX[%u:%u]", gas_space_name(gas->space), gas->address, last, first);
    if (gas->space == GAS_PCC) {
        wrap_printf(line, " subspace %u", gas->access);
    }
}

static void cpc_register_line(const struct report *report, const struct object_set *set,
                              unsigned index, struct wrap *line)
{
    const struct cpc_element *element = &set->cpc.registers[index];
    struct spread spread = spread_of(report->platform, set, index);

    if (element->kind == CPC_ELEMENT_MISSING) {
        return;
    }
    wrap_printf(line, "  %-27s ", cpc_register_name((enum cpc_register)index));
    if (spread.count > 0 && spread.min == spread.max) {
        wrap_printf(line, "%10lu", spread.min);
    } else if (spread.count > 0) {
        wrap_printf(line, "%lu to %lu", spread.min, spread.max);
    } else {
        wrap_printf(line, "%10s", "-");
    }
    wrap_printf(line, "  ");
    if (element->kind == CPC_ELEMENT_REGISTER) {
        bits_of(line, &element->reg);
    } else if (element->kind == CPC_ELEMENT_INTEGER) {
        wrap_printf(line, "integer");
    } else {
        wrap_printf(line, element->kind == CPC_ELEMENT_NULL ? "null element" : "wrong type");
    }
    wrap_end(line, 42);
}

static void cpc_lines(const struct report *report, const struct object_set *set, struct wrap *line)
{
    const struct cpc *cpc = &set->cpc;

    wrap_printf(line, "  %u elements", cpc->elements);
    if (cpc->has_entries) {
        wrap_printf(line, ", NumEntries %lu", cpc->entries);
    }
    if (cpc->has_revision) {
        wrap_printf(line, ", revision %lu", cpc->revision);
    }
    wrap_end(line, 4);
    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        cpc_register_line(report, set, i, line);
    }
}

/* Whether two objects differ in no more than numbers and addresses. */
static bool is_same_form(const struct cpc *a, const struct cpc *b)
{
    if (a->is_package != b->is_package || a->elements != b->elements || a->entries != b->entries ||
        a->revision != b->revision) {
        return false;
    }
    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *left = &a->registers[i];
        const struct cpc_element *right = &b->registers[i];

        if (left->kind != right->kind || left->reg.avail != right->reg.avail ||
            left->reg.is_null != right->reg.is_null) {
            return false;
        }
    }
    return true;
}

static bool is_same_gas(const struct gas *a, const struct gas *b)
{
    return a->space == b->space && a->width_bits == b->width_bits &&
           a->offset_bits == b->offset_bits && a->access == b->access && a->address == b->address;
}

/* Appends ", highest_perf 161" for each Integer that differs from the base; returns how many. */
static uint32_t other_integers(const struct cpc *base, const struct cpc *cpc, struct wrap *line)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &cpc->registers[i];

        if (element->kind == CPC_ELEMENT_INTEGER &&
            element->integer != base->registers[i].integer) {
            wrap_printf(line, "%s %s %lu", count == 0 ? "" : ",",
                        cpc_register_name((enum cpc_register)i), element->integer);
            count++;
        }
    }
    return count;
}

static uint32_t other_registers(const struct cpc *base, const struct cpc *cpc)
{
    uint32_t count = 0;

    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &cpc->registers[i];

        count += element->kind == CPC_ELEMENT_REGISTER &&
                         !is_same_gas(&element->reg.gas, &base->registers[i].reg.gas)
                     ? 1
                     : 0;
    }
    return count;
}

static bool has_other_integers(const struct cpc *base, const struct cpc *cpc)
{
    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        if (cpc->registers[i].kind == CPC_ELEMENT_INTEGER &&
            cpc->registers[i].integer != base->registers[i].integer) {
            return true;
        }
    }
    return false;
}

static void title(const struct report *report, const struct object_set *set, struct wrap *line)
{
    wrap_printf(line, "%s#%u: CPU ", object_kind_field(OBJECT_CPC), set->index);
    ranges_of_object(&line->line, report->platform, set);
}

/* One line for an object of the base's form: its own numbers, and how many of its registers lie elsewhere. */
static void difference(const struct report *report, const struct object_set *base,
                       const struct object_set *set, struct wrap *line)
{
    uint32_t registers = other_registers(&base->cpc, &set->cpc);

    title(report, set, line);
    wrap_printf(line, ": as %s#%u but", object_kind_field(OBJECT_CPC), base->index);
    (void)other_integers(&base->cpc, &set->cpc, line);
    if (registers > 0) {
        wrap_printf(line, "; %u registers elsewhere", registers);
    }
    wrap_end(line, 8);
}

/* The first object in full, the others as what they differ in: on many machines each CPU has a _CPC of its
 * own with other addresses, and 48 tables would bury the numbers. */
void report_text_cpc(const struct report *report, struct textbuf *out)
{
    const struct object_set *base = NULL;
    uint32_t elsewhere = 0;
    uint32_t shown = 0;
    uint32_t more = 0;
    struct wrap line;

    wrap_init(&line, out);
    for (uint32_t i = 0; i < report->platform->sets_count; i++) {
        const struct object_set *set = report->platform->sets[i];
        bool is_alike = base != NULL && is_same_form(&base->cpc, &set->cpc);

        if (set->kind != OBJECT_CPC || set->is_repaired) {
            continue;
        }
        if (is_alike && !has_other_integers(&base->cpc, &set->cpc)) {
            elsewhere++;
        } else if (shown++ >= TEXT_SETS_MAX) {
            more++;
        } else if (is_alike) {
            difference(report, base, set, &line);
        } else {
            if (base == NULL) {
                wrap_heading(out, "CPPC (_CPC)");
                base = set;
            }
            title(report, set, &line);
            wrap_end(&line, 8);
            cpc_lines(report, set, &line);
        }
    }
    if (elsewhere > 0) {
        wrap_printf(&line, "%u more differ from %s#%u only in where registers are (report.json)",
                    elsewhere, object_kind_field(OBJECT_CPC), base->index);
        wrap_end(&line, 2);
    }
    if (more > 0) {
        wrap_printf(&line, "and %u more in report.json", more);
        wrap_end(&line, 2);
    }
}
