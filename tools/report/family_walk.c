/* The open parents, and the time of their children. */
#include "family_walk.h"

#include "growing_array.h"
#include "open_table.h"

#include <string.h>

#define OPEN_MIN 64u
#define WAITING_MIN 64u

/* ---- open parents ---------------------------------------------------------------------------- */

static bool is_free(const void *parent)
{
    return !((const ftr_open_parent *)parent)->used;
}

static bool has_id(const void *parent, const void *id)
{
    return ((const ftr_open_parent *)parent)->tx.id == *(const uint64_t *)id;
}

static uint64_t hash_of(const void *parent)
{
    return ftr_hash_number(((const ftr_open_parent *)parent)->tx.id);
}

static const ftr_table_rule RULE = {sizeof(ftr_open_parent), 0, is_free, has_id, hash_of};

/* Returns the entry of the parent with this id, or the free entry for it. */
static ftr_open_parent *entry_of(const ftr_family_walk *walk, uint64_t id)
{
    return ftr_table_search(&RULE, walk->open, walk->open_capacity, ftr_hash_number(id), &id);
}

/* Removes parents that have ended, and makes room for one more. */
static bool make_room(ftr_family_walk *walk, uint64_t now)
{
    size_t alive = 0;
    for (size_t i = 0; i < walk->open_capacity; i++) {
        ftr_open_parent *parent = &walk->open[i];
        parent->used = parent->used && parent->tx.end >= now;
        alive += parent->used;
    }
    size_t capacity = OPEN_MIN;
    while (capacity < (alive + 1) * 4)
        capacity *= 2;
    walk->open_count = alive;
    return ftr_table_resize(&RULE, &walk->open, &walk->open_capacity, capacity);
}

static ftr_open_parent *add_open(ftr_family_walk *walk, const ftr_report_tx *tx,
                                 const ftr_tx_phases *phases, const ftr_family_member *member,
                                 const ftr_tx_position *position)
{
    if ((walk->open_count + 1) * 2 > walk->open_capacity && !make_room(walk, tx->begin))
        return NULL;
    ftr_open_parent *added = entry_of(walk, tx->id);
    walk->open_count += !added->used;
    *added = (ftr_open_parent){.used = true,
                               .tx = *tx,
                               .phases = *phases,
                               .covered = tx->begin,
                               .root = member->root,
                               .position = *position};
    return added;
}

static ftr_open_parent *find_open(const ftr_family_walk *walk, uint64_t id)
{
    if (walk->open_capacity == 0)
        return NULL;
    ftr_open_parent *found = entry_of(walk, id);
    return found->used ? found : NULL;
}

/* ---- the time of children -------------------------------------------------------------------- */

static ftr_child_time *time_of(ftr_family_walk *walk, size_t generator)
{
    return ftr_array_reach(&walk->times, &walk->time_count, generator, sizeof *walk->times)
               ? &walk->times[generator]
               : NULL;
}

static ftr_child_part *part_of(ftr_child_time *time, size_t generator)
{
    for (size_t i = 0; i < time->part_count; i++)
        if (time->parts[i].generator == generator)
            return &time->parts[i];
    if (!ftr_array_grow(&time->parts, &time->part_capacity, time->part_count, sizeof *time->parts))
        return NULL;
    time->parts[time->part_count] = (ftr_child_part){.generator = generator};
    return &time->parts[time->part_count++];
}

static bool is_child(const ftr_open_parent *parent, uint64_t begin, uint64_t end)
{
    return begin <= parent->tx.end && end >= parent->tx.begin;
}

/* ---- moves of ticks -------------------------------------------------------------------------- */

/* Chains of parents are followed up to this length, so that a damaged file whose relations form a
 * circle cannot stop the report. */
#define LEVELS_MAX 256u

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t ticks_of_request(const ftr_tx_phases *phases, uint64_t from, uint64_t to)
{
    const uint64_t end = least(to, phases->request_end);
    return end > from ? end - from : 0;
}

static uint64_t ticks_of_response(const ftr_tx_phases *phases, uint64_t from, uint64_t to)
{
    const uint64_t begin = greatest(from, phases->response_begin);
    return to > begin ? to - begin : 0;
}

/* Adds the ticks [from, to) to the part of @p end, or subtracts them. */
static bool change_part(ftr_child_time *time, const ftr_flow_end *end, uint64_t from, uint64_t to,
                        bool adds)
{
    ftr_child_part *part = part_of(time, end->generator);
    if (part == NULL)
        return false;
    const ftr_wide sign = adds ? 1 : (ftr_wide)-1;
    part->ticks += sign * (to - from);
    part->request += sign * ticks_of_request(&end->phases, from, to);
    part->response += sign * ticks_of_response(&end->phases, from, to);
    return true;
}

/* Drops the moves of which all ticks are before @p now, the begin of the present transaction: a
 * parent that was not read yet begins at this tick or later. */
static void drop_held(ftr_family_walk *walk, uint64_t now)
{
    if (walk->held_count <= walk->held_limit)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < walk->held_count; i++)
        if (walk->held[i].to > now)
            walk->held[kept++] = walk->held[i];
    walk->held_count = kept;
    walk->held_limit = kept * 2 > WAITING_MIN ? kept * 2 : WAITING_MIN;
}

/* Keeps a move until the parent of its owner is read. */
static bool hold(ftr_family_walk *walk, const ftr_held_move *move)
{
    if (!ftr_array_grow(&walk->held, &walk->held_capacity, walk->held_count, sizeof *walk->held))
        return false;
    walk->held[walk->held_count++] = *move;
    return true;
}

/* Gives the ticks [from, to) of @p parent to @p taker, and does the same for its ancestors.
 * @param giver to which the ticks belonged until now; NULL: @p parent itself */
static bool move_ticks(ftr_family_walk *walk, const ftr_open_parent *parent,
                       const ftr_flow_end *giver, const ftr_flow_end *taker, uint64_t from,
                       uint64_t to)
{
    ftr_flow_end self;
    for (unsigned level = 0; level < LEVELS_MAX && parent != NULL && from < to; level++) {
        ftr_child_time *time = time_of(walk, parent->tx.generator);
        if (time == NULL || !change_part(time, taker, from, to, true) ||
            (giver != NULL && !change_part(time, giver, from, to, false)))
            return false;
        if (giver == NULL) {
            time->own_request -= ticks_of_request(&parent->phases, from, to);
            self = (ftr_flow_end){parent->tx.generator, parent->phases};
            giver = &self;
        }
        if (parent->waits)
            return hold(walk, &(ftr_held_move){parent->tx.id, from, to, *giver, *taker});
        from = greatest(from, parent->from);
        to = least(to, parent->to);
        parent = find_open(walk, parent->parent);
    }
    return true;
}

/* ---- children -------------------------------------------------------------------------------- */

/* The ticks of a parent that belong to a child. */
typedef struct child_ticks {
    uint64_t from, to; /* equal: none */
} child_ticks;

/* Adds the ticks of the child that no earlier child covers to the time of the child's generator.
 * The response of the parent is time of the parent itself: its child has answered, and its
 * initiator has not yet accepted the answer. */
static bool count_child(ftr_family_walk *walk, ftr_open_parent *parent, const ftr_report_tx *child,
                        const ftr_tx_phases *phases, child_ticks *ticks)
{
    ftr_child_time *time = time_of(walk, parent->tx.generator);
    ftr_child_part *part = time != NULL ? part_of(time, child->generator) : NULL;
    if (part == NULL)
        return false;
    time->parents += !parent->has_child;
    parent->has_child = true;
    part->children++;
    part->clipped += child->begin < parent->tx.begin || child->end > parent->tx.end;
    if (child->error && parent->tx.error && !parent->is_passed) {
        parent->is_passed = true;
        time->passed_on++;
    }
    *ticks = (child_ticks){greatest(child->begin, parent->covered),
                           least(child->end, parent->phases.response_begin)};
    if (ticks->to <= ticks->from) {
        *ticks = (child_ticks){0};
        return true;
    }
    parent->covered = ticks->to;
    const ftr_flow_end taker = {child->generator, *phases};
    return move_ticks(walk, parent, NULL, &taker, ticks->from, ticks->to);
}

/* ---- children before their parents ----------------------------------------------------------- */

static bool wait(ftr_family_walk *walk, const ftr_waiting_child *child)
{
    if (walk->waiting_count >= walk->waiting_limit) {
        size_t kept = 0;
        for (size_t i = 0; i < walk->waiting_count; i++)
            if (walk->waiting[i].tx.end >= child->tx.begin)
                walk->waiting[kept++] = walk->waiting[i];
        walk->waiting_count = kept;
        walk->waiting_limit = kept * 2 > WAITING_MIN ? kept * 2 : WAITING_MIN;
    }
    if (!ftr_array_grow(&walk->waiting, &walk->waiting_capacity, walk->waiting_count,
                        sizeof *walk->waiting))
        return false;
    walk->waiting[walk->waiting_count++] = *child;
    return true;
}

/* Connects an open child with its parent, which was read later. Ticks that the child has given to
 * its own children belong to these children in the parent, too. */
static bool connect(ftr_family_walk *walk, const ftr_open_parent *parent, uint64_t child,
                    const child_ticks *ticks)
{
    ftr_open_parent *open = find_open(walk, child);
    bool ok = true;
    if (open == NULL)
        return true;
    open->waits = false;
    open->parent = parent->tx.id;
    open->from = ticks->from;
    open->to = ticks->to;
    for (size_t i = 0; ok && i < walk->held_count;) {
        const ftr_held_move move = walk->held[i];
        if (move.owner != child) {
            i++;
            continue;
        }
        walk->held[i] = walk->held[--walk->held_count];
        ok = move_ticks(walk, parent, &move.giver, &move.taker, greatest(move.from, ticks->from),
                        least(move.to, ticks->to));
    }
    return ok;
}

/* Counts the children of @p parent that came before it, and moves them from `waiting` to `found`.
 */
static bool count_waiting(ftr_family_walk *walk, ftr_open_parent *parent)
{
    size_t kept = 0;
    bool ok = true;
    child_ticks ticks;
    walk->found_count = 0;
    for (size_t i = 0; i < walk->waiting_count; i++) {
        const ftr_waiting_child child = walk->waiting[i];
        if (child.parent != parent->tx.id || !is_child(parent, child.tx.begin, child.tx.end)) {
            walk->waiting[kept++] = child;
            continue;
        }
        ok = ok && count_child(walk, parent, &child.tx, &child.phases, &ticks) &&
             connect(walk, parent, child.tx.id, &ticks) &&
             ftr_array_grow(&walk->found, &walk->found_capacity, walk->found_count,
                            sizeof *walk->found);
        if (ok)
            walk->found[walk->found_count++] = child;
    }
    walk->waiting_count = kept;
    return ok;
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* @param[out] ticks ticks of the parent that belong to the transaction
 * @param[out] waits the parent was not read yet */
static bool add_child(ftr_family_walk *walk, const ftr_report_tx *tx, const ftr_tx_phases *phases,
                      uint64_t parent_id, const ftr_tx_position *position,
                      ftr_family_member *member, child_ticks *ticks, bool *waits)
{
    ftr_open_parent *parent = find_open(walk, parent_id);
    if (parent == NULL) {
        const ftr_waiting_child child = {parent_id, *tx, *phases, *position};
        member->root = parent_id; /* the same for all children read before the parent */
        *waits = true;
        return wait(walk, &child);
    }
    if (!is_child(parent, tx->begin, tx->end))
        return true;
    member->root = parent->root;
    member->parent = parent;
    return count_child(walk, parent, tx, phases, ticks);
}

/* Adds the phases of a transaction to the time of its generator. */
static bool add_phases(ftr_family_walk *walk, const ftr_report_tx *tx, const ftr_tx_phases *phases)
{
    if (phases->request_end == tx->begin && phases->response_begin == tx->end)
        return true;
    ftr_child_time *time = time_of(walk, tx->generator);
    if (time == NULL)
        return false;
    time->own_request += phases->request_end - tx->begin;
    time->own_response += tx->end - phases->response_begin;
    return true;
}

bool ftr_family_walk_add(ftr_family_walk *walk, const ftr_report_tx *tx,
                         const ftr_tx_phases *phases, const ftr_family_entry *entry,
                         const ftr_tx_position *position, ftr_family_member *member)
{
    child_ticks ticks = {0};
    bool waits = false;
    member->root = tx->id;
    member->parent = NULL;
    member->self = NULL;
    member->earlier_count = 0;
    drop_held(walk, tx->begin);
    if (!add_phases(walk, tx, phases) ||
        (entry->has_parent &&
         !add_child(walk, tx, phases, entry->parent, position, member, &ticks, &waits)))
        return false;
    if (!entry->has_children)
        return true;
    const uint64_t parent = member->parent != NULL ? entry->parent : 0;
    if (member->parent != NULL) { /* add_open() may move the parent */
        member->copy = *member->parent;
        member->parent = &member->copy;
    }
    member->self = add_open(walk, tx, phases, member, position);
    if (member->self == NULL)
        return false;
    member->self->waits = waits;
    member->self->parent = parent;
    member->self->from = ticks.from;
    member->self->to = ticks.to;
    if (!count_waiting(walk, member->self))
        return false;
    member->earlier = walk->found;
    member->earlier_count = walk->found_count;
    return true;
}

static int compare_parts(const void *a, const void *b)
{
    const ftr_child_part *x = a;
    const ftr_child_part *y = b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return (x->generator > y->generator) - (x->generator < y->generator);
}

const ftr_child_time *ftr_family_walk_time(ftr_family_walk *walk, size_t generator)
{
    if (generator >= walk->time_count)
        return NULL;
    ftr_child_time *time = &walk->times[generator];
    if (time->parents == 0 && time->own_request == 0 && time->own_response == 0)
        return NULL;
    if (time->part_count > 0)
        qsort(time->parts, time->part_count, sizeof *time->parts, compare_parts);
    return time;
}

void ftr_family_walk_release(ftr_family_walk *walk)
{
    for (size_t i = 0; i < walk->time_count; i++)
        free(walk->times[i].parts);
    free(walk->times);
    free(walk->waiting);
    free(walk->held);
    free(walk->found);
    free(walk->open);
    *walk = (ftr_family_walk){0};
}
