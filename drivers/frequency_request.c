#include "drivers/frequency_request.h"

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

/* Levels of autonomous control, highest first. */
struct levels {
    uint64_t level[FREQUENCY_LEVELS];
    uint64_t nominal;     /* the level ... */
    uint64_t nominal_khz; /* ... that is this frequency; 0: not known */
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

/* CPPC that is switched on by a _CPC register elsewhere than in the MSRs. */
static bool is_cppc_on_elsewhere(const struct platform *platform, uint32_t cpu)
{
    const struct processor *processor = platform_processor(platform, cpu);

    return processor != NULL && processor->cpc_avail[CPC_ENABLE] == AVAIL_PRESENT &&
           processor->cpc_value[CPC_ENABLE] == 1;
}

/* Whether the hardware does as it likes; then the way is set. */
static bool choose_autonomous(const struct platform *platform, uint32_t cpu,
                              struct frequency_way *way)
{
    enum cpu_vendor vendor = platform->identity.vendor;

    if (is_intel_like(vendor) && is_bit_set(platform, cpu, MSR_IA32_PM_ENABLE, 0)) {
        way->kind = FREQ_HWP;
        way->control_msr = MSR_IA32_HWP_REQUEST;
        way->control_mask = HWP_REQUEST_MASK;
        way->why_not = "HWP is enabled (MSR 770H [0]): the hardware ignores IA32_PERF_CTL";
        return true;
    }
    if (is_amd_like(vendor) && is_bit_set(platform, cpu, MSR_AMD_CPPC_ENABLE, 0)) {
        way->kind = FREQ_CPPC;
        way->control_msr = MSR_AMD_CPPC_REQUEST;
        way->control_mask = CPPC_REQUEST_MASK;
        way->why_not = "CPPC is enabled (MSR C001_02B1 [0]): the hardware ignores PSTATE_CTL";
        return true;
    }
    if (is_cppc_on_elsewhere(platform, cpu)) {
        way->why_not = "CPPC is enabled (_CPC Enable register is 1): rows of _PSS may be ignored, "
                       "and no request is made through its registers";
        return true;
    }
    return false;
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

void frequency_way_choose(const struct platform *platform, uint32_t cpu,
                          struct frequency_way *ret_way)
{
    const struct object_set *pss = object_of(platform, cpu, OBJECT_PSS);
    const struct object_set *pct = object_of(platform, cpu, OBJECT_PCT);

    *ret_way = (struct frequency_way){.kind = FREQ_NO_REQUEST};
    if (choose_autonomous(platform, cpu, ret_way)) {
        return;
    }
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

static bool levels_of(const struct platform *platform, uint32_t cpu,
                      const struct frequency_way *way, struct levels *ret_levels)
{
    bool is_hwp = way->kind == FREQ_HWP;
    struct msr_value capabilities =
        platform_msr(platform, cpu, is_hwp ? MSR_IA32_HWP_CAPABILITIES : MSR_AMD_CPPC_CAP1);
    uint64_t highest = bits_get(capabilities.value, is_hwp ? 7 : 31, is_hwp ? 0 : 24);
    uint64_t middle = bits_get(capabilities.value, is_hwp ? 15 : 23, is_hwp ? 8 : 16);
    uint64_t lowest = bits_get(capabilities.value, is_hwp ? 31 : 7, is_hwp ? 24 : 0);

    *ret_levels = (struct levels){0};
    if (capabilities.avail != AVAIL_PRESENT || highest == 0 || lowest == 0 || lowest >= highest) {
        return false;
    }
    middle = middle > lowest && middle < highest ? middle : (highest + lowest) / 2;
    ret_levels->level[0] = highest;
    ret_levels->level[1] = middle;
    ret_levels->level[2] = middle - (middle - lowest) / 3;
    ret_levels->level[3] = middle - (middle - lowest) * 2 / 3;
    ret_levels->level[4] = lowest;
    nominal_of(platform, cpu, ret_levels);
    return true;
}

/* Minimum, maximum and desired the same, so that nothing is left to choose. */
static uint64_t fixed_level(uint64_t level)
{
    return level << 16 | level << 8 | level;
}

static uint32_t make_levels(const struct levels *levels, const struct frequency_way *way,
                            uint32_t room, struct frequency_request *ret_requests)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < FREQUENCY_LEVELS && count < room; i++) {
        if (i > 0 && levels->level[i] >= levels->level[i - 1]) {
            continue;
        }
        ret_requests[count++] = (struct frequency_request){
            .kind = way->kind,
            .pss_index = FREQ_NO_ROW,
            .khz = levels->nominal_khz == 0
                       ? 0
                       : mul_div_u64(levels->nominal_khz, levels->level[i], levels->nominal),
            .control = fixed_level(levels->level[i])};
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
        return levels_of(platform, cpu, way, &levels)
                   ? make_levels(&levels, way, room, ret_requests)
                   : 0;
    case FREQ_NO_REQUEST:
    case FREQ_REQUEST_KINDS:
    default:
        return 0;
    }
}

static enum avail avail_of(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return AVAIL_PRESENT;
    case STATUS_NOT_FOUND:
        return AVAIL_ABSENT;
    case STATUS_DENIED:
    case STATUS_UNSUPPORTED:
        return AVAIL_UNTRIED;
    case STATUS_NO_MEMORY:
    case STATUS_BAD_INPUT:
    case STATUS_TIMEOUT:
    case STATUS_FAULT:
    case STATUS_FULL:
    case STATUS_IO:
    default:
        return AVAIL_FAULTED;
    }
}

static enum avail read_port(const struct hw *hw, uint16_t port, uint8_t bytes, uint64_t *ret_value)
{
    uint32_t value = 0;
    enum avail avail = avail_of(hw->ops->port_read(hw, port, bytes, &value));

    if (avail == AVAIL_PRESENT) {
        *ret_value = value;
    }
    return avail;
}

static enum status status_of(enum avail avail)
{
    switch (avail) {
    case AVAIL_PRESENT:
        return STATUS_OK;
    case AVAIL_FAULTED:
        return STATUS_FAULT;
    case AVAIL_UNTRIED:
    case AVAIL_ABSENT:
    case AVAIL_MALFORMED:
    default:
        return STATUS_DENIED;
    }
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
        status = status_of(request_guard_write(hw, guard, cpu, way->control_msr, value));
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
