#include "model/utf8.h"

#include <stdint.h>

/* The Unicode Standard 15.0, Table 3-7: by the first byte, how many follow and what the second may be. */
struct lead {
    uint8_t first;
    uint8_t last;
    uint8_t following;
    uint8_t second_first;
    uint8_t second_last;
};

static const struct lead leads[] = {
    {0x00, 0x7F, 0, 0, 0},       {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
    {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
    {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static const struct lead *find_lead(uint8_t byte)
{
    for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
        if (byte >= leads[i].first && byte <= leads[i].last) {
            return &leads[i];
        }
    }
    return NULL;
}

size_t utf8_sequence(const char *bytes, size_t length, bool *ret_is_valid)
{
    const struct lead *lead = find_lead((uint8_t)bytes[0]);
    size_t good = 1;

    *ret_is_valid = false;
    if (lead == NULL) {
        return 1;
    }
    while (good <= lead->following && good < length) {
        uint8_t byte = (uint8_t)bytes[good];
        uint8_t first = good == 1 ? lead->second_first : 0x80;
        uint8_t last = good == 1 ? lead->second_last : 0xBF;

        if (byte < first || byte > last) {
            return good;
        }
        good++;
    }
    *ret_is_valid = good == (size_t)lead->following + 1;
    return good;
}
