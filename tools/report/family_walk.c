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
                                 const ftr_family_member *member, const ftr_tx_position *position)
{
    if ((walk->open_count + 1) * 2 > walk->open_capacity && !make_room(walk, tx->begin))
        return NULL;
    ftr_open_parent *added = entry_of(walk, tx->id);
    walk->open_count += !added->used;
    *added = (ftr_open_parent){
        .used = true, .tx = *tx, .covered = tx->begin, .root = member->root, .position = *position};
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

/* Adds a number of ticks to the time of the child's generator: the ticks of the child that no
 * earlier child covers. */
static bool count_child(ftr_family_walk *walk, ftr_open_parent *parent, const ftr_report_tx *child)
{
    ftr_child_time *time = time_of(walk, parent->tx.generator);
    ftr_child_part *part = time != NULL ? part_of(time, child->generator) : NULL;
    if (part == NULL)
        return false;
    const uint64_t begin = child->begin > parent->covered ? child->begin : parent->covered;
    const uint64_t end = child->end < parent->tx.end ? child->end : parent->tx.end;
    time->parents += !parent->has_child;
    parent->has_child = true;
    part->children++;
    if (end > begin) {
        part->ticks += end - begin;
        parent->covered = end;
    }
    return true;
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

/* Counts the children of @p parent that came before it, and moves them from `waiting` to `found`.
 */
static bool count_waiting(ftr_family_walk *walk, ftr_open_parent *parent)
{
    size_t kept = 0;
    bool ok = true;
    walk->found_count = 0;
    for (size_t i = 0; i < walk->waiting_count; i++) {
        const ftr_waiting_child child = walk->waiting[i];
        if (child.parent != parent->tx.id || !is_child(parent, child.tx.begin, child.tx.end)) {
            walk->waiting[kept++] = child;
            continue;
        }
        ok = ok && count_child(walk, parent, &child.tx) &&
             ftr_array_grow(&walk->found, &walk->found_capacity, walk->found_count,
                            sizeof *walk->found);
        if (ok)
            walk->found[walk->found_count++] = child;
    }
    walk->waiting_count = kept;
    return ok;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static bool add_child(ftr_family_walk *walk, const ftr_report_tx *tx, uint64_t parent_id,
                      const ftr_tx_position *position, ftr_family_member *member)
{
    ftr_open_parent *parent = find_open(walk, parent_id);
    if (parent == NULL) {
        const ftr_waiting_child child = {parent_id, *tx, *position};
        member->root = parent_id; /* the same for all children read before the parent */
        return wait(walk, &child);
    }
    if (!is_child(parent, tx->begin, tx->end))
        return true;
    member->root = parent->root;
    member->parent = parent;
    return count_child(walk, parent, tx);
}

bool ftr_family_walk_add(ftr_family_walk *walk, const ftr_report_tx *tx,
                         const ftr_family_entry *entry, const ftr_tx_position *position,
                         ftr_family_member *member)
{
    member->root = tx->id;
    member->parent = NULL;
    member->self = NULL;
    member->earlier_count = 0;
    if (entry->has_parent && !add_child(walk, tx, entry->parent, position, member))
        return false;
    if (!entry->has_children)
        return true;
    if (member->parent != NULL) { /* add_open() may move the parent */
        member->copy = *member->parent;
        member->parent = &member->copy;
    }
    member->self = add_open(walk, tx, member, position);
    if (member->self == NULL || !count_waiting(walk, member->self))
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
    if (generator >= walk->time_count || walk->times[generator].parents == 0)
        return NULL;
    ftr_child_time *time = &walk->times[generator];
    qsort(time->parts, time->part_count, sizeof *time->parts, compare_parts);
    return time;
}

void ftr_family_walk_release(ftr_family_walk *walk)
{
    for (size_t i = 0; i < walk->time_count; i++)
        free(walk->times[i].parts);
    free(walk->times);
    free(walk->waiting);
    free(walk->found);
    free(walk->open);
    *walk = (ftr_family_walk){0};
}
