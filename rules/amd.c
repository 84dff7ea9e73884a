#include "model/amd_pstate.h"
#include "model/bits.h"
#include "rules/judge.h"
#include "rules/subjects.h"

/* AMD's P-state and C-state MSRs against what the objects say. */

#define SPEC_PSTATE "AMD PPR 55898, MSRC001_00[6B:64] P-state [7:0]"
#define MSR_HWCR 0xC0010015U
#define MSR_CSTATE_BASE 0xC0010073U

static bool is_amd(struct judge *judge)
{
    const struct cpu_identity *identity = &judge->platform->identity;

    if (identity->avail == AVAIL_PRESENT &&
        (identity->vendor == VENDOR_AMD || identity->vendor == VENDOR_HYGON)) {
        if (!judge->platform->is_emulated) {
            return true;
        }
        judge_skip(judge, "under a hypervisor");
        return false;
    }
    judge_skip(judge, "no AMD processor");
    return false;
}

/* Linux 6.12 arch/x86/kernel/cpu/amd.c bsp_init_amd. */
static void tsc_counts_p0(struct judge *judge, uint32_t cpu)
{
    const struct cpu_identity *identity = &judge->platform->identity;
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, cpu);
    uint64_t hwcr;

    if (!is_amd(judge) || !judge_msr(judge, cpu, MSR_HWCR, &hwcr)) {
        return;
    }
    if (cpuid == NULL || !cpuid_has(cpuid, CPU_FEATURE_INVARIANT_TSC) ||
        !(identity->family > 0x10 || (identity->family == 0x10 && identity->model >= 2))) {
        judge_skip(judge, "the TSC of this processor does not count P0");
    } else if (bits_test(hwcr, 24) == 0) {
        judge_fail(judge, "HWCR[24] (TscFreqSel) set", "HWCR 0x%llX", (unsigned long long)hwcr);
    }
}

static void boost_is_on(struct judge *judge, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, cpu);
    uint64_t hwcr;

    if (!is_amd(judge) || !judge_msr(judge, cpu, MSR_HWCR, &hwcr)) {
        return;
    }
    if (cpuid == NULL || !cpuid_has(cpuid, CPU_FEATURE_CPB)) {
        judge_skip(judge, "no core performance boost on this part");
    } else if (bits_test(hwcr, 25) != 0) {
        judge_warn(judge, "HWCR[25] (CpbDis) clear", "boost disabled by firmware: HWCR 0x%llX",
                   (unsigned long long)hwcr);
    }
}

/* The _PSS of a CPU, whose control values are P-state numbers. */
static const struct pss *pss_of(struct judge *judge, uint32_t cpu)
{
    const struct processor *processor = platform_processor(judge->platform, cpu);
    const struct object_set *set =
        processor != NULL ? judge_certain_object(judge, processor, OBJECT_PSS) : NULL;

    if (set == NULL || set->pss.count == 0) {
        judge_skip(judge, "no _PSS that is certain");
        return NULL;
    }
    judge->processor = processor;
    return &set->pss;
}

/* Where boost states come first their number, and so the register of P0, is in PCI configuration. */
static bool has_plain_numbers(struct judge *judge)
{
    if (amd_pstate_counts_boost_states(&judge->platform->identity)) {
        judge_skip(judge, "boost states come first on this family; their number is not known");
        return false;
    }
    return true;
}

static void check_row(struct judge *judge, const struct pss_row *row, uint32_t index, uint64_t raw)
{
    struct amd_pstate pstate;
    struct judge_text expected;
    uint64_t mhz = row->field[PSS_FREQ_MHZ];

    amd_pstate_decode(&judge->platform->identity, raw, &pstate);
    if (pstate.encoding == AMD_PSTATE_OFF) {
        judge_fail(judge, "an enabled P-state register (bit 63) for each row",
                   "row %u: register %llu is 0x%llX", index,
                   (unsigned long long)row->field[PSS_CONTROL], (unsigned long long)raw);
    } else if (pstate.encoding == AMD_PSTATE_DECODED && pstate.cof_mhz != 0 &&
               (mhz * 100 > pstate.cof_mhz * 101ULL || mhz * 101 < pstate.cof_mhz * 100ULL)) {
        judge_fail(judge,
                   judge_text(&expected, "%u MHz, as P-state register %llu says", pstate.cof_mhz,
                              (unsigned long long)row->field[PSS_CONTROL]),
                   "row %u: %llu MHz", index, (unsigned long long)mhz);
    }
}

static void rows_match_registers(struct judge *judge, uint32_t cpu)
{
    const struct pss *pss;
    uint32_t compared = 0;

    if (!is_amd(judge) || !has_plain_numbers(judge) || (pss = pss_of(judge, cpu)) == NULL) {
        return;
    }
    for (uint32_t i = 0; i < pss->count; i++) {
        const struct pss_row *row = &pss->rows[i];
        struct msr_value value = {AVAIL_UNTRIED, 0};

        if (row->valid == (1U << PSS_FIELDS) - 1 && row->field[PSS_CONTROL] < AMD_PSTATES) {
            value = platform_msr(judge->platform, cpu,
                                 AMD_MSR_PSTATE_FIRST + (uint32_t)row->field[PSS_CONTROL]);
        }
        if (value.avail == AVAIL_PRESENT) {
            compared++;
            check_row(judge, row, i, value.value);
        }
    }
    if (compared == 0) {
        judge_skip(judge, "no P-state register was read");
    }
}

static void controls_are_allowed(struct judge *judge, uint32_t cpu)
{
    const struct pss *pss;
    struct judge_text expected;
    uint64_t limit;

    if (!is_amd(judge) || !judge_msr(judge, cpu, AMD_MSR_PSTATE_LIMIT, &limit) ||
        (pss = pss_of(judge, cpu)) == NULL) {
        return;
    }
    for (uint32_t i = 0; i < pss->count; i++) {
        if (pss->rows[i].field[PSS_CONTROL] > bits_get(limit, 6, 4)) {
            judge_fail(judge,
                       judge_text(&expected, "P-state numbers up to %llu (MSRC001_0061[6:4])",
                                  (unsigned long long)bits_get(limit, 6, 4)),
                       "row %u: control %llu", i,
                       (unsigned long long)pss->rows[i].field[PSS_CONTROL]);
            return;
        }
    }
}

static void hardware_sets_no_limit(struct judge *judge, uint32_t cpu)
{
    uint64_t limit;

    if (!is_amd(judge) || !judge_msr(judge, cpu, AMD_MSR_PSTATE_LIMIT, &limit)) {
        return;
    }
    if (bits_get(limit, 2, 0) > bits_get(limit, 6, 4)) {
        judge_fail(judge, "a current limit up to PstateMaxVal", "MSRC001_0061 0x%llX",
                   (unsigned long long)limit);
    } else if (bits_get(limit, 2, 0) > 0) {
        judge_warn(judge, "no current limit (MSRC001_0061[2:0] = 0)",
                   "P%llu is the fastest allowed at present",
                   (unsigned long long)bits_get(limit, 2, 0));
    }
}

static uint32_t enabled_registers(const struct platform *platform, uint32_t cpu, uint32_t last)
{
    uint32_t enabled = 0;

    for (uint32_t i = 0; i <= last && i < AMD_PSTATES; i++) {
        struct msr_value value = platform_msr(platform, cpu, AMD_MSR_PSTATE_FIRST + i);

        enabled += value.avail == AVAIL_PRESENT && bits_test(value.value, 63) != 0 ? 1 : 0;
    }
    return enabled;
}

static void all_registers_are_listed(struct judge *judge, uint32_t cpu)
{
    const struct pss *pss;
    uint64_t limit;
    struct judge_text expected;

    if (!is_amd(judge) || !has_plain_numbers(judge) ||
        !judge_msr(judge, cpu, AMD_MSR_PSTATE_LIMIT, &limit) ||
        (pss = pss_of(judge, cpu)) == NULL) {
        return;
    }
    uint32_t enabled = enabled_registers(judge->platform, cpu, (uint32_t)bits_get(limit, 6, 4));
    if (enabled > pss->count) {
        judge_note(judge, judge_text(&expected, "a row for each of %u enabled P-states", enabled),
                   "%u rows", pss->count);
    }
}

static void encoding_is_valid(struct judge *judge, uint32_t cpu)
{
    uint32_t decoded = 0;

    if (!is_amd(judge)) {
        return;
    }
    for (uint32_t i = 0; i < AMD_PSTATES; i++) {
        struct msr_value value = platform_msr(judge->platform, cpu, AMD_MSR_PSTATE_FIRST + i);
        struct amd_pstate pstate;

        if (value.avail != AVAIL_PRESENT) {
            continue;
        }
        decoded++;
        amd_pstate_decode(&judge->platform->identity, value.value, &pstate);
        if (pstate.encoding == AMD_PSTATE_INVALID) {
            judge_fail(judge, "a divisor that is defined", "P-state register %u: 0x%llX", i,
                       (unsigned long long)value.value);
            return;
        }
    }
    if (decoded == 0) {
        judge_skip(judge, "no P-state register was read");
    }
}

/* Reports a CPU whose MSR differs from CPU 0's under the mask. */
static void check_alike(struct judge *judge, uint32_t cpu, uint32_t msr, uint64_t mask)
{
    struct msr_value first = platform_msr(judge->platform, 0, msr);
    struct msr_value value = platform_msr(judge->platform, cpu, msr);
    struct judge_text expected;

    if (first.avail == AVAIL_PRESENT && value.avail == AVAIL_PRESENT &&
        (first.value & mask) != (value.value & mask)) {
        judge_fail(judge,
                   judge_text(&expected, "MSR 0x%X as on CPU 0: 0x%llX", msr,
                              (unsigned long long)(first.value & mask)),
                   "0x%llX", (unsigned long long)(value.value & mask));
    }
}

static bool is_same_kind_as_first(const struct platform *platform, uint32_t cpu)
{
    return platform->cpus[cpu].core_type == platform->cpus[0].core_type;
}

static void registers_are_alike(struct judge *judge, uint32_t cpu)
{
    uint64_t first;

    if (!is_amd(judge) || !judge_msr(judge, cpu, AMD_MSR_PSTATE_FIRST, &first)) {
        return;
    }
    if (!is_same_kind_as_first(judge->platform, cpu)) {
        judge_skip(judge, "another kind of core");
        return;
    }
    for (uint32_t i = 0; i < AMD_PSTATES; i++) {
        /* Bit 63 and the frequency fields; voltage may be fused core by core. */
        check_alike(judge, cpu, AMD_MSR_PSTATE_FIRST + i,
                    judge->platform->identity.family >= 0x17 ? 0x8000000000003FFFULL
                                                             : 0x80000000000001FFULL);
    }
    check_alike(judge, cpu, MSR_HWCR, UINT64_C(3) << 24);
}

/* AMD BKDG and PPR, MSRC001_0073: eight ports from the base on enter C-states. */
static void cst_ports_are_trapped(struct judge *judge, uint32_t cpu)
{
    const struct processor *processor = platform_processor(judge->platform, cpu);
    struct judge_text expected;
    uint64_t base;
    uint32_t ports = 0;

    if (!is_amd(judge) || !judge_msr(judge, cpu, MSR_CSTATE_BASE, &base)) {
        return;
    }
    const struct object_set *set =
        processor != NULL ? judge_certain_object(judge, processor, OBJECT_CST) : NULL;
    judge->processor = processor;
    base &= 0xFFFF;
    for (uint32_t i = 0; set != NULL && i < set->cst.states_count; i++) {
        const struct object_register *reg = &set->cst.states[i].reg;

        if (reg->avail != AVAIL_PRESENT || reg->gas.space != GAS_SYSTEM_IO) {
            continue;
        }
        ports++;
        if (reg->gas.address < base || reg->gas.address > base + 7 || base == 0) {
            judge_fail(judge,
                       judge_text(&expected, "a port in the eight from MSRC001_0073, 0x%llX",
                                  (unsigned long long)base),
                       "state %u: port 0x%llX", i + 1, (unsigned long long)reg->gas.address);
            return;
        }
    }
    if (ports == 0) {
        judge_skip(judge, "no I/O state in _CST");
    }
}

static void cstate_base_is_alike(struct judge *judge, uint32_t cpu)
{
    uint64_t base;

    if (is_amd(judge) && judge_msr(judge, cpu, MSR_CSTATE_BASE, &base)) {
        check_alike(judge, cpu, MSR_CSTATE_BASE, 0xFFFF);
    }
}

const struct rule amd_rules[] = {
    {
        .id = "AMD-001",
        .title = "The TSC counts at the P0 frequency",
        .spec = "AMD PPR 55898, MSRC001_0015 HWCR[24] TscFreqSel",
        .why = "Effective frequencies are computed wrongly by a constant factor.",
        .advice = "Set HWCR[24] on every core.",
        .known_as = "Linux: TSC doesn't count with P0 frequency!",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = tsc_counts_p0,
        .object = "MSR C0010015",
    },
    {
        .id = "AMD-002",
        .title = "Core performance boost is not disabled",
        .spec = "AMD PPR 55898, MSRC001_0015 HWCR[25] CpbDis",
        .why = "The processor never runs faster than its base clock.",
        .advice = "Clear HWCR[25], or enable boost in the setup; intended on some servers.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = boost_is_on,
        .object = "MSR C0010015",
    },
    {
        .id = "AMD-003",
        .title = "Each row of _PSS has the frequency of its P-state register",
        .spec = SPEC_PSTATE,
        .why = "The clock shown and asked for is not the one delivered.",
        .advice = "Compute CoreFrequency from the register that Control selects.",
        .known_as = "BITS: test_pstates",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = rows_match_registers,
        .object = "_PSS",
    },
    {
        .id = "AMD-004",
        .title = "Control values of _PSS are P-state numbers that software may use",
        .spec = "AMD PPR 55898, MSRC001_0061 P-state Current Limit, PstateMaxVal",
        .why = "A request above the maximum is cut: the slowest state is another than listed.",
        .advice = "List only states up to PstateMaxVal.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = controls_are_allowed,
        .object = "_PSS",
    },
    {
        .id = "AMD-005",
        .title = "The hardware sets no P-state limit at present",
        .spec = "AMD PPR 55898, MSRC001_0061 P-state Current Limit, CurPstateLimit",
        .why = "The processor cannot reach P0 now: heat, power supply or a platform limit.",
        .advice = "Repeat on AC and cool; if it stays, look for the platform limit (SMU, EC).",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = hardware_sets_no_limit,
        .object = "MSR C0010061",
    },
    {
        .id = "AMD-006",
        .title = "_PSS lists every enabled P-state",
        .spec = SPEC_PSTATE,
        .why = "States that the hardware has are not used.",
        .advice = "List one row for each enabled P-state register.",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = all_registers_are_listed,
        .object = "_PSS",
    },
    {
        .id = "AMD-007",
        .title = "P-state registers hold defined divisors",
        .spec = SPEC_PSTATE,
        .why = "The frequency of the state is undefined.",
        .advice = "Use a divisor id from the PPR of the family.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = encoding_is_valid,
        .object = "MSR C0010064",
    },
    {
        .id = "AMD-008",
        .title = "P-state and boost registers are the same on all cores of a kind",
        .spec = SPEC_PSTATE "; MSRC001_0015",
        .why = "The same request gives different clocks on different cores.",
        .advice = "Program the registers on every core.",
        .known_as = "fwts: MSRCPUsInconsistent; BITS: MSR sweep",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = registers_are_alike,
        .object = "MSR C0010064",
    },
    {
        .id = "AMD-009",
        .title = "I/O ports of _CST are those that the processor traps",
        .spec = "AMD PPR 55898, MSRC001_0073 C-state Base Address",
        .why = "Reading the port does nothing: the processor spins and takes full power.",
        .advice = "Make MSRC001_0073 and the ports of _CST agree.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = cst_ports_are_trapped,
        .object = "_CST",
    },
    {
        .id = "AMD-010",
        .title = "The C-state base address is the same on all cores",
        .spec = "AMD PPR 55898, MSRC001_0073 C-state Base Address",
        .why = "Some cores do not idle and keep the package awake.",
        .advice = "Program the register on every core.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = cstate_base_is_alike,
        .object = "MSR C0010073",
    },
    {.id = NULL},
};
