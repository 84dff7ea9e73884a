#include "tests/sim/sim_freq_pcc.h"

#include <string.h>

#define PS_PER_S UINT64_C(1000000000000)
#define MINUTE_PS (60 * PS_PER_S)
#define WORDS_PADDR (SIM_PCC_BASE + 8)
#define STATUS_COMPLETE 1U
#define STATUS_ERROR 4U
#define READ 0U
#define WRITE 1U

static bool is_failing(const struct sim_freq_pcc *pcc)
{
    return pcc->reads + pcc->writes > pcc->good;
}

static void refuse(struct sim_freq *machine, const char *why)
{
    if (machine->failure == NULL) {
        machine->failure = why;
    }
}

static void settle(struct sim_freq_pcc *pcc, uint64_t now_ps)
{
    if (pcc->is_busy && now_ps >= pcc->done_ps && !(pcc->never_completes && is_failing(pcc))) {
        pcc->is_busy = false;
    }
}

static uint64_t status_of(const struct sim_freq_pcc *pcc)
{
    if (pcc->is_busy) {
        return 0;
    }
    return STATUS_COMPLETE | (pcc->reports_error && is_failing(pcc) ? STATUS_ERROR : 0);
}

/* The word at this address, or NULL. */
static uint32_t *word_of(struct sim_freq *machine, uint64_t paddr, unsigned bytes)
{
    uint64_t offset = paddr - WORDS_PADDR;

    return paddr >= WORDS_PADDR && bytes == 4 && offset % 16 < 12 && offset % 4 == 0 &&
                   offset / 16 < machine->count
               ? &machine->pcc.word[offset / 16 * 3 + offset % 16 / 4]
               : NULL;
}

enum status sim_pcc_read(struct sim_freq *machine, uint64_t now_ps, uint64_t paddr, unsigned bytes,
                         uint64_t *ret_value)
{
    struct sim_freq_pcc *pcc = &machine->pcc;
    uint32_t *word = word_of(machine, paddr, bytes);

    settle(pcc, now_ps);
    if (pcc->is_there && !pcc->is_bell_port && paddr == SIM_PCC_BELL && bytes == 4) {
        *ret_value = pcc->bell;
    } else if (pcc->is_there && paddr == SIM_PCC_BASE + 6 && bytes == 2) {
        *ret_value = status_of(pcc);
    } else if (pcc->is_there && word != NULL && !pcc->is_busy) {
        *ret_value = *word;
    } else {
        refuse(machine, "memory was read that is nobody's, or the platform's");
        return STATUS_NOT_FOUND;
    }
    return STATUS_OK;
}

static void count_command(struct sim_freq *machine, uint64_t now_ps)
{
    struct sim_freq_pcc *pcc = &machine->pcc;

    if (pcc->minute_commands == 0 || now_ps - pcc->minute_ps > MINUTE_PS) {
        pcc->minute_ps = now_ps;
        pcc->minute_commands = 0;
    }
    pcc->minute_commands++;
    if (pcc->most_a_minute != 0 && pcc->minute_commands > pcc->most_a_minute) {
        refuse(machine, "more commands a minute than the PCCT allows");
    }
    if (pcc->reads + pcc->writes != 0 && now_ps < pcc->done_ps + pcc->turnaround_ps) {
        refuse(machine, "a command before the minimum turnaround had passed");
    }
    *(pcc->command == READ ? &pcc->reads : &pcc->writes) += 1;
}

void sim_pcc_ring(struct sim_freq *machine, uint64_t now_ps, uint64_t value)
{
    struct sim_freq_pcc *pcc = &machine->pcc;

    settle(pcc, now_ps);
    if (pcc->is_busy || pcc->command > WRITE) {
        refuse(machine, "the doorbell rang while a command was under way, or for none");
        return;
    }
    if (value != ((pcc->bell & pcc->preserve) | pcc->write)) {
        refuse(machine, "the doorbell's other bits were changed");
    }
    count_command(machine, now_ps);
    pcc->is_busy = true;
    pcc->done_ps = now_ps + pcc->latency_ps;
    if (pcc->command != WRITE || is_failing(pcc)) {
        return;
    }
    for (uint32_t cpu = 0; cpu < machine->count; cpu++) {
        const uint32_t *word = &pcc->word[(size_t)cpu * 3];

        if (word[0] == word[1] && word[0] == word[2]) {
            sim_freq_ask_at(machine, cpu, word[0], pcc->done_ps);
        } else if (memcmp(word, &pcc->first_word[(size_t)cpu * 3], 12) != 0) {
            refuse(machine, "minimum, maximum and desired performance differ");
        }
    }
}

enum status sim_pcc_write(struct sim_freq *machine, uint64_t now_ps, uint64_t paddr, unsigned bytes,
                          uint64_t value)
{
    struct sim_freq_pcc *pcc = &machine->pcc;
    uint32_t *word = word_of(machine, paddr, bytes);

    settle(pcc, now_ps);
    if (pcc->is_there && !pcc->is_bell_port && paddr == SIM_PCC_BELL && bytes == 4) {
        sim_pcc_ring(machine, now_ps, value);
    } else if (!pcc->is_there || pcc->is_busy) {
        refuse(machine, "memory was written that is nobody's, or the platform's");
        return STATUS_NOT_FOUND;
    } else if (paddr == SIM_PCC_BASE + 4 && bytes == 2) {
        pcc->command = (uint16_t)value;
    } else if (word != NULL) {
        *word = (uint32_t)value;
    } else if (paddr != SIM_PCC_BASE + 6 || bytes != 2 || value != 0) {
        refuse(machine, "shared memory was written outside its registers");
    }
    return STATUS_OK;
}

void sim_freq_make_pcc(struct sim_freq *machine, const uint64_t *level)
{
    struct sim_freq_pcc *pcc = &machine->pcc;

    machine->is_amd = true;
    machine->control_msr = 0;
    machine->status_msr = 0;
    machine->control_mask = 0xFFFF;
    *pcc = (struct sim_freq_pcc){.is_there = true,
                                 .good = UINT32_MAX,
                                 .latency_ps = 40000000,
                                 .bell = 0x5A02,
                                 .preserve = 0xFF00,
                                 .write = 1};
    for (uint32_t row = 0; row < machine->rows; row++) {
        machine->control[row] = level[row];
    }
    for (uint32_t cpu = 0; cpu < machine->count; cpu++) {
        uint32_t *word = &pcc->word[(size_t)cpu * 3];

        /* Other than any request: all levels, none desired. */
        word[1] = (uint32_t)level[machine->rows - 1];
        word[2] = (uint32_t)level[0];
        machine->cpus[cpu].control = level[0];
    }
    memcpy(pcc->first_word, pcc->word, sizeof(pcc->word));
}
