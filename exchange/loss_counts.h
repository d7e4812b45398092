/* For each stream `ftr.losses` of a file (docs/format.md, "Losses"), the sum of its losses. Used
 * for formats that have counters of discarded events. */
#ifndef FTR_LOSS_COUNTS_H
#define FTR_LOSS_COUNTS_H

#include <ftr/reader.h>

typedef struct ftr_loss_count {
    uint64_t count;    /* sum over the transactions of the stream; saturates at UINT64_MAX */
    uint64_t ends;     /* number of transactions of the stream */
    uint64_t last_end; /* in ticks */
} ftr_loss_count;

/* Must be zero-initialised. */
typedef struct ftr_loss_counts {
    ftr_loss_count *streams; /* index: number of the stream in the file */
    size_t stream_count;
} ftr_loss_counts;

/* Reads the losses in the time window @p window. Reads no transactions if the file has no stream of
 * losses.
 * @return like ftr_cursor_next(), FTR_OK at the end */
ftr_status ftr_loss_counts_read(ftr_loss_counts *counts, ftr_reader *reader,
                                const ftr_query *window);
/* Returns the sum for a stream of losses; NULL if @p stream has no losses */
ftr_loss_count *ftr_loss_counts_of(const ftr_loss_counts *counts, const ftr_stream_info *stream);
void ftr_loss_counts_release(ftr_loss_counts *counts);

#endif
