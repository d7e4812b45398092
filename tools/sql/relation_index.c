/* The index from transactions to their relations. */
#include "relation_index.h"

#include "growing_array.h"

#include <stdlib.h>

enum { LOOK_UPS_WITHOUT = 2 };

/* The greatest size of one relation in the index: its entry in an array of which half may be
 * unused, and its keys, one in each order. */
#define BYTES_OF_RELATION \
    (2 * sizeof(ftr_indexed_relation) + FTR_RELATION_SIDES * sizeof(ftr_relation_key))

size_t ftr_relation_index_limit(size_t budget)
{
    return budget / BYTES_OF_RELATION;
}

static ftr_status collect(ftr_relation_index *index, ftr_relation_cursor *cursor, ftr_names *names,
                          size_t limit)
{
    ftr_relation_info relation;
    ftr_status status;
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        if (index->count == limit)
            return FTR_ERR_LIMIT;
        if (!ftr_array_grow(&index->relations, &index->capacity, index->count,
                            sizeof *index->relations))
            return FTR_ERR_MEMORY;
        /* The text of the name is valid only until the next relation is read. */
        const ftr_name *name = ftr_sql_intern(names, relation.name);
        if (name == NULL)
            return FTR_ERR_MEMORY;
        index->relations[index->count++] = (ftr_indexed_relation){relation, name};
    }
    return status == FTR_ERR_END ? FTR_OK : status;
}

static int compare(const void *a, const void *b)
{
    const ftr_relation_key *x = a;
    const ftr_relation_key *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    /* The table delivers the relations of a transaction in stored order, but qsort() is not stable:
     * keys with the same id are therefore compared by index. */
    return x->relation < y->relation ? -1 : x->relation > y->relation;
}

static ftr_status sort(ftr_relation_index *index)
{
    if (index->count == 0)
        return FTR_OK;
    for (int side = 0; side < FTR_RELATION_SIDES; side++) {
        ftr_relation_key *keys = malloc(index->count * sizeof *keys);
        index->keys[side] = keys;
        if (keys == NULL)
            return FTR_ERR_MEMORY;
        for (size_t i = 0; i < index->count; i++) {
            const ftr_relation_info *relation = &index->relations[i].relation;
            keys[i] = (ftr_relation_key){
                side == FTR_RELATION_FROM ? relation->from_tx : relation->to_tx, i};
        }
        qsort(keys, index->count, sizeof *keys, compare);
    }
    return FTR_OK;
}

static ftr_status build(ftr_relation_index *index, ftr_reader *reader, ftr_names *names,
                        size_t limit)
{
    ftr_relation_cursor *cursor;
    ftr_status status = ftr_relation_cursor_open(reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    status = collect(index, cursor, names, limit);
    ftr_relation_cursor_close(cursor);
    return status == FTR_OK ? sort(index) : status;
}

ftr_status ftr_relation_index_ask(ftr_relation_index *index, ftr_reader *reader, ftr_names *names,
                                  size_t budget, uint64_t *moves, bool *usable)
{
    *usable = index->is_built;
    if (index->is_built || index->is_too_large || index->asked++ < LOOK_UPS_WITHOUT)
        return FTR_OK;
    (*moves)++;
    const ftr_status status = build(index, reader, names, ftr_relation_index_limit(budget));
    if (status != FTR_OK) {
        ftr_relation_index_release(index);
        index->is_too_large = status == FTR_ERR_LIMIT;
        return status == FTR_ERR_LIMIT ? FTR_OK : status;
    }
    index->is_built = *usable = true;
    return FTR_OK;
}

const ftr_relation_key *ftr_relation_index_find(const ftr_relation_index *index,
                                                ftr_relation_side side, uint64_t id, size_t *count)
{
    const ftr_relation_key *keys = index->keys[side];
    size_t low = 0;
    size_t high = index->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < index->count && keys[end].id == id)
        end++;
    *count = end - low;
    return *count > 0 ? keys + low : NULL;
}

void ftr_relation_index_release(ftr_relation_index *index)
{
    free(index->relations);
    for (int side = 0; side < FTR_RELATION_SIDES; side++)
        free(index->keys[side]);
    *index = (ftr_relation_index){0};
}
