/* Sorted runs of transactions in a temporary file. Runs are written if the chunks that overlap in
 * time exceed the memory budget. */
#ifndef FTR_SPILL_FILE_H
#define FTR_SPILL_FILE_H

#include "memory_budget.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sort order of transactions. */
typedef struct ftr_sort_key {
    uint32_t burst; /* compared before the time; see ordered_merge.c */
    uint64_t time;
    /* upper half: number of the chunk; lower half: offset within the chunk; makes keys unique */
    uint64_t location;
    uint8_t late; /* nonzero: sorted after other transactions of the same time */
    /* the bytes of the record come from the query's functions `prepare` or `conclude`; else the
     * record is a transaction */
    bool is_prepared;
} ftr_sort_key;

static inline bool ftr_key_before(const ftr_sort_key *a, const ftr_sort_key *b)
{
    if (a->burst != b->burst)
        return a->burst < b->burst;
    if (a->time != b->time)
        return a->time < b->time;
    if (a->late != b->late)
        return a->late < b->late;
    return a->location < b->location;
}

typedef struct ftr_spill {
    int fd;                /* -1: nothing was spilled yet */
    const char *directory; /* for the temporary file */
    ftr_budget *budget;
    uint64_t size;   /* size of the file */
    uint8_t *buffer; /* data of the run being written that is not in the file yet */
    size_t filled;   /* bytes in `buffer` */
} ftr_spill;

/* A sorted run, while it is written and then while it is read back. */
typedef struct ftr_run {
    ftr_spill *spill;
    uint64_t at, end; /* reading: the part of the file that is not in the buffer yet */
    uint8_t *buffer;
    size_t capacity, from, filled; /* the unread bytes of the buffer: [from, filled) */
    size_t largest;                /* size of the largest record of the run, in bytes */
} ftr_run;

void ftr_spill_init(ftr_spill *spill, const char *directory, ftr_budget *budget);
void ftr_spill_release(ftr_spill *spill);

/* To write a run, call ftr_spill_begin(), then ftr_spill_put() in sort order, then ftr_spill_end().
 * If these functions return FTR_ERR_IO, errno is set. */
FTR_MUST_USE ftr_status ftr_spill_begin(ftr_spill *spill, ftr_run *run);
FTR_MUST_USE ftr_status ftr_spill_put(ftr_spill *spill, ftr_run *run, const ftr_sort_key *key,
                                      const uint8_t *bytes, uint32_t size);
FTR_MUST_USE ftr_status ftr_spill_end(ftr_spill *spill, ftr_run *run);

/* Reads the next record; its bytes are valid until the next call. Returns FTR_OK; FTR_ERR_END after
 * the last record; FTR_ERR_LIMIT if the budget has no room for the buffer; FTR_ERR_MEMORY;
 * FTR_ERR_IO with errno set. */
FTR_MUST_USE ftr_status ftr_run_next(ftr_run *run, ftr_sort_key *key, const uint8_t **bytes,
                                     uint32_t *size);
void ftr_run_release(ftr_run *run);

#endif
