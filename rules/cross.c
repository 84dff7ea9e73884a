#include "model/frequency.h"
#include "rules/cpc.h"
#include "rules/subjects.h"

/* Objects of one processor against each other, and against what CPUID says. */

#define SPEC_CPC "ACPI 6.5, 8.4.6.1 _CPC (Continuous Performance Control)"
#define SPEC_PSS "ACPI 6.5, 8.4.5.2 _PSS (Performance Supported States)"
#define CPUID_FREQUENCIES 0x16

static bool is_frequency(uint64_t mhz)
{
    return mhz >= 100 && mhz <= 10000;
}

/* The fastest state without turbo: Intel's reference code marks turbo by a row of 1 MHz more. A list out of
 * order is another rule's business. */
static uint64_t base_mhz(const struct pss *pss)
{
    uint64_t fastest = 0;

    if (pss->count == 0 || !is_frequency(pss->rows[0].field[PSS_FREQ_MHZ])) {
        return 0;
    }
    for (uint32_t i = 0; i < pss->count; i++) {
        uint64_t mhz = pss->rows[i].field[PSS_FREQ_MHZ];
        bool is_turbo = i == 0 && pss->count > 1 && mhz == pss->rows[1].field[PSS_FREQ_MHZ] + 1;

        if (is_frequency(mhz) && mhz > fastest && !is_turbo) {
            fastest = mhz;
        }
    }
    return fastest;
}

static bool differs_by_pct(uint64_t a, uint64_t b, uint64_t pct)
{
    uint64_t larger = a > b ? a : b;
    uint64_t smaller = a > b ? b : a;

    return (larger - smaller) * 100 > larger * pct;
}

static void nominal_is_p0(struct judge *judge, const struct processor *processor)
{
    const struct object_set *pss = judge_certain_object(judge, processor, OBJECT_PSS);
    const struct object_set *cpc = judge_certain_object(judge, processor, OBJECT_CPC);
    struct judge_text expected;
    uint64_t nominal;

    if (pss == NULL || cpc == NULL || base_mhz(&pss->pss) == 0 ||
        !cpc_get(processor, cpc, CPC_NOMINAL_FREQ_MHZ, &nominal) || !is_frequency(nominal)) {
        judge_skip(judge, "no _PSS and _CPC with frequencies to compare");
    } else if (differs_by_pct(nominal, base_mhz(&pss->pss), 1)) {
        judge_warn(judge,
                   judge_text(&expected, "nominal_freq %llu MHz, the fastest row of _PSS",
                              (unsigned long long)base_mhz(&pss->pss)),
                   "nominal_freq %llu MHz", (unsigned long long)nominal);
    }
}

static void lowest_is_reached(struct judge *judge, const struct processor *processor)
{
    const struct object_set *pss = judge_certain_object(judge, processor, OBJECT_PSS);
    const struct object_set *cpc = judge_certain_object(judge, processor, OBJECT_CPC);
    uint64_t lowest;

    if (pss == NULL || cpc == NULL || base_mhz(&pss->pss) == 0 ||
        !cpc_get(processor, cpc, CPC_LOWEST_FREQ_MHZ, &lowest) || !is_frequency(lowest)) {
        judge_skip(judge, "no _PSS and _CPC with frequencies to compare");
        return;
    }
    uint64_t last = pss->pss.rows[pss->pss.count - 1].field[PSS_FREQ_MHZ];
    if (is_frequency(last) && last * 100 < lowest * 95 && lowest <= base_mhz(&pss->pss)) {
        judge_warn(judge, "a lowest_freq that the slowest row of _PSS does not undercut",
                   "lowest_freq %llu MHz, last row %llu MHz", (unsigned long long)lowest,
                   (unsigned long long)last);
    }
}

static void base_is_cpuids(struct judge *judge, const struct processor *processor)
{
    const struct platform *platform = judge->platform;
    const struct object_set *pss = judge_certain_object(judge, processor, OBJECT_PSS);
    const struct cpuid_set *cpuid = platform_cpuid(platform, processor->cpu);
    const struct cpuid_leaf *leaf = cpuid != NULL ? cpuid_find(cpuid, CPUID_FREQUENCIES, 0) : NULL;
    struct judge_text expected;

    if (pss == NULL || leaf == NULL || (leaf->eax & 0xFFFF) == 0 || platform->is_emulated ||
        base_mhz(&pss->pss) == 0) {
        judge_skip(judge, "no CPUID 16H and _PSS to compare");
        return;
    }
    uint64_t mhz = leaf->eax & 0xFFFF;
    if (base_mhz(&pss->pss) * 100 > mhz * 102) {
        judge_warn(judge,
                   judge_text(&expected, "at most the base frequency of CPUID 16H, %llu MHz",
                              (unsigned long long)mhz),
                   "fastest row without turbo %llu MHz", (unsigned long long)base_mhz(&pss->pss));
    }
}

static bool has_fixed(const struct object_register *reg)
{
    return reg->avail == AVAIL_PRESENT && !reg->is_null && reg->gas.space == GAS_FFH;
}

/* MSR C0010062H of _PCT is AMD's, 199H is Intel's; so are C00102B3H and 774H of _CPC. */
static void vendors_agree(struct judge *judge, const struct processor *processor)
{
    const struct object_set *pct = platform_object(processor, OBJECT_PCT);
    const struct object_set *cpc = platform_object(processor, OBJECT_CPC);

    if (pct == NULL || cpc == NULL || !has_fixed(&pct->pct.control) ||
        !has_fixed(&cpc->cpc.registers[CPC_DESIRED_PERF].reg)) {
        judge_skip(judge, "no fixed hardware in both _PCT and _CPC");
        return;
    }
    uint64_t control = pct->pct.control.gas.address;
    uint64_t desired = cpc->cpc.registers[CPC_DESIRED_PERF].reg.gas.address;
    if ((control == 0x199 && desired >> 16 == 0xC001) ||
        (control == 0xC0010062 && desired == 0x774)) {
        judge_fail(judge, "registers of one vendor in _PCT and _CPC",
                   "_PCT names MSR 0x%llX, _CPC MSR 0x%llX", (unsigned long long)control,
                   (unsigned long long)desired);
    }
}

static void psd_has_states(struct judge *judge, const struct processor *processor)
{
    if (processor->objects[OBJECT_PSD].avail != AVAIL_PRESENT) {
        judge_skip(judge, "no _PSD");
    } else if (processor->objects[OBJECT_PSS].avail == AVAIL_ABSENT &&
               processor->objects[OBJECT_CPC].avail == AVAIL_ABSENT) {
        judge_warn(judge, "a _PSS or a _CPC beside _PSD", "neither");
    }
}

static void boost_is_above_p0(struct judge *judge)
{
    const struct frequency *frequency = &judge->platform->frequency;
    uint64_t p0_khz = 0;

    for (uint32_t i = 0; i < frequency->count && p0_khz == 0; i++) {
        p0_khz = frequency->rows[i].kind == FREQUENCY_PSTATE ? frequency->rows[i].khz : 0;
    }
    if (frequency->boost_avail != AVAIL_PRESENT || !is_frequency(p0_khz / 1000) ||
        !is_frequency(frequency->cpuinfo_max_khz / 1000)) {
        judge_skip(judge, "no boost entry");
    } else if (frequency->boost_ratio_1024 > 1024 && frequency->cpuinfo_max_khz <= p0_khz) {
        judge_warn(judge, "a boost frequency above P0", "%llu kHz, P0 %llu kHz",
                   (unsigned long long)frequency->cpuinfo_max_khz, (unsigned long long)p0_khz);
    }
}

/* CPUID 80000007H EDX[9] on AMD, 06H EAX[1] on Intel: boost is there whatever _CPC says. */
static void boost_is_claimed(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    const struct processor *processor = platform_processor(platform, 0);
    uint64_t highest;
    uint64_t nominal;

    if (cpuid == NULL || processor == NULL || platform->is_emulated ||
        (!cpuid_has(cpuid, CPU_FEATURE_CPB) && !cpuid_has(cpuid, CPU_FEATURE_IDA))) {
        judge_skip(judge, "CPUID shows no boost");
        return;
    }
    const struct object_set *cpc = judge_certain_object(judge, processor, OBJECT_CPC);
    if (cpc == NULL || !cpc_get(processor, cpc, CPC_HIGHEST_PERF, &highest) ||
        !cpc_get(processor, cpc, CPC_NOMINAL_PERF, &nominal)) {
        judge_skip(judge, "no _CPC whose levels are known");
    } else if (highest == nominal && nominal != 0) {
        judge_warn(judge, "a highest level above nominal, as CPUID shows boost", "both are %llu",
                   (unsigned long long)nominal);
    }
}

/* mission S1: with cpuinfo.max at P0 a midpoint of 1.25 or more keeps schedutil below P0 for ever. */
static void invariance_is_no_trap(struct judge *judge)
{
    const struct frequency *frequency = &judge->platform->frequency;

    if (frequency->midpoint_ratio_1024 == 0) {
        judge_skip(judge, "no boost ratio");
    } else if (frequency->midpoint_ratio_1024 >= 1280) {
        judge_note(
            judge, "a midpoint below 1280/1024",
            "%llu/1024: kernels that leave cpuinfo_max_freq at P0 (5.11-rc, 6.14) never return "
            "to P0 under schedutil",
            (unsigned long long)frequency->midpoint_ratio_1024);
    }
}

const struct rule cross_rules[] = {
    {
        .id = "XOB-001",
        .title = "Nominal frequency of _CPC is that of the fastest _PSS row without turbo",
        .spec = SPEC_CPC "; 8.4.5.2 _PSS (Performance Supported States)",
        .why = "The maximum frequency differs by driver and kernel version, and with it the load "
               "that the "
               "scheduler sees.",
        .advice = "Put one figure into both objects.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = nominal_is_p0,
        .object = "_CPC",
    },
    {
        .id = "XOB-002",
        .title = "Lowest frequency of _CPC is not above the slowest _PSS row",
        .spec = SPEC_CPC "; 8.4.5.2 _PSS (Performance Supported States)",
        .why = "One driver slows down further than the other may.",
        .advice = "Correct the lowest frequency of _CPC or the last row of _PSS.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = lowest_is_reached,
        .object = "_CPC",
    },
    {
        .id = "XOB-003",
        .title = "The fastest _PSS row without turbo is not above CPUID's base frequency",
        .spec = SPEC_PSS "; Intel SDM vol. 2A, CPUID 16H",
        .why = "A clock is promised that the processor reaches only by turbo, when it is cool.",
        .advice = "List the base frequency as P1 and turbo as P0 of 1 MHz more.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = base_is_cpuids,
        .object = "_PSS",
    },
    {
        .id = "XOB-004",
        .title = "A processor with _PSD has performance states",
        .spec = "ACPI 6.5, 8.4.5.5 _PSD (P-State Dependency)",
        .why = "The dependency belongs to states that do not exist.",
        .advice = "Declare _PSS or _CPC beside _PSD, or remove _PSD.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = psd_has_states,
        .object = "_PSD",
    },
    {
        .id = "XOB-005",
        .title = "The boost frequency made from _CPC is above P0",
        .spec = "Linux 6.12 drivers/cpufreq/acpi-cpufreq.c get_max_boost_ratio",
        .why = "Boost is invisible: the scheduler takes P0 for the highest clock.",
        .advice = "Correct nominal frequency and levels of _CPC.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = boost_is_above_p0,
        .object = "_CPC",
    },
    {
        .id = "XOB-006",
        .title = "_CPC claims boost where CPUID shows it",
        .spec = "AMD APM vol. 3, CPUID 80000007H EDX[9]; Intel SDM vol. 2A, CPUID 06H EAX[1]",
        .why = "The scheduler takes the base clock for the highest one.",
        .advice = "Set the highest level to that of the highest boost clock.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = boost_is_claimed,
        .object = "_CPC",
    },
    {
        .id = "XOB-007",
        .title = "Frequency invariance does not trap schedutil below P0",
        .spec = "Linux 5.11 arch/x86/kernel/smpboot.c amd_set_max_freq_ratio",
        .why = "On the kernels named the processor stays slow once it has slowed down.",
        .advice = "None in the firmware: use a kernel whose cpuinfo_max_freq includes boost.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = invariance_is_no_trap,
        .object = "_CPC",
    },
    {
        .id = "XOB-008",
        .title = "_PCT and _CPC name registers of one vendor",
        .spec =
            "ACPI 6.5, 8.4.5.1 _PCT (Performance Control); 8.4.6.1 _CPC (Continuous Performance "
            "Control)",
        .why = "One of the two drivers writes to a register that the processor does not have.",
        .advice = "Build both objects for the processor that is fitted.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = vendors_agree,
        .object = "_PCT",
    },
    {.id = NULL},
};
