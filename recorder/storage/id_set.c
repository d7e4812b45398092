/* A limited number of sorted intervals of ids. */
#include "id_set.h"

#include "growing_array.h"

#define INTERVALS_MAX ((size_t)1 << 16)

/* Returns the index of the first interval that ends at or after @p id; `count`: there is none. */
static size_t position(const ftr_id_set *set, uint64_t id)
{
    size_t low = 0;
    size_t high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->intervals[middle].last < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Removes an eighth of the intervals at once, because each removal moves all remaining ones. */
static void remove_lowest(ftr_id_set *set)
{
    size_t count = set->count / 8 + 1;
    set->count -= count;
    memmove(set->intervals, set->intervals + count, set->count * sizeof *set->intervals);
}

static void remove_at(ftr_id_set *set, size_t at)
{
    set->count--;
    memmove(&set->intervals[at], &set->intervals[at + 1],
            (set->count - at) * sizeof *set->intervals);
}

static bool has_room(ftr_id_set *set)
{
    if (set->count < INTERVALS_MAX &&
        ftr_array_grow(&set->intervals, &set->capacity, set->count, sizeof *set->intervals))
        return true;
    if (set->count < 2)
        return false;
    if (set->excess == FTR_ID_SET_FORGETS) {
        remove_lowest(set);
        return true;
    }
    set->intervals[1].first = set->intervals[0].first;
    remove_at(set, 0);
    return true;
}

void ftr_id_set_add(ftr_id_set *set, uint64_t id)
{
    if (set->count > 0 && set->intervals[set->count - 1].last + 1 == id) {
        set->intervals[set->count - 1].last = id;
        return;
    }
    size_t at = position(set, id);
    bool joins_next = at < set->count && set->intervals[at].first <= id + 1;
    bool joins_previous = at > 0 && set->intervals[at - 1].last + 1 == id;
    if (joins_next && set->intervals[at].first <= id)
        return;
    if (joins_next && joins_previous) {
        set->intervals[at].first = set->intervals[at - 1].first;
        remove_at(set, at - 1);
    } else if (joins_next) {
        set->intervals[at].first = id;
    } else if (joins_previous) {
        set->intervals[at - 1].last = id;
    } else if (has_room(set)) {
        at = position(set, id);
        if (at < set->count && set->intervals[at].first <= id)
            /* has_room() has merged the two lowest intervals, and the result contains @p id */
            return;
        memmove(&set->intervals[at + 1], &set->intervals[at],
                (set->count - at) * sizeof *set->intervals);
        set->intervals[at] = (ftr_interval){id, id};
        set->count++;
    }
}

bool ftr_id_set_contains(const ftr_id_set *set, uint64_t id)
{
    size_t at = position(set, id);
    return at < set->count && set->intervals[at].first <= id;
}

void ftr_id_set_clear(ftr_id_set *set)
{
    set->count = 0;
}

void ftr_id_set_release(ftr_id_set *set)
{
    free(set->intervals);
    set->intervals = NULL;
    set->count = 0;
    set->capacity = 0;
}
