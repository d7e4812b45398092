/* The state of a recording that is divided into several files. */
#ifndef FTR_SEGMENT_STATE_H
#define FTR_SEGMENT_STATE_H

#include <stdbool.h>

#include "losses.h"

/* The content of a complete file, which is lost if the file is removed. */
typedef struct ftr_kept_file {
    ftr_loss transactions;  /* number of transactions, and the interval of their times */
    ftr_file_losses losses; /* the losses that the file contains */
} ftr_kept_file;

typedef struct ftr_segments {
    uint64_t max_size; /* maximum bytes of a file; UINT64_MAX: no limit */
    uint64_t min_free; /* bytes of the disk that must stay free; 0: no limit */
    /* number of files that are kept; 0: only one file is written, which ends at max_size */
    uint32_t max_files;
    char *path;             /* path of the first file; NULL: not a regular file */
    bool start_is_due;      /* the start of the first file must be written before other data */
    uint32_t number;        /* number of the file that is being written, from 1 */
    uint64_t newest_ticket; /* the newest ticket of the blocks read before this file began */
    bool is_full;           /* the last file accepts no more data; `cause` is the reason */
    ftr_loss_cause cause;
    bool has_ended;
    bool is_held; /* nothing is sent, because the file is short and will be sent with its end */
    ftr_kept_file *kept;   /* index: file number % max_files */
    uint64_t bytes_before; /* bytes of all files before the current one */
    uint64_t latest;       /* in ticks: latest time in the data that was written to the file */
    uint64_t unsent; /* after a failure: number of encoded transactions that are counted as lost */
    /* Values at the begin of the current file. */
    uint64_t transactions_before;
    uint64_t discarded_before; /* number of discarded relations */
    uint64_t latest_before;
} ftr_segments;

#endif
