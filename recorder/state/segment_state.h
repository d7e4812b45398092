/* The state of a recording that is divided into several files. */
#ifndef FTR_SEGMENT_STATE_H
#define FTR_SEGMENT_STATE_H

#include <stdbool.h>

#include "id_set.h"
#include "losses.h"
#include "preamble.h"

typedef struct ftr_segments {
    uint64_t max_size;      /* bytes of a file; UINT64_MAX: no limit */
    uint64_t min_free;      /* bytes of the disk; 0: no limit */
    uint32_t max_files;     /* how many are kept; 0: there is one, and it stops at max_size */
    char *path;             /* path of the first file; NULL: the output is not a file */
    uint32_t number;        /* of the file that is being written, from 1 */
    uint64_t newest_ticket; /* of the blocks that were read before this file began */
    bool is_full;           /* the last file accepts no more data, because of */
    ftr_loss_cause cause;
    bool has_ended;
    ftr_id_set in_file;
    ftr_preamble preamble;
    ftr_loss *kept; /* the content of the files that are kept, by number modulo max_files */
    uint64_t bytes_before;
    uint64_t latest; /* tick, when the file was last written to */
    /* When it began. */
    uint64_t transactions_before;
    uint64_t discarded_before; /* relations */
    uint64_t latest_before;
} ftr_segments;

#endif
