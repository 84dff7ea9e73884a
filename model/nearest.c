#include "model/nearest.h"

#include <string.h>

static char folded(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static uint32_t minimum(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance with one row of the table (Wagner and Fischer, JACM 21, 1974, page 168). */
static uint32_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t row[NEAREST_LENGTH_MAX + 1];

    for (size_t j = 0; j <= b_length; j++) {
        row[j] = (uint32_t)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];

        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            uint32_t replaced = diagonal + (folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1);

            diagonal = row[j];
            row[j] = minimum(replaced, minimum(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

uint32_t nearest_rank(const char *word, size_t length, const char *candidate)
{
    size_t candidate_length = strlen(candidate);
    uint32_t alike = 0;
    uint32_t distance;

    length = length < NEAREST_LENGTH_MAX ? length : NEAREST_LENGTH_MAX;
    candidate_length =
        candidate_length < NEAREST_LENGTH_MAX ? candidate_length : NEAREST_LENGTH_MAX;
    while (alike < length && alike < candidate_length &&
           folded(word[alike]) == folded(candidate[alike])) {
        alike++;
    }
    distance = edit_distance(word, length, candidate, candidate_length);
    if (length > 0 && alike == length && distance > 1) {
        distance = 1;
    }
    return distance * (NEAREST_LENGTH_MAX + 1) + NEAREST_LENGTH_MAX - alike;
}

const char *nearest_of(const char *word, size_t length, const char *const *candidates, size_t count)
{
    const char *best = candidates[0];
    uint32_t best_rank = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        uint32_t rank = nearest_rank(word, length, candidates[i]);

        if (rank < best_rank) {
            best = candidates[i];
            best_rank = rank;
        }
    }
    return best;
}
