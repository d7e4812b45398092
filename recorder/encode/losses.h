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
    /* number of buffers, including the recorder's own buffer 0 */
    uint32_t buffers;
    const char *names[FTR_BUFFERS_MAX];              /* borrowed; buffer 0 has no name */
    ftr_loss here[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES]; /* losses of the current file */
    /* losses of the current file and of all files before it */
    ftr_loss total[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];
    /* losses in the file that ended last */
    ftr_loss ended[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];
    /* header of the journal, where losses are also counted, for recovery; NULL: no journal */
    ftr_journal_header *journal;
    uint32_t file; /* number of the current file, from 1 */
} ftr_losses;

/* Maximum number of transactions of the stream `ftr.losses`. */
#define FTR_LOSSES_MAX ((uint64_t)FTR_BUFFERS_MAX * FTR_LOSS_CAUSES)

typedef struct ftr_losses_ids {
    const char *stream; /* the name of the stream, which no other stream of the file has */
    uint32_t string;    /* first unused string id of the file */
    uint32_t entity;    /* first unused id of a stream or generator in the file */
    uint64_t tx;        /* the first of FTR_LOSSES_MAX consecutive transaction ids */
} ftr_losses_ids;

/* The losses that a file contains, without the counts of 0. */
typedef struct ftr_file_losses {
    struct ftr_file_loss *at; /* malloc'ed; NULL: none */
    uint32_t count;
} ftr_file_losses;

void ftr_losses_init(ftr_losses *losses);

/* Adds a buffer. @p name is borrowed: it must live as long as @p losses. */
void ftr_losses_add_buffer(ftr_losses *losses, const char *name);

/* From this call on, losses are also counted in @p journal, so that recovery knows the losses of a
 * killed process. @p journal NULL: losses are no longer counted in a journal; this call must
 * precede the unmapping of the journal. */
void ftr_losses_keep(ftr_losses *losses, ftr_journal *journal);

/* Counts losses, also in the journal. May be called on any thread. */
void ftr_losses_add(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                    const ftr_loss *loss);

/* Counts transactions that are missing in the file but still in the journal, where recovery
 * restores or counts them. In the journal, this call adds them only to the number of transactions
 * that recovery must find, so that recovery notices if some are missing. Relations
 * (FTR_LOSS_SEPARATED) are counted only in @p losses. */
void ftr_losses_add_recoverable(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                                const ftr_loss *loss);

/* Replaces the count of FTR_LOSS_FAILED in the journal by @p refused. These are the transactions
 * that were refused after a failure. */
void ftr_losses_keep_refused(ftr_losses *losses, const ftr_loss *refused);

/* Counts @p refused as losses of the file that ends because of a failure, and replaces the count of
 * FTR_LOSS_FAILED in the journal. @p refused are the transactions that were refused after the
 * failure. No further losses follow. */
void ftr_losses_add_refused(ftr_losses *losses, const ftr_loss *refused);

/* Returns whether the current file has losses. */
bool ftr_losses_are_any(ftr_losses *losses);

/* Called when a file ends. Returns whether the file has losses. If it has, the caller then calls
 * ftr_losses_put(). If it has none, later losses belong to the next file. */
bool ftr_losses_end_file(ftr_losses *losses);

/* Frames the losses of the file that ends, as the stream `ftr.losses`. Later losses belong to the
 * next file. */
void ftr_losses_put(ftr_losses *losses, const ftr_losses_ids *ids, ftr_chunk_writer *chunks);

/* Provides the memory for ftr_losses_get_ended(). @return FTR_OK or FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_file_losses_init(ftr_file_losses *of);
void ftr_file_losses_release(ftr_file_losses *of);

/* Copies the losses of the file that ended last to @p ended, which must be initialised. */
void ftr_losses_get_ended(ftr_losses *losses, ftr_file_losses *ended);

/* Adds the losses of an older file, which will be removed, to the losses of the current file. The
 * totals of all files do not change. */
void ftr_losses_carry(ftr_losses *losses, const ftr_file_losses *of);

/* Returns the losses of a buffer in all files, for one cause. */
ftr_loss ftr_losses_total(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause);

/* Returns the text of a cause. It begins with "transactions" or "relations"; messages print the
 * number of losses before this text. */
const char *ftr_losses_text(ftr_loss_cause cause);

ftr_severity ftr_losses_severity(ftr_loss_cause cause);

/* Maximum number of bytes that ftr_losses_put() adds to the file, including the break:
 * FTR_LOSSES_ROOM, and FTR_LOSSES_ROOM_OF_BUFFER for each buffer except the recorder's own one. */
#define FTR_LOSSES_ROOM ((size_t)4096)
#define FTR_LOSSES_ROOM_OF_BUFFER ((size_t)864)
#define FTR_LOSSES_ROOM_MAX (FTR_LOSSES_ROOM + (FTR_BUFFERS_MAX - 1) * FTR_LOSSES_ROOM_OF_BUFFER)

size_t ftr_losses_room(ftr_losses *losses);

#endif
