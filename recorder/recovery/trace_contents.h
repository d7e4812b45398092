/* Reads the data that recovery needs from a trace file. */
#ifndef FTR_TRACE_CONTENTS_H
#define FTR_TRACE_CONTENTS_H

#include "encoder.h"
#include "journal_image.h"
#include "sought_records.h"

/* The values with which recovery continues a file. */
typedef struct ftr_trace_contents {
    uint64_t strings; /* number of dictionary entries, which is also the first unused string id */
    uint64_t latest;  /* tick: latest time in the file; 0: none */
    size_t size;      /* size of the file in bytes, without the break at the end */
} ftr_trace_contents;

/* Reads a trace of @p size bytes at @p bytes, which may end after any chunk, with @p threads
 * threads (0: one). Marks the records in @p sought that are in the trace. If @p contents is not
 * NULL, also fills it, and marks the definitions that are in the trace as written. FTR_ERR_FORMAT:
 * the trace has a defect other than a missing break: it is damaged, or not from a recorder.
 * FTR_ERR_LIMIT: the reader needs more memory than allowed. FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_trace_contents_read(const uint8_t *bytes, size_t size, unsigned threads,
                                                const ftr_definitions *definitions,
                                                ftr_sought_records *sought,
                                                ftr_trace_contents *contents);

typedef struct ftr_recovery_losses {
    uint64_t discarded;    /* number of relations in the journal that are in no file */
    uint64_t lost;         /* transactions that cannot be recovered */
    uint64_t lost_at_most; /* upper bound for further transactions and relations that cannot be
                              recovered */
    uint64_t highest_id;   /* highest transaction id in the journal and the files, including ids in
                              relations */
} ftr_recovery_losses;

/* Frames the stream `ftr.losses` (docs/format.md, "Losses") for the file that @p encoder writes.
 * The losses are the sum of those in the journal and of @p found. If there are no losses, frames
 * nothing.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_recovery_put_losses(const ftr_journal_image *image,
                                                const ftr_recovery_losses *found,
                                                ftr_encoder *encoder);

#endif
