#include "model/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_line(const uint8_t *bytes, size_t length, char ret_line[BASE64_LINE_CHARS])
{
    size_t written = 0;

    for (size_t at = 0; at < length && at < BASE64_LINE_BYTES; at += 3) {
        size_t left = length - at < 3 ? length - at : 3;
        uint32_t group = (uint32_t)bytes[at] << 16;

        group |= left > 1 ? (uint32_t)bytes[at + 1] << 8 : 0;
        group |= left > 2 ? bytes[at + 2] : 0;
        for (size_t i = 0; i < 4; i++) {
            ret_line[written++] = i <= left ? alphabet[group >> (18 - 6 * i) & 0x3F] : '=';
        }
    }
    return written;
}
