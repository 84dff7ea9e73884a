/* Messages about clocks, APICs, PCC and old processors: kernel-facts 1.1, 2.9, 4.5, 4.6, 6.5, 8.3, 10.1, 10.4. */
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
#define FADT_BYTES 276U /* of ACPICA's structure */

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
            linux_message_format(
                builder, LINUX_LEVEL_FW_BUG,
                "The microcode that firmware loaded has an erratum; Linux goes without the "
                "deadline timer.",
                CPU_NONE,
                "TSC_DEADLINE disabled due to Errata; please update microcode to version: 0x%x (or "
                "later)",
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
            linux_message_format(
                builder, LINUX_LEVEL_ERROR,
                "The bus clock code is not one of this model: the TSC is calibrated.", CPU_NONE,
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
            linux_message_add(
                builder, LINUX_LEVEL_INFO, "tsc: Marking TSC unstable due to TSC halts in idle",
                "The TSC is not invariant and a state beyond C1 is used: another clock keeps "
                "the time.",
                CPU_NONE);
            return;
        }
    }
}

static void hpet(const struct linux_builder *builder)
{
    const struct hpet *table = &builder->platform->hpet;

    if (table->avail == AVAIL_PRESENT && table->base.space == 0 &&
        table->base.address == HPET_BOGUS_PADDR) {
        linux_message_add(
            builder, LINUX_LEVEL_WARNING,
            "HPET id: base: 0xfed0000000000000 is bogus, try hpet=force on the kernel "
            "command line to fix it up to 0xfed00000.",
            "The address is shifted by 32 bits: the HPET is not used.", CPU_NONE);
    }
}

/* Linux's first CPU is the boot CPU; firmware must list it first. */
static void apic_order(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct madt *madt = &platform->madt;
    uint64_t base;

    if (platform->identity.is_hypervisor || platform->cpus_count == 0 ||
        !platform->cpus[0].is_boot || !linux_msr(platform, 0, MSR_APIC_BASE, &base) ||
        bits_test(base, 8) == 0 || !linux_builder_holds(builder, LINUX_RULE_APIC_ORDER)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        if (bits_test(madt->entries[i].flags, 0) == 0) {
            continue;
        }
        if (madt->entries[i].apic_id != platform->cpus[0].apic_id) {
            linux_message_add(builder, LINUX_LEVEL_FW_BUG,
                              "APIC enumeration order not specification compliant",
                              "The first processor of the MADT is not the boot CPU.", CPU_NONE);
        }
        return;
    }
}

static bool is_register_width(uint8_t bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* drivers/mailbox/pcc.c: each of these ends the whole controller. */
static void pcc(const struct linux_builder *builder)
{
    const struct pcct *pcct = &builder->platform->pcct;

    for (uint32_t i = 0; pcct->avail == AVAIL_PRESENT && i < pcct->count; i++) {
        const struct pcct_subspace *subspace = &pcct->subspaces[i];

        if (subspace->length == 0) {
            linux_message_add(builder, LINUX_LEVEL_ERROR, "Invalid zero length subtable",
                              "A subspace of no length: there is no PCC at all.", CPU_NONE);
        }
        if (!subspace->is_decoded) {
            continue;
        }
        if ((pcct->flags & 1U) != 0 && subspace->type >= 1 && subspace->type <= 4 &&
            subspace->gsi == 0) {
            linux_message_format(builder, LINUX_LEVEL_ERROR, "The whole PCC controller fails.",
                                 CPU_NONE, "PCC GSI %u not registered", subspace->gsi);
        }
        if (subspace->doorbell.space == 0 && subspace->doorbell.address != 0 &&
            !is_register_width(subspace->doorbell.width_bits)) {
            linux_message_format(builder, LINUX_LEVEL_ERROR, "The whole PCC controller fails.",
                                 CPU_NONE, "Error: Cannot access register of %u bit width",
                                 subspace->doorbell.width_bits);
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
        linux_message_add(builder, LINUX_LEVEL_INFO,
                          "Xeon(R) 7100 Errata AL30, processors may lock up on frequency changes: "
                          "disabling acpi-cpufreq",
                          "The part itself, not the firmware: there are no P-states.", CPU_NONE);
    }
    if (cpuid_has(cpuid, CPU_FEATURE_HWP) && !cpuid_has(cpuid, CPU_FEATURE_HWP_EPP) &&
        (!linux_msr(platform, 0, MSR_PM_ENABLE, &value) || bits_test(value, 0) == 0) &&
        linux_builder_holds(builder, LINUX_RULE_HWP_NEEDS_EPP)) {
        linux_message_add(
            builder, LINUX_LEVEL_INFO, "HWP not enabled",
            "HWP without an energy preference is left alone; intel_pstate goes by ratios.",
            CPU_NONE);
    }
    if (builder->view->driver == LINUX_DRIVER_INTEL_PSTATE &&
        linux_msr(platform, 0, MSR_MISC_ENABLE, &value) && bits_test(value, 38) != 0) {
        linux_message_add(
            builder, LINUX_LEVEL_NOTICE, "Turbo disabled by BIOS or unavailable on processor",
            "Printed to whoever switches turbo on: firmware set MSR 1A0H bit 38.", CPU_NONE);
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
        linux_message_add(
            builder, LINUX_LEVEL_FW_BUG, "No compatible ACPI _PSS objects found.",
            "powernow-k8 has no P-states: switch Cool'n'Quiet on in the firmware setup.", CPU_NONE);
        return;
    }
    for (uint32_t i = 0; i < set->pss.count; i++) {
        uint64_t us =
            set->pss.rows[i].field[PSS_LATENCY_US] + set->pss.rows[i].field[PSS_BM_LATENCY_US];

        longest_us = us > longest_us ? us : longest_us;
    }
    if (longest_us == 0) {
        linux_message_add(builder, LINUX_LEVEL_FW_WARN, "Invalid zero transition latency",
                          "_PSS gives no latency at all; powernow-k8 takes 1 us.", CPU_NONE);
    }
}

static void amd(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const char *why = builder->view->amd.why;
    uint64_t value;

    if (linux_msr(platform, 0, MSR_SYSCFG, &value) && bits_test(value, 19) != 0) {
        linux_message_add(
            builder, LINUX_LEVEL_FW_WARN,
            "MTRR: CPU 0: SYSCFG[MtrrFixDramModEn] not cleared by BIOS, clearing this bit",
            "Firmware left the fixed-range MTRRs open for changes.", 0);
    }
    if (linux_has_e400(platform)) {
        linux_message_add(
            builder, LINUX_LEVEL_INFO, "System has AMD C1E erratum E400. Workaround enabled.",
            "The timer stops in C1E: the broadcast timer is used from C1 on.", CPU_NONE);
    }
    if (why != NULL && strstr(why, "failed to enable driver") != NULL &&
        linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_DEFAULT)) {
        linux_message_add(
            builder, LINUX_LEVEL_ERROR, "failed to enable driver mode(1)",
            "_CPC has no register to enable CPPC with, which a system without CPPC MSRs "
            "needs.",
            CPU_NONE);
    }
    if (platform->identity.family == 0x0F) {
        powernow_k8(builder);
    }
}

static void long_fadt(const struct linux_builder *builder)
{
    const struct acpi_table *table = platform_table(builder->platform, "FACP");

    if (table != NULL && table->length > FADT_BYTES) {
        linux_message_format(
            builder, LINUX_LEVEL_WARNING,
            "Harmless: what the interpreter does not know is cut off.", CPU_NONE,
            "ACPI BIOS Warning (bug): FADT (revision %u) is longer than the length "
            "known, truncating length %u to %u",
            table->revision, table->length, FADT_BYTES);
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
    pcc(builder);
    long_fadt(builder);
    if (vendor == VENDOR_INTEL) {
        intel(builder);
    } else if (vendor == VENDOR_AMD) {
        amd(builder);
    }
}
