/* The order of kept ids. */
#include "kept_index.h"

#define MARKED_IDS ((uint64_t)1 << 23)
/* If sorting needs more moves than this per entry, on average, qsort() is faster. */
#define MOVES_MAX 16u

static int compare_entries(const void *a, const void *b)
{
    const ftr_kept_entry *x = a;
    const ftr_kept_entry *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Insertion sort: ids are nearly in order, because the transactions are in order of begin. */
static void sort(ftr_kept_entry *of, size_t count)
{
    size_t moves = 0;
    for (size_t i = 1; i < count; i++) {
        const ftr_kept_entry moving = of[i];
        size_t at = i;
        for (; at > 0 && compare_entries(&moving, &of[at - 1]) < 0; at--)
            of[at] = of[at - 1];
        of[at] = moving;
        moves += i - at;
        if (moves > MOVES_MAX * count) {
            qsort(of, count, sizeof *of, compare_entries);
            return;
        }
    }
}

bool ftr_kept_index_init(ftr_kept_index *index, const ftr_kept_transactions *kept)
{
    *index = (ftr_kept_index){.count = kept->count};
    index->of = malloc((kept->count + 1) * sizeof *index->of);
    index->marks = calloc(MARKED_IDS / 64, sizeof *index->marks);
    if (index->of == NULL || index->marks == NULL)
        return false;
    for (size_t i = 0; i < kept->count; i++) {
        const uint64_t id = kept->txs[kept->order[i]].id;
        index->of[i] = (ftr_kept_entry){id, i};
        index->marks[id % MARKED_IDS / 64] |= (uint64_t)1 << id % 64;
    }
    sort(index->of, kept->count);
    return true;
}

/* Returns the index of the first entry with an id of at least @p id. */
static size_t find_least(const ftr_kept_index *index, uint64_t id)
{
    size_t low = 0, high = index->count, step = 1;
    const size_t from = index->latest;
    if (from < high && index->of[from].id < id) {
        for (low = from + 1; low + step < high && index->of[low + step].id < id; step *= 2)
            low += step;
        high = low + step < high ? low + step : high;
    } else {
        for (high = from; step <= high && index->of[high - step].id >= id; step *= 2)
            high -= step;
        low = step <= high ? high - step : 0;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (index->of[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t ftr_kept_index_find(ftr_kept_index *index, uint64_t id)
{
    if ((index->marks[id % MARKED_IDS / 64] >> id % 64 & 1) == 0)
        return FTR_KEPT_NOWHERE;
    const size_t at = find_least(index, id);
    if (at == index->count || index->of[at].id != id)
        return FTR_KEPT_NOWHERE;
    index->latest = at;
    return index->of[at].index;
}

void ftr_kept_index_release(ftr_kept_index *index)
{
    free(index->of);
    free(index->marks);
    *index = (ftr_kept_index){0};
}
