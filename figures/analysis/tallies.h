/* A count and a sum for each of several numbers. A reading thread adds to these tallies while it
 * prepares the transactions of a chunk. In ftr_query.conclude, it appends the tallies with
 * ftr_tallies_append(). Therefore the calling thread reads a few bytes for each chunk, and not for
 * each transaction. */
#ifndef FTR_TALLIES_H
#define FTR_TALLIES_H

#include "growing_array.h"

#include <ftr/reader.h>

#define FTR_TALLY_FAILED UINT64_MAX

typedef struct ftr_tally {
    uint64_t number, count, sum;
} ftr_tally;

/* `{0}` is empty. Used by one thread. */
typedef struct ftr_tallies {
    uint32_t *place; /* place of a number in `list` + 1; 0: none; index: the number */
    size_t place_count;
    ftr_tally *list; /* in the order of the first occurrence */
    size_t count, capacity;
    bool failed; /* out of memory */
} ftr_tallies;

/* Adds an empty tally for a number that has none. @return NULL if out of memory */
ftr_tally *ftr_tallies_enter(ftr_tallies *tallies, size_t number);

/* Counts @p number once, and adds @p value to its sum. */
static inline void ftr_tallies_add(ftr_tallies *tallies, size_t number, uint64_t value)
{
    ftr_tally *tally = number < tallies->place_count && tallies->place[number] > 0
                           ? &tallies->list[tallies->place[number] - 1]
                           : ftr_tallies_enter(tallies, number);
    if (tally == NULL)
        return;
    tally->count++;
    tally->sum += value;
}

/* Appends all tallies as an array of ftr_tally, and removes them. If ftr_tallies_add() ran out of
 * memory since the last call, appends one tally with the number FTR_TALLY_FAILED instead. */
void ftr_tallies_append(ftr_tallies *tallies, ftr_prepared *prepared);

void ftr_tallies_release(ftr_tallies *tallies);

#endif
