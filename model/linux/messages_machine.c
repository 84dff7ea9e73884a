/* Messages about clocks, APICs and old processors: kernel-facts 1.1, 4.5, 4.6, 6.5, 6.9, 8.3, 10.1, 10.4. */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

#define MSR_APIC_BASE 0x1BU /* SDM vol. 4, IA32_APIC_BASE: bit 8 BSP */
#define MSR_BIOS_SIGN_ID 0x8BU
#define MSR_FSB_FREQ 0xCDU
#define MSR_MISC_ENABLE 0x1A0U
#define MSR_PM_ENABLE 0x770U
#define MSR_SYSCFG 0xC0010010U /* PPR, SYS_CFG: bit 19 MtrrFixDramModEn */
#define HPET_BOGUS_PADDR UINT64_C(0xFED0000000000000)

static void say(const struct linux_builder *builder, enum linux_message_kind kind, uint32_t cpu)
{
    linux_say(builder, kind, cpu, "%s", linux_message_at(kind)->pattern);
}

/* arch/x86/kernel/apic/apic.c deadline_match: 0 for a stepping means any. */
static const struct {
    uint8_t model;
    uint8_t stepping;
    uint32_t microcode;
} deadline_fixes[] = {
    {0x3F, 2, 0x3A},       {0x3F, 4, 0x0F},       {0x4F, 0, 0x0B000020}, {0x56, 2, 0x11},
    {0x56, 3, 0x0700000E}, {0x56, 4, 0x0F00000C}, {0x56, 5, 0x0E000003}, {0x55, 3, 0x01000136},
    {0x55, 4, 0x02000014}, {0x3C, 0, 0x22},       {0x45, 0, 0x20},       {0x46, 0, 0x17},
    {0x3D, 0, 0x25},       {0x47, 0, 0x17},       {0x4E, 0, 0xB2},       {0x5E, 0, 0xB2},
    {0x8E, 0, 0x52},       {0x9E, 0, 0x52},
};

static void deadline(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct cpu_identity *identity = &platform->identity;
    const struct cpuid_leaf *leaf = cpuid_find(platform_cpuid(platform, 0), 1, 0);
    uint64_t signature;

    if (identity->vendor != VENDOR_INTEL || identity->family != 6 || identity->is_hypervisor ||
        leaf == NULL || bits_test(leaf->ecx, 24) == 0 ||
        !linux_msr(platform, 0, MSR_BIOS_SIGN_ID, &signature)) {
        return;
    }
    for (size_t i = 0; i < sizeof(deadline_fixes) / sizeof(deadline_fixes[0]); i++) {
        if (deadline_fixes[i].model == identity->model &&
            (deadline_fixes[i].stepping == 0 || deadline_fixes[i].stepping == identity->stepping) &&
            bits_get(signature, 63, 32) < deadline_fixes[i].microcode) {
            linux_say(builder, LINUX_MESSAGE_TSC_DEADLINE, CPU_NONE,
                      "TSC_DEADLINE disabled due to Errata; please update microcode to version: "
                      "0x%x (or later)",
                      deadline_fixes[i].microcode);
        }
    }
}

/* tsc_msr.c: bit n set where index n of MSR_FSB_FREQ is known. */
static const struct {
    uint8_t model;
    uint8_t mask;
    uint16_t known;
} fsb_indices[] = {{0x37, 7, 0x001F},  {0x4C, 15, 0x01FF}, {0x4A, 7, 0x0006},
                   {0x5A, 15, 0x000F}, {0x35, 7, 0x00A2},  {0x27, 7, 0x00A0}};

static void bus_clock(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    uint64_t value;

    for (size_t i = 0; i < sizeof(fsb_indices) / sizeof(fsb_indices[0]); i++) {
        if (!linux_is_model(platform, &fsb_indices[i].model, 1) ||
            !linux_msr(platform, 0, MSR_FSB_FREQ, &value)) {
            continue;
        }
        value &= fsb_indices[i].mask;
        if (bits_test(fsb_indices[i].known, (unsigned)value) == 0) {
            linux_say(builder, LINUX_MESSAGE_FSB_INDEX, CPU_NONE,
                      "Error MSR_FSB_FREQ index %lu is unknown", value);
        }
    }
}

static void halting_tsc(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct linux_idle *idle = &builder->view->idle;

    if (platform->identity.avail != AVAIL_PRESENT || strcmp(idle->driver, "acpi_idle") != 0 ||
        cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_INVARIANT_TSC)) {
        return;
    }
    for (uint32_t i = 0; i < idle->count; i++) {
        if (idle->states[i].is_kept && idle->states[i].type > 1) {
            say(builder, LINUX_MESSAGE_TSC_HALTS, CPU_NONE);
            return;
        }
    }
}

/* The event timer block id at offset 36: IA-PC HPET specification 1.0a, 3.2.4. */
static uint32_t hpet_id(const struct platform *platform)
{
    const struct acpi_table *table = platform_table(platform, "HPET");
    const uint8_t *at;

    if (table == NULL || table->bytes == NULL || table->read_bytes < 40) {
        return 0;
    }
    at = table->bytes + 36;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* arch/x86/kernel/acpi/boot.c acpi_parse_hpet. kernel-facts 8.3. */
static void hpet(const struct linux_builder *builder)
{
    const struct hpet *table = &builder->platform->hpet;

    if (table->avail != AVAIL_PRESENT) {
        return;
    }
    if (table->base.space != 0) {
        say(builder, LINUX_MESSAGE_HPET_SPACE, CPU_NONE);
    } else if (table->base.address == 0) {
        linux_say(builder, LINUX_MESSAGE_HPET_ZERO, CPU_NONE, "HPET id: 0x%x base: 0 is invalid",
                  hpet_id(builder->platform));
    } else if (table->base.address == HPET_BOGUS_PADDR) {
        linux_say(builder, LINUX_MESSAGE_HPET_BOGUS, CPU_NONE,
                  "HPET id: 0x%x base: 0xfed0000000000000 is bogus, try hpet=force on the kernel "
                  "command line to fix it up to 0xfed00000.",
                  hpet_id(builder->platform));
    }
}

/*
 * Linux's first CPU is the boot CPU; firmware must list it first, and APIC_BASE must say that it is the one.
 * arch/x86/kernel/cpu/topology.c check_for_real_bsp. kernel-facts 6.9.
 */
static void apic_order(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct madt *madt = &platform->madt;
    uint64_t base;

    if (platform->identity.is_hypervisor || platform->cpus_count == 0 ||
        !platform->cpus[0].is_boot || !linux_msr(platform, 0, MSR_APIC_BASE, &base)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        bool is_first;

        if (bits_test(madt->entries[i].flags, 0) == 0) {
            continue;
        }
        is_first = madt->entries[i].apic_id == platform->cpus[0].apic_id;
        if (is_first != (bits_test(base, 8) != 0)) {
            say(builder, LINUX_MESSAGE_APIC_ORDER, CPU_NONE);
        }
        return;
    }
}

/* acpi_parse_x2apic: without x2APIC mode only numbers up to FEH can be reached. kernel-facts 6.9. */
static void x2apic(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct madt *madt = &platform->madt;
    uint64_t base;

    if (!linux_msr(platform, 0, MSR_APIC_BASE, &base) || bits_test(base, 10) != 0) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        const struct madt_entry *entry = &madt->entries[i];

        if (entry->type == 9 && bits_test(entry->flags, 0) != 0 && entry->apic_id > 0xFE &&
            entry->apic_id != UINT32_MAX) {
            say(builder, LINUX_MESSAGE_X2APIC_IGNORED, CPU_NONE);
        }
    }
}

static void intel(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct cpu_identity *identity = &platform->identity;
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    uint64_t value;

    if (identity->family == 0x0F && identity->model == 6 && identity->stepping == 8 &&
        builder->facts->has_pct) {
        say(builder, LINUX_MESSAGE_AL30, CPU_NONE);
    }
    if (cpuid_has(cpuid, CPU_FEATURE_HWP) && !cpuid_has(cpuid, CPU_FEATURE_HWP_EPP) &&
        (!linux_msr(platform, 0, MSR_PM_ENABLE, &value) || bits_test(value, 0) == 0)) {
        say(builder, LINUX_MESSAGE_HWP_NOT_ENABLED, CPU_NONE);
    }
    if (builder->view->driver == LINUX_DRIVER_INTEL_PSTATE &&
        linux_msr(platform, 0, MSR_MISC_ENABLE, &value) && bits_test(value, 38) != 0) {
        say(builder, LINUX_MESSAGE_TURBO_OFF, CPU_NONE);
    }
}

/* Family 0Fh's own driver: kernel-facts 10.1. */
static void powernow_k8(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct object_set *set =
        platform_object_as_linux(platform_processor(platform, 0), OBJECT_PSS);
    uint64_t longest_us = 0;

    if (set == NULL || !set->pss.is_package || set->pss.count == 0) {
        if (platform->cpus_count > 1) { /* one CPU: the PSB table of old firmware is looked for */
            say(builder, LINUX_MESSAGE_K8_NO_PSS, CPU_NONE);
        }
        return;
    }
    for (uint32_t i = 0; i < set->pss.count; i++) {
        uint64_t us =
            set->pss.rows[i].field[PSS_LATENCY_US] + set->pss.rows[i].field[PSS_BM_LATENCY_US];

        longest_us = us > longest_us ? us : longest_us;
    }
    if (longest_us == 0) {
        say(builder, LINUX_MESSAGE_K8_LATENCY, CPU_NONE);
    }
}

static void amd(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    uint64_t value;

    if (linux_msr(platform, 0, MSR_SYSCFG, &value) && bits_test(value, 19) != 0) {
        say(builder, LINUX_MESSAGE_MTRR_FIX, 0);
    }
    if (linux_has_e400(platform)) {
        say(builder, LINUX_MESSAGE_E400, CPU_NONE);
    }
    if (platform->identity.family == 0x0F) {
        powernow_k8(builder);
    }
}

static void no_apic(const struct linux_builder *builder)
{
    const struct cpuid_set *cpuid = platform_cpuid(builder->platform, 0);

    if (cpuid_find(cpuid, 1, 0) != NULL && !cpuid_has(cpuid, CPU_FEATURE_APIC)) {
        say(builder, LINUX_MESSAGE_APIC_OFF, CPU_NONE);
    }
}

void linux_machine_messages_make(const struct linux_builder *builder)
{
    enum cpu_vendor vendor = builder->platform->identity.vendor;

    deadline(builder);
    bus_clock(builder);
    halting_tsc(builder);
    hpet(builder);
    apic_order(builder);
    x2apic(builder);
    no_apic(builder);
    if (vendor == VENDOR_INTEL) {
        intel(builder);
    } else if (vendor == VENDOR_AMD) {
        amd(builder);
    }
}
