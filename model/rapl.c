#include "model/rapl.h"

#include "model/bits.h"
#include "model/units.h"

#include <string.h>

#define MSR_RAPL_POWER_UNIT 0x606U
#define MSR_AMD_RAPL_POWER_UNIT 0xC0010299U

#define UJ_PER_J UINT64_C(1000000)
#define STEPS_OF_WRAP (UINT64_C(1) << 32)

/* How a model differs from "1/2^ESU joules, for all counters alike". */
enum unit_kind {
    UNIT_PLAIN = 0,
    UNIT_DRAM_FIXED,
    UNIT_DRAM_DISPUTED,
    UNIT_PLATFORM_1_J,
    UNIT_2_TO_ESU_UJ,
    UNIT_DISPUTED
};

struct model_unit {
    uint8_t model;
    enum unit_kind kind;
};

/*
 * DRAM: SDM vol. 4, MSR 619H of 06_3FH, 06_4FH: "Energy in 15.3 micro-joules", whatever 606H says; Linux 6.12
 * arch/x86/events/rapl.c takes 2^-16 J for it, and has 06_55H, 57H, 6AH, 6CH, 85H as well, as has
 * drivers/powercap/intel_rapl_common.c. On 06_56H the two do not agree. Platform: 1 J on 06_8FH and 06_CFH, both
 * files. Silvermont and Airmont count in 2^ESU microjoules: SDM vol. 4, MSR 606H of 06_37H, 4AH, 5AH;
 * intel_rapl_common.c rapl_check_unit_atom. For 06_4DH turbostat takes the other form and the rest is silent.
 */
static const struct model_unit model_units[] = {
    {0x37, UNIT_2_TO_ESU_UJ}, {0x3F, UNIT_DRAM_FIXED},    {0x4A, UNIT_2_TO_ESU_UJ},
    {0x4C, UNIT_2_TO_ESU_UJ}, {0x4D, UNIT_DISPUTED},      {0x4F, UNIT_DRAM_FIXED},
    {0x55, UNIT_DRAM_FIXED},  {0x56, UNIT_DRAM_DISPUTED}, {0x57, UNIT_DRAM_FIXED},
    {0x5A, UNIT_2_TO_ESU_UJ}, {0x6A, UNIT_DRAM_FIXED},    {0x6C, UNIT_DRAM_FIXED},
    {0x85, UNIT_DRAM_FIXED},  {0x8F, UNIT_PLATFORM_1_J},  {0xCF, UNIT_PLATFORM_1_J},
};

static const struct {
    const char *name;
    uint32_t msr_intel; /* 0: none */
    uint32_t msr_amd;
} domains[RAPL_DOMAINS] = {
    [RAPL_PACKAGE] = {"package", 0x611, 0xC001029B}, [RAPL_CORES] = {"cores", 0x639, 0},
    [RAPL_GRAPHICS] = {"graphics", 0x641, 0},        [RAPL_DRAM] = {"DRAM", 0x619, 0},
    [RAPL_PLATFORM] = {"platform", 0x64D, 0},        [RAPL_ONE_CORE] = {"core", 0, 0xC001029A},
};

const char *rapl_domain_name(enum rapl_domain domain)
{
    return (unsigned)domain < RAPL_DOMAINS ? domains[domain].name : "unknown";
}

static enum unit_kind unit_kind_of(const struct cpu_identity *identity)
{
    if (identity->vendor != VENDOR_INTEL || identity->family != 6) {
        return UNIT_PLAIN;
    }
    for (size_t i = 0; i < sizeof(model_units) / sizeof(model_units[0]); i++) {
        if (model_units[i].model == identity->model) {
            return model_units[i].kind;
        }
    }
    return UNIT_PLAIN;
}

/* SDM vol. 3B, "RAPL Interfaces", MSR_RAPL_POWER_UNIT [12:8]; AMD's MSRC001_0299 has the same field. */
static void set_unit(struct rapl_counter *counter, enum rapl_domain domain, enum unit_kind kind,
                     uint64_t esu)
{
    counter->uj_mul = UJ_PER_J;
    counter->uj_div = UINT64_C(1) << esu;
    counter->unit_from = "energy status unit of the unit register";
    if (kind == UNIT_2_TO_ESU_UJ) {
        counter->uj_mul = UINT64_C(1) << esu;
        counter->uj_div = 1;
        counter->unit_from = "energy status unit of the unit register, in microjoules";
    } else if (kind == UNIT_DRAM_FIXED && domain == RAPL_DRAM) {
        counter->uj_div = UINT64_C(1) << 16;
        counter->unit_from = "the model's fixed unit of 15.3 uJ";
    } else if (kind == UNIT_PLATFORM_1_J && domain == RAPL_PLATFORM) {
        counter->uj_div = 1;
        counter->unit_from = "the model's fixed unit of 1 J";
    }
}

static const char *why_not(enum avail avail)
{
    switch (avail) {
    case AVAIL_FAULTED:
        return "reading the energy counter faults";
    case AVAIL_ABSENT:
        return "the energy counter was not recorded";
    case AVAIL_UNTRIED:
    case AVAIL_PRESENT:
    case AVAIL_MALFORMED:
    default:
        return "no such energy counter is documented for this model, or it was not read";
    }
}

static void look_at(const struct platform *platform, uint32_t cpu, enum rapl_domain domain,
                    bool is_amd, struct rapl_counter *ret_counter)
{
    uint32_t msr = is_amd ? domains[domain].msr_amd : domains[domain].msr_intel;
    struct msr_value value = {.avail = AVAIL_UNTRIED};

    *ret_counter = (struct rapl_counter){.msr = msr};
    if (msr != 0) {
        value = platform_msr(platform, cpu, msr);
    }
    ret_counter->avail = value.avail;
    ret_counter->why = value.avail == AVAIL_PRESENT ? NULL : why_not(value.avail);
}

static void dispute(struct rapl_counter *counter)
{
    if (counter->avail == AVAIL_PRESENT) {
        counter->avail = AVAIL_MALFORMED;
        counter->why = "the sources do not agree on the counter's unit on this model";
    }
}

static void set_units(struct rapl_counters *counters, enum unit_kind kind, uint64_t unit_raw)
{
    uint64_t esu = bits_get(unit_raw, 12, 8);

    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        set_unit(&counters->domain[i], (enum rapl_domain)i, kind, esu);
        if (kind == UNIT_DISPUTED) {
            dispute(&counters->domain[i]);
        }
    }
    if (kind == UNIT_DRAM_DISPUTED) {
        dispute(&counters->domain[RAPL_DRAM]);
    }
}

/* Why there is nothing to read at all, or NULL. */
static const char *why_no_unit(const struct msr_value *unit)
{
    if (unit->avail == AVAIL_FAULTED) {
        return "reading the energy unit register faults";
    }
    if (unit->avail != AVAIL_PRESENT) {
        return "the vendor documents no energy counters for this model, or they were not read";
    }
    return unit->value == 0 ? "the energy unit register reads 0: no energy counters here" : NULL;
}

void rapl_counters_of(const struct platform *platform, uint32_t cpu,
                      struct rapl_counters *ret_counters)
{
    const struct cpu_identity *identity = &platform->identity;
    bool is_amd = identity->vendor == VENDOR_AMD || identity->vendor == VENDOR_HYGON;
    struct msr_value unit =
        platform_msr(platform, cpu, is_amd ? MSR_AMD_RAPL_POWER_UNIT : MSR_RAPL_POWER_UNIT);

    memset(ret_counters, 0, sizeof(*ret_counters));
    ret_counters->why = why_no_unit(&unit);
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        struct rapl_counter *counter = &ret_counters->domain[i];

        look_at(platform, cpu, (enum rapl_domain)i, is_amd, counter);
        if (ret_counters->why != NULL && counter->avail == AVAIL_PRESENT) {
            counter->avail = AVAIL_ABSENT;
            counter->why = ret_counters->why;
        }
    }
    if (ret_counters->why != NULL) {
        ret_counters->avail = unit.avail == AVAIL_PRESENT ? AVAIL_ABSENT : unit.avail;
        return;
    }
    set_units(ret_counters, unit_kind_of(identity), unit.value);
    ret_counters->avail = AVAIL_ABSENT;
    ret_counters->why = ret_counters->domain[RAPL_PACKAGE].why;
    for (size_t i = 0; i < RAPL_DOMAINS; i++) {
        if (ret_counters->domain[i].avail == AVAIL_PRESENT) {
            ret_counters->avail = AVAIL_PRESENT;
            ret_counters->why = NULL;
        }
    }
}

uint64_t rapl_steps(uint64_t from_raw, uint64_t to_raw)
{
    return (to_raw - from_raw) & (STEPS_OF_WRAP - 1);
}

uint64_t rapl_uj(const struct rapl_counter *counter, uint64_t steps)
{
    return mul_div_round_u64(steps, counter->uj_mul, counter->uj_div);
}

uint64_t rapl_wrap_ms(const struct rapl_counter *counter, uint64_t mw)
{
    /* 1 uJ at 1 mW lasts 1 ms. */
    return mw == 0 ? UINT64_MAX : rapl_uj(counter, STEPS_OF_WRAP) / mw;
}

/* Y is at most 31 and the unit below 2^20 us, so nothing overflows. */
uint64_t rapl_window_us(uint64_t field, uint64_t unit_us)
{
    uint64_t periods = UINT64_C(1) << bits_get(field, 4, 0);

    return periods * (4 + bits_get(field, 6, 5)) * unit_us / 4;
}

uint64_t rapl_time_unit_us(const struct platform *platform, uint32_t cpu)
{
    enum unit_kind kind = unit_kind_of(&platform->identity);
    struct msr_value units = platform_msr(platform, cpu, MSR_RAPL_POWER_UNIT);

    if (platform->identity.vendor != VENDOR_INTEL || units.avail != AVAIL_PRESENT ||
        kind == UNIT_2_TO_ESU_UJ || kind == UNIT_DISPUTED) {
        return 0;
    }
    return UJ_PER_J >> bits_get(units.value, 19, 16); /* as many microseconds in a second */
}
