#include "model/bus_clock.h"
#include "model/columns_parts.h"
#include "model/textbuf.h"
#include "model/units.h"

#include <stdarg.h>
#include <string.h>

#define GROUPS_MAX 16U     /* kinds of CPUs that are told apart */
#define FIRST_CAPACITY 64U /* rows */
#define WHY_BYTES 200U     /* of one reason */
#define AMD_BUS_KHZ                                                                                \
    100000U /* reference clock of AMD parts since family 10h: BKDG and PPR, P-state MSRs */

uint64_t column_tolerance_khz(uint64_t bus_khz, uint64_t khz, uint64_t uncertainty_ppm)
{
    uint64_t tolerance = bus_khz / 2;
    uint64_t share = khz / 200;
    uint64_t uncertain = mul_div_u64(khz, uncertainty_ppm, 1000000);

    tolerance = share > tolerance ? share : tolerance;
    return uncertain > tolerance ? uncertain : tolerance;
}

bool columns_is_alike(const struct column_row *a, const struct column_row *b)
{
    return a->part == b->part && cpuset_equal(&a->cpus, &b->cpus);
}

bool columns_is_first(const struct columns *columns, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (columns_is_alike(&columns->rows[i], &columns->rows[index])) {
            return false;
        }
    }
    return true;
}

const char *column_part_name(enum column_part part)
{
    static const char *const names[COLUMN_PARTS] = {[COLUMN_PSTATES] = "P-states",
                                                    [COLUMN_BOOST] = "boost by active cores",
                                                    [COLUMN_TIMING] = "frequency changes",
                                                    [COLUMN_IDLE] = "idle states"};

    return part < COLUMN_PARTS ? names[part] : "";
}

const char *column_mark_name(enum column_mark mark)
{
    switch (mark) {
    case COLUMN_AGREE:
        return "agree";
    case COLUMN_DIFFER:
        return "differ";
    case COLUMN_NOT_COMPARED:
    default:
        return "not compared";
    }
}

struct column_cell column_number(uint64_t value)
{
    return (struct column_cell){.avail = AVAIL_PRESENT, .low = value, .high = value};
}

struct column_cell column_word(const char *word)
{
    return (struct column_cell){.avail = AVAIL_PRESENT, .word = word};
}

struct column_cell column_nothing(enum avail avail, const char *why)
{
    return (struct column_cell){.avail = avail, .word = why};
}

const char *columns_text(const struct columns_builder *builder, const char *format, ...)
{
    char buffer[WHY_BYTES];
    struct textbuf text;
    va_list arguments;
    const char *kept;

    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    va_start(arguments, format);
    textbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    kept = arena_text(builder->platform->arena, buffer, text.length);
    return kept == NULL ? "" : kept;
}

static struct cpuset empty_set(const struct columns_builder *builder)
{
    return cpuset_create(builder->platform->arena, builder->platform->cpus_count);
}

void columns_split_init(const struct columns_builder *builder, struct column_split *split)
{
    memset(split, 0, sizeof(*split));
    split->seen = empty_set(builder);
}

static void side_add(const struct columns_builder *builder, struct column_side *side, uint32_t cpu,
                     uint64_t value, const char *word)
{
    if (side->count == 0) {
        side->cpus = empty_set(builder);
        side->low = value;
    }
    side->low = value < side->low ? value : side->low;
    side->high = value > side->high ? value : side->high;
    side->word = word;
    if (!cpuset_has(&side->cpus, cpu)) {
        side->count++;
        cpuset_add(&side->cpus, cpu);
    }
}

void columns_split_add(const struct columns_builder *builder, struct column_split *split,
                       uint32_t cpu, enum column_class class, uint64_t value, const char *word)
{
    uint32_t first = cpu == CPU_NONE ? 0 : cpu;

    for (uint32_t at = cpuset_next(&builder->group, first); at != CPUSET_NONE;
         at = cpuset_next(&builder->group, at + 1)) {
        if (cpu != CPU_NONE && at != cpu) {
            return;
        }
        side_add(builder, &split->sides[class], at, value, word);
        if (!cpuset_has(&split->seen, at)) {
            split->seen_count++;
            cpuset_add(&split->seen, at);
        }
    }
}

enum column_class columns_class(const struct columns_builder *builder, bool agrees)
{
    if (builder->platform->is_emulated) {
        return COLUMN_CLASS_OPEN;
    }
    return agrees ? COLUMN_CLASS_AGREE : COLUMN_CLASS_DIFFER;
}

void columns_compare_claim(const struct columns_builder *builder, struct column_row *row,
                           const char *why)
{
    uint64_t claimed = row->claimed.low;
    uint64_t assumed = row->assumed.low;
    uint64_t apart = claimed > assumed ? claimed - assumed : assumed - claimed;
    uint64_t tolerance =
        row->unit == COLUMN_KHZ ? column_tolerance_khz(builder->bus_khz, claimed, 0) : 0;

    if (row->claimed.avail != AVAIL_PRESENT || row->assumed.avail != AVAIL_PRESENT ||
        row->claimed.word != NULL || row->assumed.word != NULL) {
        return;
    }
    row->mark = apart <= tolerance ? COLUMN_AGREE : COLUMN_DIFFER;
    row->why = apart <= tolerance ? NULL : why;
}

/* Room for one more row; the rows move to twice the place when it is full. */
static struct column_row *next_row(struct columns_builder *builder)
{
    struct columns *columns = builder->columns;

    if (columns->count == builder->capacity) {
        uint32_t capacity = builder->capacity == 0 ? FIRST_CAPACITY : builder->capacity * 2;
        struct column_row *rows = arena_array(builder->platform->arena, capacity, sizeof(*rows));

        if (rows == NULL) {
            builder->has_room = false;
            return NULL;
        }
        if (columns->count != 0) {
            memcpy(rows, builder->rows, columns->count * sizeof(*rows));
        }
        builder->rows = rows;
        builder->capacity = capacity;
        columns->rows = rows;
    }
    return &builder->rows[columns->count];
}

static void append(struct columns_builder *builder, const struct column_row *row,
                   const struct cpuset *cpus)
{
    struct column_row *kept = next_row(builder);

    if (kept == NULL) {
        return;
    }
    *kept = *row;
    kept->cpus = *cpus;
    builder->columns->count++;
    builder->columns->differ_count += kept->mark == COLUMN_DIFFER ? 1 : 0;
}

static void append_side(struct columns_builder *builder, const struct column_row *row,
                        enum column_class class, const struct column_side *side,
                        const char *measured_why)
{
    struct column_row copy = *row;

    copy.measured = (struct column_cell){
        .avail = AVAIL_PRESENT, .low = side->low, .high = side->high, .word = side->word};
    if (class == COLUMN_CLASS_AGREE && copy.mark == COLUMN_NOT_COMPARED) {
        copy.mark = COLUMN_AGREE;
    } else if (class == COLUMN_CLASS_DIFFER) {
        copy.why = copy.mark == COLUMN_DIFFER
                       ? columns_text(builder, "%s; %s", copy.why, measured_why)
                       : measured_why;
        copy.mark = COLUMN_DIFFER;
    }
    append(builder, &copy, &side->cpus);
}

void columns_add(struct columns_builder *builder, const struct column_row *row,
                 const struct column_split *split, const char *measured_why)
{
    struct cpuset rest;

    for (unsigned class = 0; split != NULL && class < COLUMN_CLASSES; class ++) {
        if (split->sides[class].count != 0) {
            append_side(builder, row, (enum column_class) class, &split->sides[class],
                        measured_why);
        }
    }
    if (split == NULL || split->seen_count == 0) {
        append(builder, row, &builder->group);
    } else if (split->seen_count < builder->group_size) {
        rest = empty_set(builder);
        for (uint32_t cpu = cpuset_next(&builder->group, 0); cpu != CPUSET_NONE;
             cpu = cpuset_next(&builder->group, cpu + 1)) {
            if (!cpuset_has(&split->seen, cpu)) {
                cpuset_add(&rest, cpu);
            }
        }
        append(builder, row, &rest);
    }
}

/* What makes two CPUs' claims alike. Per-core rankings in highest_perf do not tell them apart. */
struct claims {
    const struct object_set *pss;
    const struct object_set *cst;
    uint64_t nominal_perf;
    uint64_t nominal_mhz;
    uint32_t core_type;
};

static struct claims claims_of(const struct platform *platform, uint32_t cpu)
{
    const struct processor *processor = platform_processor(platform, cpu);

    return (struct claims){
        .pss = platform_object_as_linux(processor, OBJECT_PSS),
        .cst = platform_object_as_linux(processor, OBJECT_CST),
        .nominal_perf = processor->cpc_value[CPC_NOMINAL_PERF],
        .nominal_mhz = processor->cpc_value[CPC_NOMINAL_FREQ_MHZ],
        .core_type = platform->cpus[cpu].core_type,
    };
}

static bool is_same(const struct claims *a, const struct claims *b)
{
    return a->pss == b->pss && a->cst == b->cst && a->nominal_perf == b->nominal_perf &&
           a->nominal_mhz == b->nominal_mhz && a->core_type == b->core_type;
}

struct groups {
    uint32_t count;
    struct claims claims[GROUPS_MAX];
    struct cpuset cpus[GROUPS_MAX];
    uint32_t sizes[GROUPS_MAX];
};

static void group_cpus(const struct columns_builder *builder, struct groups *groups)
{
    const struct platform *platform = builder->platform;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        uint32_t group = 0;
        struct claims claims;

        if (platform_processor(platform, cpu) == NULL) {
            continue;
        }
        claims = claims_of(platform, cpu);
        while (group < groups->count && !is_same(&groups->claims[group], &claims)) {
            group++;
        }
        if (group == GROUPS_MAX) {
            builder->columns->left_out_cpus++;
            continue;
        }
        if (group == groups->count) {
            groups->count++;
            groups->claims[group] = claims;
            groups->cpus[group] = empty_set(builder);
        }
        cpuset_add(&groups->cpus[group], cpu);
        groups->sizes[group]++;
    }
}

static uint64_t bus_khz_of(const struct platform *platform, uint32_t cpu)
{
    struct bus_clock clock;

    if (platform->identity.vendor != VENDOR_INTEL) {
        return AMD_BUS_KHZ;
    }
    bus_clock_of(platform, cpu, &clock);
    return clock.avail == AVAIL_PRESENT ? clock.khz : 0;
}

static void one_group(struct columns_builder *builder, const struct groups *groups, uint32_t group)
{
    uint32_t first = cpuset_next(&groups->cpus[group], 0);

    if (first == CPUSET_NONE) {
        return;
    }
    builder->group = groups->cpus[group];
    builder->group_size = groups->sizes[group];
    builder->first = platform_processor(builder->platform, first);
    builder->bus_khz = bus_khz_of(builder->platform, first);
    columns_pstates(builder);
    columns_boost(builder);
    columns_timing(builder);
    columns_idle(builder);
}

static const char *note_of(const struct platform *platform,
                           const struct column_measurements *measured)
{
    if (platform->is_emulated) {
        return "under a hypervisor or emulator: what is measured is not compared";
    }
    if (measured->count == 0 && measured->none_why != NULL) {
        return measured->none_why;
    }
    return NULL;
}

const struct columns *columns_make(struct platform *platform,
                                   const struct column_measurements *measured)
{
    struct columns_builder builder = {.platform = platform, .measured = measured, .has_room = true};
    struct groups *groups = arena_take(platform->arena, sizeof(*groups));

    builder.columns = arena_take(platform->arena, sizeof(*builder.columns));
    if (platform->linux_views == NULL || platform->linux_views->count == 0 || groups == NULL ||
        builder.columns == NULL) {
        return NULL;
    }
    builder.view = &platform->linux_views->views[0];
    builder.columns->linux_version = builder.view->version_text;
    builder.columns->measured_note = note_of(platform, measured);
    group_cpus(&builder, groups);
    for (uint32_t group = 0; group < groups->count; group++) {
        one_group(&builder, groups, group);
    }
    if (!builder.has_room) {
        platform->incomplete = "no memory for the table of claimed, assumed and measured";
    }
    return builder.columns;
}

void columns_compute(struct platform *platform)
{
    struct column_measurements measured;

    columns_measured_take(platform, &measured);
    platform->columns = columns_make(platform, &measured);
}
