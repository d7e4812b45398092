/* What was lost, by cause: how much of it and from when to when. At the end of each file it becomes
 * transactions of the stream `ftr.losses` there (docs/format.md, "Losses"). */
#ifndef FTR_LOSSES_H
#define FTR_LOSSES_H

#include <pthread.h>

#include <ftr/recorder.h>

#include "chunk_writer.h"

typedef enum ftr_loss_cause {
    FTR_LOSS_DROPPED,   /* FTR_WHEN_FULL_DROP */
    FTR_LOSS_MAX_SIZE,  /* the file may not grow further */
    FTR_LOSS_MIN_FREE,  /* the disk has less than it must keep */
    FTR_LOSS_REMOVED,   /* files of before, removed for newer ones */
    FTR_LOSS_EVICTED,   /* from a flight recorder's ring, before it was triggered */
    FTR_LOSS_SEPARATED, /* relations whose transactions no file has both of */
    FTR_LOSS_FAILED     /* the file could not be written */
} ftr_loss_cause;

#define FTR_LOSS_CAUSES 7

typedef struct ftr_loss {
    uint64_t count;
    uint64_t from; /* ticks: earliest begin, latest end */
    uint64_t to;
} ftr_loss;

typedef struct ftr_losses {
    pthread_mutex_t lock;
    ftr_loss here[FTR_LOSS_CAUSES];  /* of the file that is being written */
    ftr_loss total[FTR_LOSS_CAUSES]; /* of it and those before */
} ftr_losses;

/* Numbers that are free in the file. */
typedef struct ftr_losses_place {
    const char *stream; /* a name no other stream has */
    uint32_t string;
    uint32_t entity;
    uint64_t tx; /* and the FTR_LOSS_CAUSES - 1 that follow */
} ftr_losses_place;

void ftr_losses_init(ftr_losses *losses);

/* Any thread. */
void ftr_losses_add(ftr_losses *losses, ftr_loss_cause cause, const ftr_loss *loss);

/* Whether anything was lost since the last put. */
bool ftr_losses_any(ftr_losses *losses);

/* Frames what was lost since the last put. */
void ftr_losses_put(ftr_losses *losses, const ftr_losses_place *place, ftr_chunk_writer *chunks);

/* All that was lost because of @p cause, put or not. */
ftr_loss ftr_losses_total(ftr_losses *losses, ftr_loss_cause cause);

/* For a person: behind a number and "transactions" or "relations". */
const char *ftr_losses_text(ftr_loss_cause cause);

ftr_severity ftr_losses_severity(ftr_loss_cause cause);

/* The most bytes that a put adds to the file, with the break behind it. */
#define FTR_LOSSES_ROOM ((size_t)4096)

#endif
