/* Owns the order of kept ids. Does not know the use of the places. */
#include "kept_places.h"

#define MARKED_IDS ((uint64_t)1 << 23)
/* If sorting needs more moves than this per place, on average, qsort() is faster. */
#define MOVES_MAX 16u

static int compare_places(const void *a, const void *b)
{
    const ftr_kept_place *x = a;
    const ftr_kept_place *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Insertion sort: ids are nearly in order, because the transactions are in order of begin. */
static void sort(ftr_kept_place *of, size_t count)
{
    size_t moves = 0;
    for (size_t i = 1; i < count; i++) {
        const ftr_kept_place moving = of[i];
        size_t at = i;
        for (; at > 0 && compare_places(&moving, &of[at - 1]) < 0; at--)
            of[at] = of[at - 1];
        of[at] = moving;
        moves += i - at;
        if (moves > MOVES_MAX * count) {
            qsort(of, count, sizeof *of, compare_places);
            return;
        }
    }
}

bool ftr_kept_places_init(ftr_kept_places *places, const ftr_kept_transactions *kept)
{
    *places = (ftr_kept_places){.count = kept->count};
    places->of = malloc((kept->count + 1) * sizeof *places->of);
    places->marks = calloc(MARKED_IDS / 64, sizeof *places->marks);
    if (places->of == NULL || places->marks == NULL)
        return false;
    for (size_t i = 0; i < kept->count; i++) {
        const uint64_t id = kept->txs[i].id;
        places->of[i] = (ftr_kept_place){id, i};
        places->marks[id % MARKED_IDS / 64] |= (uint64_t)1 << id % 64;
    }
    sort(places->of, kept->count);
    return true;
}

/* Returns the index of the first place with an id of at least @p id. */
static size_t find_least(const ftr_kept_places *places, uint64_t id)
{
    size_t low = 0, high = places->count, step = 1;
    const size_t from = places->latest;
    if (from < high && places->of[from].id < id) {
        for (low = from + 1; low + step < high && places->of[low + step].id < id; step *= 2)
            low += step;
        high = low + step < high ? low + step : high;
    } else {
        for (high = from; step <= high && places->of[high - step].id >= id; step *= 2)
            high -= step;
        low = step <= high ? high - step : 0;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (places->of[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t ftr_kept_places_find(ftr_kept_places *places, uint64_t id)
{
    if ((places->marks[id % MARKED_IDS / 64] >> id % 64 & 1) == 0)
        return FTR_KEPT_NOWHERE;
    const size_t at = find_least(places, id);
    if (at == places->count || places->of[at].id != id)
        return FTR_KEPT_NOWHERE;
    places->latest = at;
    return places->of[at].place;
}

void ftr_kept_places_release(ftr_kept_places *places)
{
    free(places->of);
    free(places->marks);
    *places = (ftr_kept_places){0};
}
