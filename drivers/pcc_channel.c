#include "drivers/pcc_channel.h"

#include "model/bits.h"

/* ACPI 6.5, 14.2: command at 4, status at 6; 14.2.1 READ is 0; 14.2.2 bit 0 complete, bit 2 error. */
#define COMMAND_OFFSET 4U
#define STATUS_OFFSET 6U
#define COMMAND_READ 0U
#define STATUS_COMPLETE_BIT 0U
#define STATUS_ERROR_BIT 2U

/* Linux waits 500 nominal latencies, without end where the table says 0: here both ends are bounded. */
#define POLL_US 5U
#define WAIT_LATENCIES 500U
#define WAIT_MIN_US 10000U
#define WAIT_MAX_US 500000U

static bool is_width(unsigned bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* A doorbell in memory or I/O space: keep what preserve_mask covers, set write_mask. */
static enum status ring_memory(const struct hw *hw, const struct pcct_subspace *subspace)
{
    const struct gas *doorbell = &subspace->doorbell;
    unsigned bytes = doorbell->width_bits / 8U;
    uint64_t value = 0;
    enum status status = hw->ops->memory_read(hw, doorbell->address, bytes, &value);

    if (status != STATUS_OK) {
        return status;
    }
    value = (value & subspace->preserve_mask) | subspace->write_mask;
    return hw->ops->memory_write(hw, doorbell->address, bytes, value);
}

static enum status ring_port(const struct hw *hw, const struct pcct_subspace *subspace)
{
    const struct gas *doorbell = &subspace->doorbell;
    unsigned bytes = doorbell->width_bits / 8U;
    uint32_t value = 0;
    enum status status;

    if (bytes > 4 || doorbell->address > UINT16_MAX) {
        return STATUS_UNSUPPORTED;
    }
    status = hw->ops->port_read(hw, (uint16_t)doorbell->address, bytes, &value);
    if (status != STATUS_OK) {
        return status;
    }
    value = (uint32_t)((value & subspace->preserve_mask) | subspace->write_mask);
    return hw->ops->port_write(hw, (uint16_t)doorbell->address, bytes, value);
}

static enum status ring(const struct hw *hw, const struct pcct_subspace *subspace)
{
    if (!is_width(subspace->doorbell.width_bits)) {
        return STATUS_UNSUPPORTED;
    }
    switch (subspace->doorbell.space) {
    case GAS_SYSTEM_MEMORY:
        return ring_memory(hw, subspace);
    case GAS_SYSTEM_IO:
        return ring_port(hw, subspace);
    default:
        return STATUS_UNSUPPORTED;
    }
}

static enum status wait_complete(const struct hw *hw, const struct pcct_subspace *subspace)
{
    uint64_t limit_us = (uint64_t)subspace->latency_us * WAIT_LATENCIES;

    limit_us = limit_us < WAIT_MIN_US ? WAIT_MIN_US : limit_us;
    limit_us = limit_us > WAIT_MAX_US ? WAIT_MAX_US : limit_us;
    for (uint64_t waited_us = 0; waited_us <= limit_us; waited_us += POLL_US) {
        uint64_t word = 0;
        enum status status =
            hw->ops->memory_read(hw, subspace->base_paddr + STATUS_OFFSET, 2, &word);

        if (status != STATUS_OK) {
            return status;
        }
        if (bits_test(word, STATUS_COMPLETE_BIT) != 0) {
            return bits_test(word, STATUS_ERROR_BIT) != 0 ? STATUS_IO : STATUS_OK;
        }
        hw->ops->stall_us(hw, POLL_US);
    }
    return STATUS_TIMEOUT;
}

static enum status send_read(const struct hw *hw, const struct pcct_subspace *subspace)
{
    enum status status;

    /* Types 0 to 2 have the generic shared memory; 3 to 5 another one (ACPI 6.5, 14.3, 14.1.7). */
    if (!subspace->is_decoded || subspace->type > 2) {
        return STATUS_UNSUPPORTED;
    }
    status = hw->ops->memory_write(hw, subspace->base_paddr + COMMAND_OFFSET, 2, COMMAND_READ);
    if (status == STATUS_OK) {
        status = hw->ops->memory_write(hw, subspace->base_paddr + STATUS_OFFSET, 2, 0);
    }
    if (status == STATUS_OK) {
        status = ring(hw, subspace);
    }
    return status == STATUS_OK ? wait_complete(hw, subspace) : status;
}

enum status pcc_channel_read(const struct hw *hw, const struct pcct_subspace *subspace,
                             struct pcc_channel *channel)
{
    if (channel->is_asked) {
        return channel->status;
    }
    channel->is_asked = true;
    channel->status = send_read(hw, subspace);
    if (channel->status == STATUS_NOT_FOUND && !hw->is_live) {
        channel->status = STATUS_OK;
    }
    return channel->status;
}
