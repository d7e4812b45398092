/* Lists the records of a journal, and searches in the list. */
#include "sought_records.h"

#include <stdlib.h>
#include <string.h>

#include "growing_array.h"

static int compare_tx(const void *a, const void *b)
{
    uint64_t left = ((const ftr_sought_tx *)a)->id;
    uint64_t right = ((const ftr_sought_tx *)b)->id;
    return left < right ? -1 : left > right;
}

static int compare_relation(const void *a, const void *b)
{
    const ftr_sought_relation *left = a;
    const ftr_sought_relation *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return left->relation < right->relation ? -1 : left->relation > right->relation;
}

static bool add_tx(ftr_sought_records *sought, uint64_t id)
{
    if (!ftr_array_grow(&sought->transactions, &sought->transaction_capacity,
                        sought->transaction_count, sizeof *sought->transactions))
        return false;
    sought->transactions[sought->transaction_count++] = (ftr_sought_tx){.id = id};
    return true;
}

static bool add_record(ftr_sought_records *sought, const ftr_stored_tx *record)
{
    if (record->kind == FTR_RECORD_TX)
        return add_tx(sought, record->id);
    const ftr_stored_relation *relation = (const ftr_stored_relation *)record;
    if (!ftr_array_grow(&sought->relations, &sought->relation_capacity, sought->relation_count,
                        sizeof *sought->relations))
        return false;
    sought->relations[sought->relation_count++] = (ftr_sought_relation){
        .from = relation->from, .to = relation->to, .relation = relation->relation};
    return add_tx(sought, relation->from) && add_tx(sought, relation->to);
}

static size_t without_duplicates(void *items, size_t count, size_t size,
                                 int (*compare)(const void *, const void *))
{
    uint8_t *bytes = items;
    size_t kept = 0;
    if (count > 0)
        qsort(items, count, size, compare);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare(bytes + (kept - 1) * size, bytes + i * size) == 0)
            continue;
        memmove(bytes + kept++ * size, bytes + i * size, size);
    }
    return kept;
}

void ftr_sought_note_id(ftr_sought_records *sought, uint64_t id)
{
    if (id > sought->highest_id)
        sought->highest_id = id;
}

ftr_status ftr_sought_list(ftr_sought_records *sought, const ftr_journal_image *image)
{
    ftr_journal_pass pass = {.lists_torn = true};
    const ftr_stored_tx *record;
    const ftr_slot *slot;
    bool has_room = true;
    while (has_room && (record = ftr_journal_image_next(image, &pass)) != NULL)
        has_room = add_record(sought, record);
    while (has_room && (slot = ftr_journal_image_next_slot(image, &pass)) != NULL)
        has_room = add_tx(sought, slot->id);
    sought->torn_ids = pass.torn_ids;
    sought->torn_count = pass.torn_count;
    for (size_t i = 0; i < pass.torn_count && has_room; i++)
        has_room = add_tx(sought, pass.torn_ids[i]);
    if (!has_room)
        return FTR_ERR_MEMORY;
    sought->transaction_count = without_duplicates(sought->transactions, sought->transaction_count,
                                                   sizeof *sought->transactions, compare_tx);
    sought->relation_count = without_duplicates(sought->relations, sought->relation_count,
                                                sizeof *sought->relations, compare_relation);
    if (sought->transaction_count > 0)
        ftr_sought_note_id(sought, sought->transactions[sought->transaction_count - 1].id);
    sought->torn = pass.torn;
    sought->rest = pass.rest;
    return FTR_OK;
}

ftr_sought_tx *ftr_sought_find_tx(const ftr_sought_records *sought, uint64_t id)
{
    const ftr_sought_tx key = {.id = id};
    return sought->transaction_count == 0
               ? NULL
               : bsearch(&key, sought->transactions, sought->transaction_count, sizeof key,
                         compare_tx);
}

ftr_sought_relation *ftr_sought_find_relation(const ftr_sought_records *sought, uint64_t from,
                                              uint64_t to, ftr_relation relation)
{
    const ftr_sought_relation key = {.from = from, .to = to, .relation = relation};
    return sought->relation_count == 0 ? NULL
                                       : bsearch(&key, sought->relations, sought->relation_count,
                                                 sizeof key, compare_relation);
}

bool ftr_sought_may_have_tx(const ftr_sought_records *sought, uint64_t id)
{
    const size_t count = sought->transaction_count;
    return count > 0 && id >= sought->transactions[0].id &&
           id <= sought->transactions[count - 1].id;
}

void ftr_sought_mark_tx(ftr_sought_records *sought, uint64_t id)
{
    ftr_sought_note_id(sought, id);
    ftr_sought_tx *found = ftr_sought_find_tx(sought, id);
    if (found != NULL)
        found->is_in_trace = true;
}

void ftr_sought_mark_relation(ftr_sought_records *sought, uint64_t from, uint64_t to,
                              ftr_relation relation)
{
    ftr_sought_note_id(sought, from);
    ftr_sought_note_id(sought, to);
    ftr_sought_relation *found = ftr_sought_find_relation(sought, from, to, relation);
    if (found != NULL)
        found->in_trace++;
}

void ftr_sought_clear(ftr_sought_records *sought)
{
    for (size_t i = 0; i < sought->transaction_count; i++)
        sought->transactions[i].is_in_trace = false;
    for (size_t i = 0; i < sought->relation_count; i++)
        sought->relations[i].in_trace = 0;
}

void ftr_sought_next_file(ftr_sought_records *sought)
{
    for (size_t i = 0; i < sought->transaction_count; i++)
        sought->transactions[i].is_in_file_before = sought->transactions[i].is_in_trace;
    for (size_t i = 0; i < sought->relation_count; i++)
        sought->relations[i].in_file_before = sought->relations[i].in_trace;
    ftr_sought_clear(sought);
}

uint64_t ftr_sought_count_lost(ftr_sought_records *sought)
{
    uint64_t lost = 0;
    for (size_t i = 0; i < sought->torn_count; i++) {
        ftr_sought_tx *tx = ftr_sought_find_tx(sought, sought->torn_ids[i]);
        lost += !tx->is_in_trace && !tx->is_in_file_before;
        tx->is_in_trace = true; /* the list may contain the id twice */
    }
    return lost;
}

void ftr_sought_release(ftr_sought_records *sought)
{
    free(sought->torn_ids);
    free(sought->transactions);
    free(sought->relations);
    *sought = (ftr_sought_records){0};
}
