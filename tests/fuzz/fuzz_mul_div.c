#include "model/units.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Against the compiler's own 128-bit division, which the UEFI build cannot have. */
static uint64_t reference(const uint64_t *word, uint64_t add)
{
    __extension__ unsigned __int128 product = word[0];

    if (word[2] == 0) {
        return UINT64_MAX;
    }
    product = (product * word[1] + add) / word[2];
    return product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t word[3] = {0};

    memcpy(word, data, size < sizeof(word) ? size : sizeof(word));
    if (mul_div_u64(word[0], word[1], word[2]) != reference(word, 0) ||
        mul_div_round_u64(word[0], word[1], word[2]) != reference(word, word[2] / 2)) {
        abort();
    }
    return 0;
}
