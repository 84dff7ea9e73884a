#include "rules/cpc.h"
#include "rules/subjects.h"

/* Fixed-hardware registers of _CPC: where each vendor keeps the fields. */

/* Where a vendor keeps a field: register index, MSR, first bit, width. */
struct field {
    uint64_t msr;
    enum cpc_register index;
    uint8_t offset_bits;
    uint8_t width_bits;
};

/* AMD PPR for family 19h model 01h (55898), MSRC001_02B0 [CPPC Capability 1] to _02B4 [CPPC Status].
 * Real: B2H for the limit status (Lucienne, m053 and m055). */
static const struct field amd_fields[] = {
    {0xC00102B0, CPC_HIGHEST_PERF, 24, 8},
    {0xC00102B0, CPC_NOMINAL_PERF, 16, 8},
    {0xC00102B0, CPC_LOWEST_NONLINEAR_PERF, 8, 8},
    {0xC00102B0, CPC_LOWEST_PERF, 0, 8},
    {0xC00102B3, CPC_DESIRED_PERF, 16, 8},
    {0xC00102B3, CPC_MIN_PERF, 8, 8},
    {0xC00102B3, CPC_MAX_PERF, 0, 8},
    {0xC00102B3, CPC_ENERGY_PERF_PREFERENCE, 24, 8},
    {0xC00102B4, CPC_PERF_LIMITED, 0, 2},
    {0xC00102B2, CPC_PERF_LIMITED, 0, 2},
    {0xC00102B1, CPC_ENABLE, 0, 1},
};

/* Intel SDM vol. 4, MSRs 770H IA32_PM_ENABLE, 771H IA32_HWP_CAPABILITIES, 774H IA32_HWP_REQUEST, 777H
 * IA32_HWP_STATUS, CEH MSR_PLATFORM_INFO [15:8]. */
static const struct field intel_fields[] = {
    {0x771, CPC_HIGHEST_PERF, 0, 8},
    {0x771, CPC_GUARANTEED_PERF, 8, 8},
    {0x771, CPC_LOWEST_NONLINEAR_PERF, 16, 8},
    {0x771, CPC_LOWEST_PERF, 24, 8},
    {0xCE, CPC_NOMINAL_PERF, 8, 8},
    {0x771, CPC_NOMINAL_PERF, 8, 8},
    {0x774, CPC_MIN_PERF, 0, 8},
    {0x774, CPC_MAX_PERF, 8, 8},
    {0x774, CPC_DESIRED_PERF, 16, 8},
    {0x774, CPC_ENERGY_PERF_PREFERENCE, 24, 8},
    {0x774, CPC_AUTONOMOUS_ACTIVITY_WINDOW, 32, 10},
    {0x777, CPC_PERF_LIMITED, 1, 2},
    {0x777, CPC_PERF_LIMITED, 2, 1},
    {0x770, CPC_ENABLE, 0, 1},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The first field of a table that stands for the index; exact when one matches the descriptor. */
static const struct field *find_field(const struct field *fields, size_t count,
                                      enum cpc_register index, const struct gas *gas,
                                      bool *ret_is_exact)
{
    const struct field *known = NULL;

    *ret_is_exact = false;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].index != index) {
            continue;
        }
        known = known == NULL ? &fields[i] : known;
        if (fields[i].msr == gas->address && fields[i].offset_bits == gas->offset_bits &&
            fields[i].width_bits == gas->width_bits) {
            *ret_is_exact = true;
            return &fields[i];
        }
    }
    return known;
}

static bool is_in_table(const struct field *fields, size_t count, uint64_t msr)
{
    for (size_t i = 0; i < count; i++) {
        if (fields[i].msr == msr) {
            return true;
        }
    }
    return false;
}

/* AMD's table for AMD's MSR numbers, Intel's otherwise; counters are the next rule's. */
static void check_field(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    bool is_amd = gas->address >> 16 == 0xC001 || judge->platform->identity.vendor == VENDOR_AMD;
    const struct field *fields = is_amd ? amd_fields : intel_fields;
    size_t count = is_amd ? COUNT(amd_fields) : COUNT(intel_fields);
    struct judge_text expected;
    struct judge_text actual;
    bool is_exact;

    if (gas->space != GAS_FFH || index == CPC_REFERENCE_COUNTER || index == CPC_DELIVERED_COUNTER) {
        return;
    }
    const struct field *field = find_field(fields, count, index, gas, &is_exact);
    if (field == NULL || is_exact) {
        return;
    }
    const char *place =
        judge_text(&expected, "MSR 0x%llX, %u bits at %u, for %s", (unsigned long long)field->msr,
                   field->width_bits, field->offset_bits, cpc_register_name(index));
    if (is_in_table(fields, count, gas->address)) {
        judge_fail(judge, place, "%s", judge_register(&actual, gas));
    } else {
        judge_warn(judge, place, "%s", judge_register(&actual, gas));
    }
}

static void fields_are_the_vendors(struct judge *judge, const struct object_set *set)
{
    uint32_t found = judge->found;

    for (uint32_t i = 0; i < CPC_REGISTERS && judge->found == found; i++) {
        if (cpc_has_register(&set->cpc, (enum cpc_register)i)) {
            check_field(judge, (enum cpc_register)i, &set->cpc.registers[i].reg.gas);
        }
    }
}

static void vendor_matches(struct judge *judge, const struct object_set *set)
{
    enum cpu_vendor vendor = judge->platform->identity.vendor;

    if (vendor != VENDOR_INTEL && vendor != VENDOR_AMD) {
        judge_skip(judge, "the vendor of the CPU is not known");
        return;
    }
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[i].reg.gas;

        if (!cpc_has_register(&set->cpc, (enum cpc_register)i) || gas->space != GAS_FFH) {
            continue;
        }
        if ((vendor == VENDOR_INTEL && gas->address >> 16 == 0xC001) ||
            (vendor == VENDOR_AMD && gas->address >= 0x770 && gas->address <= 0x777)) {
            judge_fail(judge, "registers of this processor's vendor", "%s: MSR 0x%llX on %s",
                       cpc_register_name((enum cpc_register)i), (unsigned long long)gas->address,
                       judge->platform->identity.vendor_text);
            return;
        }
    }
}

/* One object with MSRs of both vendors is wrong on either's processor. */
static void vendors_are_not_mixed(struct judge *judge, const struct object_set *set)
{
    const char *amd = NULL;
    const char *intel = NULL;

    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[i].reg.gas;

        if (!cpc_has_register(&set->cpc, (enum cpc_register)i) || gas->space != GAS_FFH) {
            continue;
        }
        if (gas->address >> 16 == 0xC001) {
            amd = cpc_register_name((enum cpc_register)i);
        } else if (gas->address >= 0x770 && gas->address <= 0x777) {
            intel = cpc_register_name((enum cpc_register)i);
        }
    }
    if (amd != NULL && intel != NULL) {
        judge_fail(judge, "registers of one vendor", "%s in an AMD register, %s in an Intel one",
                   amd, intel);
    }
}

const struct rule cpc_field_rules[] = {
    {
        .id = "CPC-027",
        .title = "Fixed-hardware registers of _CPC are where the vendor keeps them",
        .spec = "AMD PPR 55898, MSRC001_02B0 to MSRC001_02B4; Intel SDM vol. 4, MSRs 770H to 777H",
        .why = "Requests and readings go to wrong bits: the clock does not follow load.",
        .advice = "Correct MSR number, bit offset and width.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = fields_are_the_vendors,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-028",
        .title = "Fixed-hardware registers of _CPC belong to this vendor's processor",
        .spec = "AMD PPR 55898, MSRC001_02B0; Intel SDM vol. 4, MSR 771H",
        .why = "Reading them faults; Linux then has no performance levels.",
        .advice = "Build the table for the processor that is fitted.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = vendor_matches,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-037",
        .title = "Fixed-hardware registers of one _CPC are of one vendor",
        .spec = "AMD PPR 55898, MSRC001_02B0; Intel SDM vol. 4, MSR 771H",
        .why = "Reading or writing the others faults; requests are lost.",
        .advice = "Build the object for the processor that is fitted.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = vendors_are_not_mixed,
        .kind = OBJECT_CPC,
    },
    {.id = NULL},
};
