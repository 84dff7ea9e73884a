#include "drivers/frequency_request.h"

#include "drivers/pcc_channel.h"
#include "model/bits.h"
#include "model/cpu_id.h"
#include "model/units.h"

#include <stddef.h>

/* SDM vol. 3B, 15.1.1 Software Interface For Initiating Performance State Transitions; Linux 6.12
 * drivers/cpufreq/acpi-cpufreq.c cpu_freq_write_intel replaces bits [15:0] only. */
#define MSR_IA32_PERF_STATUS 0x198U
#define MSR_IA32_PERF_CTL 0x199U
#define PERF_CTL_MASK UINT64_C(0xFFFF)

/* APM vol. 2, 17.1.1 Hardware P-state Control: P-State Control [2:0], P-State Status [2:0]. */
#define MSR_AMD_PSTATE_CTL 0xC0010062U
#define MSR_AMD_PSTATE_STATUS 0xC0010063U
#define AMD_PSTATE_MASK UINT64_C(7)

/* SDM vol. 3B, 15.4.2 Enabling HWP, 15.4.3 HWP Performance Range and Dynamic Capabilities, 15.4.4 Managing HWP:
 * request [7:0] minimum, [15:8] maximum, [23:16] desired; capabilities [7:0] highest, [15:8] guaranteed,
 * [23:16] most efficient, [31:24] lowest. */
#define MSR_IA32_PM_ENABLE 0x770U
#define MSR_IA32_HWP_CAPABILITIES 0x771U
#define MSR_IA32_HWP_REQUEST 0x774U
#define HWP_REQUEST_MASK UINT64_C(0xFFFFFF)

/* AMD PPR for family 19h, MSRC001_02B0 CPPC_CAPABILITY_1, 02B1 CPPC_ENABLE [0], 02B3 CPPC_REQUEST ([7:0] maximum,
 * [15:8] minimum, [23:16] desired); Linux 6.12 arch/x86/include/asm/msr-index.h, AMD_CPPC_MAX_PERF. */
#define MSR_AMD_CPPC_CAP1 0xC00102B0U
#define MSR_AMD_CPPC_ENABLE 0xC00102B1U
#define MSR_AMD_CPPC_REQUEST 0xC00102B3U
#define CPPC_REQUEST_MASK UINT64_C(0xFFFFFF)

#define PORT_MAX 0xFFFFU
#define PCC_HEADER_BYTES 8U /* ACPI 6.5, 14.2 Generic Communications Channel Shared Memory Region */

/* Levels of autonomous control, highest first. */
struct levels {
    uint64_t level[FREQUENCY_LEVELS];
    uint64_t nominal;     /* the level ... */
    uint64_t nominal_khz; /* ... that is this frequency; 0: not known */
    uint64_t lowest;      /* a second one; ... */
    uint64_t lowest_khz;  /* ... 0: proportional to the nominal one */
};

static bool is_intel_like(enum cpu_vendor vendor)
{
    return vendor == VENDOR_INTEL || vendor == VENDOR_CENTAUR || vendor == VENDOR_ZHAOXIN;
}

static bool is_amd_like(enum cpu_vendor vendor)
{
    return vendor == VENDOR_AMD || vendor == VENDOR_HYGON;
}

static bool is_bit_set(const struct platform *platform, uint32_t cpu, uint32_t msr, unsigned bit)
{
    struct msr_value value = platform_msr(platform, cpu, msr);

    return value.avail == AVAIL_PRESENT && bits_test(value.value, bit) != 0;
}

static const struct object_set *object_of(const struct platform *platform, uint32_t cpu,
                                          enum object_kind kind)
{
    const struct processor *processor = platform_processor(platform, cpu);

    return processor == NULL ? NULL : platform_object_as_linux(processor, kind);
}

static bool has_register(const struct object_set *set, enum cpc_register index)
{
    const struct cpc_element *element = &set->cpc.registers[index];

    return element->kind == CPC_ELEMENT_REGISTER && element->reg.avail == AVAIL_PRESENT &&
           !element->reg.is_null;
}

/* CPPC that is switched on by a _CPC register elsewhere than in the MSRs. */
static bool is_cppc_on_elsewhere(const struct platform *platform, uint32_t cpu)
{
    const struct processor *processor = platform_processor(platform, cpu);

    return processor != NULL && processor->cpc_avail[CPC_ENABLE] == AVAIL_PRESENT &&
           processor->cpc_value[CPC_ENABLE] == 1;
}

/* The register lies behind the header and within the shared memory, and can be written in one access: ACPI 6.5, 14.7;
 * Linux takes the bit width as the access there. */
static bool is_pcc_register(const struct pcct_subspace *subspace, const struct gas *gas)
{
    unsigned bytes = gas->width_bits / 8U;

    return gas->space == GAS_PCC && gas->offset_bits == 0 &&
           (gas->width_bits == 8 || gas->width_bits == 16 || gas->width_bits == 32 ||
            gas->width_bits == 64) &&
           subspace->length_bytes > PCC_HEADER_BYTES + bytes &&
           gas->address <= subspace->length_bytes - PCC_HEADER_BYTES - bytes &&
           gas->address % bytes == 0;
}

/* The registers of a request in PCC shared memory. False, with the reason in *ret_why, when there are none. */
static bool take_pcc(const struct platform *platform, uint32_t cpu, struct frequency_way *way,
                     const char **ret_why)
{
    static const enum cpc_register indices[] = {[FREQUENCY_PCC_DESIRED] = CPC_DESIRED_PERF,
                                                [FREQUENCY_PCC_MIN] = CPC_MIN_PERF,
                                                [FREQUENCY_PCC_MAX] = CPC_MAX_PERF};
    const struct object_set *set = object_of(platform, cpu, OBJECT_CPC);
    const struct pcct *pcct = &platform->pcct;
    const struct gas *desired;

    *ret_why = "_CPC has no desired performance in a PCC subspace of the PCCT";
    if (set == NULL || !has_register(set, CPC_DESIRED_PERF)) {
        return false;
    }
    desired = &set->cpc.registers[CPC_DESIRED_PERF].reg.gas;
    if (desired->space != GAS_PCC || pcct->avail != AVAIL_PRESENT ||
        desired->access >= pcct->count) {
        return false;
    }
    *ret_why = pcc_channel_why_not(&pcct->subspaces[desired->access]);
    if (*ret_why != NULL) {
        return false;
    }
    way->pcc_subspace = desired->access;
    for (unsigned i = 0; i < FREQUENCY_PCC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[indices[i]].reg.gas;

        way->pcc[i] = (struct frequency_pcc_register){0};
        if (!has_register(set, indices[i])) {
            continue;
        }
        if (!is_pcc_register(&pcct->subspaces[desired->access], gas) ||
            gas->access != desired->access) {
            *ret_why = "a request register of _CPC is not inside its PCC shared memory";
            return false;
        }
        way->pcc[i] = (struct frequency_pcc_register){
            .paddr = pcct->subspaces[desired->access].base_paddr + PCC_HEADER_BYTES + gas->address,
            .bytes = (uint8_t)(gas->width_bits / 8U)};
    }
    way->kind = FREQ_CPPC_PCC;
    return true;
}

static bool has_no_enable(const struct platform *platform, uint32_t cpu)
{
    const struct object_set *set = object_of(platform, cpu, OBJECT_CPC);

    return set != NULL && !has_register(set, CPC_ENABLE);
}

/* Whether the hardware does as it likes; then the way is set. */
static bool choose_autonomous(const struct platform *platform, uint32_t cpu,
                              struct frequency_way *way)
{
    enum cpu_vendor vendor = platform->identity.vendor;
    const char *why;

    if (is_intel_like(vendor) &&
        (is_bit_set(platform, cpu, MSR_IA32_PM_ENABLE, 0) || platform->requests.has_set_hwp)) {
        way->kind = FREQ_HWP;
        way->control_msr = MSR_IA32_HWP_REQUEST;
        way->control_mask = HWP_REQUEST_MASK;
        way->why_not = "HWP is enabled (MSR 770H [0]): the hardware ignores IA32_PERF_CTL";
        return true;
    }
    if (is_amd_like(vendor) &&
        (is_bit_set(platform, cpu, MSR_AMD_CPPC_ENABLE, 0) || platform->requests.has_set_cppc)) {
        way->kind = FREQ_CPPC;
        way->control_msr = MSR_AMD_CPPC_REQUEST;
        way->control_mask = CPPC_REQUEST_MASK;
        way->why_not = "CPPC is enabled (MSR C001_02B1 [0]): the hardware ignores PSTATE_CTL";
        return true;
    }
    if (is_cppc_on_elsewhere(platform, cpu)) {
        way->why_not = take_pcc(platform, cpu, way, &why)
                           ? "CPPC is enabled (_CPC Enable register is 1): rows of _PSS may be "
                             "ignored"
                           : why;
        return true;
    }
    return false;
}

/* CPPC that is always on, on a CPU that has no rows to ask for. */
static void choose_pcc_instead(const struct platform *platform, uint32_t cpu,
                               struct frequency_way *way)
{
    const char *why;

    if (way->kind == FREQ_NO_REQUEST && has_no_enable(platform, cpu) &&
        take_pcc(platform, cpu, way, &why)) {
        way->why_not = "CPPC without an Enable register is always enabled, and there are no rows "
                       "of _PSS";
    }
}

static void choose_msr(const struct platform *platform, uint32_t cpu, struct frequency_way *way)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);
    enum cpu_vendor vendor = platform->identity.vendor;

    if (is_intel_like(vendor) && cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_EIST)) {
        way->kind = FREQ_PERF_CTL;
        way->control_msr = MSR_IA32_PERF_CTL;
        way->control_mask = PERF_CTL_MASK;
        way->status_msr = MSR_IA32_PERF_STATUS;
        way->status_mask = PERF_CTL_MASK;
    } else if (is_amd_like(vendor) && cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_HW_PSTATE)) {
        way->kind = FREQ_PSTATE_CTL;
        way->control_msr = MSR_AMD_PSTATE_CTL;
        way->control_mask = AMD_PSTATE_MASK;
        way->status_msr = MSR_AMD_PSTATE_STATUS;
        way->status_mask = AMD_PSTATE_MASK;
    } else {
        way->why_not = "_PCT names MSRs, but CPUID has neither EIST (1 ECX[7]) nor hardware "
                       "P-states (80000007H EDX[7])";
    }
}

/* Linux takes the register's bit width: drivers/acpi/processor_perflib.c, acpi-cpufreq.c cpu_freq_write_io. */
static uint8_t port_bytes(const struct object_register *reg)
{
    unsigned bits = reg->gas.width_bits;

    return reg->avail == AVAIL_PRESENT && reg->gas.space == GAS_SYSTEM_IO &&
                   reg->gas.address != 0 && reg->gas.address <= PORT_MAX &&
                   (bits == 8 || bits == 16 || bits == 32)
               ? (uint8_t)(bits / 8)
               : 0;
}

static uint64_t mask_of(uint8_t bytes)
{
    return bytes == 0 ? 0 : (UINT64_C(1) << bytes * 8U) - 1;
}

static void choose_port(const struct pct *pct, struct frequency_way *way)
{
    way->control_bytes = port_bytes(&pct->control);
    way->status_bytes = port_bytes(&pct->status);
    if (way->control_bytes == 0) {
        way->why_not = "_PCT's control register is no port of 8, 16 or 32 bits";
        return;
    }
    way->kind = FREQ_SYSTEM_IO;
    way->control_port = (uint16_t)pct->control.gas.address;
    way->control_mask = mask_of(way->control_bytes);
    if (way->status_bytes != 0) {
        way->status_port = (uint16_t)pct->status.gas.address;
        way->status_mask = mask_of(way->status_bytes);
    }
}

static void choose_rows(const struct platform *platform, const struct object_set *pss,
                        const struct object_set *pct, uint32_t cpu, struct frequency_way *ret_way)
{
    if (pss == NULL || pss->pss.count == 0) {
        ret_way->why_not = "no _PSS on this CPU";
    } else if (pct == NULL || pct->pct.control.avail != AVAIL_PRESENT) {
        ret_way->why_not = "no _PCT with a control register on this CPU";
    } else if (pct->pct.control.gas.space == GAS_FFH) {
        choose_msr(platform, cpu, ret_way);
    } else if (pct->pct.control.gas.space == GAS_SYSTEM_IO) {
        choose_port(&pct->pct, ret_way);
    } else {
        ret_way->why_not = "_PCT's control register is neither FFixedHW nor a port";
    }
}

void frequency_way_choose(const struct platform *platform, uint32_t cpu,
                          struct frequency_way *ret_way)
{
    const struct object_set *pss = object_of(platform, cpu, OBJECT_PSS);
    const struct object_set *pct = object_of(platform, cpu, OBJECT_PCT);

    *ret_way = (struct frequency_way){.kind = FREQ_NO_REQUEST};
    if (choose_autonomous(platform, cpu, ret_way)) {
        return;
    }
    choose_rows(platform, pss, pct, cpu, ret_way);
    choose_pcc_instead(platform, cpu, ret_way);
}

static bool is_row_whole(const struct pss_row *row)
{
    unsigned needed = 1U << PSS_FREQ_MHZ | 1U << PSS_CONTROL | 1U << PSS_STATUS;

    return (row->valid & needed) == needed && row->field[PSS_FREQ_MHZ] != 0;
}

static uint32_t make_rows(const struct pss *pss, const struct frequency_way *way, uint32_t room,
                          struct frequency_request *ret_requests)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < pss->count && count < room; i++) {
        const struct pss_row *row = &pss->rows[i];

        if (!is_row_whole(row)) {
            continue;
        }
        ret_requests[count++] = (struct frequency_request){
            .kind = way->kind,
            .pss_index = i,
            .khz = units_mhz_to_khz(row->field[PSS_FREQ_MHZ]),
            .control = row->field[PSS_CONTROL] & way->control_mask,
            .status_expected = row->field[PSS_STATUS] & way->status_mask,
            .latency_us =
                (row->valid & 1U << PSS_LATENCY_US) != 0 ? row->field[PSS_LATENCY_US] : 0};
    }
    return count;
}

/* What frequency a level stands for is only known where _CPC says it. */
static void nominal_of(const struct platform *platform, uint32_t cpu, struct levels *levels)
{
    const struct processor *processor = platform_processor(platform, cpu);

    if (processor != NULL && processor->cpc_avail[CPC_NOMINAL_PERF] == AVAIL_PRESENT &&
        processor->cpc_avail[CPC_NOMINAL_FREQ_MHZ] == AVAIL_PRESENT &&
        processor->cpc_value[CPC_NOMINAL_PERF] != 0) {
        levels->nominal = processor->cpc_value[CPC_NOMINAL_PERF];
        levels->nominal_khz = units_mhz_to_khz(processor->cpc_value[CPC_NOMINAL_FREQ_MHZ]);
    }
}

static uint64_t cpc_of(const struct processor *processor, enum cpc_register index)
{
    return processor->cpc_avail[index] == AVAIL_PRESENT ? processor->cpc_value[index] : 0;
}

/* What stands between: a third and two thirds of the way from the middle down. */
static bool spread(uint64_t highest, uint64_t middle, uint64_t lowest, struct levels *ret_levels)
{
    *ret_levels = (struct levels){0};
    if (highest == 0 || lowest == 0 || lowest >= highest) {
        return false;
    }
    middle = middle > lowest && middle < highest ? middle : (highest + lowest) / 2;
    ret_levels->level[0] = highest;
    ret_levels->level[1] = middle;
    ret_levels->level[2] = middle - (middle - lowest) / 3;
    ret_levels->level[3] = middle - (middle - lowest) * 2 / 3;
    ret_levels->level[4] = lowest;
    return true;
}

/* From _CPC itself. Where it gives the lowest frequency too the scale has two points: ACPI 6.5, 8.4.6.1.1.7. */
static bool pcc_levels_of(const struct platform *platform, uint32_t cpu, struct levels *ret_levels)
{
    const struct processor *processor = platform_processor(platform, cpu);
    uint64_t lowest;
    uint64_t lowest_mhz;

    if (processor == NULL) {
        return false;
    }
    lowest = cpc_of(processor, CPC_LOWEST_PERF);
    lowest_mhz = cpc_of(processor, CPC_LOWEST_FREQ_MHZ);
    if (!spread(cpc_of(processor, CPC_HIGHEST_PERF), cpc_of(processor, CPC_NOMINAL_PERF), lowest,
                ret_levels)) {
        return false;
    }
    nominal_of(platform, cpu, ret_levels);
    if (lowest_mhz != 0 && units_mhz_to_khz(lowest_mhz) < ret_levels->nominal_khz &&
        lowest < ret_levels->nominal) {
        ret_levels->lowest = lowest;
        ret_levels->lowest_khz = units_mhz_to_khz(lowest_mhz);
    }
    return true;
}

static bool levels_of(const struct platform *platform, uint32_t cpu,
                      const struct frequency_way *way, struct levels *ret_levels)
{
    bool is_hwp = way->kind == FREQ_HWP;
    struct msr_value capabilities =
        platform_msr(platform, cpu, is_hwp ? MSR_IA32_HWP_CAPABILITIES : MSR_AMD_CPPC_CAP1);
    uint64_t highest = bits_get(capabilities.value, is_hwp ? 7 : 31, is_hwp ? 0 : 24);
    uint64_t middle = bits_get(capabilities.value, is_hwp ? 15 : 23, is_hwp ? 8 : 16);
    uint64_t lowest = bits_get(capabilities.value, is_hwp ? 31 : 7, is_hwp ? 24 : 0);

    if (way->kind == FREQ_CPPC_PCC) {
        return pcc_levels_of(platform, cpu, ret_levels);
    }
    if (capabilities.avail != AVAIL_PRESENT || !spread(highest, middle, lowest, ret_levels)) {
        return false;
    }
    nominal_of(platform, cpu, ret_levels);
    return true;
}

/* Minimum, maximum and desired the same, so that nothing is left to choose. */
static uint64_t fixed_level(const struct frequency_way *way, uint64_t level)
{
    return way->kind == FREQ_CPPC_PCC ? level : level << 16 | level << 8 | level;
}

static uint64_t khz_of_level(const struct levels *levels, uint64_t level)
{
    if (levels->nominal_khz == 0) {
        return 0;
    }
    if (levels->lowest_khz == 0) {
        return mul_div_u64(levels->nominal_khz, level, levels->nominal);
    }
    return levels->lowest_khz + mul_div_u64(levels->nominal_khz - levels->lowest_khz,
                                            level - levels->lowest,
                                            levels->nominal - levels->lowest);
}

static uint32_t make_levels(const struct levels *levels, const struct frequency_way *way,
                            uint32_t room, struct frequency_request *ret_requests)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < FREQUENCY_LEVELS && count < room; i++) {
        if (i > 0 && levels->level[i] >= levels->level[i - 1]) {
            continue;
        }
        ret_requests[count++] =
            (struct frequency_request){.kind = way->kind,
                                       .pss_index = FREQ_NO_ROW,
                                       .khz = khz_of_level(levels, levels->level[i]),
                                       .control = fixed_level(way, levels->level[i])};
    }
    return count;
}

uint32_t frequency_requests_make(const struct platform *platform, uint32_t cpu,
                                 const struct frequency_way *way, uint32_t room,
                                 struct frequency_request *ret_requests)
{
    const struct object_set *pss = object_of(platform, cpu, OBJECT_PSS);
    struct levels levels;

    switch (way->kind) {
    case FREQ_PERF_CTL:
    case FREQ_PSTATE_CTL:
    case FREQ_SYSTEM_IO:
        return pss == NULL ? 0 : make_rows(&pss->pss, way, room, ret_requests);
    case FREQ_HWP:
    case FREQ_CPPC:
    case FREQ_CPPC_PCC:
        return levels_of(platform, cpu, way, &levels)
                   ? make_levels(&levels, way, room, ret_requests)
                   : 0;
    case FREQ_NO_REQUEST:
    case FREQ_REQUEST_KINDS:
    default:
        return 0;
    }
}

static enum avail read_port(const struct hw *hw, uint16_t port, uint8_t bytes, uint64_t *ret_value)
{
    uint32_t value = 0;
    enum avail avail = avail_of_status(hw->ops->port_read(hw, port, bytes, &value));

    if (avail == AVAIL_PRESENT) {
        *ret_value = value;
    }
    return avail;
}

void frequency_save(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                    const struct frequency_way *way, struct frequency_saved *ret_saved)
{
    *ret_saved = (struct frequency_saved){.avail = AVAIL_UNTRIED};
    request_guard_save(hw, guard, cpu);
    if (way->kind == FREQ_SYSTEM_IO) {
        ret_saved->avail =
            read_port(hw, way->control_port, way->control_bytes, &ret_saved->control);
    } else if (way->kind != FREQ_NO_REQUEST &&
               request_guard_before(guard, cpu, way->control_msr, &ret_saved->control)) {
        ret_saved->avail = AVAIL_PRESENT;
    }
}

enum status frequency_request(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                              const struct frequency_way *way, struct frequency_saved *saved,
                              const struct frequency_request *request)
{
    uint64_t value = (saved->control & ~way->control_mask) | (request->control & way->control_mask);
    enum status status;

    if (way->kind == FREQ_NO_REQUEST || saved->avail != AVAIL_PRESENT ||
        request->kind != way->kind) {
        return STATUS_UNSUPPORTED;
    }
    if (way->kind == FREQ_SYSTEM_IO) {
        status = hw->ops->port_write(hw, way->control_port, way->control_bytes, (uint32_t)value);
    } else {
        status = avail_to_status(request_guard_write(hw, guard, cpu, way->control_msr, value));
    }
    saved->is_asked = saved->is_asked || status == STATUS_OK;
    return status;
}

enum avail frequency_status(const struct hw *hw, const struct frequency_way *way,
                            uint64_t *ret_status)
{
    uint64_t value = 0;
    enum avail avail = AVAIL_UNTRIED;

    if (way->kind == FREQ_SYSTEM_IO && way->status_bytes != 0) {
        avail = read_port(hw, way->status_port, way->status_bytes, &value);
    } else if (way->status_msr != 0) {
        avail = hw->ops->rdmsr(hw, way->status_msr, &value);
    }
    if (avail == AVAIL_PRESENT) {
        *ret_status = value & way->status_mask;
    }
    return avail;
}

bool frequency_restore(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                       const struct frequency_way *way, struct frequency_saved *saved)
{
    bool is_back = true;

    request_guard_restore(hw, guard, cpu);
    if (way->kind == FREQ_SYSTEM_IO && saved->is_asked) {
        is_back = hw->ops->port_write(hw, way->control_port, way->control_bytes,
                                      (uint32_t)saved->control) == STATUS_OK;
    }
    saved->is_asked = false;
    return is_back;
}
