/* A sorted list of intervals of ids. Knows nothing of why an id was left out. */
#include "left_out.h"

#include <stdlib.h>
#include <string.h>

#define INTERVALS_MAX ((size_t)1 << 16)

void ftr_left_out_init(ftr_left_out *ids)
{
    *ids = (ftr_left_out){.lock = PTHREAD_MUTEX_INITIALIZER};
}

void ftr_left_out_release(ftr_left_out *ids)
{
    free(ids->intervals);
    ids->intervals = NULL;
    ids->count = 0;
    ids->capacity = 0;
}

/* The first interval that ends at or after @p id. */
static size_t position(const ftr_left_out *ids, uint64_t id)
{
    size_t low = 0;
    size_t high = ids->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ids->intervals[middle].last < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_at(ftr_left_out *ids, size_t at)
{
    --ids->count;
    memmove(&ids->intervals[at], &ids->intervals[at + 1],
            (ids->count - at) * sizeof *ids->intervals);
}

static bool has_room(ftr_left_out *ids)
{
    if (ids->count < ids->capacity)
        return true;
    if (ids->capacity < INTERVALS_MAX) {
        size_t capacity = ids->capacity ? ids->capacity * 2 : 64;
        ftr_interval *grown = realloc(ids->intervals, capacity * sizeof *grown);
        if (grown) {
            ids->intervals = grown;
            ids->capacity = capacity;
            return true;
        }
    }
    if (ids->count < 2)
        return false;
    ids->intervals[1].first = ids->intervals[0].first;
    remove_at(ids, 0);
    return true;
}

static void insert(ftr_left_out *ids, uint64_t id)
{
    size_t at = position(ids, id);
    bool joins_next = at < ids->count && ids->intervals[at].first <= id + 1;
    bool joins_previous = at > 0 && ids->intervals[at - 1].last + 1 == id;
    if (joins_next && ids->intervals[at].first <= id)
        return;
    if (joins_next && joins_previous) {
        ids->intervals[at].first = ids->intervals[at - 1].first;
        remove_at(ids, at - 1);
    } else if (joins_next) {
        ids->intervals[at].first = id;
    } else if (joins_previous) {
        ids->intervals[at - 1].last = id;
    } else if (has_room(ids)) {
        at = position(ids, id);
        if (at < ids->count && ids->intervals[at].first <= id)
            return; /* it lay where room was made */
        memmove(&ids->intervals[at + 1], &ids->intervals[at],
                (ids->count - at) * sizeof *ids->intervals);
        ids->intervals[at] = (ftr_interval){id, id};
        ++ids->count;
    }
}

void ftr_left_out_add(ftr_left_out *ids, uint64_t id)
{
    pthread_mutex_lock(&ids->lock);
    insert(ids, id);
    pthread_mutex_unlock(&ids->lock);
}

bool ftr_left_out_contains(ftr_left_out *ids, uint64_t id)
{
    pthread_mutex_lock(&ids->lock);
    size_t at = position(ids, id);
    bool found = at < ids->count && ids->intervals[at].first <= id;
    pthread_mutex_unlock(&ids->lock);
    return found;
}
