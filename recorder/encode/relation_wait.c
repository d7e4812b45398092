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
    if (!ftr_relation_may_wait(wait))
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

void ftr_relation_wait_init(ftr_relation_wait *wait)
{
    *wait = (ftr_relation_wait){.oldest_ticket = UINT64_MAX};
}

/* Keeps a relation at the end of the list, for which there is room. */
static void keep(ftr_relation_wait *wait, const ftr_waiting_relation *waiting)
{
    wait->waiting[wait->count++] = *waiting;
    if (waiting->ticket < wait->oldest_ticket)
        wait->oldest_ticket = waiting->ticket;
}

/* Empties the list, whose entries may be kept again one by one. Returns how many there are. */
static size_t start_over(ftr_relation_wait *wait)
{
    size_t count = wait->count;
    wait->count = 0;
    wait->oldest_ticket = UINT64_MAX;
    return count;
}

void ftr_relation_wait_let_go(ftr_relation_wait *wait, uint64_t ticket)
{
    if (wait->oldest_ticket > ticket)
        return;
    size_t count = start_over(wait);
    for (size_t i = 0; i < count; ++i) {
        if (wait->waiting[i].ticket <= ticket)
            wait->waiting[i].ticket = UINT64_MAX;
        keep(wait, &wait->waiting[i]);
    }
}

bool ftr_relation_wait_holds(const ftr_relation_wait *wait, uint64_t ticket)
{
    if (ticket < wait->oldest_ticket)
        return false;
    for (size_t i = 0; i < wait->count; ++i) {
        if (wait->waiting[i].ticket == ticket)
            return true;
    }
    return false;
}

ftr_relation_fate ftr_relation_wait_take(ftr_relation_wait *wait,
                                         const ftr_record_relation *relation, uint64_t ticket)
{
    ftr_relation_fate fate = fate_of(wait, relation);
    if (fate != FTR_RELATION_WAITS)
        return fate;
    if (wait->count == wait->capacity) {
        size_t capacity = wait->capacity ? wait->capacity * 2 : 64;
        ftr_waiting_relation *grown = NULL;
        if (capacity <= WAITING_MAX)
            grown = realloc(wait->waiting, capacity * sizeof *grown);
        if (!grown)
            return FTR_RELATION_IS_LEFT_OUT;
        wait->waiting = grown;
        wait->capacity = capacity;
    }
    keep(wait, &(ftr_waiting_relation){*relation, ticket});
    return FTR_RELATION_WAITS;
}

uint64_t ftr_relation_wait_settle(ftr_relation_wait *wait,
                                  void (*write)(void *user, const ftr_waiting_relation *waiting),
                                  void *user)
{
    uint64_t left_out = 0;
    size_t count = start_over(wait);
    for (size_t i = 0; i < count; ++i) {
        ftr_record_relation *relation = &wait->waiting[i].record;
        ftr_relation_fate fate = fate_of(wait, relation);
        if (fate == FTR_RELATION_IS_WRITTEN)
            write(user, &wait->waiting[i]);
        left_out += fate == FTR_RELATION_IS_LEFT_OUT;
        if (fate != FTR_RELATION_WAITS)
            continue;
        if (wait->in_file && !has_open_end(wait, relation))
            relation->kind = HAS_ENDED;
        keep(wait, &wait->waiting[i]);
    }
    return left_out;
}

uint64_t ftr_relation_wait_end_file(ftr_relation_wait *wait,
                                    void (*write)(void *user, const ftr_waiting_relation *waiting),
                                    void *user)
{
    uint64_t left_out = 0;
    size_t count = start_over(wait);
    for (size_t i = 0; i < count; ++i) {
        const ftr_record_relation *relation = &wait->waiting[i].record;
        bool has_from = ftr_id_set_contains(wait->in_file, relation->from);
        bool has_to = ftr_id_set_contains(wait->in_file, relation->to);
        if (has_from && has_to)
            write(user, &wait->waiting[i]);
        else if (has_from || has_to)
            ++left_out;
        else
            keep(wait, &wait->waiting[i]);
    }
    return left_out;
}

void ftr_relation_wait_release(ftr_relation_wait *wait)
{
    free(wait->waiting);
    wait->waiting = NULL;
    wait->capacity = 0;
    (void)start_over(wait);
}
