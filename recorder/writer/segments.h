/* The files of a recording: what may go into the one that is written, when another follows, and how
 * each ends. */
#ifndef FTR_SEGMENTS_H
#define FTR_SEGMENTS_H

#include <stdbool.h>

#include "id_set.h"
#include "losses.h"
#include "preamble.h"

typedef struct ftr_lane ftr_lane;

typedef struct ftr_segments {
    uint64_t max_size;      /* bytes of a file; UINT64_MAX: no limit */
    uint64_t min_free;      /* bytes of the disk; 0: no limit */
    uint32_t max_files;     /* how many are kept; 0: there is one, and it stops at max_size */
    char *path;             /* of the first; NULL: it is no file */
    uint32_t number;        /* of the one that is written, from 1 */
    uint64_t newest_ticket; /* of the blocks that were read before this file began */
    bool is_full;           /* no more goes into the last file, because of */
    ftr_loss_cause cause;
    bool has_ended;
    ftr_id_set in_file;
    ftr_preamble preamble;
    ftr_loss *kept; /* what is in the files that are kept, by number modulo max_files */
    uint64_t bytes_before;
    uint64_t latest; /* tick, when the file was last written to */
    /* When it began. */
    uint64_t transactions_before;
    uint64_t discarded_before; /* relations */
    uint64_t latest_before;
} ftr_segments;

/* All functions but the first and last: the caller holds `encoding`. */

/* Takes the limits from the options; the output is open. */
FTR_MUST_USE ftr_status ftr_segments_init(ftr_recorder *rec);
void ftr_segments_release(ftr_segments *segments);

/* Frames the start of a file. */
void ftr_segments_start_file(ftr_recorder *rec);

/* Encodes what @p lane's block holds from its place up to @p committed, into as many files as that
 * takes; counts what cannot be. */
void ftr_segments_take(ftr_recorder *rec, ftr_lane *lane, uint32_t committed);

/* The same for a transaction that is still open. False: it is counted as lost. */
bool ftr_segments_take_open(ftr_recorder *rec, const ftr_slot *slot, uint64_t end);

/* Sends what is framed; a failure is latched. */
void ftr_segments_send(ftr_recorder *rec);

/* Removes all files, once the last one is closed, and says @p why. */
void ftr_segments_remove(ftr_recorder *rec, const char *why);

/* Ends the last file, after a failure, too, if it can be. */
void ftr_segments_end(ftr_recorder *rec);

#endif
