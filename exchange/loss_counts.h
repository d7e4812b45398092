/* Sums of the losses in the streams `ftr.losses` of a file (docs/format.md, "Losses"), for formats
 * that have counters of discarded events. */
#ifndef FTR_LOSS_COUNTS_H
#define FTR_LOSS_COUNTS_H

#include <ftr/reader.h>

typedef struct ftr_loss_count {
    uint64_t count;    /* sum over the stream's transactions; UINT64_MAX: a lower bound */
    uint64_t ends;     /* number of these transactions */
    uint64_t last_end; /* in ticks */
} ftr_loss_count;

/* Must be zero-initialised. */
typedef struct ftr_loss_counts {
    ftr_loss_count *streams; /* by index of the file's stream */
    size_t stream_count;
} ftr_loss_counts;

/* Reads the losses of transactions in @p window; reads nothing if the file has no stream of losses.
 * @return like ftr_cursor_next(), FTR_OK at the end */
ftr_status ftr_loss_counts_read(ftr_loss_counts *counts, ftr_reader *reader,
                                const ftr_query *window);
/* @return NULL if @p stream has no losses */
ftr_loss_count *ftr_loss_counts_of(const ftr_loss_counts *counts, const ftr_stream_info *stream);
void ftr_loss_counts_release(ftr_loss_counts *counts);

#endif
