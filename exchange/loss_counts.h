/* What the streams `ftr.losses` of a file count (docs/format.md, "Losses"): formats that have
 * counters of discarded events take them from here. */
#ifndef FTR_LOSS_COUNTS_H
#define FTR_LOSS_COUNTS_H

#include <ftr/reader.h>

typedef struct ftr_loss_count {
    uint64_t count;    /* the sum over the stream's transactions; UINT64_MAX: at least */
    uint64_t ends;     /* how many transactions that are */
    uint64_t last_end; /* ticks */
} ftr_loss_count;

/* Zero-initialise it. */
typedef struct ftr_loss_counts {
    ftr_loss_count *streams; /* by index of the file's stream */
    size_t stream_count;
} ftr_loss_counts;

/* Whether a stream is one of losses; of a merged file, its name has the file's in front. */
bool ftr_is_loss_stream(const ftr_stream_info *stream);

/* Reads the losses whose transactions are in @p window; nothing is read of a file without such a
 * stream. @return as ftr_cursor_next(), OK at the end */
ftr_status ftr_loss_counts_read(ftr_loss_counts *counts, ftr_reader *reader,
                                const ftr_query *window);
/* @return NULL when @p stream has no losses */
ftr_loss_count *ftr_loss_counts_of(const ftr_loss_counts *counts, const ftr_stream_info *stream);
void ftr_loss_counts_release(ftr_loss_counts *counts);

#endif
