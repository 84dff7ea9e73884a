/* intel_idle: its own tables, and _CST where it uses that. kernel-facts 7.1 to 7.3. */
#include "model/linux/parts.h"

#include <string.h>

/* A state of a built-in table: MWAIT hint, exit latency and target residency in us. */
struct row {
    const char *name;
    uint8_t hint;
    uint16_t latency_us;
    uint16_t residency_us;
};

#define ROWS 8
#define MSR_FEATURE_CONTROL 0x3AU /* SDM vol. 4, IA32_FEATURE_CONTROL: bit 18 SGX enable */
#define MSR_PKG_CST_CONFIG 0xE2U  /* SDM vol. 4, MSR_PKG_CST_CONFIG_CONTROL */

static const struct row nehalem[ROWS] = {
    {"C1", 0x00, 3, 6}, {"C1E", 0x01, 10, 20}, {"C3", 0x10, 20, 80}, {"C6", 0x20, 200, 800}};
static const struct row snb[ROWS] = {{"C1", 0x00, 2, 2},
                                     {"C1E", 0x01, 10, 20},
                                     {"C3", 0x10, 80, 211},
                                     {"C6", 0x20, 104, 345},
                                     {"C7", 0x30, 109, 345}};
static const struct row ivb[ROWS] = {{"C1", 0x00, 1, 1},
                                     {"C1E", 0x01, 10, 20},
                                     {"C3", 0x10, 59, 156},
                                     {"C6", 0x20, 80, 300},
                                     {"C7", 0x30, 87, 300}};
static const struct row ivt[ROWS] = {
    {"C1", 0x00, 1, 1}, {"C1E", 0x01, 10, 80}, {"C3", 0x10, 59, 156}, {"C6", 0x20, 82, 300}};
static const struct row hsw[ROWS] = {{"C1", 0x00, 2, 2},      {"C1E", 0x01, 10, 20},
                                     {"C3", 0x10, 33, 100},   {"C6", 0x20, 133, 400},
                                     {"C7s", 0x32, 166, 500}, {"C8", 0x40, 300, 900},
                                     {"C9", 0x50, 600, 1800}, {"C10", 0x60, 2600, 7700}};
static const struct row bdw[ROWS] = {{"C1", 0x00, 2, 2},      {"C1E", 0x01, 10, 20},
                                     {"C3", 0x10, 40, 100},   {"C6", 0x20, 133, 400},
                                     {"C7s", 0x32, 166, 500}, {"C8", 0x40, 300, 900},
                                     {"C9", 0x50, 600, 1800}, {"C10", 0x60, 2600, 7700}};
static const struct row skl[ROWS] = {{"C1", 0x00, 2, 2},      {"C1E", 0x01, 10, 20},
                                     {"C3", 0x10, 70, 100},   {"C6", 0x20, 85, 200},
                                     {"C7s", 0x33, 124, 800}, {"C8", 0x40, 200, 800},
                                     {"C9", 0x50, 480, 5000}, {"C10", 0x60, 890, 5000}};
static const struct row skx[ROWS] = {
    {"C1", 0x00, 2, 2}, {"C1E", 0x01, 10, 20}, {"C6", 0x20, 133, 600}};
static const struct row icx[ROWS] = {
    {"C1", 0x00, 1, 1}, {"C1E", 0x01, 4, 4}, {"C6", 0x20, 170, 600}};
static const struct row adl[ROWS] = {
    {"C1E", 0x01, 2, 4}, {"C6", 0x20, 220, 600}, {"C8", 0x40, 280, 800}, {"C10", 0x60, 680, 2000}};
static const struct row adl_l[ROWS] = {
    {"C1E", 0x01, 2, 4}, {"C6", 0x20, 170, 500}, {"C8", 0x40, 200, 600}, {"C10", 0x60, 230, 700}};
static const struct row gmt[ROWS] = {
    {"C1E", 0x01, 2, 4}, {"C6", 0x20, 195, 585}, {"C8", 0x40, 260, 1040}, {"C10", 0x60, 660, 1980}};
static const struct row mtl_l[ROWS] = {
    {"C1E", 0x01, 1, 1}, {"C6", 0x20, 140, 420}, {"C10", 0x60, 310, 930}};
static const struct row spr[ROWS] = {
    {"C1", 0x00, 1, 1}, {"C1E", 0x01, 2, 4}, {"C6", 0x20, 290, 800}};
static const struct row gnr[ROWS] = {
    {"C1", 0x00, 1, 1}, {"C1E", 0x01, 4, 4}, {"C6", 0x20, 170, 650}, {"C6P", 0x21, 210, 1000}};
static const struct row srf[ROWS] = {
    {"C1", 0x00, 1, 1}, {"C1E", 0x01, 2, 10}, {"C6S", 0x22, 270, 700}, {"C6SP", 0x23, 310, 900}};
static const struct row grr[ROWS] = {
    {"C1", 0x00, 1, 1}, {"C1E", 0x01, 2, 10}, {"C6S", 0x22, 140, 500}};
static const struct row byt[ROWS] = {{"C1", 0x00, 1, 1},
                                     {"C6N", 0x58, 300, 275},
                                     {"C6S", 0x52, 500, 560},
                                     {"C7", 0x60, 1200, 4000},
                                     {"C7S", 0x64, 10000, 20000}};
static const struct row cht[ROWS] = {{"C1", 0x00, 1, 1},
                                     {"C6N", 0x58, 80, 275},
                                     {"C6S", 0x52, 200, 560},
                                     {"C7", 0x60, 1200, 4000},
                                     {"C7S", 0x64, 10000, 20000}};
static const struct row tangier[ROWS] = {{"C1", 0x00, 1, 4},
                                         {"C4", 0x30, 100, 400},
                                         {"C6", 0x52, 140, 560},
                                         {"C7", 0x60, 1200, 4000},
                                         {"C9", 0x64, 10000, 20000}};
static const struct row atom[ROWS] = {
    {"C1E", 0x00, 10, 20}, {"C2", 0x10, 20, 80}, {"C4", 0x30, 100, 400}, {"C6", 0x52, 140, 560}};
static const struct row avn[ROWS] = {{"C1", 0x00, 2, 2}, {"C6", 0x51, 15, 45}};
static const struct row bxt[ROWS] = {{"C1", 0x00, 2, 2},         {"C1E", 0x01, 10, 20},
                                     {"C6", 0x20, 133, 133},     {"C7s", 0x31, 155, 155},
                                     {"C8", 0x40, 1000, 1000},   {"C9", 0x50, 2000, 2000},
                                     {"C10", 0x60, 10000, 10000}};
static const struct row dnv[ROWS] = {
    {"C1", 0x00, 2, 2}, {"C1E", 0x01, 10, 20}, {"C6", 0x20, 50, 500}};
static const struct row snr[ROWS] = {
    {"C1", 0x00, 2, 2}, {"C1E", 0x01, 15, 25}, {"C6", 0x20, 130, 500}};
static const struct row knl[ROWS] = {{"C1", 0x00, 1, 2}, {"C6", 0x10, 120, 500}};

/* Family 6 models. since: the kernel that learned the model, 0 for one before 5.4; from memory of release
 * notes, so views of kernels near it say uncertain. */
static const struct model {
    uint8_t model;
    bool uses_cst;
    uint8_t since_major;
    uint8_t since_minor;
    const struct row *rows;
} models[] = {
    {0x1A, true, 0, 0, nehalem},  {0x1E, false, 0, 0, nehalem}, {0x1F, false, 0, 0, nehalem},
    {0x25, false, 0, 0, nehalem}, {0x2C, true, 0, 0, nehalem},  {0x2E, true, 0, 0, nehalem},
    {0x2F, true, 0, 0, nehalem},  {0x2A, false, 0, 0, snb},     {0x2D, true, 0, 0, snb},
    {0x3A, false, 0, 0, ivb},     {0x3E, true, 0, 0, ivt},      {0x3C, false, 0, 0, hsw},
    {0x45, false, 0, 0, hsw},     {0x46, false, 0, 0, hsw},     {0x3F, true, 0, 0, hsw},
    {0x3D, false, 0, 0, bdw},     {0x47, false, 0, 0, bdw},     {0x4F, true, 0, 0, bdw},
    {0x56, true, 0, 0, bdw},      {0x4E, false, 0, 0, skl},     {0x5E, false, 0, 0, skl},
    {0x8E, false, 0, 0, skl},     {0x9E, false, 0, 0, skl},     {0x55, true, 0, 0, skx},
    {0x6A, true, 5, 9, icx},      {0x6C, true, 5, 9, icx},      {0x97, false, 5, 18, adl},
    {0x9A, false, 5, 18, adl_l},  {0xBE, false, 6, 3, gmt},     {0xAA, false, 6, 7, mtl_l},
    {0x8F, true, 5, 18, spr},     {0xCF, true, 6, 5, spr},      {0xAD, true, 6, 11, gnr},
    {0xAF, true, 6, 11, srf},     {0xB6, true, 6, 11, grr},     {0x37, false, 0, 0, byt},
    {0x4C, false, 0, 0, cht},     {0x4A, false, 0, 0, tangier}, {0x1C, false, 0, 0, atom},
    {0x26, false, 0, 0, atom},    {0x36, false, 0, 0, atom},    {0x4D, true, 0, 0, avn},
    {0x5C, false, 0, 0, bxt},     {0x7A, false, 0, 0, bxt},     {0x5F, true, 0, 0, dnv},
    {0x86, true, 5, 10, snr},     {0x57, true, 0, 0, knl},      {0x85, true, 0, 0, knl},
};

static const struct model *find_model(const struct linux_builder *builder)
{
    const struct cpu_identity *identity = &builder->platform->identity;
    struct linux_version version = builder->view->version;

    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
        const struct model *model = &models[i];
        struct linux_version since = {model->since_major, model->since_minor, 0, 1, false};

        if (identity->family == 6 && model->model == identity->model) {
            return model->since_major == 0 || linux_version_since(version, since) ? model : NULL;
        }
    }
    return NULL;
}

/* Every kept entry must be MWAIT (intel_idle_cst_usable); a _CST of which none is left counts as usable. */
static bool is_cst_usable(const struct linux_cstate *cst, uint32_t count)
{
    bool has_any = false;

    for (uint32_t i = 0; i < count; i++) {
        bool is_cst = strcmp(cst[i].from, "_CST") == 0;

        if (cst[i].is_kept && (cst[i].entry != LINUX_ENTRY_MWAIT || !is_cst)) {
            return false;
        }
        has_any |= is_cst;
    }
    return has_any;
}

static bool is_in_cst(const struct row *row, bool is_masked, const struct linux_cstate *cst,
                      uint32_t count)
{
    uint64_t mask = is_masked ? ~UINT64_C(0xF) : ~UINT64_C(0);

    for (uint32_t i = 0; i < count; i++) {
        if (cst[i].is_kept && cst[i].entry == LINUX_ENTRY_MWAIT &&
            (cst[i].address & mask) == (row->hint & mask)) {
            return true;
        }
    }
    return false;
}

/* Whether CPUID leaf 5 has a sub-state for the hint. */
static bool has_substates(const struct platform *platform, uint8_t hint)
{
    const struct cpuid_leaf *leaf = cpuid_find(platform_cpuid(platform, 0), 5, 0);
    uint32_t nibble = ((uint32_t)(hint >> 4) + 1) & 7U;

    return leaf != NULL && (leaf->edx >> (4 * nibble) & 0xFU) != 0;
}

/* Grand and Sierra: the sub-state nibble of their C6-class states is not compared. */
static bool is_partial(const struct model *model, const struct row *row)
{
    return (model->model == 0xAD || model->model == 0xAF) && row->name[1] == '6';
}

static const char *dropped_why(const struct linux_builder *builder, const struct model *model,
                               const struct row *row, const struct linux_cstate *cst,
                               uint32_t count)
{
    if (!has_substates(builder->platform, row->hint)) {
        return "CPUID leaf 5 has no sub-state for this hint (silent)";
    }
    if (!model->uses_cst || !linux_builder_holds(builder, LINUX_RULE_INTEL_IDLE_CST) ||
        strcmp(row->name, "C1E") == 0 || !is_cst_usable(cst, count)) {
        return NULL;
    }
    return is_in_cst(row, is_partial(model, row), cst, count)
               ? NULL
               : "off by default: _CST does not name this hint";
}

/* MSR E2H: package C-state limit below 2 takes the shorter figures. skx_idle_state_table_update, spr_... */
static void adjust_package_limit(const struct platform *platform, const struct model *model,
                                 struct linux_cstate *state)
{
    uint64_t config;
    bool is_skx = model->rows == skx;

    if ((!is_skx && model->rows != spr) || strcmp(state->name, "C6") != 0 ||
        !linux_msr(platform, 0, MSR_PKG_CST_CONFIG, &config) || (config & 7) >= 2) {
        return;
    }
    state->latency_us = is_skx ? 92 : 190;
    state->residency_us = is_skx ? 276 : 600;
}

/* bxt_idle_state_table_update: IRTL [9:0] times the unit of [12:10], in us; 0 keeps the table's. */
static void adjust_irtl(const struct platform *platform, const struct model *model, uint32_t index,
                        struct linux_cstate *state)
{
    static const uint32_t msrs[] = {0x60B, 0x60C, 0x633, 0x634, 0x635};
    static const uint32_t units_ns[] = {1, 32, 1024, 32768, 1048576, 33554432, 0, 0};
    uint64_t irtl;
    uint64_t us;

    if (model->rows != bxt || index < 2 || !linux_msr(platform, 0, msrs[index - 2], &irtl)) {
        return;
    }
    us = (irtl & 0x3FF) * units_ns[irtl >> 10 & 7] / 1000;
    if (us != 0) {
        state->latency_us = state->residency_us = us;
    }
}

/* ivt_idle_state_table_update: more than two and more than four packages. */
static void adjust_sockets(const struct platform *platform, const struct model *model,
                           uint32_t index, struct linux_cstate *state)
{
    static const uint16_t residency_4s[] = {1, 250, 300, 400};
    static const uint16_t residency_8s[] = {1, 500, 600, 700};
    uint32_t highest = 0;

    for (uint32_t cpu = 0; model->rows == ivt && cpu < platform->cpus_count; cpu++) {
        highest =
            platform->cpus[cpu].package_id > highest ? platform->cpus[cpu].package_id : highest;
    }
    if (model->rows != ivt || highest < 2 || index >= 4) {
        return;
    }
    state->residency_us = highest >= 4 ? residency_8s[index] : residency_4s[index];
    if (index == 3) {
        state->latency_us = highest >= 4 ? 88 : 84;
    }
}

/* sklh_idle_state_table_update: 06_5EH with PC10 allowed and SGX off cannot use C8 and C9. */
static const char *skylake_h_why(const struct platform *platform, const struct model *model,
                                 const struct row *row)
{
    const struct cpuid_leaf *mwait = cpuid_find(platform_cpuid(platform, 0), 5, 0);
    const struct cpuid_leaf *features = cpuid_find(platform_cpuid(platform, 0), 7, 0);
    uint64_t config;
    uint64_t control;

    if (model->model != 0x5E || (row->hint != 0x40 && row->hint != 0x50) || mwait == NULL ||
        mwait->edx >> 28 == 0 || !linux_msr(platform, 0, MSR_PKG_CST_CONFIG, &config) ||
        (config & 0xF) != 8) {
        return NULL;
    }
    if (features != NULL && (features->ebx & 4U) != 0 &&
        linux_msr(platform, 0, MSR_FEATURE_CONTROL, &control) && (control >> 18 & 1U) != 0) {
        return NULL;
    }
    return "unusable on this model: package C10 is allowed and SGX is off";
}

static void take_table(const struct linux_builder *builder, const struct model *model,
                       const struct linux_cstate *cst, uint32_t count)
{
    struct linux_idle *idle = &builder->view->idle;
    struct linux_cstate *states = builder->view->intel_states;

    for (uint32_t i = 0; i < ROWS && model->rows[i].name != NULL; i++) {
        const struct row *row = &model->rows[i];
        const char *why = dropped_why(builder, model, row, cst, count);

        why = why != NULL ? why : skylake_h_why(builder->platform, model, row);
        states[idle->count++] = (struct linux_cstate){.name = row->name,
                                                      .entry = LINUX_ENTRY_MWAIT,
                                                      .address = row->hint,
                                                      .latency_us = row->latency_us,
                                                      .residency_us = row->residency_us,
                                                      .from = "table",
                                                      .index = i,
                                                      .is_kept = why == NULL,
                                                      .why = why};
        adjust_package_limit(builder->platform, model, &states[i]);
        adjust_irtl(builder->platform, model, i, &states[i]);
        adjust_sockets(builder->platform, model, i, &states[i]);
    }
    idle->states = states;
    idle->why = model->uses_cst && linux_builder_holds(builder, LINUX_RULE_INTEL_IDLE_CST)
                    ? (is_cst_usable(cst, count)
                           ? "built-in table of this model, switched by _CST"
                           : "built-in table of this model; _CST is not usable (not all MWAIT)")
                    : "built-in table of this model; _CST is ignored";
}

/* target_residency is the latency for C1 and three latencies for deeper states. */
static void take_from_cst(const struct linux_builder *builder, const struct linux_cstate *cst,
                          uint32_t count)
{
    struct linux_idle *idle = &builder->view->idle;
    struct linux_cstate *states = builder->view->intel_states;

    for (uint32_t i = 0; i < count && i < LINUX_CSTATES; i++) {
        states[i] = cst[i];
        states[i].residency_us = cst[i].latency_us * (cst[i].type > 1 ? 3 : 1);
        idle->count++;
    }
    idle->states = states;
    idle->why = "from _CST: the model has no built-in table";
}

static const char *gate_why(const struct platform *platform)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    const struct cpuid_leaf *leaf = cpuid_find(cpuid, 5, 0);

    if (platform->identity.vendor != VENDOR_INTEL) {
        return platform->identity.avail == AVAIL_PRESENT ? "not an Intel CPU"
                                                         : "the CPU is not known";
    }
    if (!cpuid_has(cpuid, CPU_FEATURE_MONITOR)) {
        return "no MWAIT (CPUID 1 ECX[3]); firmware may have it switched off";
    }
    if (leaf == NULL || (leaf->ecx & 3U) != 3U || leaf->edx == 0) {
        return "CPUID leaf 5 has no MWAIT extensions or no sub-states";
    }
    return NULL;
}

const char *linux_intel_idle_make(const struct linux_builder *builder,
                                  const struct linux_cstate *cst, uint32_t cst_count)
{
    const struct model *model = find_model(builder);
    const char *why = gate_why(builder->platform);

    if (why != NULL) {
        return why;
    }
    if (model != NULL) {
        take_table(builder, model, cst, cst_count);
        return NULL;
    }
    if (!linux_builder_holds(builder, LINUX_RULE_INTEL_IDLE_CST)) {
        return "this kernel has no table for the model and does not use _CST";
    }
    if (!is_cst_usable(cst, cst_count)) {
        return "no table for the model, and _CST is not found or not all MWAIT";
    }
    take_from_cst(builder, cst, cst_count);
    return NULL;
}
