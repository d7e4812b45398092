/* Finds the complete entries of damaged chunks. */
#ifndef FTR_SALVAGE_H
#define FTR_SALVAGE_H

#include <ftr/reader.h>

/* Finds the end of the entry at @p p in a chunk of @p kind: a transaction with all its attributes,
 * a directory entry, a relation, or a pair of the dictionary.
 * @return the position after the entry; NULL if it is not complete */
const uint8_t *ftr_entry_end(ftr_chunk_kind kind, const uint8_t *p, const uint8_t *end);

typedef void ftr_entry_take(void *user, const uint8_t *entry, size_t size);

/* Calls @p take for every whole entry in a chunk's content; after damaged bytes, searches for the
 * next entry.
 * @param[out] intact true if no byte is damaged and the content has the form of a chunk; may be
 *         NULL
 * @return number of entries */
uint64_t ftr_salvage_entries(ftr_chunk_kind kind, const uint8_t *content, size_t size,
                             ftr_entry_take *take, void *user, bool *intact);

/* The recoverable part of a chunk. */
typedef struct ftr_salvage {
    ftr_chunk_kind kind; /* FTR_CHUNK_UNKNOWN: nothing was found */
    const uint8_t *content;
    size_t size;
    uint64_t count;
} ftr_salvage;

/* Finds the chunk kind and content that the damaged bytes at @p region fit best. The content may
 * begin at any of the first bytes. Blocks are expanded to @p scratch, so salvage->content may point
 * into @p scratch. */
void ftr_salvage_region(const uint8_t *region, size_t size, uint8_t *scratch, size_t scratch_size,
                        ftr_salvage *salvage);

/* Like ftr_salvage_region(), for content that was expanded; ignores the kind in the chunk's frame.
 */
void ftr_salvage_content(const uint8_t *content, size_t size, ftr_salvage *salvage);

/* Like ftr_salvage_region(), for a compressed block at a known position. */
void ftr_salvage_block(const uint8_t *block, size_t size, uint8_t *scratch, size_t scratch_size,
                       ftr_salvage *salvage);

#endif
