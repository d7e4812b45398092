/* Deduplicates texts and bytes within a memory budget. The caller writes the new entries. */
#include "dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "growing_array.h"
#include "hash.h"
#include "open_table.h"

#define FREE_ENTRY UINT32_MAX
/* Plus a number of bytes: the length of an entry for bytes. Texts are shorter. */
#define BYTES_ENTRY (UINT32_C(1) << 31)
#define FIRST_ENTRIES 1024
#define FIRST_TEXTS ((size_t)16 << 10)
/* A text that is longer than 1/8 of a generation's budget is not stored, because a few texts of
 * this length would evict all others. */
#define LONGEST_SHARE 8

/* Any hash with an even distribution is suitable, because hashes are not written to files. */
static uint32_t hash_text(const uint8_t *text, size_t length)
{
    uint64_t hash = ftr_hash_mix(length, UINT64_C(0xa0761d6478bd642f));
    uint64_t word;
    if (length >= 8) {
        for (size_t i = 0; i + 8 < length; i += 8) {
            memcpy(&word, text + i, 8);
            hash = ftr_hash_mix(hash, word);
        }
        memcpy(&word, text + length - 8, 8);
    } else {
        word = 0;
        for (size_t i = 0; i < length; i++)
            word = word << 8 | text[i];
    }
    hash = ftr_hash_mix(hash, word);
    return (uint32_t)(hash ^ hash >> 32);
}

/* The key that is searched for, and the entry that is inserted if the key is new. */
typedef struct wanted_key {
    const uint8_t *text;  /* NULL: the key is bytes, which are in the entry */
    const uint8_t *texts; /* the texts of the generation that is searched */
    ftr_dictionary_entry entry;
} wanted_key;

static wanted_key wanted_text(const uint8_t *text, size_t length)
{
    return (wanted_key){
        .text = text,
        .entry = {.hash = hash_text(text, length), .length = (uint32_t)length},
    };
}

/* The hash of bytes is invertible, so the entry contains the whole hash instead of the bytes. */
static inline wanted_key wanted_bytes(uint64_t bytes, uint32_t count)
{
    const uint64_t hash = ftr_hash_mix(bytes & UINT64_MAX >> (64 - 8 * count), 0);
    return (wanted_key){
        .entry = {.hash = (uint32_t)hash,
                  .offset = (uint32_t)(hash >> 32),
                  .length = BYTES_ENTRY | count},
    };
}

/* Returns the number of bytes that a key needs in the texts of its generation. */
static inline size_t text_size(const wanted_key *wanted)
{
    return wanted->text != NULL ? wanted->entry.length : 0;
}

static bool is_free(const void *entry)
{
    return ((const ftr_dictionary_entry *)entry)->length == FREE_ENTRY;
}

static bool is_same(const void *item, const void *key)
{
    const ftr_dictionary_entry *entry = item;
    const wanted_key *wanted = key;
    if (entry->hash != wanted->entry.hash || entry->length != wanted->entry.length)
        return false;
    return wanted->text == NULL
               ? entry->offset == wanted->entry.offset
               : memcmp(wanted->texts + entry->offset, wanted->text, entry->length) == 0;
}

static uint64_t hash_of(const void *entry)
{
    return ((const ftr_dictionary_entry *)entry)->hash;
}

static const ftr_table_rule RULE = {sizeof(ftr_dictionary_entry), 0xff, is_free, is_same, hash_of};

/* Returns the entry of a key, or the free entry where it would be inserted. NULL: the generation
 * has no entries yet. */
FTR_INLINE ftr_dictionary_entry *place_of(const ftr_dictionary_generation *generation,
                                          wanted_key *wanted)
{
    if (generation->capacity == 0)
        return NULL;
    wanted->texts = generation->texts;
    return ftr_table_search(&RULE, generation->entries, generation->capacity, wanted->entry.hash,
                            wanted);
}

static inline bool is_used(const ftr_dictionary_entry *place)
{
    return place != NULL && !is_free(place);
}

/* Inserts a key. @param place the result of place_of() */
FTR_INLINE ftr_status insert(ftr_dictionary_generation *generation, ftr_dictionary_entry *place,
                             const wanted_key *wanted)
{
    const size_t size = text_size(wanted);
    const size_t needed = generation->texts_size + size;
    const size_t capacity = generation->capacity;
    if (!ftr_table_grow(&RULE, &generation->entries, &generation->capacity, generation->count,
                        FIRST_ENTRIES))
        return FTR_ERR_MEMORY;
    if (place == NULL || generation->capacity != capacity)
        place = ftr_table_search(&RULE, generation->entries, generation->capacity,
                                 wanted->entry.hash, NULL);
    if (wanted->text != NULL && !ftr_array_fit(&generation->texts, &generation->texts_capacity,
                                               needed < FIRST_TEXTS ? FIRST_TEXTS : needed, 1))
        return FTR_ERR_MEMORY;
    *place = wanted->entry;
    if (wanted->text != NULL) {
        memcpy(generation->texts + generation->texts_size, wanted->text, size);
        place->offset = (uint32_t)generation->texts_size;
    }
    generation->texts_size = needed;
    generation->count++;
    return FTR_OK;
}

/* Returns whether one more key, with a text of @p length, fits into the budget of the young half,
 * even if the table of this half must grow. */
static bool fits(const ftr_dictionary *dictionary, size_t length)
{
    const ftr_dictionary_generation *young = &dictionary->young;
    size_t entries =
        (young->count + 1) * 4 > young->capacity * 3 ? young->capacity * 2 : young->capacity;
    return entries * sizeof *young->entries + young->texts_size + length <= dictionary->budget;
}

static void evict_old_half(ftr_dictionary *dictionary)
{
    ftr_dictionary_generation emptied = dictionary->old;
    dictionary->evicted += emptied.count - emptied.moved;
    if (emptied.capacity)
        memset(emptied.entries, 0xff, emptied.capacity * sizeof *emptied.entries);
    emptied.count = 0;
    emptied.moved = 0;
    emptied.texts_size = 0;
    dictionary->old = dictionary->young;
    dictionary->young = emptied;
}

/* Inserts a new key in the young half. @param place the result of place_of() for this half */
FTR_INLINE ftr_status remember(ftr_dictionary *dictionary, ftr_dictionary_entry *place,
                               wanted_key *wanted)
{
    const size_t size = text_size(wanted);
    if (size > dictionary->budget / LONGEST_SHARE) {
        dictionary->evicted++;
        return FTR_OK;
    }
    if (!FTR_LIKELY(fits(dictionary, size))) {
        evict_old_half(dictionary);
        place = place_of(&dictionary->young, wanted);
    }
    return insert(&dictionary->young, place, wanted);
}

void ftr_dictionary_init(ftr_dictionary *dictionary, size_t budget)
{
    size_t least = 2 * (FIRST_ENTRIES * sizeof(ftr_dictionary_entry) + FIRST_TEXTS);
    memset(dictionary, 0, sizeof *dictionary);
    dictionary->budget = (budget < least ? least : budget) / 2;
    if (dictionary->budget > FREE_ENTRY / 2)
        dictionary->budget = FREE_ENTRY / 2; /* offsets and lengths have 32 bits */
}

void ftr_dictionary_restart(ftr_dictionary *dictionary)
{
    uint64_t evicted = dictionary->evicted;
    memset(dictionary->front, 0, sizeof dictionary->front);
    evict_old_half(dictionary);
    evict_old_half(dictionary);
    memset(dictionary->front, 0, sizeof dictionary->front);
    dictionary->next_id = 0;
    dictionary->evicted = evicted;
}

void ftr_dictionary_release(ftr_dictionary *dictionary)
{
    free(dictionary->young.entries);
    free(dictionary->young.texts);
    free(dictionary->old.entries);
    free(dictionary->old.texts);
    memset(dictionary, 0, sizeof *dictionary);
}

/* Searches both generations. If the key is only in the old generation and there is room, copies the
 * key to the young generation. @param place is set to the result of place_of() for the young one */
FTR_INLINE bool recall(ftr_dictionary *dictionary, wanted_key *wanted, ftr_dictionary_entry **place,
                       uint32_t *id)
{
    *place = place_of(&dictionary->young, wanted);
    if (is_used(*place)) {
        *id = (*place)->id;
        return true;
    }
    const ftr_dictionary_entry *old =
        dictionary->old.count > 0 ? place_of(&dictionary->old, wanted) : NULL;
    if (!is_used(old))
        return false;
    *id = wanted->entry.id = old->id;
    if (fits(dictionary, text_size(wanted)) && insert(&dictionary->young, *place, wanted) == FTR_OK)
        dictionary->old.moved++;
    return true;
}

bool ftr_dictionary_find(ftr_dictionary *dictionary, const uint8_t *text, size_t length,
                         uint32_t *id)
{
    wanted_key wanted = wanted_text(text, length);
    ftr_dictionary_entry *place;
    return recall(dictionary, &wanted, &place, id);
}

FTR_INLINE ftr_status get(ftr_dictionary *dictionary, wanted_key *wanted, uint32_t *id,
                          bool *is_new)
{
    ftr_dictionary_entry *place;
    *is_new = false;
    if (recall(dictionary, wanted, &place, id))
        return FTR_OK;
    if (dictionary->next_id > FTR_DICTIONARY_IDS)
        return FTR_ERR_LIMIT;
    wanted->entry.id = dictionary->next_id;
    ftr_status status = remember(dictionary, place, wanted);
    if (status != FTR_OK)
        return status;
    *id = dictionary->next_id++;
    *is_new = true;
    return FTR_OK;
}

ftr_status ftr_dictionary_get_bytes(ftr_dictionary *dictionary, uint64_t bytes, uint32_t count,
                                    uint32_t *id, bool *is_new)
{
    wanted_key wanted = wanted_bytes(bytes, count);
    return get(dictionary, &wanted, id, is_new);
}

ftr_status ftr_dictionary_get(ftr_dictionary *dictionary, const uint8_t *text, size_t length,
                              uint32_t *id, bool *is_new)
{
    wanted_key wanted = wanted_text(text, length);
    ftr_status status = get(dictionary, &wanted, id, is_new);
    if (status == FTR_OK && ftr_text_is_short(length)) {
        uint64_t words[4];
        ftr_short_text *front = ftr_dictionary_front(dictionary, text, length, words);
        memcpy(front->words, words, sizeof front->words);
        front->length = (uint32_t)length;
        front->id = *id;
    }
    return status;
}

size_t ftr_dictionary_memory(const ftr_dictionary *dictionary)
{
    const ftr_dictionary_generation *young = &dictionary->young;
    const ftr_dictionary_generation *old = &dictionary->old;
    return (young->capacity + old->capacity) * sizeof(ftr_dictionary_entry) +
           young->texts_capacity + old->texts_capacity;
}
