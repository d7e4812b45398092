/* Counts lost records per buffer and cause, with the period of the losses. At the end of each file,
 * the counts become transactions of the stream `ftr.losses` (docs/format.md, "Losses"). */
#ifndef FTR_LOSSES_H
#define FTR_LOSSES_H

#include <pthread.h>

#include <ftr/recorder.h>

#include "chunk_writer.h"
#include "journal.h"
#include "loss.h"

typedef struct ftr_losses {
    pthread_mutex_t lock;
    uint32_t buffers;                                /* number of buffers in use */
    const char *names[FTR_BUFFERS_MAX];              /* buffer 0 has no name */
    ftr_loss here[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES]; /* of the current file */
    /* of the current file and the files before it */
    ftr_loss total[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];
    ftr_journal_header *journal; /* also contains the counts, for recovery; NULL: no journal */
    uint32_t file;               /* number of the current file */
} ftr_losses;

/* Unused ids of the file. */
#define FTR_LOSSES_MAX ((uint64_t)FTR_BUFFERS_MAX * FTR_LOSS_CAUSES)

typedef struct ftr_losses_ids {
    const char *stream; /* a name that no other stream has */
    uint32_t string;
    uint32_t entity;
    uint64_t tx; /* first of FTR_LOSSES_MAX consecutive ids */
} ftr_losses_ids;

void ftr_losses_init(ftr_losses *losses);

/* Adds a buffer. @p name is not copied. */
void ftr_losses_add_buffer(ftr_losses *losses, const char *name);

/* From this call on, also counts in @p journal, so that recovery has the counts of a killed
 * process. NULL stops this, because the journal is about to be unmapped. */
void ftr_losses_keep(ftr_losses *losses, ftr_journal *journal);

/* May be called on any thread. */
void ftr_losses_add(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                    const ftr_loss *loss);

/* Counts transactions that are still in the journal: recovery restores them or counts them. */
void ftr_losses_add_recoverable(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                                const ftr_loss *loss);

/* Replaces the count of refused transactions in the journal. */
void ftr_losses_keep_refused(ftr_losses *losses, const ftr_loss *refused);

/* Returns whether the file that ends has losses. If not, later losses count for the next file. */
bool ftr_losses_end_file(ftr_losses *losses);

/* Frames the losses of the file that ends. Later losses count for the next file. */
void ftr_losses_put(ftr_losses *losses, const ftr_losses_ids *ids, ftr_chunk_writer *chunks);

/* All losses for @p cause, framed or not. */
ftr_loss ftr_losses_total(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause);

/* Returns the text for messages, printed after a number and "transactions" or "relations". */
const char *ftr_losses_text(ftr_loss_cause cause);

ftr_severity ftr_losses_severity(ftr_loss_cause cause);

/* Maximum number of bytes that ftr_losses_put() adds to the file, including the break: for the
 * recorder's own buffer, and for each other buffer. */
#define FTR_LOSSES_ROOM ((size_t)4096)
#define FTR_LOSSES_ROOM_OF_BUFFER ((size_t)704)
#define FTR_LOSSES_ROOM_MAX (FTR_LOSSES_ROOM + (FTR_BUFFERS_MAX - 1) * FTR_LOSSES_ROOM_OF_BUFFER)

size_t ftr_losses_room(ftr_losses *losses);

#endif
