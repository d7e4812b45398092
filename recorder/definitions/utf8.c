/* UTF-8 checking and repair. Knows nothing of who uses it. */
#include "utf8.h"

#include <string.h>

/* Length of the valid sequence at @p text, or 0; then @p bad is the length of the maximal prefix of
 * a sequence, which is replaced as one (Unicode 15, section 3.9, "substitution of maximal
 * subparts"). */
static size_t sequence(const uint8_t *text, size_t left, size_t *bad)
{
    uint8_t first = text[0];
    *bad = 1;
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (size_t i = 1; i < length; ++i) {
        if (i >= left || text[i] < low || text[i] > high)
            return 0;
        *bad = i + 1;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

/* Bytes of ASCII at the start, eight at a time. */
static size_t ascii_prefix(const uint8_t *text, size_t length)
{
    size_t i = 0;
    for (uint64_t word; i + 8 <= length; i += 8) {
        memcpy(&word, text + i, 8);
        if (word & UINT64_C(0x8080808080808080))
            break;
    }
    return i;
}

bool ftr_utf8_is_valid(const uint8_t *text, size_t length)
{
    size_t i = ascii_prefix(text, length);
    while (i < length) {
        size_t bad;
        size_t step = sequence(text + i, length - i, &bad);
        if (step == 0)
            return false;
        i += step;
    }
    return true;
}

size_t ftr_utf8_repair(const uint8_t *text, size_t length, uint8_t *out)
{
    static const uint8_t replacement[3] = {0xef, 0xbf, 0xbd};
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        size_t bad;
        size_t step = sequence(text + i, length - i, &bad);
        if (step) {
            memcpy(out + written, text + i, step);
            written += step;
            i += step;
        } else {
            memcpy(out + written, replacement, 3);
            written += 3;
            i += bad;
        }
    }
    return written;
}
