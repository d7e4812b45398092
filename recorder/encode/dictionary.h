/* Maps texts to dictionary ids, and stores as many texts as its memory budget allows, except for
 * very long ones. If an evicted text is used again, the text gets a new id. The file then contains
 * the text twice, which readers accept.
 *
 * The hexadecimal text of up to 8 bytes is stored and searched for as these bytes, which is faster.
 * If an equal text is also used as a text, it has two ids. */
#ifndef FTR_DICTIONARY_H
#define FTR_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ftr/status.h>

/* The greatest id: readers store ids in 31 bits. */
#define FTR_DICTIONARY_IDS UINT32_C(0x7fffffff)

typedef struct ftr_dictionary_entry {
    uint32_t hash;
    uint32_t id;
    uint32_t offset; /* of a text: offset in bytes in `texts` of the generation */
    uint32_t length;
} ftr_dictionary_entry;

/* One half of the stored texts and bytes. If the young half is full, the old half is discarded as a
 * whole, the young half becomes the old one, and a new young half begins. If a text of the old half
 * is used again, it moves to the young half. */
typedef struct ftr_dictionary_generation {
    ftr_dictionary_entry *entries; /* open addressing; an entry with length UINT32_MAX is free */
    size_t capacity;
    size_t count;
    size_t moved; /* number of entries that were copied to the young half */
    uint8_t *texts;
    size_t texts_size;
    size_t texts_capacity;
} ftr_dictionary_generation;

/* Maximum length of a text in the front cache, in bytes, and number of texts in this cache. */
#define FTR_DICTIONARY_FRONT_TEXT 32
#define FTR_DICTIONARY_FRONT 64

/* A short text. Its words can overlap; together they contain all bytes of the text. */
typedef struct ftr_short_text {
    uint64_t words[4];
    uint32_t length;
    uint32_t id;
} ftr_short_text;

typedef struct ftr_dictionary {
    /* Cache of recently used short texts; index: a hash of the words. Most searches succeed in this
     * cache. An entry with length 0 is free. A text in this cache may have been evicted from the
     * generations; the id of the text is still valid. */
    ftr_short_text front[FTR_DICTIONARY_FRONT];
    ftr_dictionary_generation young;
    ftr_dictionary_generation old;
    size_t budget; /* bytes per generation */
    uint32_t next_id;
    uint64_t evicted; /* number of texts that were evicted, or too long to be stored */
} ftr_dictionary;

void ftr_dictionary_init(ftr_dictionary *dictionary, size_t budget);
void ftr_dictionary_release(ftr_dictionary *dictionary);

/* Discards all texts and restarts the ids at 0, for the next file. */
void ftr_dictionary_restart(ftr_dictionary *dictionary);

/* Finds or assigns the id of @p text. If @p is_new is set to true, the id is new and the caller
 * must write a dictionary entry. Errors: FTR_ERR_MEMORY; FTR_ERR_LIMIT if no ids are left. */
FTR_MUST_USE ftr_status ftr_dictionary_get(ftr_dictionary *dictionary, const uint8_t *text,
                                           size_t length, uint32_t *id, bool *is_new);

/* Like ftr_dictionary_get(), but for the hexadecimal text of @p count bytes, 1 to 8. The first byte
 * is in the lowest bits of @p bytes; the unused bits may have any value. Does not use the front
 * cache. */
FTR_MUST_USE ftr_status ftr_dictionary_get_bytes(ftr_dictionary *dictionary, uint64_t bytes,
                                                 uint32_t count, uint32_t *id, bool *is_new);

/* Finds the id of @p text without the front cache. Returns false if the dictionary does not contain
 * the text. For tests. */
bool ftr_dictionary_find(ftr_dictionary *dictionary, const uint8_t *text, size_t length,
                         uint32_t *id);

static inline bool ftr_text_is_short(size_t length)
{
    return length - 1 < FTR_DICTIONARY_FRONT_TEXT;
}

/* Returns the entry of the front cache in which a short text can be, and stores the words of the
 * text in @p words. */
static inline ftr_short_text *ftr_dictionary_front(ftr_dictionary *dictionary, const uint8_t *text,
                                                   size_t length, uint64_t words[4])
{
    words[2] = words[3] = 0;
    if (length >= 8) {
        memcpy(&words[0], text, 8);
        memcpy(&words[1], text + length - 8, 8);
        if (length > 16) {
            memcpy(&words[2], text + 8, 8);
            memcpy(&words[3], text + length - 16, 8);
        }
    } else if (length >= 4) {
        words[0] = words[1] = 0;
        memcpy(&words[0], text, 4);
        memcpy(&words[1], text + length - 4, 4);
    } else {
        words[0] = (uint64_t)text[0] << 16 | (uint64_t)text[length / 2] << 8 | text[length - 1];
        words[1] = 0;
    }
    uint64_t hash = (words[0] ^ words[1] << 1 ^ words[2]) * UINT64_C(0x9e3779b97f4a7c15);
    return &dictionary->front[hash >> 58];
}

/* Finds the id of @p text in the front cache. Returns false if the cache does not contain the text;
 * @p id is then undefined. */
static inline bool ftr_dictionary_try_get(ftr_dictionary *dictionary, const uint8_t *text,
                                          size_t length, uint32_t *id)
{
    if (!ftr_text_is_short(length))
        return false;
    uint64_t words[4];
    const ftr_short_text *known = ftr_dictionary_front(dictionary, text, length, words);
    *id = known->id;
    return known->length == length &&
           ((known->words[0] ^ words[0]) | (known->words[1] ^ words[1]) |
            (known->words[2] ^ words[2]) | (known->words[3] ^ words[3])) == 0;
}

size_t ftr_dictionary_memory(const ftr_dictionary *dictionary);

#endif
