/* A hash table from ids to values. Its memory counts against a budget. */
#ifndef FTR_ID_INDEX_H
#define FTR_ID_INDEX_H

#include "hash.h"
#include "memory_budget.h"
#include "open_table.h"

#include <ftr/status.h>

#include <stdint.h>

/* The value of an id that is not in the index. */
#define FTR_ID_NONE UINT64_MAX

typedef struct ftr_id_slot {
    uint64_t id;    /* must be the first member */
    uint64_t value; /* FTR_ID_NONE: the slot is free */
} ftr_id_slot;

/* An open-addressed hash table; `{0}` is an empty one. */
typedef struct ftr_id_index {
    ftr_id_slot *slots;
    size_t capacity, count; /* the capacity is a power of two; at least one slot stays free */
} ftr_id_index;

static inline bool ftr_id_slot_is_free(const void *slot)
{
    return ((const ftr_id_slot *)slot)->value == FTR_ID_NONE;
}

static const ftr_table_rule ftr_id_rule = {sizeof(ftr_id_slot), 0xff, ftr_id_slot_is_free,
                                           ftr_table_has_number, ftr_table_hash_number};

/* Returns the slot of @p id, or the free slot where @p id would be inserted. The index must not be
 * empty. */
static inline ftr_id_slot *ftr_id_index_slot(const ftr_id_index *ids, uint64_t id)
{
    return (ftr_id_slot *)ftr_table_search(&ftr_id_rule, ids->slots, ids->capacity,
                                           ftr_hash_number(id), &id);
}

/* Returns the value of @p id, or FTR_ID_NONE if @p id is not in the index. */
static inline uint64_t ftr_id_index_get(const ftr_id_index *ids, uint64_t id)
{
    return ids->count > 0 ? ftr_id_index_slot(ids, id)->value : FTR_ID_NONE;
}

/* Sets the value of @p id; an earlier value is replaced. @p value must not be FTR_ID_NONE.
 * @return FTR_OK; FTR_ERR_LIMIT if the budget is exceeded; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_id_index_put(ftr_id_index *ids, ftr_budget *budget, uint64_t id,
                                         uint64_t value);

void ftr_id_index_release(ftr_id_index *ids, ftr_budget *budget);

#endif
