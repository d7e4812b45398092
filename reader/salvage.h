/* Finding the entries that are whole in chunks that are not. */
#ifndef FTR_SALVAGE_H
#define FTR_SALVAGE_H

#include <ftr/reader.h>

/* The entry of a chunk of @p kind at @p p, if a whole one is there: a transaction with all its
 * attributes, a directory entry, a relation, or a pair of the dictionary.
 * @return the byte behind it, or NULL */
const uint8_t *ftr_entry_end(ftr_chunk_kind kind, const uint8_t *p, const uint8_t *end);

typedef void ftr_entry_take(void *user, const uint8_t *entry, size_t size);

/* Gives @p take every whole entry in a chunk's content, looking behind damage for where entries go
 * on.
 * @param[out] intact whether there was nothing but entries, in the form of a chunk; may be NULL
 * @return how many there are */
uint64_t ftr_salvage_entries(ftr_chunk_kind kind, const uint8_t *content, size_t size,
                             ftr_entry_take *take, void *user, bool *intact);

/* What is left of a chunk. */
typedef struct ftr_salvage {
    ftr_chunk_kind kind; /* UNKNOWN: nothing */
    const uint8_t *content;
    size_t size;
    uint64_t count;
} ftr_salvage;

/* Looks what chunk the damaged bytes at @p region may be, wherever in its first bytes the content
 * may begin. The content may be in @p scratch, where blocks are expanded. */
void ftr_salvage_region(const uint8_t *region, size_t size, uint8_t *scratch, size_t scratch_size,
                        ftr_salvage *salvage);

/* The same for a content that is there, whatever its chunk said it was. */
void ftr_salvage_content(const uint8_t *content, size_t size, ftr_salvage *salvage);

/* The same where it is known where the block is. */
void ftr_salvage_block(const uint8_t *block, size_t size, uint8_t *scratch, size_t scratch_size,
                       ftr_salvage *salvage);

#endif
