/* What was lost, by buffer and cause: how much of it and from when to when. At the end of each file
 * it becomes transactions of the stream `ftr.losses` there (docs/format.md, "Losses"). */
#ifndef FTR_LOSSES_H
#define FTR_LOSSES_H

#include <pthread.h>

#include <ftr/recorder.h>

#include "chunk_writer.h"
#include "loss.h"

typedef struct ftr_losses {
    pthread_mutex_t lock;
    uint32_t buffers;                                 /* those that there are */
    const char *names[FTR_BUFFERS_MAX];               /* of buffer 0: none */
    ftr_loss here[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];  /* of the file that is being written */
    ftr_loss total[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES]; /* of it and those before */
    ftr_journal_header *journal; /* keeps the counts for recovery; NULL: no journal */
    uint32_t file;               /* number of the file that is being written */
} ftr_losses;

/* Numbers that are free in the file. */
#define FTR_LOSSES_MAX ((uint64_t)FTR_BUFFERS_MAX * FTR_LOSS_CAUSES)

typedef struct ftr_losses_ids {
    const char *stream; /* a name no other stream has */
    uint32_t string;
    uint32_t entity;
    uint64_t tx; /* and the FTR_LOSSES_MAX - 1 that follow */
} ftr_losses_ids;

void ftr_losses_init(ftr_losses *losses);

/* There is one buffer more. @p name is not copied. */
void ftr_losses_add_buffer(ftr_losses *losses, const char *name);

/* Counts in @p journal as well from now on, so that recovery knows the counts of a killed process.
 * NULL: no more, because the journal is about to be unmapped. */
void ftr_losses_keep(ftr_losses *losses, ftr_journal *journal);

/* Any thread. */
void ftr_losses_add(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                    const ftr_loss *loss);

/* Counts transactions that the journal still has: recovery brings them back, or counts them. */
void ftr_losses_add_recoverable(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                                const ftr_loss *loss);

/* Replaces the count of refused transactions in the journal. */
void ftr_losses_keep_refused(ftr_losses *losses, const ftr_loss *refused);

/* Returns whether the file that ends has losses. If not, later losses are the next file's. */
bool ftr_losses_end_file(ftr_losses *losses);

/* Frames the losses of the file that ends. Later losses are the next file's. */
void ftr_losses_put(ftr_losses *losses, const ftr_losses_ids *ids, ftr_chunk_writer *chunks);

/* All that was lost because of @p cause, put or not. */
ftr_loss ftr_losses_total(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause);

/* For a person: behind a number and "transactions" or "relations". */
const char *ftr_losses_text(ftr_loss_cause cause);

ftr_severity ftr_losses_severity(ftr_loss_cause cause);

/* The most bytes that a put adds to the file, with the break behind it: for the recorder's own
 * buffer, and for each other one. */
#define FTR_LOSSES_ROOM ((size_t)4096)
#define FTR_LOSSES_ROOM_OF_BUFFER ((size_t)704)
#define FTR_LOSSES_ROOM_MAX (FTR_LOSSES_ROOM + (FTR_BUFFERS_MAX - 1) * FTR_LOSSES_ROOM_OF_BUFFER)

size_t ftr_losses_room(ftr_losses *losses);

#endif
