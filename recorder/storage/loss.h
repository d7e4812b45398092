/* Causes and counts of losses, in memory and in the journal. */
#ifndef FTR_LOSS_H
#define FTR_LOSS_H

#include <stdint.h>

typedef enum ftr_loss_cause {
    FTR_LOSS_DROPPED,  /* FTR_WHEN_FULL_DROP */
    FTR_LOSS_MAX_SIZE, /* the file has reached its maximum size */
    FTR_LOSS_MIN_FREE, /* the disk has less free space than required */
    /* transactions in older files that were removed because newer files replaced them */
    FTR_LOSS_REMOVED,
    FTR_LOSS_EVICTED,   /* transactions that were evicted from a ring before a trigger */
    FTR_LOSS_SEPARATED, /* relations between transactions of different files */
    FTR_LOSS_FAILED,    /* the file could not be written */
    FTR_LOSS_FULL,      /* a linear buffer of a flight recorder is full */
    FTR_LOSS_KILLED,    /* relations that were pending when the process was killed */
    /* transactions that were neither in the trace nor in the journal when the process ended */
    FTR_LOSS_UNCOVERED,
    /* transactions and relations that may have been lost like those of FTR_LOSS_UNCOVERED: the
     * count is an upper bound */
    FTR_LOSS_UNKNOWN
} ftr_loss_cause;

#define FTR_LOSS_CAUSES 11

/* Maximum number of buffers of a recorder, including its main buffer (number 0). */
#define FTR_BUFFERS_MAX 16

typedef struct ftr_loss {
    uint64_t count;
    /* `from`: earliest begin, `to`: latest end of the lost records, in ticks */
    uint64_t from;
    uint64_t to;
} ftr_loss;

/* Adds @p loss to @p to. */
static inline void ftr_loss_add(ftr_loss *to, const ftr_loss *loss)
{
    if (to->count == 0 || loss->from < to->from)
        to->from = loss->from;
    if (to->count == 0 || loss->to > to->to)
        to->to = loss->to;
    to->count += loss->count;
}

#endif
