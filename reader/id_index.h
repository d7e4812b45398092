/* From ids to values, within a budget. */
#ifndef FTR_ID_INDEX_H
#define FTR_ID_INDEX_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdint.h>

/* What an id that is not there has for its value. */
#define FTR_ID_NONE UINT64_MAX

typedef struct ftr_id_slot {
    uint64_t id;
    uint64_t value; /* FTR_ID_NONE: the slot is free */
} ftr_id_slot;

/* Open addressing; zero-initialised it is empty. */
typedef struct ftr_id_index {
    ftr_id_slot *slots;
    size_t capacity, count; /* the capacity is a power of two, and never full */
} ftr_id_index;

/* The slot that has @p id, or would have it. The index must not be empty. */
static inline ftr_id_slot *ftr_id_index_slot(const ftr_id_index *ids, uint64_t id)
{
    size_t slot = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (ids->capacity - 1);
    while (ids->slots[slot].value != FTR_ID_NONE && ids->slots[slot].id != id)
        slot = (slot + 1) & (ids->capacity - 1);
    return &ids->slots[slot];
}

static inline uint64_t ftr_id_index_get(const ftr_id_index *ids, uint64_t id)
{
    return ids->count > 0 ? ftr_id_index_slot(ids, id)->value : FTR_ID_NONE;
}

/* Gives @p id the value, which is not FTR_ID_NONE, in place of one it may have.
 * @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_id_index_put(ftr_id_index *ids, ftr_budget *budget, uint64_t id,
                                         uint64_t value);

void ftr_id_index_release(ftr_id_index *ids, ftr_budget *budget);

#endif
