#include "model/numbering.h"

#include "model/sort.h"

#include <string.h>

/* MADT entry types and flag: ACPI 6.5, 5.2.12.2 Processor Local APIC Structure, 5.2.12.12 Processor Local
 * x2APIC Structure. */
#define MADT_LAPIC 0
#define MADT_X2APIC 9
#define MADT_FLAG_ENABLED 1U

#define LAPIC_ID_NONE 0xFFU
#define X2APIC_ID_NONE 0xFFFFFFFFU

/* _STA bits 0 present and 1 enabled: ACPI 6.5, 6.3.7. */
#define STA_PRESENT_ENABLED 3U

/* Indexes over the MADT, so that matching 4096 processors stays linear (times a logarithm). */
struct numbering {
    struct platform *platform;
    uint32_t uids_count;
    uint64_t *uids; /* uid << 32 | MADT index, of enabled entries, ascending */
    uint32_t apics_count;
    uint64_t *apics; /* APIC id << 32 | CPU number, ascending */
};

static bool is_enabled_entry(const struct madt_entry *entry)
{
    return (entry->flags & MADT_FLAG_ENABLED) != 0;
}

static bool has_usable_lapic(const struct madt *madt)
{
    for (uint32_t i = 0; i < madt->count; i++) {
        const struct madt_entry *entry = &madt->entries[i];

        if (entry->type == MADT_LAPIC && is_enabled_entry(entry) &&
            entry->apic_id != LAPIC_ID_NONE) {
            return true;
        }
    }
    return false;
}

/* Linux 6.12 arch/x86/kernel/acpi/boot.c acpi_parse_lapic, acpi_parse_x2apic, acpi_parse_madt_lapic_entries:
 * with local APIC entries present, x2APIC entries below FFH are taken for copies of those. */
static bool is_usable(const struct madt_entry *entry, bool has_lapic)
{
    if (!is_enabled_entry(entry)) {
        return false;
    }
    if (entry->type == MADT_LAPIC) {
        return entry->apic_id != LAPIC_ID_NONE;
    }
    return entry->apic_id != X2APIC_ID_NONE && !(has_lapic && entry->apic_id < LAPIC_ID_NONE);
}

static uint32_t first_usable_apic_id(const struct madt *madt, bool has_lapic)
{
    for (uint32_t i = 0; i < madt->count; i++) {
        if (is_usable(&madt->entries[i], has_lapic)) {
            return madt->entries[i].apic_id;
        }
    }
    return NUMBERING_BOOT_UNKNOWN;
}

static void put_cpu(struct platform *platform, uint32_t cpu, uint32_t apic_id, uint32_t uid)
{
    struct cpu *slot = &platform->cpus[cpu];

    slot->apic_id = apic_id;
    slot->uid = uid;
    slot->processor = PROCESSOR_NONE;
    slot->is_boot = cpu == 0;
    slot->answer = CPU_NOT_ASKED;
}

/* Whether the MADT index'th entry is the first usable one with its APIC id; `keys` holds every usable
 * APIC id << 32 | index ascending. */
static bool is_first_of_its_id(const uint64_t *keys, uint32_t count, uint32_t apic_id,
                               uint32_t index)
{
    size_t position = sort_lower_bound(keys, count, (uint64_t)apic_id << 32);

    return position < count && (uint32_t)keys[position] == index;
}

/*
 * The boot CPU is 0 whether or not the MADT lists it; a second entry with the same APIC id is the same CPU
 * (Linux 6.12 arch/x86/kernel/cpu/topology.c topo_get_cpunr).
 */
static void number_from_madt(struct platform *platform, uint32_t boot_apic_id)
{
    const struct madt *madt = &platform->madt;
    bool has_lapic = has_usable_lapic(madt);
    uint64_t *keys = arena_array(platform->arena, madt->count, sizeof(*keys));
    uint32_t keys_count = 0;
    uint32_t next = 1;

    platform->cpus = arena_array(platform->arena, (size_t)madt->count + 1, sizeof(struct cpu));
    if (keys == NULL || platform->cpus == NULL) {
        platform->incomplete = "no memory to number the CPUs";
        return;
    }
    if (boot_apic_id == NUMBERING_BOOT_UNKNOWN) {
        boot_apic_id = first_usable_apic_id(madt, has_lapic);
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        if (is_usable(&madt->entries[i], has_lapic)) {
            keys[keys_count++] = (uint64_t)madt->entries[i].apic_id << 32 | i;
        }
    }
    sort_u64(keys, keys_count);
    put_cpu(platform, 0, boot_apic_id == NUMBERING_BOOT_UNKNOWN ? 0 : boot_apic_id,
            CPU_UID_UNKNOWN);
    for (uint32_t i = 0; i < madt->count; i++) {
        const struct madt_entry *entry = &madt->entries[i];

        if (!is_usable(entry, has_lapic) ||
            !is_first_of_its_id(keys, keys_count, entry->apic_id, i)) {
            continue;
        }
        put_cpu(platform, entry->apic_id == boot_apic_id ? 0 : next++, entry->apic_id, entry->uid);
    }
    platform->cpus_count = next;
}

static bool is_present(const struct processor *processor)
{
    if (processor->sta_avail == AVAIL_ABSENT || processor->sta_avail == AVAIL_UNTRIED) {
        return true; /* ACPI 6.5, 6.3.7: without _STA a device is present and enabled */
    }
    return processor->sta_avail == AVAIL_PRESENT &&
           (processor->sta & STA_PRESENT_ENABLED) == STA_PRESENT_ENABLED;
}

/* Room for `count` CPUs in all, keeping those that have a number. */
static bool grow_cpus(struct platform *platform, uint32_t count)
{
    struct cpu *cpus = arena_array(platform->arena, count, sizeof(*cpus));

    if (cpus == NULL) {
        platform->incomplete = "no memory to number the CPUs";
        return false;
    }
    if (platform->cpus_count != 0) {
        memcpy(cpus, platform->cpus, platform->cpus_count * sizeof(*cpus));
    }
    platform->cpus = cpus;
    return true;
}

/* Without a MADT a CPU's number is its processor's place among the present ones; ids are not known. */
static void number_from_namespace(struct platform *platform)
{
    uint32_t present = 0;
    uint32_t next = 0;

    for (uint32_t i = 0; i < platform->processors_count; i++) {
        present += is_present(&platform->processors[i]) ? 1U : 0U;
    }
    present = present == 0 ? 1 : present;
    if (present > platform->cpus_count && !grow_cpus(platform, present)) {
        return;
    }
    for (uint32_t cpu = platform->cpus_count; cpu < present; cpu++) {
        put_cpu(platform, cpu, cpu, CPU_UID_UNKNOWN);
    }
    platform->cpus_count = present > platform->cpus_count ? present : platform->cpus_count;
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        struct processor *processor = &platform->processors[i];

        processor->madt_index = MADT_NONE;
        processor->is_enabled = is_present(processor);
        processor->cpu = processor->is_enabled ? next++ : CPU_NONE;
        if (processor->is_enabled) {
            platform->cpus[processor->cpu].processor = i;
            platform->cpus[processor->cpu].uid =
                processor->uid_avail == AVAIL_PRESENT ? (uint32_t)processor->uid : CPU_UID_UNKNOWN;
        }
    }
}

static bool build_indexes(struct numbering *numbering)
{
    struct platform *platform = numbering->platform;
    const struct madt *madt = &platform->madt;

    numbering->uids = arena_array(platform->arena, madt->count, sizeof(uint64_t));
    numbering->apics = arena_array(platform->arena, platform->cpus_count, sizeof(uint64_t));
    if (numbering->uids == NULL || numbering->apics == NULL) {
        platform->incomplete = "no memory to match processors with CPUs";
        return false;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        if (is_enabled_entry(&madt->entries[i])) {
            numbering->uids[numbering->uids_count++] = (uint64_t)madt->entries[i].uid << 32 | i;
        }
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        numbering->apics[numbering->apics_count++] =
            (uint64_t)platform->cpus[cpu].apic_id << 32 | cpu;
    }
    sort_u64(numbering->uids, numbering->uids_count);
    sort_u64(numbering->apics, numbering->apics_count);
    return true;
}

/* Linux 6.12 drivers/acpi/processor_core.c map_lapic_id, map_x2apic_id: the first enabled entry with the
 * uid; an x2APIC entry belongs to a Processor object only below uid 255. */
static uint32_t find_madt_index(const struct numbering *numbering,
                                const struct processor *processor)
{
    size_t position;

    if (processor->uid_avail != AVAIL_PRESENT || processor->uid > UINT32_MAX) {
        return MADT_NONE;
    }
    position = sort_lower_bound(numbering->uids, numbering->uids_count, processor->uid << 32);
    for (; position < numbering->uids_count; position++) {
        uint32_t index = (uint32_t)numbering->uids[position];

        if (numbering->uids[position] >> 32 != processor->uid) {
            break;
        }
        if (numbering->platform->madt.entries[index].type == MADT_LAPIC ||
            processor->kind == PROCESSOR_DEVICE || processor->uid < 255) {
            return index;
        }
    }
    return MADT_NONE;
}

static uint32_t find_cpu(const struct numbering *numbering, uint32_t apic_id)
{
    size_t position =
        sort_lower_bound(numbering->apics, numbering->apics_count, (uint64_t)apic_id << 32);

    if (position == numbering->apics_count || numbering->apics[position] >> 32 != apic_id) {
        return CPU_NONE;
    }
    return (uint32_t)numbering->apics[position];
}

/* A CPU belongs to the first processor that maps to it; a later one is a duplicate and gets no number, so
 * that its objects are not judged twice. The rules find it by its madt_index. */
static void match_processor(const struct numbering *numbering, uint32_t index)
{
    struct platform *platform = numbering->platform;
    struct processor *processor = &platform->processors[index];
    uint32_t cpu = CPU_NONE;

    processor->is_enabled = false;
    processor->cpu = CPU_NONE;
    processor->madt_index = find_madt_index(numbering, processor);
    if (processor->madt_index == MADT_NONE) {
        return;
    }
    processor->apic_id = platform->madt.entries[processor->madt_index].apic_id;
    if (is_present(processor)) {
        cpu = find_cpu(numbering, processor->apic_id);
    }
    if (cpu == CPU_NONE || platform->cpus[cpu].processor != PROCESSOR_NONE) {
        return;
    }
    processor->is_enabled = true;
    processor->cpu = cpu;
    platform->cpus[cpu].processor = index;
    platform->cpus[cpu].uid = (uint32_t)processor->uid;
}

void numbering_assign(struct platform *platform, uint32_t boot_apic_id)
{
    struct numbering numbering = {.platform = platform};

    if (platform->madt.avail != AVAIL_PRESENT || platform->madt.count == 0) {
        number_from_namespace(platform);
        return;
    }
    if (platform->cpus_count == 0) {
        number_from_madt(platform, boot_apic_id);
    }
    if (platform->cpus_count == 0 || !build_indexes(&numbering)) {
        return;
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        platform->cpus[cpu].processor = PROCESSOR_NONE;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        match_processor(&numbering, i);
    }
}
