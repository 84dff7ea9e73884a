#include "drivers/frequency_pcc.h"

#include <stddef.h>
#include <string.h>

#define SPARE 2U /* commands that are left for putting back and looking */

static const char *why_of(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return NULL;
    case STATUS_TIMEOUT:
        return "the platform does not complete its PCC commands in time";
    case STATUS_IO:
        return "the platform reports an error for a PCC command";
    case STATUS_FULL:
        return "the PCCT allows no more commands a minute (maximum periodic access rate)";
    case STATUS_DENIED:
    case STATUS_NOT_FOUND:
        return "PCC shared memory or doorbell lie where nothing may be written";
    case STATUS_UNSUPPORTED:
    case STATUS_NO_MEMORY:
    case STATUS_BAD_INPUT:
    case STATUS_FAULT:
    default:
        return "PCC shared memory or doorbell could not be accessed";
    }
}

struct frequency_pcc *frequency_pcc_open(struct platform *platform, void (*pause)(void *context),
                                         void *pause_context)
{
    uint32_t count = platform->pcct.count;
    struct frequency_pcc *pcc = arena_take(platform->arena, sizeof(*pcc));

    if (pcc == NULL) {
        return NULL;
    }
    pcc->channels_count = count;
    pcc->cpus_count = platform->cpus_count;
    pcc->channels = arena_array(platform->arena, count, sizeof(*pcc->channels));
    pcc->is_used = arena_array(platform->arena, count, 1);
    pcc->is_stored = arena_array(platform->arena, count, 1);
    pcc->cpus = arena_array(platform->arena, platform->cpus_count, sizeof(*pcc->cpus));
    if (pcc->channels == NULL || pcc->is_used == NULL || pcc->is_stored == NULL ||
        pcc->cpus == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        pcc_channel_open(&pcc->channels[i], &platform->pcct.subspaces[i], i, platform->tsc_hz);
        pcc->channels[i].pause = pause;
        pcc->channels[i].pause_context = pause_context;
    }
    return pcc;
}

static struct pcc_channel *channel_of(const struct frequency_pcc *pcc, uint32_t cpu)
{
    return &pcc->channels[pcc->cpus[cpu].way->pcc_subspace];
}

static enum status command(const struct hw *hw, struct pcc_channel *channel, uint32_t spare,
                           enum pcc_command which)
{
    enum status status = pcc_channel_ready(hw, channel, spare);

    if (status == STATUS_OK) {
        status = pcc_channel_start(hw, channel, which);
    }
    return status == STATUS_OK ? pcc_channel_finish(hw, channel) : status;
}

/* Once a channel, before the first look at its memory; later calls give the first outcome. */
static enum status read_once(const struct hw *hw, struct pcc_channel *channel)
{
    if (!channel->is_asked) {
        channel->is_asked = true;
        channel->status = command(hw, channel, SPARE + 1, PCC_READ);
    }
    return channel->status;
}

static enum status read_registers(const struct hw *hw, const struct frequency_way *way,
                                  uint64_t *ret_values)
{
    enum status status = STATUS_OK;

    for (unsigned i = 0; i < FREQUENCY_PCC_REGISTERS && status == STATUS_OK; i++) {
        if (way->pcc[i].bytes != 0) {
            status = hw->ops->memory_read(hw, way->pcc[i].paddr, way->pcc[i].bytes, &ret_values[i]);
        }
    }
    return status;
}

const char *frequency_pcc_save(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu,
                               const struct frequency_way *way)
{
    struct frequency_pcc_cpu *own = &pcc->cpus[cpu];
    enum status status;

    own->way = way;
    status = read_once(hw, channel_of(pcc, cpu));
    if (status == STATUS_OK) {
        status = read_registers(hw, way, own->before);
    }
    own->is_saved = status == STATUS_OK;
    if (own->is_saved) {
        pcc->is_used[way->pcc_subspace] = 1;
    }
    return why_of(status);
}

/* While a command is under way the memory is the platform's. */
static enum status write_registers(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu,
                                   const uint64_t *values)
{
    const struct frequency_way *way = pcc->cpus[cpu].way;
    enum status status = STATUS_OK;

    (void)!pcc_channel_finish(hw, channel_of(pcc, cpu));
    if (channel_of(pcc, cpu)->is_dead) {
        return STATUS_TIMEOUT;
    }
    for (unsigned i = 0; i < FREQUENCY_PCC_REGISTERS && status == STATUS_OK; i++) {
        if (way->pcc[i].bytes != 0) {
            status = hw->ops->memory_write(hw, way->pcc[i].paddr, way->pcc[i].bytes, values[i]);
            pcc->writes += status == STATUS_OK ? 1U : 0U;
        }
    }
    pcc->is_stored[way->pcc_subspace] = 1;
    return status;
}

const char *frequency_pcc_store(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu,
                                uint64_t level)
{
    uint64_t values[FREQUENCY_PCC_REGISTERS];

    for (unsigned i = 0; i < FREQUENCY_PCC_REGISTERS; i++) {
        values[i] = level;
    }
    pcc->cpus[cpu].is_written = true;
    return why_of(write_registers(hw, pcc, cpu, values));
}

const char *frequency_pcc_ready(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu)
{
    return why_of(pcc_channel_ready(hw, channel_of(pcc, cpu), SPARE));
}

const char *frequency_pcc_start(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu)
{
    struct pcc_channel *channel = channel_of(pcc, cpu);
    uint8_t *is_stored = &pcc->is_stored[pcc->cpus[cpu].way->pcc_subspace];
    enum status status;

    if (*is_stored == 0) {
        return NULL;
    }
    status = pcc_channel_ready(hw, channel, SPARE);
    if (status == STATUS_OK) {
        *is_stored = 0;
        status = pcc_channel_start(hw, channel, PCC_WRITE);
    }
    return why_of(status);
}

const char *frequency_pcc_finish(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu)
{
    return why_of(pcc_channel_finish(hw, channel_of(pcc, cpu)));
}

/* The boot CPU's part of putting back, subspace by subspace. False when the platform did not take part. */
static bool restore_channel(const struct hw *hw, struct frequency_pcc *pcc, uint32_t subspace)
{
    struct pcc_channel *channel = &pcc->channels[subspace];
    bool is_written = false;

    (void)!pcc_channel_finish(hw, channel);
    if (channel->is_dead) {
        return false;
    }
    for (uint32_t cpu = 0; cpu < pcc->cpus_count; cpu++) {
        const struct frequency_pcc_cpu *own = &pcc->cpus[cpu];

        if (own->is_written && own->way->pcc_subspace == subspace) {
            is_written = true;
            (void)write_registers(hw, pcc, cpu, own->before);
        }
    }
    return !is_written || (command(hw, channel, 0, PCC_WRITE) == STATUS_OK &&
                           command(hw, channel, 0, PCC_READ) == STATUS_OK);
}

/* What of this register is not as before; false when it is. */
static bool is_left(const struct hw *hw, const struct frequency_pcc_cpu *own, unsigned index,
                    bool is_answered, struct request_left *ret_left)
{
    const struct frequency_pcc_register *which = &own->way->pcc[index];

    ret_left->where = REQUEST_IN_MEMORY;
    ret_left->address = which->paddr;
    ret_left->before = own->before[index];
    ret_left->end = REQUEST_END_NO_ANSWER;
    if (!is_answered) {
        return true;
    }
    ret_left->end = REQUEST_END_FAULTED;
    if (hw->ops->memory_read(hw, which->paddr, which->bytes, &ret_left->after) != STATUS_OK) {
        return true;
    }
    ret_left->end = REQUEST_END_DIFFERENT;
    return ret_left->after != ret_left->before;
}

/* Adds to what earlier guards of the run left. */
static void note_left(const struct request_left *left, struct platform *platform)
{
    uint32_t count = platform->requests_left_count;
    struct request_left *all = arena_array(platform->arena, count + 1, sizeof(*all));

    if (all == NULL) {
        platform->incomplete = "no memory for the registers that were left behind";
        return;
    }
    if (count != 0) {
        memcpy(all, platform->requests_left, count * sizeof(*all));
    }
    all[count] = *left;
    platform->requests_left = all;
    platform->requests_left_count = count + 1;
    platform->requests.left = count + 1;
}

static void look(const struct hw *hw, const struct frequency_pcc *pcc, const uint8_t *is_answered,
                 struct platform *platform)
{
    for (uint32_t cpu = 0; cpu < pcc->cpus_count; cpu++) {
        const struct frequency_pcc_cpu *own = &pcc->cpus[cpu];

        for (unsigned i = 0; own->is_saved && i < FREQUENCY_PCC_REGISTERS; i++) {
            struct request_left left = {.cpu = cpu};

            platform->requests.saved += own->way->pcc[i].bytes != 0 ? 1U : 0U;
            if (own->is_written && own->way->pcc[i].bytes != 0 &&
                is_left(hw, own, i, is_answered[own->way->pcc_subspace] != 0, &left)) {
                note_left(&left, platform);
            }
        }
    }
}

void frequency_pcc_close(const struct hw *hw, struct frequency_pcc *pcc, struct platform *platform)
{
    uint8_t *is_answered = pcc->is_stored;

    platform->requests.writes += pcc->writes;
    for (uint32_t i = 0; i < pcc->channels_count; i++) {
        is_answered[i] = pcc->is_used[i] == 0 || restore_channel(hw, pcc, i) ? 1 : 0;
    }
    look(hw, pcc, is_answered, platform);
    platform->requests.was_opened = true;
    platform->requests.not_opened_why = NULL;
    pcc_channel_account(pcc->channels, pcc->channels_count, platform);
}
