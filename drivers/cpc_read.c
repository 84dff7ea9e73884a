#include "drivers/cpc_read.h"

#include "drivers/pcc_channel.h"
#include "model/bits.h"
#include "model/msr_catalog.h"

#include <stddef.h>
#include <string.h>

#define TIMEOUT_BASE_MS 5000U
#define TIMEOUT_PER_CPU_MS 10U

/* FFH registers of one CPU that no earlier reading covers. Nobody but that CPU writes values. */
struct ffh_slot {
    uint32_t count;
    uint32_t msrs[CPC_REGISTERS];
    struct msr_value values[CPC_REGISTERS];
};

struct reader {
    const struct hw *hw;
    struct platform *platform;
    struct pcc_channel *channels; /* one a PCCT subspace */
    struct ffh_slot *slots;       /* one a CPU, NULL when every MSR was read before */
};

static const struct cpc *cpc_of(const struct processor *processor)
{
    const struct object_set *set = platform_object(processor, OBJECT_CPC);

    return processor->is_enabled && processor->cpu != CPU_NONE && set != NULL ? &set->cpc : NULL;
}

/*
 * The width of an access: Linux 6.12 drivers/acpi/cppc_acpi.c GET_BIT_WIDTH. For PCC `access` is the subspace
 * id, so the width counts there.
 */
static unsigned access_bytes(const struct gas *gas)
{
    unsigned bits = gas->width_bits;

    if (gas->space != GAS_PCC && gas->access != 0) {
        bits = gas->access <= 4 ? 8U << (gas->access - 1) : 0;
    }
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

/* The field [offset + width - 1 : offset] of a register of `bits` bits. */
static enum avail take_field(const struct gas *gas, unsigned bits, uint64_t raw,
                             uint64_t *ret_value)
{
    unsigned last = (unsigned)gas->offset_bits + gas->width_bits;

    if (gas->width_bits == 0 || last > bits) {
        return AVAIL_MALFORMED;
    }
    *ret_value = bits_get(raw, last - 1, gas->offset_bits);
    return AVAIL_PRESENT;
}

static enum avail read_memory(const struct reader *reader, const struct gas *gas,
                              uint64_t *ret_value)
{
    unsigned bytes = access_bytes(gas);
    uint64_t raw = 0;
    enum avail avail;

    if (bytes == 0 || gas->address == 0) {
        return AVAIL_MALFORMED;
    }
    avail = avail_of_status(reader->hw->ops->memory_read(reader->hw, gas->address, bytes, &raw));
    return avail == AVAIL_PRESENT ? take_field(gas, bytes * 8, raw, ret_value) : avail;
}

/* Linux takes the whole port, whatever bit width and offset say. */
static enum avail read_port(const struct reader *reader, const struct gas *gas, uint64_t *ret_value)
{
    unsigned bytes = access_bytes(gas);
    uint32_t raw = 0;
    enum avail avail;

    if (bytes == 0 || bytes > 4 || gas->address > UINT16_MAX) {
        return AVAIL_MALFORMED;
    }
    avail = avail_of_status(
        reader->hw->ops->port_read(reader->hw, (uint16_t)gas->address, bytes, &raw));
    if (avail == AVAIL_PRESENT) {
        *ret_value = raw;
    }
    return avail;
}

/* Shared memory is addressed from 8 bytes behind its start: ACPI 6.5, 14.2 Generic Communications Channel
 * Shared Memory Region. */
static enum avail read_pcc(const struct reader *reader, const struct gas *gas, uint64_t *ret_value)
{
    const struct pcct *pcct = &reader->platform->pcct;
    unsigned bytes = access_bytes(gas);
    const struct pcct_subspace *subspace;

    if (bytes == 0 || pcct->avail != AVAIL_PRESENT || gas->access >= pcct->count) {
        return AVAIL_MALFORMED;
    }
    subspace = &pcct->subspaces[gas->access];
    if (gas->address > subspace->length_bytes ||
        subspace->length_bytes - gas->address < 8U + bytes) {
        return AVAIL_MALFORMED;
    }
    if (reader->platform->options->is_read_only) {
        return AVAIL_UNTRIED;
    }
    if (pcc_channel_read(reader->hw, &reader->channels[gas->access]) != STATUS_OK) {
        return avail_of_status(reader->channels[gas->access].status);
    }
    return avail_of_status(reader->hw->ops->memory_read(
        reader->hw, subspace->base_paddr + 8 + gas->address, bytes, ret_value));
}

/* Only MSRs of the allow-list are read, even where firmware names another. */
static bool is_allowed_msr(const struct platform *platform, uint32_t cpu, uint64_t address)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);

    if (address > UINT32_MAX || cpuid == NULL ||
        options_skips_msr(platform->options, (uint32_t)address)) {
        return false;
    }
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        if (msr_catalog_at(i)->msr == address &&
            msr_catalog_allows(i, &platform->identity, cpuid)) {
            return true;
        }
    }
    return false;
}

/* What is known of an MSR: from the run over all CPUs, else from this file's own run. */
static struct msr_value known_msr(const struct reader *reader, uint32_t cpu, uint32_t msr)
{
    struct msr_value value = platform_msr(reader->platform, cpu, msr);
    const struct ffh_slot *slot = reader->slots == NULL ? NULL : &reader->slots[cpu];

    for (uint32_t i = 0; value.avail == AVAIL_UNTRIED && slot != NULL && i < slot->count; i++) {
        if (slot->msrs[i] == msr) {
            value = slot->values[i];
        }
    }
    return value;
}

static enum avail read_ffh(const struct reader *reader, uint32_t cpu, const struct gas *gas,
                           uint64_t *ret_value)
{
    struct msr_value raw;

    if (gas->address > UINT32_MAX) {
        return AVAIL_MALFORMED;
    }
    raw = known_msr(reader, cpu, (uint32_t)gas->address);
    return raw.avail == AVAIL_PRESENT ? take_field(gas, 64, raw.value, ret_value) : raw.avail;
}

static enum avail read_register(const struct reader *reader, uint32_t cpu, const struct gas *gas,
                                uint64_t *ret_value)
{
    switch (gas->space) {
    case GAS_SYSTEM_MEMORY:
        return read_memory(reader, gas, ret_value);
    case GAS_SYSTEM_IO:
        return read_port(reader, gas, ret_value);
    case GAS_PCC:
        return read_pcc(reader, gas, ret_value);
    case GAS_FFH:
        return read_ffh(reader, cpu, gas, ret_value);
    default:
        return AVAIL_MALFORMED;
    }
}

static enum avail read_element(const struct reader *reader, uint32_t cpu,
                               const struct cpc_element *element, uint64_t *ret_value)
{
    switch (element->kind) {
    case CPC_ELEMENT_MISSING:
    case CPC_ELEMENT_NULL:
        return AVAIL_ABSENT;
    case CPC_ELEMENT_INTEGER:
        *ret_value = element->integer;
        return AVAIL_PRESENT;
    case CPC_ELEMENT_REGISTER:
        if (element->reg.avail != AVAIL_PRESENT) {
            return AVAIL_MALFORMED;
        }
        return element->reg.is_null ? AVAIL_ABSENT
                                    : read_register(reader, cpu, &element->reg.gas, ret_value);
    case CPC_ELEMENT_OTHER:
        break;
    }
    return AVAIL_MALFORMED;
}

/* Runs on each CPU that has FFH registers left to read. */
static void read_ffh_here(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct ffh_slot *slot = &((struct ffh_slot *)argument)[cpu];

    for (uint32_t i = 0; i < slot->count; i++) {
        uint64_t value = 0;

        slot->values[i].avail = hw->ops->rdmsr(hw, slot->msrs[i], &value);
        slot->values[i].value = slot->values[i].avail == AVAIL_PRESENT ? value : 0;
    }
}

/* Notes the MSRs of one _CPC that are still to be read on `cpu`. */
static void note_ffh(const struct platform *platform, uint32_t cpu, const struct cpc *cpc,
                     struct ffh_slot *slot)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &cpc->registers[i];
        uint32_t msr = (uint32_t)element->reg.gas.address;

        if (element->kind == CPC_ELEMENT_REGISTER && element->reg.avail == AVAIL_PRESENT &&
            element->reg.gas.space == GAS_FFH &&
            platform_msr(platform, cpu, msr).avail == AVAIL_UNTRIED &&
            is_allowed_msr(platform, cpu, element->reg.gas.address)) {
            slot->msrs[slot->count++] = msr;
        }
    }
}

static bool may_ask(const struct platform *platform, uint32_t cpu)
{
    return platform->cpus[cpu].answer == CPU_ANSWERED;
}

/* Reads what is left in one run on all CPUs that need it; none at all where nothing is left. */
static void run_ffh(struct reader *reader)
{
    struct platform *platform = reader->platform;
    uint32_t count = platform->cpus_count;
    struct ffh_slot *slots = arena_array(platform->arena, count, sizeof(*slots));
    uint8_t *wanted = arena_array(platform->arena, count, sizeof(*wanted));
    enum hw_run *run = arena_array(platform->arena, count, sizeof(*run));
    uint32_t needed = 0;

    if (slots == NULL || wanted == NULL || run == NULL) {
        platform->incomplete = "no memory for the _CPC registers";
        return;
    }
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        const struct cpc *cpc = processor == NULL ? NULL : cpc_of(processor);

        run[cpu] = HW_RUN_NOT_STARTED;
        if (cpc != NULL && may_ask(platform, cpu)) {
            note_ffh(platform, cpu, cpc, &slots[cpu]);
        }
        wanted[cpu] = slots[cpu].count != 0 ? 1 : 0;
        needed += wanted[cpu];
    }
    if (needed == 0) {
        return;
    }
    (void)reader->hw->ops->run_on_cpus(reader->hw, count, wanted, read_ffh_here, slots,
                                       TIMEOUT_BASE_MS + TIMEOUT_PER_CPU_MS * count, run);
    reader->slots = arena_array(platform->arena, count, sizeof(*slots));
    /* A CPU that did not come back may still write its slot: only finished ones are kept. */
    for (uint32_t cpu = 0; reader->slots != NULL && cpu < count; cpu++) {
        if (run[cpu] == HW_RUN_DONE) {
            reader->slots[cpu] = slots[cpu];
        } else if (run[cpu] == HW_RUN_NO_ANSWER) {
            platform->cpus[cpu].answer = CPU_DID_NOT_ANSWER;
        }
    }
}

/* What was read here and is not among the platform's MSRs, for the snapshot. */
static void keep_extra_msrs(const struct reader *reader)
{
    struct platform *platform = reader->platform;
    struct extra_msr *extra;
    size_t total = 0;

    for (uint32_t cpu = 0; reader->slots != NULL && cpu < platform->cpus_count; cpu++) {
        total += reader->slots[cpu].count;
    }
    extra = total == 0 ? NULL : arena_array(platform->arena, total, sizeof(*extra));
    for (uint32_t cpu = 0; extra != NULL && cpu < platform->cpus_count; cpu++) {
        const struct ffh_slot *slot = &reader->slots[cpu];

        for (uint32_t i = 0; i < slot->count; i++) {
            extra[platform->extra_msrs_count++] =
                (struct extra_msr){.cpu = cpu, .msr = slot->msrs[i], .value = slot->values[i]};
        }
    }
    platform->extra_msrs = extra;
}

void cpc_read_all(const struct hw *hw, struct platform *platform)
{
    struct reader reader = {.hw = hw, .platform = platform};

    reader.channels = arena_array(platform->arena, platform->pcct.count, sizeof(*reader.channels));
    if (reader.channels == NULL) {
        platform->incomplete = "no memory for the PCC channels";
        return;
    }
    for (uint32_t i = 0; i < platform->pcct.count; i++) {
        pcc_channel_open(&reader.channels[i], &platform->pcct.subspaces[i], i, 0);
    }
    run_ffh(&reader);
    keep_extra_msrs(&reader);
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        struct processor *processor = &platform->processors[i];
        const struct cpc *cpc = cpc_of(processor);

        for (uint32_t k = 0; cpc != NULL && k < CPC_REGISTERS; k++) {
            uint64_t value = 0;

            processor->cpc_avail[k] =
                read_element(&reader, processor->cpu, &cpc->registers[k], &value);
            processor->cpc_value[k] = processor->cpc_avail[k] == AVAIL_PRESENT ? value : 0;
        }
    }
    if (hw->is_live) {
        pcc_channel_account(reader.channels, platform->pcct.count, platform);
    }
}
