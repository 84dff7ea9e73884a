#include "drivers/pcc_channel.h"

#include "model/bits.h"
#include "model/units.h"

#include <stddef.h>

/* ACPI 6.5, 14.2: command at 4, status at 6, data from 8; 14.2.1 bit 15 of the command asks for an interrupt at
 * completion: never set here; 14.2.2 bit 0 complete, bit 2 error. */
#define COMMAND_OFFSET 4U
#define STATUS_OFFSET 6U
#define HEADER_BYTES 8U
#define STATUS_COMPLETE_BIT 0U
#define STATUS_ERROR_BIT 2U

/* Linux waits 500 nominal latencies, without end where the table says 0: here both ends are bounded. */
#define POLL_US 5U
#define WAIT_LATENCIES 500U
#define WAIT_MIN_US 10000U
#define WAIT_MAX_US 500000U
#define US_PER_S UINT64_C(1000000)
#define MINUTE_S 60U
#define SOON_NS 20000U

#define GENERIC_TYPES 2U /* types 0 to 2 */

static bool is_width(unsigned bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/*
 * Ports that no doorbell is behind: DMA, PIC, PIT, keyboard and port B, CMOS, DMA pages, PCI configuration and
 * reset. B2H and B3H, the ports by which chipsets raise an SMI, are what a doorbell in I/O space often is.
 */
static bool is_legacy_port(uint64_t port)
{
    static const struct {
        uint16_t first;
        uint16_t last;
    } ranges[] = {{0x00, 0x1F}, {0x20, 0x21}, {0x40, 0x43}, {0x60, 0x64},   {0x70, 0x77},
                  {0x80, 0x9F}, {0xA0, 0xA1}, {0xC0, 0xDF}, {0x3F8, 0x3FF}, {0xCF8, 0xCFF}};

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (port >= ranges[i].first && port <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* I/O APICs from FEC00000H, HPET at FED00000H, local APIC and message interrupts from FEE00000H: SDM vol. 3A,
 * 11.4.1 and 11.11.1; IA-PC HPET 1.0a, 3.2.4. */
static bool is_interrupt_page(uint64_t paddr)
{
    return (paddr >= 0xFEC00000U && paddr <= 0xFECFFFFFU) ||
           (paddr >= 0xFED00000U && paddr <= 0xFED003FFU) ||
           (paddr >= 0xFEE00000U && paddr <= 0xFEEFFFFFU);
}

static bool is_inside(const struct pcct_subspace *subspace, uint64_t paddr)
{
    return paddr >= subspace->base_paddr && paddr - subspace->base_paddr < subspace->length_bytes;
}

static const char *doorbell_why_not(const struct pcct_subspace *subspace)
{
    const struct gas *doorbell = &subspace->doorbell;

    if (doorbell->space != GAS_SYSTEM_MEMORY && doorbell->space != GAS_SYSTEM_IO) {
        return "the PCC doorbell is neither in memory nor a port";
    }
    if (!is_width(doorbell->width_bits) ||
        (doorbell->space == GAS_SYSTEM_IO && doorbell->width_bits > 32)) {
        return "the PCC doorbell has a width that cannot be accessed";
    }
    if (doorbell->address == 0 || doorbell->address % (doorbell->width_bits / 8U) != 0) {
        return "the PCC doorbell has no address, or one that is not aligned";
    }
    if (bits_get(subspace->write_mask, doorbell->width_bits - 1U, 0) == 0) {
        return "the write mask of the PCC doorbell sets no bit of it";
    }
    if (doorbell->space == GAS_SYSTEM_IO) {
        return doorbell->address > UINT16_MAX || is_legacy_port(doorbell->address)
                   ? "the PCC doorbell is the port of a legacy device"
                   : NULL;
    }
    return is_inside(subspace, doorbell->address) || is_interrupt_page(doorbell->address)
               ? "the PCC doorbell lies in shared memory or in an interrupt controller"
               : NULL;
}

const char *pcc_channel_why_not(const struct pcct_subspace *subspace)
{
    if (!subspace->is_decoded || subspace->type > GENERIC_TYPES) {
        return "the PCC subspace has not the layout of types 0 to 2";
    }
    if (subspace->base_paddr == 0 || subspace->length_bytes <= HEADER_BYTES ||
        subspace->base_paddr > UINT64_MAX - subspace->length_bytes) {
        return "the PCC subspace names no shared memory";
    }
    return doorbell_why_not(subspace);
}

void pcc_channel_open(struct pcc_channel *channel, const struct pcct_subspace *subspace,
                      uint32_t number, uint64_t tsc_hz)
{
    *channel = (struct pcc_channel){.subspace = subspace, .tsc_hz = tsc_hz};
    channel->account.subspace = number;
    channel->why_not = pcc_channel_why_not(subspace);
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
    enum status status = hw->ops->port_read(hw, (uint16_t)doorbell->address, bytes, &value);

    if (status != STATUS_OK) {
        return status;
    }
    value = (uint32_t)((value & subspace->preserve_mask) | subspace->write_mask);
    return hw->ops->port_write(hw, (uint16_t)doorbell->address, bytes, value);
}

static uint64_t now_of(const struct hw *hw, const struct pcc_channel *channel)
{
    return channel->tsc_hz == 0 ? 0 : hw->ops->tsc(hw);
}

/* Waits a little; gives how long it was at least, 0 where the TSC tells. */
static uint64_t wait_a_little(const struct hw *hw, const struct pcc_channel *channel)
{
    if (channel->pause != NULL) {
        channel->pause(channel->pause_context);
    }
    if (channel->tsc_hz != 0) {
        return 0;
    }
    hw->ops->stall_us(hw, POLL_US);
    return POLL_US;
}

static uint64_t since_us(const struct hw *hw, const struct pcc_channel *channel, uint64_t from_tsc)
{
    return channel->tsc_hz == 0
               ? 0
               : mul_div_u64(hw->ops->tsc(hw) - from_tsc, US_PER_S, channel->tsc_hz);
}

static void wait_turnaround(const struct hw *hw, const struct pcc_channel *channel)
{
    uint64_t turnaround_us = channel->subspace->min_turnaround_us;
    uint64_t waited_us = 0;

    while (channel->has_done && turnaround_us != 0 &&
           waited_us + since_us(hw, channel, channel->done_tsc) <= turnaround_us) {
        waited_us += wait_a_little(hw, channel);
    }
}

/* A minute begins with its first command: Linux counts the same way. Without a clock it never ends. */
static bool is_rate_kept(const struct hw *hw, struct pcc_channel *channel, uint32_t spare)
{
    uint32_t most = channel->subspace->max_access_rate;
    uint64_t minute_us = MINUTE_S * US_PER_S;

    if (channel->minute_commands != 0 && channel->tsc_hz != 0 &&
        since_us(hw, channel, channel->minute_tsc) > minute_us) {
        channel->minute_commands = 0;
    }
    return most == 0 || (most > spare && channel->minute_commands < most - spare);
}

enum status pcc_channel_ready(const struct hw *hw, struct pcc_channel *channel, uint32_t spare)
{
    if (channel->why_not != NULL) {
        return STATUS_UNSUPPORTED;
    }
    if (channel->is_dead) {
        return STATUS_TIMEOUT;
    }
    wait_turnaround(hw, channel);
    return is_rate_kept(hw, channel, spare) ? STATUS_OK : STATUS_FULL;
}

static enum status ring(const struct hw *hw, struct pcc_channel *channel)
{
    const struct pcct_subspace *subspace = channel->subspace;

    if (channel->minute_commands == 0) {
        channel->minute_tsc = now_of(hw, channel);
    }
    channel->minute_commands++;
    channel->account.commands++;
    channel->start_tsc = now_of(hw, channel);
    return subspace->doorbell.space == GAS_SYSTEM_IO ? ring_port(hw, subspace)
                                                     : ring_memory(hw, subspace);
}

enum status pcc_channel_start(const struct hw *hw, struct pcc_channel *channel,
                              enum pcc_command command)
{
    uint64_t base_paddr = channel->subspace->base_paddr;
    enum status status = hw->ops->memory_write(hw, base_paddr + COMMAND_OFFSET, 2, command);

    if (status == STATUS_OK) {
        status = hw->ops->memory_write(hw, base_paddr + STATUS_OFFSET, 2, 0);
    }
    if (status == STATUS_OK) {
        status = ring(hw, channel);
    }
    channel->is_under_way = status == STATUS_OK;
    channel->last = status;
    return status;
}

static uint64_t limit_us_of(const struct pcct_subspace *subspace)
{
    uint64_t limit_us = (uint64_t)subspace->latency_us * WAIT_LATENCIES;

    limit_us = limit_us < WAIT_MIN_US ? WAIT_MIN_US : limit_us;
    return limit_us > WAIT_MAX_US ? WAIT_MAX_US : limit_us;
}

static enum status wait_complete(const struct hw *hw, struct pcc_channel *channel,
                                 bool *ret_has_waited)
{
    uint64_t limit_us = limit_us_of(channel->subspace);
    uint64_t waited_us = 0;

    *ret_has_waited = false;
    for (;;) {
        uint64_t word = 0;
        enum status status =
            hw->ops->memory_read(hw, channel->subspace->base_paddr + STATUS_OFFSET, 2, &word);

        if (status != STATUS_OK) {
            return status;
        }
        if (bits_test(word, STATUS_COMPLETE_BIT) != 0) {
            return bits_test(word, STATUS_ERROR_BIT) != 0 ? STATUS_IO : STATUS_OK;
        }
        if (waited_us + since_us(hw, channel, channel->start_tsc) > limit_us) {
            return STATUS_TIMEOUT;
        }
        waited_us += wait_a_little(hw, channel);
        *ret_has_waited = true;
    }
}

/* A completion that was there at the first look came at some time before: it tells nothing, unless that was soon. */
static void book(const struct hw *hw, struct pcc_channel *channel, enum status status,
                 bool has_waited)
{
    struct pcc_account *account = &channel->account;
    uint64_t took_ns;

    channel->done_tsc = now_of(hw, channel);
    channel->has_done = true;
    if (status == STATUS_TIMEOUT) {
        account->timeouts++;
        channel->is_dead = true;
        return;
    }
    account->errors += status == STATUS_IO ? 1U : 0U;
    if (channel->tsc_hz == 0) {
        return;
    }
    took_ns = units_tsc_to_ns(channel->done_tsc - channel->start_tsc, channel->tsc_hz);
    if (!has_waited && took_ns > SOON_NS) {
        return;
    }
    account->timed++;
    account->sum_ns += took_ns;
    account->longest_ns = took_ns > account->longest_ns ? took_ns : account->longest_ns;
}

enum status pcc_channel_finish(const struct hw *hw, struct pcc_channel *channel)
{
    enum status status;
    bool has_waited;

    if (!channel->is_under_way) {
        return channel->last;
    }
    status = wait_complete(hw, channel, &has_waited);
    channel->is_under_way = false;
    if (status == STATUS_OK || status == STATUS_IO || status == STATUS_TIMEOUT) {
        book(hw, channel, status, has_waited);
    }
    channel->last = status;
    return status;
}

enum status pcc_channel_read(const struct hw *hw, struct pcc_channel *channel)
{
    if (channel->is_asked) {
        return channel->status;
    }
    channel->is_asked = true;
    channel->status = pcc_channel_ready(hw, channel, 0);
    if (channel->status == STATUS_OK) {
        channel->status = pcc_channel_start(hw, channel, PCC_READ);
    }
    if (channel->status == STATUS_OK) {
        channel->status = pcc_channel_finish(hw, channel);
    }
    if (channel->status == STATUS_NOT_FOUND && !hw->is_live) {
        channel->status = STATUS_OK;
    }
    return channel->status;
}

static struct pcc_account *account_of(struct platform *platform, uint32_t subspace)
{
    for (uint32_t i = 0; i < platform->pcc_count; i++) {
        if (platform->pcc[i].subspace == subspace) {
            return &platform->pcc[i];
        }
    }
    return NULL;
}

static void add(const struct pcc_account *more, struct pcc_account *sum)
{
    sum->commands += more->commands;
    sum->timeouts += more->timeouts;
    sum->errors += more->errors;
    sum->timed += more->timed;
    sum->sum_ns += more->sum_ns;
    sum->longest_ns = more->longest_ns > sum->longest_ns ? more->longest_ns : sum->longest_ns;
}

/* Room for every subspace, once. */
static bool has_room(struct platform *platform, uint32_t count)
{
    if (platform->pcc == NULL) {
        platform->pcc = arena_array(platform->arena, count, sizeof(*platform->pcc));
        platform->pcc_count = 0;
    }
    return platform->pcc != NULL;
}

void pcc_channel_account(const struct pcc_channel *channels, uint32_t count,
                         struct platform *platform)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct pcc_account *account = &channels[i].account;
        struct pcc_account *sum;

        if (account->commands == 0 || !has_room(platform, platform->pcct.count)) {
            continue;
        }
        sum = account_of(platform, account->subspace);
        if (sum != NULL) {
            add(account, sum);
        } else if (platform->pcc_count < platform->pcct.count) {
            platform->pcc[platform->pcc_count++] = *account;
        }
    }
}
