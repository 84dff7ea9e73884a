#include "rules/domains.h"

#include "model/processor_index.h"

const struct dependency *domains_rows(const struct object_set *set)
{
    return set->kind == OBJECT_CSD ? &set->csd : &set->psd;
}

/* _PSD has five elements, _CSD six (the index into _CST comes last). */
static uint32_t fields_of(const struct object_set *set)
{
    return set->kind == OBJECT_CSD ? DEPENDENCY_FIELDS : DEPENDENCY_INDEX;
}

static bool has(const struct dependency_row *row, enum dependency_field field)
{
    return (row->valid >> field & 1) != 0;
}

void domains_is_package(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);

    if (!rows->is_package) {
        judge_fail(judge, "a Package that holds a Package", "%s", aml_type_name(set->raw->type));
    } else if (rows->count > 0 && set->raw->elements[0].type != AML_PACKAGE) {
        judge_fail(judge, "a Package that holds a Package", "a Package that holds a %s",
                   aml_type_name(set->raw->elements[0].type));
    }
}

void domains_has_one_row(struct judge *judge, const struct object_set *set)
{
    uint32_t count = domains_rows(set)->count;

    if (set->raw->type != AML_PACKAGE || count == 0) {
        if (set->raw->type == AML_PACKAGE) {
            judge_fail(judge, "one domain", "an empty Package");
        }
        return;
    }
    if (count > 1 && set->kind == OBJECT_PSD && set->raw->elements[0].type == AML_PACKAGE) {
        judge_fail(judge, "exactly one domain", "%u domains", count);
    }
}

void domains_has_elements(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);
    uint32_t fields = fields_of(set);
    struct judge_text expected;

    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].elements != fields && set->raw->elements[i].type == AML_PACKAGE) {
            judge_fail(judge, judge_text(&expected, "%u elements", fields),
                       "%u elements in domain entry %u", rows->rows[i].elements, i);
            return;
        }
    }
}

void domains_entries_agree(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);
    uint32_t fields = fields_of(set);
    struct judge_text expected;

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct dependency_row *row = &rows->rows[i];

        if (has(row, DEPENDENCY_NUM_ENTRIES) && row->field[DEPENDENCY_NUM_ENTRIES] != fields) {
            judge_fail(judge, judge_text(&expected, "NumEntries %u", fields), "NumEntries %llu",
                       (unsigned long long)row->field[DEPENDENCY_NUM_ENTRIES]);
            return;
        }
    }
}

void domains_has_integers(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);
    uint32_t fields = fields_of(set);

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct dependency_row *row = &rows->rows[i];

        for (uint32_t f = 0; f < fields && f < row->elements; f++) {
            if ((row->valid >> f & 1) == 0) {
                judge_fail(judge, "Integers only", "element %u is of type %s", f,
                           aml_type_name(set->raw->elements[i].elements[f].type));
                return;
            }
        }
    }
}

void domains_revision_is_zero(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct dependency_row *row = &rows->rows[i];

        if (has(row, DEPENDENCY_REVISION) && row->field[DEPENDENCY_REVISION] != 0) {
            judge_fail(judge, "revision 0", "revision %llu",
                       (unsigned long long)row->field[DEPENDENCY_REVISION]);
            return;
        }
    }
}

void domains_type_is_known(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct dependency_row *row = &rows->rows[i];
        uint64_t type = row->field[DEPENDENCY_COORD_TYPE];

        if (has(row, DEPENDENCY_COORD_TYPE) && (type < COORD_SW_ALL || type > COORD_HW_ALL)) {
            judge_fail(judge, "0xFC (SW_ALL), 0xFD (SW_ANY) or 0xFE (HW_ALL)",
                       "coordination type 0x%llX", (unsigned long long)type);
            return;
        }
    }
}

void domains_count_is_given(struct judge *judge, const struct object_set *set)
{
    const struct dependency *rows = domains_rows(set);

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct dependency_row *row = &rows->rows[i];

        if (has(row, DEPENDENCY_NUM_PROCESSORS) && row->field[DEPENDENCY_NUM_PROCESSORS] == 0) {
            judge_fail(judge, "the number of processors in the domain", "0 processors");
            return;
        }
    }
}

/* Row 0 of a processor's object when it can be compared; NULL otherwise. */
static const struct dependency_row *first_row(const struct judge *judge,
                                              const struct processor *processor)
{
    const uint32_t needed =
        1U << DEPENDENCY_DOMAIN | 1U << DEPENDENCY_COORD_TYPE | 1U << DEPENDENCY_NUM_PROCESSORS;
    const struct object_result *result = &processor->objects[judge->rule->kind];

    if (!judge_is_certain(judge->platform, result) || result->set == NULL ||
        result->avail != AVAIL_PRESENT) {
        return NULL;
    }
    const struct dependency *rows = domains_rows(result->set);
    if (rows->count == 0 || (rows->rows[0].valid & needed) != needed) {
        return NULL;
    }
    return &rows->rows[0];
}

static enum processor_key domain_key(const struct judge *judge)
{
    return judge->rule->kind == OBJECT_CSD ? PROCESSOR_CSD_DOMAIN : PROCESSOR_PSD_DOMAIN;
}

/* The first processor of the same domain, for comparison. */
static const struct processor *first_of_domain(const struct judge *judge, uint64_t domain,
                                               const struct dependency_row **ret_row)
{
    uint32_t position = 0;
    const struct processor *processor;

    while ((processor = processor_index_next(judge->platform, domain_key(judge), domain,
                                             &position)) != NULL) {
        *ret_row = first_row(judge, processor);
        if (*ret_row != NULL && processor->is_enabled && processor->cpu != CPU_NONE) {
            return processor;
        }
    }
    return NULL;
}

void domains_members_agree(struct judge *judge)
{
    uint32_t index = 0;
    uint32_t compared = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        const struct dependency_row *row = first_row(judge, processor);
        const struct dependency_row *first = NULL;
        struct judge_text expected;

        if (row == NULL) {
            continue;
        }
        compared++;
        const struct processor *leader =
            first_of_domain(judge, row->field[DEPENDENCY_DOMAIN], &first);
        if (leader == NULL || first == NULL ||
            (first->field[DEPENDENCY_COORD_TYPE] == row->field[DEPENDENCY_COORD_TYPE] &&
             first->field[DEPENDENCY_NUM_PROCESSORS] == row->field[DEPENDENCY_NUM_PROCESSORS])) {
            continue;
        }
        judge_about(judge, processor);
        judge_fail(
            judge,
            judge_text(&expected, "as the domain's first processor: type 0x%llX, %llu processors",
                       (unsigned long long)first->field[DEPENDENCY_COORD_TYPE],
                       (unsigned long long)first->field[DEPENDENCY_NUM_PROCESSORS]),
            "type 0x%llX, %llu processors", (unsigned long long)row->field[DEPENDENCY_COORD_TYPE],
            (unsigned long long)row->field[DEPENDENCY_NUM_PROCESSORS]);
    }
    if (compared == 0) {
        judge_skip(judge, judge_missing(judge, judge->rule->kind));
    }
}

struct domain_size {
    uint32_t enabled;
    uint32_t all; /* with processors that are not enabled */
    bool is_first;
};

/* Counts the members of the domain of `processor`, and says whether it is the first of them. */
static struct domain_size domain_measure(const struct judge *judge,
                                         const struct processor *processor, uint64_t domain)
{
    struct domain_size size = {.is_first = true};
    const struct processor *other;
    uint32_t position = 0;

    while ((other = processor_index_next(judge->platform, domain_key(judge), domain, &position)) !=
           NULL) {
        if (first_row(judge, other) == NULL) {
            continue;
        }
        if (other->is_enabled && size.enabled == 0 && other != processor) {
            size.is_first = false;
            return size;
        }
        size.enabled += other->is_enabled ? 1 : 0;
        size.all++;
    }
    return size;
}

/* Whether the firmware itself shows CPUs that are switched off: MADT entries or processors not enabled. */
static bool has_cpus_switched_off(const struct platform *platform)
{
    const struct madt *madt = &platform->madt;

    if (madt->avail == AVAIL_PRESENT && madt->count > madt->enabled_count) {
        return true;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        if (!platform->processors[i].is_enabled) {
            return true;
        }
    }
    return false;
}

/* With SMT off in the firmware's setup the second threads are gone but their number stays: every domain
 * of one thread counts two processors. That is how it is meant, where threads are seen to be off. */
static bool is_smt_off(const struct judge *judge, struct domain_size size, uint64_t claimed)
{
    return size.enabled == 1 && claimed == 2 && has_cpus_switched_off(judge->platform);
}

static void judge_size(struct judge *judge, struct domain_size size, uint64_t claimed)
{
    struct judge_text expected;
    const char *members =
        judge_text(&expected, "%u processors, the members of the domain", size.enabled);

    if (claimed < size.enabled) {
        judge_fail(judge, members, "%llu processors", (unsigned long long)claimed);
    } else if (claimed == size.all || is_smt_off(judge, size, claimed)) {
        judge_note(judge, members, "%llu processors: some of the domain are not enabled (SMT off?)",
                   (unsigned long long)claimed);
    } else {
        judge_warn(judge, members, "%llu processors: some members are disabled or absent",
                   (unsigned long long)claimed);
    }
}

void domains_count_is_right(struct judge *judge)
{
    uint32_t index = 0;
    uint32_t counted = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        const struct dependency_row *row = first_row(judge, processor);

        if (row == NULL || row->field[DEPENDENCY_NUM_PROCESSORS] == 0) {
            continue;
        }
        uint64_t domain = row->field[DEPENDENCY_DOMAIN];
        struct domain_size size = domain_measure(judge, processor, domain);
        counted++;
        if (size.is_first && row->field[DEPENDENCY_NUM_PROCESSORS] != size.enabled) {
            judge_about(judge, processor);
            judge_size(judge, size, row->field[DEPENDENCY_NUM_PROCESSORS]);
        }
    }
    if (counted == 0) {
        judge_skip(judge, judge_missing(judge, judge->rule->kind));
    }
}
