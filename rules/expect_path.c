#include "rules/expect_path.h"

#include "model/nearest.h"
#include "model/units.h"

#include <string.h>

/* A path while it is read: what is left, and where the answer goes. */
struct walk {
    const char *at;
    const struct platform *platform;
    const struct processor *processor; /* of the CPU; NULL when it has none */
    uint32_t cpu;
    struct expect_reading *reading;
};

/* One example a family, for messages about unknown paths. */
static const char *const examples[] = {
    "cpus",
    "ppc",
    "pss.count",
    "pss[0].freq_mhz",
    "pss[0].power_mw",
    "pss[0].latency_us",
    "pss[0].bm_latency_us",
    "pss[0].control",
    "pss[0].status",
    "cpc.revision",
    "cpc.entries",
    "cpc.highest_perf",
    "cpc.nominal_perf",
    "cpc.lowest_nonlinear_perf",
    "cpc.lowest_perf",
    "cpc.guaranteed_perf",
    "cpc.reference_perf",
    "cpc.lowest_freq_mhz",
    "cpc.nominal_freq_mhz",
    "cst.count",
    "cst[1].type",
    "cst[1].latency_us",
    "cst[1].power_mw",
    "cst.C1.latency_us",
    "cst.C2.latency_us",
    "cst.C3.latency_us",
    "psd.domain",
    "psd.coord_type",
    "psd.num_processors",
    "fadt.p_lvl2_lat",
    "fadt.p_lvl3_lat",
    "fadt.preferred_pm_profile",
    "fadt.flags",
    "fadt.revision",
    "frequency.max_boost_khz",
    "frequency.boost_ratio_1024",
    "frequency.cpuinfo_max_khz",
    "clocks.tsc.hz",
    "idle.C1.exit_ns.p99",
    "idle.C2.exit_ns.p99",
    "idle.C2.io.exit_ns.p99",
    "idle.C1.mwait.exit_ns.p99",
    "idle.C2.first_read_ns.p50",
    "idle.C2.dummy_read_ns.p50",
};

static bool take(struct walk *walk, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(walk->at, word, length) != 0) {
        return false;
    }
    walk->at += length;
    return true;
}

/* A whole last name: nothing may follow. */
static bool take_last(struct walk *walk, const char *word)
{
    if (strcmp(walk->at, word) != 0) {
        return false;
    }
    walk->at += strlen(word);
    return true;
}

/* "[12]" */
static bool take_index(struct walk *walk, uint32_t *ret_index)
{
    const char *at = walk->at;
    uint32_t index = 0;

    if (*at++ != '[' || *at < '0' || *at > '9') {
        return false;
    }
    for (; *at >= '0' && *at <= '9' && index < 100000; at++) {
        index = index * 10 + (uint32_t)(*at - '0');
    }
    if (*at != ']') {
        return false;
    }
    walk->at = at + 1;
    *ret_index = index;
    return true;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name);
    size_t tail = strlen(end);

    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* The unit that a name carries as its suffix: architecture.md section 9. */
static void set_unit(struct expect_reading *reading, const char *name)
{
    static const struct {
        const char *suffix;
        enum expect_dimension dimension;
        uint64_t unit;
    } units[] = {
        {"_mhz", EXPECT_FREQUENCY, 1000000},
        {"_khz", EXPECT_FREQUENCY, 1000},
        {"hz", EXPECT_FREQUENCY, 1},
        {"_us", EXPECT_TIME, 1000},
        {"_ns", EXPECT_TIME, 1},
        {"_mw", EXPECT_POWER, 1},
        {"_lat", EXPECT_TIME, 1000},
    };

    reading->dimension = EXPECT_PLAIN;
    reading->unit = 1;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (ends_with(name, units[i].suffix)) {
            reading->dimension = units[i].dimension;
            reading->unit = units[i].unit;
            return;
        }
    }
}

static bool answer(struct walk *walk, const char *name, bool is_known, uint64_t value)
{
    set_unit(walk->reading, name);
    walk->reading->is_known = is_known;
    walk->reading->value = is_known ? value : 0;
    return true;
}

static const struct object_set *object_of(const struct walk *walk, enum object_kind kind)
{
    return walk->processor != NULL ? platform_object(walk->processor, kind) : NULL;
}

static bool read_pss(struct walk *walk)
{
    static const char *const names[PSS_FIELDS] = {"freq_mhz",      "power_mw", "latency_us",
                                                  "bm_latency_us", "control",  "status"};
    const struct object_set *set = object_of(walk, OBJECT_PSS);
    uint32_t row;

    walk->reading->is_of_cpu = true;
    if (take_last(walk, ".count")) {
        return answer(walk, "count", set != NULL, set != NULL ? set->pss.count : 0);
    }
    if (!take_index(walk, &row) || !take(walk, ".")) {
        return false;
    }
    for (uint32_t f = 0; f < PSS_FIELDS; f++) {
        if (take_last(walk, names[f])) {
            bool is_known =
                set != NULL && row < set->pss.count && (set->pss.rows[row].valid >> f & 1) != 0;

            return answer(walk, names[f], is_known, is_known ? set->pss.rows[row].field[f] : 0);
        }
    }
    return false;
}

static bool read_cpc_register(struct walk *walk, const struct object_set *set,
                              enum cpc_register index)
{
    bool is_known = false;
    uint64_t value = 0;

    if (set != NULL && set->cpc.registers[index].kind == CPC_ELEMENT_INTEGER) {
        is_known = true;
        value = set->cpc.registers[index].integer;
    } else if (set != NULL && walk->processor->cpc_avail[index] == AVAIL_PRESENT) {
        is_known = true;
        value = walk->processor->cpc_value[index];
    }
    return answer(walk, cpc_register_name(index), is_known, value);
}

static bool read_cpc(struct walk *walk)
{
    const struct object_set *set = object_of(walk, OBJECT_CPC);

    walk->reading->is_of_cpu = true;
    if (!take(walk, ".")) {
        return false;
    }
    if (take_last(walk, "revision")) {
        return answer(walk, "revision", set != NULL && set->cpc.has_revision,
                      set != NULL ? set->cpc.revision : 0);
    }
    if (take_last(walk, "entries")) {
        return answer(walk, "entries", set != NULL && set->cpc.has_entries,
                      set != NULL ? set->cpc.entries : 0);
    }
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        if (take_last(walk, cpc_register_name((enum cpc_register)i))) {
            return read_cpc_register(walk, set, (enum cpc_register)i);
        }
    }
    return false;
}

static bool read_state(struct walk *walk, const struct cst_state *state)
{
    static const char *const names[CST_FIELDS] = {"type", "latency_us", "power_mw"};

    for (uint32_t f = 0; f < CST_FIELDS; f++) {
        if (take_last(walk, names[f])) {
            bool is_known = state != NULL && (state->valid >> f & 1) != 0;

            return answer(walk, names[f], is_known, is_known ? state->field[f] : 0);
        }
    }
    return false;
}

static const struct cst_state *state_of_type(const struct object_set *set, uint64_t type)
{
    for (uint32_t i = 0; set != NULL && i < set->cst.states_count; i++) {
        if (set->cst.states[i].field[CST_TYPE] == type) {
            return &set->cst.states[i];
        }
    }
    return NULL;
}

/* cst.C2 is the first state of type 2; cst[1] is element 1 of the package, the first state. */
static bool read_cst(struct walk *walk)
{
    const struct object_set *set = object_of(walk, OBJECT_CST);
    const struct cst_state *state = NULL;
    uint32_t position;

    walk->reading->is_of_cpu = true;
    if (take_last(walk, ".count")) {
        return answer(walk, "count", set != NULL, set != NULL ? set->cst.states_count : 0);
    }
    if (take_index(walk, &position)) {
        state = set != NULL && position >= 1 && position <= set->cst.states_count
                    ? &set->cst.states[position - 1]
                    : NULL;
    } else if (take(walk, ".C") && *walk->at >= '1' && *walk->at <= '3') {
        state = state_of_type(set, (uint64_t)(*walk->at++ - '0'));
    } else {
        return false;
    }
    return take(walk, ".") && read_state(walk, state);
}

static bool read_psd(struct walk *walk)
{
    static const char *const names[] = {"num_entries", "revision", "domain", "coord_type",
                                        "num_processors"};
    const struct object_set *set = object_of(walk, OBJECT_PSD);

    walk->reading->is_of_cpu = true;
    if (!take(walk, ".")) {
        return false;
    }
    for (uint32_t f = 0; f < sizeof(names) / sizeof(names[0]); f++) {
        if (take_last(walk, names[f])) {
            bool is_known =
                set != NULL && set->psd.count > 0 && (set->psd.rows[0].valid >> f & 1) != 0;

            return answer(walk, names[f], is_known, is_known ? set->psd.rows[0].field[f] : 0);
        }
    }
    return false;
}

static bool read_fadt(struct walk *walk)
{
    const struct fadt *fadt = &walk->platform->fadt;
    bool is_there = fadt->avail == AVAIL_PRESENT;

    if (!take(walk, ".")) {
        return false;
    }
    if (take_last(walk, "revision")) {
        return answer(walk, "revision", is_there, fadt->revision);
    }
    for (uint32_t f = 0; f < FADT_FIELDS; f++) {
        const char *name = fadt_field_name((enum fadt_field)f);

        if (take_last(walk, name)) {
            return answer(walk, name, is_there && fadt->has_field[f], fadt->field[f]);
        }
    }
    return false;
}

static bool read_frequency(struct walk *walk)
{
    const struct frequency *frequency = &walk->platform->frequency;
    bool is_there = frequency->boost_avail == AVAIL_PRESENT;

    if (!take(walk, ".")) {
        return false;
    }
    if (take_last(walk, "max_boost_khz")) {
        return answer(walk, "max_boost_khz", is_there, frequency->max_boost_khz);
    }
    if (take_last(walk, "boost_ratio_1024")) {
        return answer(walk, "boost_ratio_1024", is_there, frequency->boost_ratio_1024);
    }
    if (take_last(walk, "cpuinfo_max_khz")) {
        return answer(walk, "cpuinfo_max_khz", is_there, frequency->cpuinfo_max_khz);
    }
    return false;
}

static bool read_clocks(struct walk *walk)
{
    if (!take_last(walk, ".tsc.hz")) {
        return false;
    }
    return answer(walk, "hz", walk->platform->tsc_hz != 0, walk->platform->tsc_hz);
}

/* idle.STATE[.hlt|.mwait|.io].QUANTITY.STATISTIC */
struct idle_path {
    char state[16];
    bool has_entry;
    enum idle_entry entry;
    const char *quantity;
    const char *statistic;
};

static bool parse_idle(struct walk *walk, struct idle_path *path)
{
    static const char *const quantities[] = {"exit_ns", "asleep_ns", "first_read_ns",
                                             "dummy_read_ns"};
    static const char *const statistics[] = {".min", ".p50", ".p90", ".p99", ".max", ".mean"};
    static const char *const entries[] = {"hlt.", "mwait.", "io."};
    size_t length;

    memset(path, 0, sizeof(*path));
    if (!take(walk, ".")) {
        return false;
    }
    length = strcspn(walk->at, ".");
    if (length == 0 || length >= sizeof(path->state) || walk->at[length] != '.') {
        return false;
    }
    memcpy(path->state, walk->at, length);
    walk->at += length + 1;
    for (uint32_t i = 0; i < 3 && !path->has_entry; i++) {
        path->has_entry = take(walk, entries[i]);
        path->entry = (enum idle_entry)i;
    }
    for (size_t i = 0; i < 4 && path->quantity == NULL; i++) {
        path->quantity = take(walk, quantities[i]) ? quantities[i] : NULL;
    }
    for (size_t i = 0; path->quantity != NULL && i < 6 && path->statistic == NULL; i++) {
        path->statistic = take_last(walk, statistics[i]) ? statistics[i] + 1 : NULL;
    }
    return path->quantity != NULL && path->statistic != NULL;
}

static uint64_t pick(const struct distribution *distribution, const char *statistic)
{
    return strcmp(statistic, "min") == 0   ? distribution->min
           : strcmp(statistic, "p50") == 0 ? distribution->p50
           : strcmp(statistic, "p90") == 0 ? distribution->p90
           : strcmp(statistic, "p99") == 0 ? distribution->p99
           : strcmp(statistic, "max") == 0 ? distribution->max
                                           : distribution->mean;
}

static bool quantity_of(const struct idle_sample_set *idle, const struct idle_path *path,
                        uint64_t tsc_hz, uint64_t *ret_ns)
{
    const struct distribution *distribution = &idle->asleep_tsc;

    if (strcmp(path->quantity, "first_read_ns") == 0) {
        distribution = &idle->first_read_tsc;
    } else if (strcmp(path->quantity, "dummy_read_ns") == 0) {
        distribution = &idle->dummy_read_tsc;
    } else if (strcmp(path->quantity, "exit_ns") == 0) {
        distribution = &idle->exit_tsc;
    }
    if (distribution->n == 0) {
        return false;
    }
    *ret_ns = units_tsc_to_ns(pick(distribution, path->statistic), tsc_hz);
    return true;
}

/* Of several entries into one state the worst counts. */
static bool read_idle(struct walk *walk)
{
    const struct platform *platform = walk->platform;
    struct idle_path path;
    bool is_known = false;
    uint64_t worst_ns = 0;

    walk->reading->is_of_cpu = true;
    if (!parse_idle(walk, &path)) {
        return false;
    }
    for (uint32_t i = 0; i < platform->idle_count && platform->tsc_hz != 0; i++) {
        const struct idle_sample_set *idle = &platform->idle[i];
        uint64_t ns;

        if (idle->cpu == walk->cpu && strcmp(idle->state, path.state) == 0 &&
            (!path.has_entry || idle->entry == path.entry) &&
            quantity_of(idle, &path, platform->tsc_hz, &ns)) {
            worst_ns = !is_known || ns > worst_ns ? ns : worst_ns;
            is_known = true;
        }
    }
    return answer(walk, path.quantity, is_known, worst_ns);
}

static bool read_any(struct walk *walk)
{
    static const struct {
        const char *first;
        bool (*read)(struct walk *walk);
    } families[] = {
        {"pss", read_pss},       {"cpc", read_cpc},   {"cst", read_cst},
        {"psd", read_psd},       {"fadt", read_fadt}, {"frequency", read_frequency},
        {"clocks", read_clocks}, {"idle", read_idle},
    };
    const struct object_set *ppc = object_of(walk, OBJECT_PPC);

    if (take_last(walk, "cpus")) {
        return answer(walk, "cpus", true, walk->platform->cpus_count);
    }
    if (take_last(walk, "ppc")) {
        walk->reading->is_of_cpu = true;
        return answer(walk, "ppc", ppc != NULL, ppc != NULL ? ppc->ppc : 0);
    }
    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        if (take(walk, families[i].first)) {
            return families[i].read(walk);
        }
    }
    return false;
}

enum status expect_path_read(const char *path, const struct platform *platform, uint32_t cpu,
                             struct expect_reading *ret_reading, const char **ret_nearest)
{
    struct walk walk = {.at = path,
                        .platform = platform,
                        .processor = platform_processor(platform, cpu),
                        .cpu = cpu,
                        .reading = ret_reading};

    memset(ret_reading, 0, sizeof(*ret_reading));
    if (read_any(&walk)) {
        return STATUS_OK;
    }
    *ret_nearest = nearest_of(path, strlen(path), examples, sizeof(examples) / sizeof(examples[0]));
    return STATUS_NOT_FOUND;
}
