/* The list of pending relations, and the decision whether a relation is written, discarded or
 * pending. */
#include "pending_relations.h"

#include "growing_array.h"

#define WAITING_MAX ((size_t)1 << 20)
/* The kind of a pending relation if both of its transactions had ended at the last check. If one of
 * these transactions is not in the file at the next check, it will never be in this file. */
#define HAS_ENDED UINT32_MAX

static bool is_open(const ftr_pending_relations *wait, uint64_t id, uint32_t slot)
{
    const ftr_slot *at =
        ftr_open_slot(wait->open, (slot & FTR_SLOT_PLACE) / (uint32_t)FTR_SLOT_SIZE);
    return __atomic_load_n(&at->id, __ATOMIC_ACQUIRE) == id && slot != FTR_NO_SLOT;
}

static bool has_open_end(const ftr_pending_relations *wait, const ftr_stored_relation *relation)
{
    return is_open(wait, relation->from, (uint32_t)relation->from_place) ||
           is_open(wait, relation->to, (uint32_t)relation->to_place);
}

static ftr_relation_state state_of(const ftr_pending_relations *wait,
                                   const ftr_stored_relation *relation)
{
    if (!ftr_pending_relations_tracks(wait))
        return FTR_RELATION_WRITTEN;
    if (wait->in_file != NULL) {
        if (ftr_pending_relations_has_in_file(wait, relation->from) &&
            ftr_pending_relations_has_in_file(wait, relation->to))
            return FTR_RELATION_WRITTEN;
        return relation->kind == HAS_ENDED ? FTR_RELATION_DISCARDED : FTR_RELATION_PENDING;
    }
    if (has_open_end(wait, relation))
        return FTR_RELATION_PENDING;
    return ftr_discarded_ids_contains(wait->discarded_ids, relation->from) ||
                   ftr_discarded_ids_contains(wait->discarded_ids, relation->to)
               ? FTR_RELATION_DISCARDED
               : FTR_RELATION_WRITTEN;
}

void ftr_pending_relations_init(ftr_pending_relations *wait)
{
    *wait =
        (ftr_pending_relations){.ids = {.excess = FTR_ID_SET_FORGETS}, .oldest_ticket = UINT64_MAX};
}

void ftr_pending_relations_track_file(ftr_pending_relations *wait)
{
    wait->in_file = &wait->ids;
}

/* ---- counters for recovery ---------------------------------------------------------------------
 */

static void mark(ftr_stored_relation *held)
{
    __atomic_store_n(&held->kind, held->kind | FTR_RECORD_COUNTED, __ATOMIC_RELEASE);
}

void ftr_pending_relations_discard(ftr_pending_relations *wait, ftr_stored_relation *held)
{
    if (wait->account.discarded == NULL)
        return;
    *wait->account.discarded += 1;
    if (held != NULL)
        mark(held);
}

void ftr_pending_relations_sent(ftr_pending_relations *wait, uint64_t count)
{
    if (wait->account.unheld != NULL)
        *wait->account.unheld -= count;
}

/* The state of a relation when the file ends. If only one of its transactions is in this file, no
 * file will contain both of them, and the relation is discarded. */
static ftr_relation_state state_at_end(const ftr_pending_relations *wait,
                                       const ftr_stored_relation *relation)
{
    bool has_from = ftr_pending_relations_has_in_file(wait, relation->from);
    bool has_to = ftr_pending_relations_has_in_file(wait, relation->to);
    return has_from != has_to ? FTR_RELATION_DISCARDED
           : has_from         ? FTR_RELATION_WRITTEN
                              : FTR_RELATION_PENDING;
}

static void discard_waiting(ftr_pending_relations *wait, const ftr_pending_relation *waiting)
{
    ftr_pending_relations_discard(wait, waiting->held);
    if (waiting->held == NULL)
        ftr_pending_relations_sent(wait, 1);
}

static void release_held(ftr_pending_relations *wait, ftr_pending_relation *waiting)
{
    if (waiting->held != NULL && wait->account.unheld != NULL) {
        *wait->account.unheld += 1;
        mark(waiting->held);
    }
    waiting->held = NULL;
    waiting->ticket = UINT64_MAX;
}

/* ---- the list ---------------------------------------------------------------------------------
 */

/* Appends a relation to the list, which must have free capacity. */
static void keep(ftr_pending_relations *wait, const ftr_pending_relation *waiting)
{
    wait->waiting[wait->count++] = *waiting;
    if (waiting->ticket < wait->oldest_ticket)
        wait->oldest_ticket = waiting->ticket;
}

/* Empties the list; the caller may then append the old entries again one by one. Returns their
 * number. */
static size_t start_over(ftr_pending_relations *wait)
{
    size_t count = wait->count;
    wait->count = 0;
    wait->oldest_ticket = UINT64_MAX;
    return count;
}

void ftr_pending_relations_let_go(ftr_pending_relations *wait, uint64_t first, uint64_t last)
{
    if (wait->oldest_ticket > last)
        return;
    size_t count = start_over(wait);
    for (size_t i = 0; i < count; i++) {
        if (wait->waiting[i].ticket >= first && wait->waiting[i].ticket <= last)
            release_held(wait, &wait->waiting[i]);
        keep(wait, &wait->waiting[i]);
    }
}

bool ftr_pending_relations_holds(const ftr_pending_relations *wait, uint64_t ticket)
{
    if (ticket < wait->oldest_ticket)
        return false;
    for (size_t i = 0; i < wait->count; i++) {
        if (wait->waiting[i].ticket == ticket)
            return true;
    }
    return false;
}

static bool has_room(ftr_pending_relations *wait)
{
    return wait->count < WAITING_MAX &&
           ftr_array_grow(&wait->waiting, &wait->capacity, wait->count, sizeof *wait->waiting);
}

ftr_relation_state ftr_pending_relations_add(ftr_pending_relations *wait,
                                             ftr_stored_relation *relation, uint64_t ticket)
{
    ftr_relation_state state = state_of(wait, relation);
    if (state == FTR_RELATION_PENDING && !has_room(wait))
        state = FTR_RELATION_DISCARDED;
    if (state == FTR_RELATION_PENDING)
        keep(wait, &(ftr_pending_relation){*relation, relation, ticket});
    else if (state == FTR_RELATION_DISCARDED)
        ftr_pending_relations_discard(wait, relation);
    return state;
}

uint64_t ftr_pending_relations_settle(ftr_pending_relations *wait, bool file_ends,
                                      void (*write)(void *user,
                                                    const ftr_pending_relation *waiting),
                                      void *user)
{
    uint64_t discarded = 0;
    size_t count = start_over(wait);
    for (size_t i = 0; i < count; i++) {
        ftr_stored_relation *relation = &wait->waiting[i].record;
        ftr_relation_state state =
            file_ends ? state_at_end(wait, relation) : state_of(wait, relation);
        if (state == FTR_RELATION_WRITTEN)
            write(user, &wait->waiting[i]);
        if (state == FTR_RELATION_DISCARDED) {
            discard_waiting(wait, &wait->waiting[i]);
            discarded++;
        }
        if (state != FTR_RELATION_PENDING)
            continue;
        if (!file_ends && wait->in_file != NULL && !has_open_end(wait, relation))
            relation->kind = HAS_ENDED;
        keep(wait, &wait->waiting[i]);
    }
    return discarded;
}

void ftr_pending_relations_release(ftr_pending_relations *wait)
{
    free(wait->waiting);
    ftr_id_set_release(&wait->ids);
    wait->waiting = NULL;
    wait->capacity = 0;
    (void)start_over(wait);
}
