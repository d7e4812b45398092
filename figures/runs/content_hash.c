/* The hash of records. */
#include "content_hash.h"

/* Two hashes: FNV-1a, and a variant with another odd factor and a shift. */
#define LOW_START UINT64_C(0xcbf29ce484222325)
#define LOW_FACTOR UINT64_C(0x00000100000001b3)
#define HIGH_START UINT64_C(0x9ae16a3b2f90404f)
#define HIGH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

void ftr_content_hash_init(ftr_content_hash *hash)
{
    *hash = (ftr_content_hash){LOW_START, HIGH_START};
}

void ftr_content_hash_add(ftr_content_hash *hash, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    uint64_t low = hash->low;
    uint64_t high = hash->high;
    for (size_t i = 0; i < size; i++) {
        low = (low ^ p[i]) * LOW_FACTOR;
        high = ((high ^ p[i]) * HIGH_FACTOR) ^ (high >> 47);
    }
    *hash = (ftr_content_hash){low, high};
}

static uint64_t finish(uint64_t value)
{
    value ^= value >> 33;
    value *= UINT64_C(0xff51afd7ed558ccd);
    value ^= value >> 33;
    value *= UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ value >> 33;
}

void ftr_content_hash_get(const ftr_content_hash *hash, uint8_t bytes[FTR_CONTENT_HASH_SIZE])
{
    const uint64_t words[2] = {finish(hash->high), finish(hash->low ^ hash->high >> 32)};
    for (unsigned i = 0; i < FTR_CONTENT_HASH_SIZE; i++)
        bytes[i] = (uint8_t)(words[i / 8] >> (56 - 8 * (i % 8)));
}
