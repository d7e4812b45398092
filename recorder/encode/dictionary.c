/* Deduplicates texts within a memory budget. The caller writes the new entries. */
#include "dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "growing_array.h"
#include "hash.h"
#include "open_table.h"

#define FREE_ENTRY UINT32_MAX
#define FIRST_ENTRIES 128
#define FIRST_TEXTS ((size_t)2 << 10)
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

/* A text to search for. `texts` are the texts of the generation that is searched. */
typedef struct wanted_text {
    const uint8_t *texts, *text;
    size_t length;
    uint32_t hash;
} wanted_text;

static bool is_free(const void *entry)
{
    return ((const ftr_dictionary_entry *)entry)->length == FREE_ENTRY;
}

static bool is_same(const void *item, const void *key)
{
    const ftr_dictionary_entry *entry = item;
    const wanted_text *wanted = key;
    return entry->hash == wanted->hash && entry->length == wanted->length &&
           memcmp(wanted->texts + entry->offset, wanted->text, wanted->length) == 0;
}

static uint64_t hash_of(const void *entry)
{
    return ((const ftr_dictionary_entry *)entry)->hash;
}

static const ftr_table_rule RULE = {sizeof(ftr_dictionary_entry), 0xff, is_free, is_same, hash_of};

static const ftr_dictionary_entry *find(const ftr_dictionary_generation *generation, uint32_t hash,
                                        const uint8_t *text, size_t length)
{
    if (generation->count == 0)
        return NULL;
    const wanted_text wanted = {generation->texts, text, length, hash};
    const ftr_dictionary_entry *entry =
        ftr_table_search(&RULE, generation->entries, generation->capacity, hash, &wanted);
    return is_free(entry) ? NULL : entry;
}

static ftr_status insert(ftr_dictionary_generation *generation, uint32_t hash, const uint8_t *text,
                         size_t length, uint32_t id)
{
    size_t needed = generation->texts_size + length;
    if (!ftr_table_grow(&RULE, &generation->entries, &generation->capacity, generation->count,
                        FIRST_ENTRIES))
        return FTR_ERR_MEMORY;
    if (!ftr_array_fit(&generation->texts, &generation->texts_capacity,
                       needed < FIRST_TEXTS ? FIRST_TEXTS : needed, 1))
        return FTR_ERR_MEMORY;
    memcpy(generation->texts + generation->texts_size, text, length);
    ftr_dictionary_entry *entry =
        ftr_table_search(&RULE, generation->entries, generation->capacity, hash, NULL);
    *entry = (ftr_dictionary_entry){.hash = hash,
                                    .id = id,
                                    .offset = (uint32_t)generation->texts_size,
                                    .length = (uint32_t)length};
    generation->texts_size = needed;
    generation->count++;
    return FTR_OK;
}

/* Returns whether one more text of @p length fits into the budget of the young half, even if the
 * table of this half must grow. */
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

static ftr_status remember(ftr_dictionary *dictionary, uint32_t hash, const uint8_t *text,
                           size_t length, uint32_t id)
{
    if (length > dictionary->budget / LONGEST_SHARE) {
        dictionary->evicted++;
        return FTR_OK;
    }
    if (!fits(dictionary, length))
        evict_old_half(dictionary);
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

/* Searches both generations. If the text is only in the old generation and there is room, copies
 * the text to the young generation. */
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
