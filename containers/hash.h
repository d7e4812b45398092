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

/* Continues @p hash, which is FTR_HASH_SEED at first. */
static inline uint64_t ftr_hash_text(uint64_t hash, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = ftr_hash_byte(hash, (uint8_t)text[i]);
    return hash;
}

/* Returns the first slot for a number in a table of @p capacity, a power of two. */
static inline size_t ftr_hash_slot(uint64_t number, size_t capacity)
{
    return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (capacity - 1);
}

/* Adds a number to a hash of several numbers. */
static inline uint64_t ftr_hash_mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
