/* acpi-cpufreq and processor_perflib: kernel-facts 1.1 to 1.8. The table without boost is the same in every
 * version, so it is made once; boost and cpuinfo.max are added by version. */
#include "model/amd_pstate.h"
#include "model/bits.h"
#include "model/frequency.h"
#include "model/linux/parts.h"
#include "model/units.h"

#include <string.h>

#define MSR_MISC_ENABLE 0x1A0U /* SDM vol. 4: bit 38, turbo mode disable */
#define MSR_HWCR 0xC0010015U   /* PPR, HWCR: bit 25 CpbDis */

/* MHz * 1000 must fit in 32 bits: acpi_processor_get_performance_states. */
#define PSS_MHZ_MAX (UINT32_MAX / 1000U)
#define PSS_ALL_VALID ((1U << PSS_FIELDS) - 1U)
#define LATENCY_CAP_NS 20000U
#define SPACE_IO 0x01U
#define SPACE_FFH 0x7FU

static bool is_known(const struct platform *platform)
{
    return platform->identity.avail == AVAIL_PRESENT;
}

static const char *pct_why(const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PCT);

    if (set == NULL) {
        return processor->objects[OBJECT_PCT].avail == AVAIL_FAULTED ? "_PCT failed to evaluate"
                                                                     : "there is no _PCT";
    }
    if (!set->pct.is_package || set->pct.elements != 2 || set->pct.control.avail != AVAIL_PRESENT ||
        set->pct.status.avail != AVAIL_PRESENT) {
        return "Invalid _PCT data: it is not two register buffers of 15 bytes";
    }
    return NULL;
}

static const char *pss_why(const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSS);

    if (set == NULL) {
        return processor->objects[OBJECT_PSS].avail == AVAIL_FAULTED ? "_PSS failed to evaluate"
                                                                     : "there is no _PSS";
    }
    if (!set->pss.is_package) {
        return "Invalid _PSS data: it is not a package";
    }
    for (uint32_t i = 0; i < set->pss.count; i++) {
        if (set->pss.rows[i].valid != PSS_ALL_VALID) {
            return "Invalid _PSS data: a row is not six Integers, so the whole _PSS is refused";
        }
    }
    return NULL;
}

/* The spaces of control and status, and who may use them: acpi_cpufreq_cpu_init. */
static const char *space_why(const struct platform *platform, const struct processor *processor)
{
    const struct pct *pct = &platform_object_as_linux(processor, OBJECT_PCT)->pct;
    const struct cpuid_set *cpuid = platform_cpuid(platform, processor->cpu);
    const struct cpu_identity *identity = &platform->identity;

    if (pct->control.gas.space != pct->status.gas.space) {
        return "_PCT control and status are in different address spaces (silent)";
    }
    if (pct->control.gas.space == SPACE_IO) {
        return identity->vendor == VENDOR_AMD && identity->family == 0x0F
                   ? "AMD family 0Fh may not use I/O ports for P-states (silent)"
                   : NULL;
    }
    if (pct->control.gas.space != SPACE_FFH) {
        return "_PCT is neither in SystemIO nor in FFixedHW (silent)";
    }
    if (is_known(platform) && !cpuid_has(cpuid, CPU_FEATURE_EIST) &&
        !cpuid_has(cpuid, CPU_FEATURE_HW_PSTATE)) {
        return "_PCT is in FFixedHW, but CPUID has neither EIST nor hardware P-states (silent)";
    }
    return NULL;
}

/* What keeps a processor from a policy before its rows are counted, or NULL. */
static const char *policy_why(const struct platform *platform, const struct processor *processor)
{
    const struct cpu_identity *identity = &platform->identity;
    const char *why = pct_why(processor);

    if (identity->vendor == VENDOR_INTEL && identity->family == 0x0F && identity->model == 6 &&
        identity->stepping == 8) {
        return "this Xeon 7100 may hang at EIST transitions (erratum AL30), so Linux refuses it";
    }
    if (why == NULL) {
        why = pss_why(processor);
    }
    if (why == NULL && processor->objects[OBJECT_PPC].avail == AVAIL_FAULTED) {
        why = "_PPC failed to evaluate, which ends the registration";
    }
    return why != NULL ? why : space_why(platform, processor);
}

/* The MHz of a row after amd_fixup_frequency. */
static uint64_t row_mhz(const struct platform *platform, uint32_t cpu, const struct pss_row *row)
{
    uint32_t msr = AMD_MSR_PSTATE_FIRST + (uint32_t)(row->field[PSS_CONTROL] & 7);
    struct msr_value definition = platform_msr(platform, cpu, msr);
    uint32_t fixed_mhz = definition.avail == AVAIL_PRESENT
                             ? amd_pstate_linux_fixup_mhz(&platform->identity, definition.value)
                             : 0;

    return fixed_mhz != 0 ? fixed_mhz : row->field[PSS_FREQ_MHZ];
}

/* Splits the _PSS into rows taken and rows dropped; returns how many are valid for perflib. */
static uint32_t split_rows(const struct platform *platform, uint32_t cpu, const struct pss *pss,
                           struct linux_row *rows, struct linux_dropped_row *dropped,
                           struct linux_table *table)
{
    uint32_t valid = 0;

    for (uint32_t i = 0; i < pss->count; i++) {
        uint64_t mhz = row_mhz(platform, cpu, &pss->rows[i]);
        uint64_t khz = units_mhz_to_khz(mhz);
        const char *why = NULL;

        if (mhz == 0 || mhz > PSS_MHZ_MAX) {
            why = mhz == 0 ? "0 MHz: Invalid BIOS _PSS frequency"
                           : "more MHz than fit in 32 bits of kHz: Invalid BIOS _PSS frequency";
        } else {
            valid++;
            if (table->count != 0 && khz >= rows[table->count - 1].khz) {
                why = "not below the last row taken: skipped silently";
            }
        }
        if (why != NULL) {
            dropped[table->dropped_count++] =
                (struct linux_dropped_row){.pss_index = i, .mhz = mhz, .why = why};
            continue;
        }
        rows[table->count++] = (struct linux_row){.khz = khz,
                                                  .kind = FREQUENCY_PSTATE,
                                                  .pss_index = i,
                                                  .control = pss->rows[i].field[PSS_CONTROL]};
    }
    return valid;
}

/* The longest TransitionLatency of all rows, in ns, stored in 32 bits. kernel-facts 1.3. */
static void take_latency(const struct pss *pss, uint8_t space, struct linux_table *table)
{
    uint64_t longest_ns = 0;

    for (uint32_t i = 0; i < pss->count; i++) {
        uint64_t ns = pss->rows[i].field[PSS_LATENCY_US] * 1000;

        longest_ns = ns > longest_ns ? ns : longest_ns;
    }
    table->transition_latency_ns = (uint32_t)longest_ns;
    if (space == SPACE_FFH && table->transition_latency_ns > LATENCY_CAP_NS) {
        table->transition_latency_ns = LATENCY_CAP_NS;
        table->is_latency_capped = true;
    }
}

/* _PPC: values of state_count or more are ignored; n caps at states[n]. kernel-facts 1.6. */
static void take_limit(const struct processor *processor, uint32_t valid, struct linux_table *table)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PPC);
    uint32_t seen = 0;

    if (set == NULL || set->ppc == 0 || set->ppc >= valid) {
        return;
    }
    for (uint32_t i = 0; i < table->count; i++) {
        if (seen++ == set->ppc) {
            table->limit_khz = table->rows[i].khz;
        }
    }
}

static void take_processor(struct platform *platform, const struct processor *processor,
                           struct linux_table *table)
{
    const struct pss *pss = &platform_object_as_linux(processor, OBJECT_PSS)->pss;
    const struct pct *pct = &platform_object_as_linux(processor, OBJECT_PCT)->pct;
    struct linux_row *rows =
        arena_array(platform->arena, (size_t)pss->count + 1, sizeof(struct linux_row));
    struct linux_dropped_row *dropped =
        arena_array(platform->arena, (size_t)pss->count + 1, sizeof(struct linux_dropped_row));
    uint32_t valid;

    if (rows == NULL || dropped == NULL) {
        table->no_table_why = "no memory for the table";
        return;
    }
    table->cpu = processor->cpu;
    table->rows = rows + 1; /* rows[0] is where a version's boost row goes */
    table->dropped = dropped;
    valid = split_rows(platform, processor->cpu, pss, rows + 1, dropped, table);
    if (valid <= 1) {
        table->no_table_why =
            valid == 0 ? "No valid BIOS _PSS frequency found" : "a _PSS with one state is no use";
        return;
    }
    take_latency(pss, pct->control.gas.space, table);
    take_limit(processor, valid, table);
    table->is_fast_switch = true;
    table->cpuinfo_max_khz = table->rows[0].khz;
    table->cpuinfo_min_khz = table->rows[table->count - 1].khz;
    table->scaling_max_khz = table->limit_khz != 0 ? table->limit_khz : table->cpuinfo_max_khz;
    table->cpuinfo_max_why = "the highest _PSS row";
}

/* The first CPU whose policy starts; without one, the first reason met. */
void linux_table_take(struct platform *platform, struct linux_facts *facts)
{
    struct linux_table *table = &facts->table;
    const struct processor *first = NULL;
    const char *first_why = NULL;

    memset(table, 0, sizeof(*table));
    table->cpu = CPU_NONE;
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        const char *why = processor == NULL ? NULL : policy_why(platform, processor);

        if (processor == NULL) {
            continue;
        }
        if (why == NULL) {
            first = processor;
            break;
        }
        first_why = first_why == NULL ? why : first_why;
    }
    facts->has_pct = platform->processors_count != 0 &&
                     platform_object_as_linux(&platform->processors[0], OBJECT_PCT) != NULL;
    if (first == NULL) {
        table->no_table_why = first_why != NULL ? first_why : "no CPU has a processor object";
        return;
    }
    take_processor(platform, first, table);
    for (uint32_t i = 0; i < table->count; i++) {
        /* Intel: the ratio in bits 15:8; AMD: the number of the P-state, 0 to 7. */
        facts->has_intel_controls |= table->rows[i].control > UINT8_MAX;
    }
}

/* cpuinfo.max_freq of the versions that raise it. kernel-facts 1.5.1, 1.5.2. */
static void raise_maximum(const struct linux_builder *builder, const struct processor *processor,
                          struct linux_table *table)
{
    uint64_t p0_khz = table->rows[0].khz;
    uint64_t base_khz = p0_khz;
    uint64_t nominal_mhz = processor->cpc_avail[CPC_NOMINAL_FREQ_MHZ] == AVAIL_PRESENT
                               ? (uint32_t)processor->cpc_value[CPC_NOMINAL_FREQ_MHZ]
                               : 0;

    table->cpuinfo_max_why = "P0 times the boost ratio";
    if (linux_builder_holds(builder, LINUX_RULE_NOMINAL_BASE) && nominal_mhz != 0) {
        bool is_mhz = linux_builder_holds(builder, LINUX_RULE_NOMINAL_BASE_MHZ);

        base_khz = is_mhz ? nominal_mhz : (uint32_t)(nominal_mhz * 1000);
        table->cpuinfo_max_why =
            is_mhz ? "P0: this kernel takes nominal_freq's MHz for kHz, gets a maximum that is too "
                     "small, and falls back"
                   : "_CPC nominal_freq times the boost ratio";
    }
    table->cpuinfo_max_khz = (uint32_t)frequency_scale_khz(base_khz, table->boost_ratio_1024);
    if (table->cpuinfo_max_khz < p0_khz) {
        /* cpufreq_frequency_table_cpuinfo: the highest row, where the driver's maximum is smaller. */
        table->cpuinfo_max_khz = p0_khz;
        if (base_khz >= p0_khz) {
            table->cpuinfo_max_why = "P0: the boost clock would be lower";
        }
    }
}

/* 5.11: one more row in front with the control value of P0. */
static void add_boost_row(const struct linux_builder *builder, struct linux_table *table)
{
    struct linux_row *rows =
        arena_array(builder->platform->arena, (size_t)table->count + 1, sizeof(struct linux_row));

    if (rows == NULL) {
        builder->platform->incomplete = "no memory for a boost row";
        return;
    }
    memcpy(rows + 1, table->rows, (size_t)table->count * sizeof(struct linux_row));
    rows[0] = rows[1];
    rows[0].kind = FREQUENCY_BOOST;
    rows[0].khz = (uint32_t)frequency_scale_khz(rows[1].khz, table->boost_ratio_1024);
    table->rows = rows;
    table->count++;
    table->p0_row = 1;
    table->cpuinfo_max_khz = rows[0].khz;
    table->cpuinfo_max_why = "the boost row in front of P0";
    if (table->limit_khz == 0) {
        table->scaling_max_khz = rows[0].khz;
    }
}

/* get_max_boost_ratio. */
static void take_boost(const struct linux_builder *builder, const struct processor *processor,
                       struct linux_table *table)
{
    uint64_t nominal = processor->cpc_value[CPC_NOMINAL_PERF];

    table->no_boost_why = linux_caps_why(builder, processor);
    table->is_boost_unknown = linux_caps_unknown(builder, processor);
    if (table->no_boost_why != NULL) {
        return;
    }
    table->numerator = linux_numerator(builder, processor, &table->numerator_why);
    table->boost_ratio_1024 = frequency_boost_ratio_1024(table->numerator, nominal);
    if (table->boost_ratio_1024 == 0) {
        table->no_boost_why =
            linux_text(builder,
                       "the numerator %lu (%s) is below nominal_perf %lu, so Linux sees no "
                       "boost at all (silent)",
                       table->numerator, table->numerator_why, nominal);
    }
}

static void take_boost_state(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    bool is_amd =
        platform->identity.vendor == VENDOR_AMD || platform->identity.vendor == VENDOR_HYGON;
    struct msr_value value = platform_msr(platform, 0, is_amd ? MSR_HWCR : MSR_MISC_ENABLE);
    struct linux_view *view = builder->view;

    view->is_boost_supported =
        cpuid_has(cpuid, CPU_FEATURE_CPB) || cpuid_has(cpuid, CPU_FEATURE_IDA);
    if (!view->is_boost_supported) {
        view->boost_on_avail = AVAIL_ABSENT;
        view->boost_why = is_known(platform) ? "CPUID has neither core performance boost nor turbo"
                                             : "the CPU is not known";
        return;
    }
    view->boost_on_avail = value.avail;
    view->is_boost_on = bits_test(value.value, is_amd ? 25 : 38) == 0;
    view->boost_why = is_amd ? "MSR C001_0015 bit 25 (CpbDis)" : "MSR 1A0H bit 38 (turbo disable)";
}

void linux_table_make(const struct linux_builder *builder)
{
    struct linux_table *table = &builder->view->table;
    const struct processor *processor;
    bool has_row = linux_builder_holds(builder, LINUX_RULE_BOOST_ROW);
    bool has_max = linux_builder_holds(builder, LINUX_RULE_BOOST_MAX);

    *table = builder->facts->table;
    take_boost_state(builder);
    if (table->no_table_why != NULL) {
        return;
    }
    processor = platform_processor(builder->platform, table->cpu);
    if (!has_row && !has_max) {
        table->no_boost_why = "this kernel does not look for boost in _CPC";
        return;
    }
    take_boost(builder, processor, table);
    if (table->is_boost_unknown) {
        table->cpuinfo_max_why = "the dump does not hold the registers that _CPC names";
    } else if (table->boost_ratio_1024 == 0) {
        table->forces_ratio_1024 = true;
    } else if (has_row) {
        add_boost_row(builder, table);
    } else {
        raise_maximum(builder, processor, table);
    }
}
