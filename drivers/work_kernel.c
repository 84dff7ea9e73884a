#include "drivers/work_kernel.h"

#define SEED UINT64_C(0x9E3779B97F4A7C15)
#define MULTIPLIER UINT64_C(0x2545F4914F6CDD1D)

/* SEED after WORK_STEPS steps. */
#define INTEGER_RESULT UINT64_C(0x508A044D2BE00152)

static uint64_t step(uint64_t state)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state;
}

static uint64_t run_integer(void)
{
    uint64_t state = SEED;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < WORK_STEPS; i++) {
        state = step(state);
        sum = (sum + state) * MULTIPLIER;
    }
    return sum;
}

void work_buffer_fill(uint64_t *buffer)
{
    for (size_t i = 0; i < WORK_BUFFER_BYTES / sizeof(*buffer); i++) {
        buffer[i] = i;
    }
}

/* Word 0 of line n holds n * WORK_LINE_WORDS. */
static bool run_memory(uint64_t piece, const uint64_t *buffer)
{
    size_t first = (size_t)(piece % WORK_LAP) * WORK_LINES;
    const uint64_t *at = buffer + first * WORK_LINE_WORDS;
    uint64_t sum = 0;
    uint64_t expected;

    for (uint32_t line = 0; line < WORK_LINES; line++) {
        sum += at[(size_t)line * WORK_LINE_WORDS];
    }
    expected = WORK_LINE_WORDS *
               ((uint64_t)first * WORK_LINES + (uint64_t)WORK_LINES * (WORK_LINES - 1) / 2);
    return sum == expected;
}

bool work_piece(enum work_kernel kernel, uint64_t piece, const uint64_t *buffer)
{
    return kernel == WORK_INTEGER ? run_integer() == INTEGER_RESULT : run_memory(piece, buffer);
}
