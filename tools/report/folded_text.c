/* Owns the pairs of letters that a search treats as equal. Unicode guarantees that these pairs
 * never change, so that every browser has the same pairs. */
#include "folded_text.h"

#include <stdint.h>
#include <string.h>

/* Upper-case letters from `first` to `last` in steps of `step`. */
typedef struct letter_range {
    uint16_t first, last;
    uint8_t step;
    int16_t distance; /* from an upper-case letter to its lower-case letter */
} letter_range;

/* In ascending order; without U+0130, which has no single lower-case letter. */
static const letter_range RANGES[] = {
    {0xc0, 0xd6, 1, 32},   {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},    {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1},  {0x14a, 0x176, 2, 1},  {0x178, 0x178, 1, -121}, {0x179, 0x17d, 2, 1},
    {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64},   {0x38e, 0x38f, 1, 63},
    {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x400, 0x40f, 1, 80},   {0x410, 0x42f, 1, 32},
    {0x460, 0x480, 2, 1},  {0x48a, 0x4be, 2, 1},  {0x4c0, 0x4c0, 1, 15},   {0x4c1, 0x4cd, 2, 1},
    {0x4d0, 0x52e, 2, 1},
};

static unsigned fold_letter(unsigned letter)
{
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0] && letter >= RANGES[i].first; i++)
        if (letter <= RANGES[i].last && (letter - RANGES[i].first) % RANGES[i].step == 0)
            return (unsigned)((int)letter + RANGES[i].distance);
    return letter;
}

void ftr_fold_text(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= 'A' && byte <= 'Z') {
            text[i] = (char)(byte + ('a' - 'A'));
        } else if (byte >= 0xc3 && byte <= 0xd4 && i + 1 < size) { /* U+00C0 to U+053F */
            const unsigned letter =
                fold_letter((byte & 0x1fu) << 6 | ((unsigned char)text[i + 1] & 0x3fu));
            text[i] = (char)(0xc0 | letter >> 6);
            text[++i] = (char)(0x80 | (letter & 0x3f));
        }
    }
}

bool ftr_text_contains(const char *text, size_t size, const char *part, size_t part_size)
{
    return part_size == 0 || (size >= part_size && memmem(text, size, part, part_size) != NULL);
}
