#include "model/turbo_limit.h"

#include "model/bits.h"

#include <string.h>

#define MSR_TURBO_RATIO_LIMIT 0x1ADU
#define MSR_TURBO_RATIO_LIMIT1 0x1AEU
#define MSR_TURBO_RATIO_LIMIT2 0x1AFU
#define CORE_TYPE_ATOM 0x20U /* CPUID 1AH EAX[31:24] */
#define MSR_ATOM_CORE_TURBO_RATIOS 0x66CU

/* Models by the layout of their registers: kernel-facts 4.5; those of Silvermont and Airmont: SDM vol. 4, 2.4. */
static const uint8_t silvermont[] = {0x37, 0x4A, 0x4C, 0x4D, 0x5A, 0x5D};
/* The second line: hybrid parts, whose P cores have group sizes in 1AEH (SDM vol. 4, 12th generation and later). */
static const uint8_t grouped[] = {0x55, 0x5C, 0x5F, 0x6A, 0x6C, 0x7A, 0x86, 0x8F, 0xAD, 0xAF, 0xB6,
                                  0xCF, 0x97, 0x9A, 0xB7, 0xBA, 0xBF, 0xAA, 0xAC, 0xBD, 0xC5, 0xC6};
static const uint8_t knights[] = {0x57, 0x85};
static const uint8_t second_register[] = {0x3E, 0x3F, 0x4F, 0x56}; /* 9 to 16 cores in 1AEH */
static const uint8_t third_register[] = {0x3F};                    /* 17 and 18 cores in 1AFH */

static bool is_model(const struct platform *platform, const uint8_t *models, size_t count)
{
    const struct cpu_identity *identity = &platform->identity;

    return identity->family == 6 && identity->model <= UINT8_MAX &&
           memchr(models, (int)identity->model, count) != NULL;
}

static bool read_msr(const struct platform *platform, uint32_t cpu, uint32_t msr,
                     struct turbo_limit *limit, uint64_t *ret_value)
{
    struct msr_value value = platform_msr(platform, cpu, msr);

    *ret_value = value.value;
    if (value.avail != AVAIL_PRESENT) {
        limit->avail = value.avail == AVAIL_UNTRIED ? AVAIL_UNTRIED : AVAIL_ABSENT;
        limit->from = value.avail == AVAIL_UNTRIED
                          ? "the turbo limit registers are not in the snapshot"
                          : "the turbo limit registers cannot be read";
    }
    return value.avail == AVAIL_PRESENT;
}

/* Ratio 0 ends a register; what allows as much as the step before widens it. */
static void add_step(struct turbo_limit *limit, uint32_t cores, uint64_t ratio)
{
    struct turbo_step *last = limit->count == 0 ? NULL : &limit->steps[limit->count - 1];

    if (ratio == 0 || cores == 0 || (last != NULL && cores <= last->cores)) {
        return;
    }
    if (last != NULL && last->ratio == ratio) {
        last->cores = cores;
    } else if (limit->count < TURBO_STEPS) {
        limit->steps[limit->count++] = (struct turbo_step){.cores = cores, .ratio = ratio};
    }
}

/* Byte n is for n + 1 cores. */
static void take_bytes(struct turbo_limit *limit, uint64_t value, uint32_t first_cores,
                       unsigned ratio_bits)
{
    for (unsigned byte = 0; byte < 8; byte++) {
        add_step(limit, first_cores + byte, bits_get(value, byte * 8 + ratio_bits - 1, byte * 8));
    }
}

static void take_groups(struct turbo_limit *limit, uint64_t ratios, uint64_t counts)
{
    for (unsigned bit = 0; bit < 64; bit += 8) {
        add_step(limit, (uint32_t)bits_get(counts, bit + 7, bit), bits_get(ratios, bit + 7, bit));
    }
}

/* [7:1] cores and [15:8] ratio of the first group; each further byte adds [4:0] cores and takes [7:5] off. */
static void take_deltas(struct turbo_limit *limit, uint64_t value)
{
    uint32_t cores = (uint32_t)bits_get(value, 7, 1);
    uint64_t ratio = bits_get(value, 15, 8);

    add_step(limit, cores, ratio);
    for (unsigned bit = 16; bit < 64; bit += 8) {
        uint64_t delta = bits_get(value, bit + 7, bit + 5);

        cores += (uint32_t)bits_get(value, bit + 4, bit);
        ratio = ratio > delta ? ratio - delta : 0;
        add_step(limit, cores, ratio);
    }
}

static bool take_core(const struct platform *platform, uint32_t cpu, struct turbo_limit *limit)
{
    uint64_t value;

    if (!read_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT, limit, &value)) {
        return false;
    }
    limit->from = "MSR 1ADH";
    take_bytes(limit, value, 1, 8);
    if (is_model(platform, second_register, sizeof(second_register)) &&
        platform_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT1).avail == AVAIL_PRESENT) {
        take_bytes(limit, platform_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT1).value, 9, 8);
    }
    if (is_model(platform, third_register, sizeof(third_register)) &&
        platform_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT2).avail == AVAIL_PRESENT) {
        take_bytes(limit,
                   bits_get(platform_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT2).value, 15, 0), 17,
                   8);
    }
    return true;
}

static bool take_by_model(const struct platform *platform, uint32_t cpu, struct turbo_limit *limit)
{
    uint64_t value;
    uint64_t counts;

    if (is_model(platform, silvermont, sizeof(silvermont))) {
        if (!read_msr(platform, cpu, MSR_ATOM_CORE_TURBO_RATIOS, limit, &value)) {
            return false;
        }
        limit->from = "MSR 66CH";
        take_bytes(limit, value & UINT32_MAX, 1, 6);
        return true;
    }
    if (is_model(platform, grouped, sizeof(grouped))) {
        if (!read_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT, limit, &value) ||
            !read_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT1, limit, &counts)) {
            return false;
        }
        limit->from = "MSR 1ADH and 1AEH";
        take_groups(limit, value, counts);
        return true;
    }
    if (is_model(platform, knights, sizeof(knights))) {
        if (!read_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT, limit, &value)) {
            return false;
        }
        limit->from = "MSR 1ADH";
        take_deltas(limit, value);
        return true;
    }
    return take_core(platform, cpu, limit);
}

void turbo_limit_of(const struct platform *platform, uint32_t cpu, struct turbo_limit *ret_limit)
{
    memset(ret_limit, 0, sizeof(*ret_limit));
    ret_limit->avail = AVAIL_ABSENT;
    if (platform->identity.vendor != VENDOR_INTEL) {
        ret_limit->from = "only Intel parts have turbo limit registers";
        return;
    }
    if (cpu < platform->cpus_count && platform->cpus[cpu].core_type == CORE_TYPE_ATOM) {
        ret_limit->from = "the turbo limits of E cores are in MSR 650H, which is not read";
        return;
    }
    if (!take_by_model(platform, cpu, ret_limit)) {
        return;
    }
    if (ret_limit->count == 0) {
        ret_limit->from = "the turbo limit registers hold no ratio";
        return;
    }
    ret_limit->avail = AVAIL_PRESENT;
    /* More active cores than the last step names cannot be, but a dump may say less than the part has. */
    ret_limit->steps[ret_limit->count - 1].cores = UINT32_MAX;
}

uint64_t turbo_limit_one_core(const struct platform *platform, uint64_t turbo_ratio_limit)
{
    return is_model(platform, knights, sizeof(knights)) ? bits_get(turbo_ratio_limit, 15, 8)
                                                        : bits_get(turbo_ratio_limit, 7, 0);
}
