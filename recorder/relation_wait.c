/* The relations that wait. Knows ids and slots, nothing of how a relation is written. */
#include "relation_wait.h"

#include <stdlib.h>

#define WAITING_MAX ((size_t)1 << 20)
/* The kind of a relation that waits and whose ends have both ended: what is not in the file by the
 * next look never comes. */
#define HAS_ENDED UINT32_MAX

static bool is_open(const ftr_relation_wait *wait, uint64_t id, uint32_t slot)
{
    const ftr_slot *at =
        ftr_open_slot(wait->open, (slot & FTR_SLOT_PLACE) / (uint32_t)FTR_SLOT_SIZE);
    return __atomic_load_n(&at->id, __ATOMIC_ACQUIRE) == id && slot != FTR_NO_SLOT;
}

static bool has_open_end(const ftr_relation_wait *wait, const ftr_record_relation *relation)
{
    return is_open(wait, relation->from, (uint32_t)relation->from_place) ||
           is_open(wait, relation->to, (uint32_t)relation->to_place);
}

static ftr_relation_fate fate_of(const ftr_relation_wait *wait, const ftr_record_relation *relation)
{
    if (!wait->left_out && !wait->in_file)
        return FTR_RELATION_IS_WRITTEN;
    if (wait->in_file) {
        if (ftr_id_set_contains(wait->in_file, relation->from) &&
            ftr_id_set_contains(wait->in_file, relation->to))
            return FTR_RELATION_IS_WRITTEN;
        return relation->kind == HAS_ENDED ? FTR_RELATION_IS_LEFT_OUT : FTR_RELATION_WAITS;
    }
    if (has_open_end(wait, relation))
        return FTR_RELATION_WAITS;
    return ftr_left_out_contains(wait->left_out, relation->from) ||
                   ftr_left_out_contains(wait->left_out, relation->to)
               ? FTR_RELATION_IS_LEFT_OUT
               : FTR_RELATION_IS_WRITTEN;
}

ftr_relation_fate ftr_relation_wait_take(ftr_relation_wait *wait,
                                         const ftr_record_relation *relation)
{
    ftr_relation_fate fate = fate_of(wait, relation);
    if (fate != FTR_RELATION_WAITS)
        return fate;
    if (wait->count == wait->capacity) {
        size_t capacity = wait->capacity ? wait->capacity * 2 : 64;
        ftr_record_relation *grown = NULL;
        if (capacity <= WAITING_MAX)
            grown = realloc(wait->waiting, capacity * sizeof *grown);
        if (!grown)
            return FTR_RELATION_IS_LEFT_OUT;
        wait->waiting = grown;
        wait->capacity = capacity;
    }
    wait->waiting[wait->count++] = *relation;
    return FTR_RELATION_WAITS;
}

uint64_t ftr_relation_wait_settle(ftr_relation_wait *wait,
                                  void (*write)(void *user, const ftr_record_relation *relation),
                                  void *user)
{
    size_t kept = 0;
    uint64_t left_out = 0;
    for (size_t i = 0; i < wait->count; ++i) {
        ftr_record_relation *relation = &wait->waiting[i];
        ftr_relation_fate fate = fate_of(wait, relation);
        if (fate == FTR_RELATION_IS_WRITTEN)
            write(user, relation);
        left_out += fate == FTR_RELATION_IS_LEFT_OUT;
        if (fate != FTR_RELATION_WAITS)
            continue;
        if (wait->in_file && !has_open_end(wait, relation))
            relation->kind = HAS_ENDED;
        wait->waiting[kept++] = *relation;
    }
    wait->count = kept;
    return left_out;
}

uint64_t ftr_relation_wait_end_file(ftr_relation_wait *wait,
                                    void (*write)(void *user, const ftr_record_relation *relation),
                                    void *user)
{
    size_t kept = 0;
    uint64_t left_out = 0;
    for (size_t i = 0; i < wait->count; ++i) {
        const ftr_record_relation *relation = &wait->waiting[i];
        bool has_from = ftr_id_set_contains(wait->in_file, relation->from);
        bool has_to = ftr_id_set_contains(wait->in_file, relation->to);
        if (has_from && has_to)
            write(user, relation);
        else if (has_from || has_to)
            ++left_out;
        else
            wait->waiting[kept++] = *relation;
    }
    wait->count = kept;
    return left_out;
}

void ftr_relation_wait_release(ftr_relation_wait *wait)
{
    free(wait->waiting);
    wait->waiting = NULL;
    wait->count = 0;
    wait->capacity = 0;
}
