/* The PCCT as drivers/mailbox/pcc.c takes it: its first complaint ends the whole controller. kernel-facts 2.9. */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

#define SUBSPACES_MAX 256U /* MAX_PCC_SUBSPACES */
#define TYPES 6U           /* ACPI_PCCT_TYPE_RESERVED: types from it on are not counted */
#define NOTHING LINUX_MESSAGE_KINDS

/* Subspaces that acpi_pcc_probe counts. */
static uint32_t counted(const struct pcct *pcct)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < pcct->count; i++) {
        count += pcct->subspaces[i].type < TYPES ? 1 : 0;
    }
    return count;
}

static bool is_register_width(uint8_t bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* pcc_parse_subspace_irq and pcc_parse_subspace_db_reg of one entry, in pcc_mbox_probe's order. */
static enum linux_message_kind subspace_failure(const struct pcct *pcct,
                                                const struct pcct_subspace *subspace)
{
    bool has_interrupts = bits_test(pcct->flags, 0) != 0;
    bool is_typed = subspace->type >= 1 && subspace->type <= 4;

    if (subspace->type == 4 && !has_interrupts) {
        return LINUX_MESSAGE_PCC_NO_INTERRUPT;
    }
    if (!subspace->is_decoded) {
        return NOTHING;
    }
    if (has_interrupts && is_typed && subspace->gsi == 0) {
        return LINUX_MESSAGE_PCC_GSI;
    }
    if (has_interrupts && subspace->type == 1 && (subspace->interrupt_flags & 2U) == 0) {
        return LINUX_MESSAGE_PCC_LEVEL;
    }
    if (subspace->doorbell.space == 0 && subspace->doorbell.address != 0 &&
        !is_register_width(subspace->doorbell.width_bits)) {
        return LINUX_MESSAGE_PCC_WIDTH;
    }
    return NOTHING;
}

/* The first complaint; *ret_subspace is whose, or NULL where it is about the table. */
static enum linux_message_kind failure(const struct pcct *pcct,
                                       const struct pcct_subspace **ret_subspace)
{
    uint32_t count = counted(pcct);

    *ret_subspace = NULL;
    if (pcct->malformed != NULL && strcmp(pcct->malformed, PCCT_ZERO_LENGTH) == 0) {
        return LINUX_MESSAGE_PCC_ZERO_LENGTH;
    }
    if (count == 0 || count > SUBSPACES_MAX) {
        return LINUX_MESSAGE_PCC_NONE;
    }
    for (uint32_t i = 0; i < pcct->count; i++) {
        enum linux_message_kind kind = subspace_failure(pcct, &pcct->subspaces[i]);

        if (kind != NOTHING) {
            *ret_subspace = &pcct->subspaces[i];
            return kind;
        }
    }
    return NOTHING;
}

const char *linux_pcc_channel_why(const struct platform *platform, uint32_t id)
{
    const struct pcct *pcct = &platform->pcct;
    const struct pcct_subspace *subspace;

    if (pcct->avail != AVAIL_PRESENT) {
        return "there is no PCCT for the PCC subspace of _CPC";
    }
    if (failure(pcct, &subspace) != NOTHING) {
        return "the PCC controller does not start on this PCCT";
    }
    return id < counted(pcct) ? NULL : "the PCC subspace of _CPC is not in the PCCT";
}

/* acpi_cppc_processor_probe asks for the channel of every _CPC whose rest it takes. */
static void channels(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct object_set *last_set = NULL;
    uint32_t id = UINT32_MAX;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        const struct object_set *set = platform_object_as_linux(processor, OBJECT_CPC);

        if (set != last_set) {
            id = linux_cpc_pcc_id(builder, processor);
            last_set = set;
        }
        if (id != UINT32_MAX && linux_pcc_channel_why(platform, id) != NULL) {
            linux_say(builder, LINUX_MESSAGE_PCC_CHANNEL, cpu,
                      "Failed to find PCC channel for subspace %u", id);
        }
    }
}

void linux_pcct_messages_make(const struct linux_builder *builder)
{
    const struct pcct *pcct = &builder->platform->pcct;
    const struct pcct_subspace *subspace = NULL;
    enum linux_message_kind kind =
        pcct->avail == AVAIL_PRESENT ? failure(pcct, &subspace) : NOTHING;

    if (kind == LINUX_MESSAGE_PCC_NONE) {
        linux_say(builder, kind, CPU_NONE, "Invalid PCCT: %u PCC subspaces", counted(pcct));
    } else if (kind == LINUX_MESSAGE_PCC_GSI) {
        linux_say(builder, kind, CPU_NONE, "PCC GSI %u not registered", subspace->gsi);
    } else if (kind == LINUX_MESSAGE_PCC_WIDTH) {
        linux_say(builder, kind, CPU_NONE, "Error: Cannot access register of %u bit width",
                  subspace->doorbell.width_bits);
    } else if (kind != NOTHING) {
        linux_say(builder, kind, CPU_NONE, "%s", linux_message_at(kind)->pattern);
    }
    if (kind == LINUX_MESSAGE_PCC_ZERO_LENGTH) {
        linux_say(builder, LINUX_MESSAGE_PCC_PARSE, CPU_NONE, "%s",
                  linux_message_at(LINUX_MESSAGE_PCC_PARSE)->pattern);
    }
    channels(builder);
}
