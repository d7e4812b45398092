/* Deduplicates texts within a memory budget. Does not know files: the caller writes the new
 * entries. */
#include "dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "growing_array.h"
#include "hash.h"

#define FREE_ENTRY UINT32_MAX
#define FIRST_ENTRIES 1024
#define FIRST_TEXTS ((size_t)16 << 10)
/* A text longer than this share of a generation is not stored, because it would displace all
 * others. */
#define LONGEST_SHARE 8

/* Every hash with an even distribution is suitable: hashes never leave this process. */
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

static ftr_dictionary_entry *find(const ftr_dictionary_generation *generation, uint32_t hash,
                                  const uint8_t *text, size_t length)
{
    if (generation->count == 0)
        return NULL;
    size_t mask = generation->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        ftr_dictionary_entry *entry = &generation->entries[i];
        if (entry->length == FREE_ENTRY)
            return NULL;
        if (entry->hash == hash && entry->length == length &&
            memcmp(generation->texts + entry->offset, text, length) == 0)
            return entry;
    }
}

static void put_entry(ftr_dictionary_entry *entries, size_t capacity, ftr_dictionary_entry entry)
{
    size_t i = entry.hash & (capacity - 1);
    while (entries[i].length != FREE_ENTRY)
        i = (i + 1) & (capacity - 1);
    entries[i] = entry;
}

static ftr_status grow_entries(ftr_dictionary_generation *generation)
{
    size_t capacity = generation->capacity ? generation->capacity * 2 : FIRST_ENTRIES;
    ftr_dictionary_entry *entries = malloc(capacity * sizeof *entries);
    if (entries == NULL)
        return FTR_ERR_MEMORY;
    memset(entries, 0xff, capacity * sizeof *entries);
    for (size_t i = 0; i < generation->capacity; i++) {
        if (generation->entries[i].length != FREE_ENTRY)
            put_entry(entries, capacity, generation->entries[i]);
    }
    free(generation->entries);
    generation->entries = entries;
    generation->capacity = capacity;
    return FTR_OK;
}

static ftr_status insert(ftr_dictionary_generation *generation, uint32_t hash, const uint8_t *text,
                         size_t length, uint32_t id)
{
    size_t needed = generation->texts_size + length;
    if ((generation->count + 1) * 4 > generation->capacity * 3) {
        ftr_status status = grow_entries(generation);
        if (status != FTR_OK)
            return status;
    }
    if (!ftr_array_fit(&generation->texts, &generation->texts_capacity,
                       needed < FIRST_TEXTS ? FIRST_TEXTS : needed, 1))
        return FTR_ERR_MEMORY;
    memcpy(generation->texts + generation->texts_size, text, length);
    put_entry(generation->entries, generation->capacity,
              (ftr_dictionary_entry){.hash = hash,
                                     .id = id,
                                     .offset = (uint32_t)generation->texts_size,
                                     .length = (uint32_t)length});
    generation->texts_size = needed;
    generation->count++;
    return FTR_OK;
}

/* Whether one more text of @p length fits into the budget, including growth of the tables. */
static bool fits(const ftr_dictionary *dictionary, size_t length)
{
    const ftr_dictionary_generation *young = &dictionary->young;
    size_t entries =
        (young->count + 1) * 4 > young->capacity * 3 ? young->capacity * 2 : young->capacity;
    return entries * sizeof *young->entries + young->texts_size + length <= dictionary->budget;
}

static void forget_old(ftr_dictionary *dictionary)
{
    ftr_dictionary_generation emptied = dictionary->old;
    dictionary->forgotten += emptied.count - emptied.moved;
    if (emptied.capacity)
        memset(emptied.entries, 0xff, emptied.capacity * sizeof *emptied.entries);
    emptied.count = 0;
    emptied.moved = 0;
    emptied.texts_size = 0;
    dictionary->old = dictionary->young;
    dictionary->young = emptied;
}

static ftr_status remember(ftr_dictionary *dictionary, uint32_t hash, const uint8_t *text,
                           size_t length, uint32_t id)
{
    if (length > dictionary->budget / LONGEST_SHARE) {
        dictionary->forgotten++;
        return FTR_OK;
    }
    if (!fits(dictionary, length))
        forget_old(dictionary);
    return insert(&dictionary->young, hash, text, length, id);
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
    uint64_t forgotten = dictionary->forgotten;
    memset(dictionary->front, 0, sizeof dictionary->front);
    forget_old(dictionary);
    forget_old(dictionary);
    memset(dictionary->front, 0, sizeof dictionary->front);
    dictionary->next_id = 0;
    dictionary->forgotten = forgotten;
}

void ftr_dictionary_release(ftr_dictionary *dictionary)
{
    free(dictionary->young.entries);
    free(dictionary->young.texts);
    free(dictionary->old.entries);
    free(dictionary->old.texts);
    memset(dictionary, 0, sizeof *dictionary);
}

/* Searches both generations. A text found in the old generation moves to the young one. */
static bool recall(ftr_dictionary *dictionary, uint32_t hash, const uint8_t *text, size_t length,
                   uint32_t *id)
{
    const ftr_dictionary_entry *entry = find(&dictionary->young, hash, text, length);
    if (entry != NULL) {
        *id = entry->id;
        return true;
    }
    entry = find(&dictionary->old, hash, text, length);
    if (entry == NULL)
        return false;
    *id = entry->id;
    if (fits(dictionary, length) && insert(&dictionary->young, hash, text, length, *id) == FTR_OK)
        dictionary->old.moved++;
    return true;
}

bool ftr_dictionary_find(ftr_dictionary *dictionary, const uint8_t *text, size_t length,
                         uint32_t *id)
{
    return recall(dictionary, hash_text(text, length), text, length, id);
}

static ftr_status get(ftr_dictionary *dictionary, const uint8_t *text, size_t length, uint32_t *id,
                      bool *is_new)
{
    uint32_t hash = hash_text(text, length);
    *is_new = false;
    if (recall(dictionary, hash, text, length, id))
        return FTR_OK;
    if (dictionary->next_id > FTR_DICTIONARY_IDS)
        return FTR_ERR_LIMIT;
    ftr_status status = remember(dictionary, hash, text, length, dictionary->next_id);
    if (status != FTR_OK)
        return status;
    *id = dictionary->next_id++;
    *is_new = true;
    return FTR_OK;
}

ftr_status ftr_dictionary_get(ftr_dictionary *dictionary, const uint8_t *text, size_t length,
                              uint32_t *id, bool *is_new)
{
    ftr_status status = get(dictionary, text, length, id, is_new);
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
