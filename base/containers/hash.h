/* Hash functions. */
#ifndef FTR_HASH_H
#define FTR_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits. Journals store these hashes. */
#define FTR_HASH_SEED UINT64_C(0xcbf29ce484222325)

static inline uint64_t ftr_hash_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

/* Returns @p hash extended by a text. For the first text, @p hash is FTR_HASH_SEED. */
static inline uint64_t ftr_hash_text(uint64_t hash, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = ftr_hash_byte(hash, (uint8_t)text[i]);
    return hash;
}

/* Returns a hash of a number. Suitable for tables of up to 2^44 items. */
static inline uint64_t ftr_hash_number(uint64_t number)
{
    return (number * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
}

/* Returns @p hash, the hash of other numbers, extended by a number. */
static inline uint64_t ftr_hash_mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
