/* The rules of UTF-8. */
#include "utf8.h"

#include <string.h>

size_t ftr_utf8_length(const uint8_t *text, size_t left, size_t *invalid)
{
    const uint8_t first = text[0];
    *invalid = 1;
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    /* Excludes overlong forms, surrogates, and code points above U+10FFFF. */
    uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (size_t i = 1; i < length; i++) {
        if (i >= left || text[i] < least || text[i] > most)
            return 0;
        *invalid = i + 1;
        least = 0x80;
        most = 0xbf;
    }
    return length;
}

/* Returns the number of ASCII bytes at the start, rounded down to a multiple of eight. */
static size_t ascii_prefix(const uint8_t *text, size_t size)
{
    size_t i = 0;
    for (uint64_t word; i + 8 <= size; i += 8) {
        memcpy(&word, text + i, 8);
        if (word & UINT64_C(0x8080808080808080))
            break;
    }
    return i;
}

bool ftr_utf8_is_valid(const uint8_t *text, size_t size)
{
    size_t i = ascii_prefix(text, size);
    while (i < size) {
        size_t invalid;
        const size_t length = ftr_utf8_length(text + i, size - i, &invalid);
        if (length == 0)
            return false;
        i += length;
    }
    return true;
}

size_t ftr_utf8_repair(const uint8_t *text, size_t size, uint8_t *out)
{
    size_t written = 0;
    for (size_t i = 0; i < size;) {
        size_t invalid;
        const size_t length = ftr_utf8_length(text + i, size - i, &invalid);
        const size_t put = length > 0 ? length : FTR_UTF8_REPLACEMENT_SIZE;
        memcpy(out + written, length > 0 ? text + i : (const uint8_t *)FTR_UTF8_REPLACEMENT, put);
        written += put;
        i += length > 0 ? length : invalid;
    }
    return written;
}
