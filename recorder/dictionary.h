/* Gives texts their dictionary ids, remembering as many as its budget holds. A text that was
 * forgotten gets a fresh id when it comes again: the file then has it twice, which readers accept.
 */
#ifndef FTR_DICTIONARY_H
#define FTR_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

/* Readers keep ids in 31 bits. */
#define FTR_DICTIONARY_IDS UINT32_C(0x7fffffff)

typedef struct ftr_dictionary_entry {
    uint32_t hash;
    uint32_t id;
    uint32_t offset; /* of the text in the generation's texts */
    uint32_t length;
} ftr_dictionary_entry;

/* Half of what is remembered. When the young half is full, the old one is forgotten as a whole and
 * the young one becomes old; an old text that is asked for moves back to the young half. */
typedef struct ftr_dictionary_generation {
    ftr_dictionary_entry *entries; /* open addressing; length UINT32_MAX: free */
    size_t capacity;
    size_t count;
    size_t moved; /* of these, how many have moved on to the young half */
    uint8_t *texts;
    size_t texts_size;
    size_t texts_capacity;
} ftr_dictionary_generation;

typedef struct ftr_dictionary {
    ftr_dictionary_generation young;
    ftr_dictionary_generation old;
    size_t budget; /* bytes of one generation */
    uint32_t next_id;
    uint64_t forgotten;
} ftr_dictionary;

void ftr_dictionary_init(ftr_dictionary *dictionary, size_t budget);
void ftr_dictionary_release(ftr_dictionary *dictionary);

/* Remembers nothing and counts ids from 0 again, as the next file does. */
void ftr_dictionary_restart(ftr_dictionary *dictionary);

/* The id of @p text. @p is_new tells that it was not known: the caller writes the entry.
 * FTR_ERR_MEMORY; FTR_ERR_LIMIT when ids are used up. */
FTR_MUST_USE ftr_status ftr_dictionary_get(ftr_dictionary *dictionary, const uint8_t *text,
                                           size_t length, uint32_t *id, bool *is_new);

/* The id of @p text if it is remembered. */
bool ftr_dictionary_find(ftr_dictionary *dictionary, const uint8_t *text, size_t length,
                         uint32_t *id);

size_t ftr_dictionary_memory(const ftr_dictionary *dictionary);

#endif
