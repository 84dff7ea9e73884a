/* Messages about processor enumeration and about the FADT as ACPICA normalises it: kernel-facts 0.2, 6.4, 6.9. */
#include "model/linux/parts.h"

#include <string.h>

#define FADT_BYTES 276U /* of ACPICA's structure */
#define GAS_BITS_MAX 255U
#define ACPI_AE_NOT_FOUND 0x0005U /* ACPICA, acexcep.h */
#define ACPI_AE_BAD_DATA 0x1004U

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
        linux_say(builder, LINUX_MESSAGE_FADT_REQUIRED, CPU_NONE,
                  "ACPI BIOS Error (bug): Required FADT field %s has zero address and/or length: "
                  "0x%016lX/0x%lX",
                  pair->name, address, length);
    }
    if (pair->is_optional && (address != 0) != (length != 0)) {
        linux_say(builder, LINUX_MESSAGE_FADT_OPTIONAL, CPU_NONE,
                  "ACPI BIOS Warning (bug): Optional FADT field %s has valid %s but zero %s: "
                  "0x%016lX/0x%lX",
                  pair->name, address != 0 ? "Address" : "Length",
                  address != 0 ? "Length" : "Address", address, length);
    }
}

static void agreement(const struct linux_builder *builder, const struct fadt_pair *pair,
                      uint64_t legacy, uint64_t length, const struct gas *gas)
{
    if (legacy != 0 && gas->address == 0 && length * 8 > GAS_BITS_MAX && pair->default_bits != 0) {
        linux_say(builder, LINUX_MESSAGE_FADT_TOO_LONG, CPU_NONE,
                  "ACPI Error: %s - 32-bit FADT register is too long (%lu bytes, %lu bits) to "
                  "convert to GAS struct - 255 bits max, truncating",
                  pair->name, length, length * 8);
    }
    if (legacy != 0 && gas->address != 0 && legacy != gas->address) {
        linux_say(builder, LINUX_MESSAGE_FADT_ADDRESS, CPU_NONE,
                  "ACPI BIOS Warning (bug): 32/64X address mismatch in FADT/%s: "
                  "0x%08lX/0x%016lX, using 64-bit address",
                  pair->name, legacy, gas->address);
    }
    if (legacy != 0 && gas->address != 0 && length * 8 <= GAS_BITS_MAX &&
        gas->width_bits != length * 8) {
        linux_say(builder, LINUX_MESSAGE_FADT_LENGTH, CPU_NONE,
                  "ACPI BIOS Warning (bug): 32/64X length mismatch in FADT/%s: %lu/%u", pair->name,
                  length * 8, gas->width_bits);
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
        linux_say(builder, LINUX_MESSAGE_FADT_WIDTH, CPU_NONE,
                  "ACPI BIOS Warning (bug): Invalid length for FADT/%s: %lu, using default %u",
                  pair->name, width_bits, pair->default_bits);
    }
}

/* acpi_tb_parse_fadt and acpi_tb_create_local_fadt, before the registers. */
static void whole_fadt(const struct linux_builder *builder)
{
    const struct acpi_table *table = platform_table(builder->platform, "FACP");
    const struct fadt *fadt = &builder->platform->fadt;
    uint64_t dsdt = fadt_value(fadt, FADT_DSDT, 0);
    uint64_t x_dsdt = fadt_value(fadt, FADT_X_DSDT, 0);

    if (table != NULL && table->length > FADT_BYTES) {
        linux_say(builder, LINUX_MESSAGE_FADT_LONG, CPU_NONE,
                  "ACPI BIOS Warning (bug): FADT (revision %u) is longer than ACPI 6.1 (FADT "
                  "version 6) length, truncating length %u to %u",
                  table->revision, table->length, FADT_BYTES);
    }
    if (dsdt != 0 && x_dsdt != 0 && dsdt != x_dsdt) {
        linux_say(builder, LINUX_MESSAGE_FADT_DSDT, CPU_NONE,
                  "ACPI BIOS Warning (bug): 32/64X DSDT address mismatch in FADT: "
                  "0x%08lX/0x%016lX, using 64-bit address",
                  dsdt, x_dsdt);
    }
}

static void table_checksums(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;

    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        if (table->has_header && !table->checksum_ok) {
            linux_say(builder, LINUX_MESSAGE_TABLE_CHECKSUM, CPU_NONE,
                      "ACPI BIOS Warning (bug): Incorrect checksum in table [%s]",
                      table->signature);
        }
    }
}

void linux_fadt_messages_make(const struct linux_builder *builder)
{
    if (builder->platform->fadt.avail == AVAIL_PRESENT) {
        whole_fadt(builder);
        for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
            one_pair(builder, &pairs[i]);
        }
    }
    table_checksums(builder);
}

/* acpi_evaluate_integer's status: no such object, or not an Integer. */
static void uid_message(const struct linux_builder *builder, const struct processor *processor)
{
    if (processor->uid_avail == AVAIL_FAULTED) {
        linux_say(builder, LINUX_MESSAGE_UID_EVALUATION, processor->cpu,
                  "Failed to evaluate processor _UID");
    } else {
        linux_say(builder, LINUX_MESSAGE_UID_EVALUATION, processor->cpu,
                  "Failed to evaluate processor _UID (0x%x)",
                  processor->uid_avail == AVAIL_ABSENT ? ACPI_AE_NOT_FOUND : ACPI_AE_BAD_DATA);
    }
}

static void one_processor(const struct linux_builder *builder, const struct processor *processor)
{
    if (processor->kind == PROCESSOR_DEVICE && processor->uid_avail != AVAIL_PRESENT) {
        uid_message(builder, processor);
    }
    if (processor->sta_avail == AVAIL_PRESENT && (processor->sta & 3U) == 2U) {
        linux_say(builder, LINUX_MESSAGE_STA_ENABLED, processor->cpu,
                  "Device status [0x%08x]: not present and enabled", processor->sta);
    }
    if (processor->kind == PROCESSOR_OBJECT && processor->pblk_address != 0 &&
        processor->pblk_length != 6) {
        linux_say(builder, LINUX_MESSAGE_PBLK_LENGTH, processor->cpu, "Invalid PBLK length [%u]",
                  processor->pblk_length);
    }
}

void linux_processor_messages_make(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct linux_facts *facts = builder->facts;

    for (uint32_t i = 0; i < platform->processors_count; i++) {
        one_processor(builder, &platform->processors[i]);
    }
    /* acpi_processor_add: a second object that leads to a CPU which has one. */
    for (uint32_t i = 0; i < facts->shared_count; i++) {
        linux_say(builder, LINUX_MESSAGE_WRONG_ACPI_ID, facts->shared_cpus[i],
                  "BIOS reported wrong ACPI id %u for the processor", facts->shared_cpus[i]);
    }
    if (facts->duplicate_uids == 0) {
        return;
    }
    if (facts->duplicate_uid == 0xFF) {
        linux_say(builder, LINUX_MESSAGE_UID_UNDEFINED, CPU_NONE,
                  "Entry not well-defined, consider updating BIOS");
    } else {
        linux_say(builder, LINUX_MESSAGE_UID_DUPLICATE, CPU_NONE,
                  "Failed to get unique processor _UID (0x%lx)", facts->duplicate_uid);
    }
}
