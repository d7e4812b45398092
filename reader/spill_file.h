/* Sorted runs of transactions in a temporary file, for when memory does not hold what overlaps. */
#ifndef FTR_SPILL_FILE_H
#define FTR_SPILL_FILE_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What transactions are sorted by. */
typedef struct ftr_sort_key {
    uint64_t time;
    uint64_t place; /* chunk in the upper half, offset within in the lower: makes keys unique */
    uint8_t late;   /* of equal times, these are last */
} ftr_sort_key;

static inline bool ftr_key_before(const ftr_sort_key *a, const ftr_sort_key *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->late != b->late)
        return a->late < b->late;
    return a->place < b->place;
}

typedef struct ftr_spill {
    int fd; /* -1: nothing was spilled yet */
    const char *directory;
    ftr_budget *budget;
    uint64_t size;
    uint8_t *buffer; /* of the run being written */
    size_t filled;
} ftr_spill;

/* A run being read back. */
typedef struct ftr_run {
    ftr_spill *spill;
    uint64_t at, end; /* what is not in the buffer yet */
    uint8_t *buffer;
    size_t capacity, from, filled;
    size_t largest; /* bytes of its largest record */
} ftr_run;

void ftr_spill_init(ftr_spill *spill, const char *directory, ftr_budget *budget);
void ftr_spill_release(ftr_spill *spill);

/* Writes a run: begin, put in order, end. FTR_ERR_IO with errno set. */
FTR_MUST_USE ftr_status ftr_spill_begin(ftr_spill *spill, ftr_run *run);
FTR_MUST_USE ftr_status ftr_spill_put(ftr_spill *spill, ftr_run *run, const ftr_sort_key *key,
                                      const uint8_t *bytes, uint32_t size);
FTR_MUST_USE ftr_status ftr_spill_end(ftr_spill *spill, ftr_run *run);

/* The next record; its bytes are valid until the next call. FTR_ERR_END after the last one. */
FTR_MUST_USE ftr_status ftr_run_next(ftr_run *run, ftr_sort_key *key, const uint8_t **bytes,
                                     uint32_t *size);
void ftr_run_release(ftr_run *run);

#endif
