#include "acpi/access.h"

#include "acpi/acpi.h"
#include "acpi/call.h"
#include "acpi/guard.h"

#include <string.h>

/* IBM PC AT Technical Reference, "Real Time Clock/CMOS RAM": index and data port; bytes 10H to 2DH are
 * covered by the checksum that 2EH and 2FH hold. Bit 7 of the index port is the NMI mask. */
#define CMOS_INDEX_PORT 0x70U
#define CMOS_DATA_PORT 0x71U
#define CMOS_CHECKSUMMED_FIRST 0x10U
#define CMOS_CHECKSUMMED_LAST 0x2FU
#define CMOS_INDEX_MASK 0x7FU

/* Words of memory that AML wrote on a back end that is not live. A power of two. */
#define WRITTEN_WORDS 1024U
#define WRITTEN_PROBES 32U

struct written {
    uint64_t word_paddr; /* a multiple of 8 */
    uint64_t value;
    uint8_t mask; /* bit b: byte b was written; 0: the slot is free */
};

static struct access {
    const struct engine_config *config;
    struct aml_accounting *accounting;
    struct written *written; /* [WRITTEN_WORDS], NULL until the first write */
    uint8_t cmos_index;
} access;

void access_init(const struct engine_config *config, struct aml_accounting *accounting)
{
    memset(&access, 0, sizeof(access));
    access.config = config;
    access.accounting = accounting;
}

bool access_is_live(void)
{
    return access.config->is_record_of_live ||
           (access.config->hw->is_live && access.config->blobs_count == 0);
}

/* Another machine's AML on a live machine: nothing answers. */
static bool is_cut_off(void)
{
    return access.config->hw->is_live && access.config->blobs_count != 0;
}

static const char *describe(const struct access_target *target, bool is_write)
{
    static const char *const names[] = {"memory", "I/O port", "PCI configuration space",
                                        "embedded controller"};
    char subject[96];
    char text[192];

    call_describe(subject, sizeof(subject));
    (void)acpi_print_snprintf(text, sizeof(text), "%s of %u bytes at %s 0x%llX by %s",
                              is_write ? "write" : "read", target->bytes, names[target->space],
                              (unsigned long long)target->address, subject);
    return arena_text(access.config->arena, text, strlen(text));
}

static void count_denied(const struct access_target *target)
{
    access.accounting->denied++;
    if (access.accounting->first_denied == NULL) {
        access.accounting->first_denied = describe(target, true);
    }
}

static void count_absent(const struct access_target *target, bool is_write)
{
    access.accounting->absent_memory++;
    if (access.accounting->first_absent == NULL) {
        access.accounting->first_absent = describe(target, is_write);
    }
}

static uint64_t all_ones(unsigned bytes)
{
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1;
}

/* The slot of a word: the one that holds it, else a free one, else NULL (full around there). */
static struct written *find_written(uint64_t word_paddr)
{
    uint64_t start = (word_paddr >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 32;

    for (unsigned i = 0; i < WRITTEN_PROBES; i++) {
        struct written *slot = &access.written[(start + i) % WRITTEN_WORDS];

        if (slot->mask == 0 || slot->word_paddr == word_paddr) {
            return slot;
        }
    }
    return NULL;
}

static bool remember(const struct access_target *target, uint64_t value)
{
    if (access.written == NULL) {
        access.written = arena_array(access.config->arena, WRITTEN_WORDS, sizeof(*access.written));
    }
    if (access.written == NULL) {
        return false;
    }
    for (unsigned i = 0; i < target->bytes; i++) {
        uint64_t byte_paddr = target->address + i;
        struct written *slot = find_written(byte_paddr & ~UINT64_C(7));
        unsigned byte = (unsigned)(byte_paddr & 7);

        if (slot == NULL) {
            return false;
        }
        slot->word_paddr = byte_paddr & ~UINT64_C(7);
        slot->mask = (uint8_t)((unsigned)slot->mask | 1U << byte);
        slot->value &= ~(UINT64_C(0xFF) << (8 * byte));
        slot->value |= (value >> (8 * i) & 0xFF) << (8 * byte);
    }
    return true;
}

/* Puts the bytes that AML wrote over those in *value. Whether all of them were written. */
static bool recall(const struct access_target *target, uint64_t *value)
{
    unsigned found = 0;

    if (access.written == NULL) {
        return false;
    }
    for (unsigned i = 0; i < target->bytes; i++) {
        uint64_t byte_paddr = target->address + i;
        unsigned byte = (unsigned)(byte_paddr & 7);
        const struct written *slot = find_written(byte_paddr & ~UINT64_C(7));

        if (slot != NULL && ((unsigned)slot->mask >> byte & 1U) != 0) {
            *value &= ~(UINT64_C(0xFF) << (8 * i));
            *value |= (slot->value >> (8 * byte) & 0xFF) << (8 * i);
            found++;
        }
    }
    return found == target->bytes;
}

static void count_access(enum access_space space, bool is_write)
{
    struct aml_accounting *to = access.accounting;
    uint64_t *counters[][2] = {[ACCESS_MEMORY] = {&to->memory_reads, &to->memory_writes},
                               [ACCESS_IO] = {&to->io_reads, &to->io_writes},
                               [ACCESS_PCI] = {&to->pci_reads, &to->pci_writes},
                               /* The embedded controller is reached through ports. */
                               [ACCESS_EC] = {&to->io_reads, &to->io_writes}};

    (*counters[space][is_write ? 1 : 0])++;
}

static enum status read_hw(const struct access_target *target, uint64_t *ret_value)
{
    const struct hw *hw = access.config->hw;
    uint32_t port_value = 0;
    enum status status;

    count_access(target->space, false);
    if (is_cut_off()) {
        return STATUS_NOT_FOUND;
    }
    switch (target->space) {
    case ACCESS_MEMORY:
        return hw->ops->memory_read(hw, target->address, target->bytes, ret_value);
    case ACCESS_IO:
        status = hw->ops->port_read(hw, (uint16_t)target->address, target->bytes, &port_value);
        if (status == STATUS_OK) {
            *ret_value = port_value;
        }
        return status;
    case ACCESS_PCI:
        return hw->ops->pci_read(hw, target->pci, (uint32_t)target->address, target->bytes,
                                 ret_value);
    case ACCESS_EC:
        return STATUS_NOT_FOUND;
    }
    return STATUS_UNSUPPORTED;
}

static enum status write_hw(const struct access_target *target, uint64_t value)
{
    const struct hw *hw = access.config->hw;

    count_access(target->space, true);
    if (is_cut_off()) {
        return STATUS_NOT_FOUND;
    }
    switch (target->space) {
    case ACCESS_MEMORY:
        return hw->ops->memory_write(hw, target->address, target->bytes, value);
    case ACCESS_IO:
        return hw->ops->port_write(hw, (uint16_t)target->address, target->bytes, (uint32_t)value);
    case ACCESS_PCI:
        return hw->ops->pci_write(hw, target->pci, (uint32_t)target->address, target->bytes, value);
    case ACCESS_EC:
        return STATUS_NOT_FOUND;
    }
    return STATUS_UNSUPPORTED;
}

enum status access_read(const struct access_target *target, uint64_t *ret_value)
{
    uint64_t value = 0;
    enum status status;

    if (!guard_allows()) {
        return STATUS_TIMEOUT;
    }
    status = read_hw(target, &value);
    if (status != STATUS_OK) {
        value = access_is_live() ? all_ones(target->bytes) : 0;
    }
    if (target->space == ACCESS_MEMORY && !access_is_live() && recall(target, &value)) {
        status = STATUS_OK;
    }
    *ret_value = value;
    if (status == STATUS_OK) {
        return STATUS_OK;
    }
    if (access_is_live()) {
        count_absent(target, false);
    } else {
        access.accounting->unrecorded++;
    }
    return STATUS_OK;
}

/* The CMOS byte that a write goes to, or -1. Keeps track of the index that AML selects; a 16-bit write to
 * the index port writes both ports. */
static int cmos_target(const struct access_target *target, uint64_t value)
{
    int index = -1;

    if (target->space != ACCESS_IO) {
        return index;
    }
    for (unsigned i = 0; i < target->bytes; i++) {
        uint64_t port = target->address + i;

        if (port == CMOS_INDEX_PORT) {
            access.cmos_index = (uint8_t)(value >> (8 * i)) & CMOS_INDEX_MASK;
        } else if (port == CMOS_DATA_PORT) {
            index = access.cmos_index;
        }
    }
    return index;
}

static bool may_write(const struct access_target *target, uint64_t value)
{
    const struct engine_config *config = access.config;
    int cmos = cmos_target(target, value);

    if (target->space == ACCESS_MEMORY) {
        return config->may_write == NULL ||
               config->may_write(config->may_write_context, target->address, target->bytes);
    }
    if (config->policy == POLICY_READ_ONLY) {
        return false;
    }
    return cmos < (int)CMOS_CHECKSUMMED_FIRST || cmos > (int)CMOS_CHECKSUMMED_LAST;
}

enum status access_write(const struct access_target *target, uint64_t value)
{
    enum status status;

    if (!guard_allows()) {
        return STATUS_TIMEOUT;
    }
    if (!may_write(target, value)) {
        count_denied(target);
        return STATUS_OK;
    }
    status = write_hw(target, value);
    if (access_is_live()) {
        if (status != STATUS_OK) {
            count_absent(target, true);
        }
        return STATUS_OK;
    }
    if (target->space == ACCESS_MEMORY && status != STATUS_OK && remember(target, value)) {
        return STATUS_OK;
    }
    access.accounting->unrecorded += status == STATUS_OK ? 0 : 1;
    return STATUS_OK;
}
