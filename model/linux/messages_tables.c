/* Messages about processor enumeration and about the FADT as ACPICA normalises it: kernel-facts 0.2, 6.4, 6.9. */
#include "model/linux/parts.h"

#include <string.h>

#define FADT_MISMATCH "The two addresses of one register disagree; Linux takes the 64-bit one."
#define FADT_LENGTH "The block's length and the register's width disagree; Linux takes the width."

/* The registers that tbfadt.c converts, with the width it takes where a firmware's differs. */
struct fadt_pair {
    const char *name;
    enum fadt_field address;
    enum fadt_field length;
    enum fadt_register reg;
    uint8_t default_bits; /* 0: any */
    bool is_required;
    bool is_optional; /* one of address and length without the other is reported */
};

static const struct fadt_pair pairs[] = {
    {"Pm1aEventBlock", FADT_PM1A_EVT_BLK, FADT_PM1_EVT_LEN, FADT_X_PM1A_EVT_BLK, 32, true, false},
    {"Pm1bEventBlock", FADT_PM1B_EVT_BLK, FADT_PM1_EVT_LEN, FADT_X_PM1B_EVT_BLK, 32, false, false},
    {"Pm1aControlBlock", FADT_PM1A_CNT_BLK, FADT_PM1_CNT_LEN, FADT_X_PM1A_CNT_BLK, 16, true, false},
    {"Pm1bControlBlock", FADT_PM1B_CNT_BLK, FADT_PM1_CNT_LEN, FADT_X_PM1B_CNT_BLK, 16, false,
     false},
    {"Pm2ControlBlock", FADT_PM2_CNT_BLK, FADT_PM2_CNT_LEN, FADT_X_PM2_CNT_BLK, 8, false, true},
    {"PmTimerBlock", FADT_PM_TMR_BLK, FADT_PM_TMR_LEN, FADT_X_PM_TMR_BLK, 32, false, true},
    {"Gpe0Block", FADT_GPE0_BLK, FADT_GPE0_BLK_LEN, FADT_X_GPE0_BLK, 0, false, true},
    {"Gpe1Block", FADT_GPE1_BLK, FADT_GPE1_BLK_LEN, FADT_X_GPE1_BLK, 0, false, true},
};

static void presence(const struct linux_builder *builder, const struct fadt_pair *pair,
                     uint64_t address, uint64_t length)
{
    if (pair->is_required && (address == 0 || length == 0)) {
        linux_message_format(
            builder, LINUX_LEVEL_ERROR, "A register block that ACPI demands is missing.", CPU_NONE,
            "ACPI BIOS Error (bug): Required FADT field %s has zero address and/or "
            "length",
            pair->name);
    }
    if (pair->is_optional && (address != 0) != (length != 0)) {
        linux_message_format(
            builder, LINUX_LEVEL_WARNING, "Harmless: the optional block is not used.", CPU_NONE,
            "ACPI BIOS Warning (bug): Optional FADT field %s has valid %s but zero "
            "%s",
            pair->name, address != 0 ? "Address" : "Length", address != 0 ? "Length" : "Address");
    }
}

static void agreement(const struct linux_builder *builder, const struct fadt_pair *pair,
                      uint64_t legacy, uint64_t length, const struct gas *gas)
{
    if (legacy != 0 && gas->address != 0 && legacy != gas->address) {
        linux_message_format(builder, LINUX_LEVEL_WARNING, FADT_MISMATCH, CPU_NONE,
                             "ACPI BIOS Warning (bug): 32/64X address mismatch in FADT/%s: "
                             "0x%08lX/0x%016lX, using 64-bit address",
                             pair->name, legacy, gas->address);
    }
    if (legacy != 0 && gas->address != 0 && length * 8 <= 255 && gas->width_bits != length * 8) {
        linux_message_format(builder, LINUX_LEVEL_WARNING, FADT_LENGTH, CPU_NONE,
                             "ACPI BIOS Warning (bug): 32/64X length mismatch in FADT/%s: %lu/%u",
                             pair->name, length * 8, gas->width_bits);
    }
}

static void one_pair(const struct linux_builder *builder, const struct fadt_pair *pair)
{
    const struct fadt *fadt = &builder->platform->fadt;
    uint64_t legacy = fadt_value(fadt, pair->address, 0);
    uint64_t length = fadt_value(fadt, pair->length, 0);
    struct gas gas = {0};
    bool is_reduced = fadt_has_flag(fadt, FADT_FLAG_HW_REDUCED);
    uint64_t width_bits;
    uint64_t address;

    if (fadt->has_register[pair->reg]) {
        gas = fadt->reg[pair->reg];
    }
    address = gas.address != 0 || is_reduced ? gas.address : legacy;
    width_bits = gas.address != 0 ? gas.width_bits : length * 8;
    if (!is_reduced) {
        presence(builder, pair, address, length);
        agreement(builder, pair, legacy, length, &gas);
    }
    if (address != 0 && pair->default_bits != 0 && width_bits != pair->default_bits) {
        linux_message_format(
            builder, LINUX_LEVEL_WARNING, "The register's width is not the one that ACPI demands.",
            CPU_NONE,
            "ACPI BIOS Warning (bug): Invalid length for FADT/%s: %lu, using default "
            "%u",
            pair->name, width_bits, pair->default_bits);
    }
}

static void table_checksums(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;

    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        if (table->has_header && !table->checksum_ok) {
            linux_message_format(
                builder, LINUX_LEVEL_WARNING, "The table is used all the same.", CPU_NONE,
                "ACPI BIOS Warning (bug): Incorrect checksum in table [%s]", table->signature);
        }
    }
}

static void hpet_messages(const struct linux_builder *builder)
{
    const struct hpet *hpet = &builder->platform->hpet;

    if (hpet->avail != AVAIL_PRESENT) {
        return;
    }
    if (hpet->base.space != 0) {
        linux_message_add(builder, LINUX_LEVEL_WARNING, "HPET timers must be located in memory.",
                          "The HPET is not used.", CPU_NONE);
    } else if (hpet->base.address == 0) {
        linux_message_add(builder, LINUX_LEVEL_WARNING, "HPET id: base: 0 is invalid",
                          "The HPET is not used.", CPU_NONE);
    }
}

/* drivers/mailbox/pcc.c pcc_mbox_probe. kernel-facts 2.9. */
static void pcct_messages(const struct linux_builder *builder)
{
    const struct pcct *pcct = &builder->platform->pcct;

    if (pcct->avail != AVAIL_PRESENT) {
        return;
    }
    if (pcct->count == 0) {
        linux_message_add(builder, LINUX_LEVEL_WARNING, "Invalid PCCT: 0 PCC subspaces",
                          "There is no PCC, so a _CPC with PCC registers is lost.", CPU_NONE);
    }
    for (uint32_t i = 0; i < pcct->count; i++) {
        const struct pcct_subspace *subspace = &pcct->subspaces[i];

        if (subspace->type == 4 && (pcct->flags & 1U) == 0) {
            linux_message_add(builder, LINUX_LEVEL_ERROR,
                              "Platform Interrupt flag must be set to 1",
                              "A responder subspace without platform interrupts: the whole PCC "
                              "controller fails.",
                              CPU_NONE);
        }
        if (subspace->type == 1 && (pcct->flags & 1U) != 0 &&
            (subspace->interrupt_flags & 2U) == 0) {
            linux_message_add(builder, LINUX_LEVEL_ERROR,
                              "PCC subspace has level IRQ with no ACK register",
                              "The whole PCC controller fails.", CPU_NONE);
        }
    }
}

void linux_fadt_messages_make(const struct linux_builder *builder)
{
    if (builder->platform->fadt.avail == AVAIL_PRESENT) {
        for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
            one_pair(builder, &pairs[i]);
        }
    }
    table_checksums(builder);
    hpet_messages(builder);
    pcct_messages(builder);
}

static void one_processor(const struct linux_builder *builder, const struct processor *processor)
{
    if (processor->kind == PROCESSOR_DEVICE && processor->uid_avail != AVAIL_PRESENT) {
        linux_message_format(builder, LINUX_LEVEL_ERROR,
                             "The processor device is ignored: its _UID is missing or no Integer.",
                             processor->cpu, "Failed to evaluate processor _UID");
    }
    if (processor->sta_avail == AVAIL_PRESENT && (processor->sta & 3U) == 2U) {
        linux_message_format(builder, LINUX_LEVEL_FW_BUG,
                             "_STA says enabled but not present: the device is taken for disabled.",
                             processor->cpu, "Device status [0x%08x]: not present and enabled",
                             processor->sta);
    }
    if (processor->kind == PROCESSOR_OBJECT && processor->pblk_address != 0 &&
        processor->pblk_length != 6) {
        linux_message_format(
            builder, LINUX_LEVEL_ERROR,
            "The processor block is ignored: no C-states by P_LVLx, no throttling.", processor->cpu,
            "Invalid PBLK length [%u]", processor->pblk_length);
    }
}

void linux_processor_messages_make(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;

    for (uint32_t i = 0; i < platform->processors_count; i++) {
        one_processor(builder, &platform->processors[i]);
    }
    if (builder->facts->duplicate_uids == 0) {
        return;
    }
    if (builder->facts->duplicate_uid == 0xFF) {
        linux_message_add(
            builder, LINUX_LEVEL_INFO, "Entry not well-defined, consider updating BIOS",
            "Several processors have the id FFH, which stands for none: Linux ignores "
            "them.",
            CPU_NONE);
    } else {
        linux_message_format(builder, LINUX_LEVEL_ERROR,
                             "Processors with a _UID or ProcId that another one has are ignored.",
                             CPU_NONE, "Failed to get unique processor _UID (0x%lx)",
                             builder->facts->duplicate_uid);
    }
}
