/* A hash of 128 bits that identifies runs and detects damaged records. It is part of the file
 * format (docs/summary-format.md), and does not protect against forgery. */
#ifndef FTR_CONTENT_HASH_H
#define FTR_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FTR_CONTENT_HASH_SIZE 16u

typedef struct ftr_content_hash {
    uint64_t low, high;
} ftr_content_hash;

void ftr_content_hash_init(ftr_content_hash *hash);
void ftr_content_hash_add(ftr_content_hash *hash, const void *bytes, size_t size);

/* Returns the hash of all added bytes, most significant byte first. */
void ftr_content_hash_get(const ftr_content_hash *hash, uint8_t bytes[FTR_CONTENT_HASH_SIZE]);

#endif
