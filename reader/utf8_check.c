/* Owns the validation of UTF-8. */
#include "utf8_check.h"

size_t ftr_character_size(const uint8_t *p, size_t left)
{
    const uint8_t first = p[0];
    if (first < 0x80)
        return 1;
    const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > left)
        return 0;
    /* Excludes overlong forms, surrogates, and code points above U+10FFFF. */
    const uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < least || p[1] > most)
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

bool ftr_is_utf8(const uint8_t *p, size_t size)
{
    while (size > 0) {
        const size_t step = ftr_character_size(p, size);
        if (step == 0)
            return false;
        p += step;
        size -= step;
    }
    return true;
}
