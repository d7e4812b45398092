/* The files of a recording: their limits, the step from one file to the next, and the end of each
 * file. */
#ifndef FTR_SEGMENTS_H
#define FTR_SEGMENTS_H

#include "lane.h"
#include "recorder_state.h"

/* For all functions except ftr_segments_init(), ftr_segments_release() and ftr_segments_remove(),
 * the caller holds `encoding`. */

/* Reads the limits from the options. The output must be open.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_segments_init(ftr_recorder *rec);
void ftr_segments_release(ftr_recorder *rec);

/* Called when the time scale is known: from then on, the start of the first file must be written
 * before other data. */
static inline void ftr_segments_set_start_due(ftr_recorder *rec)
{
    rec->segments.start_is_due = true;
}

static inline bool ftr_segments_have_ended(const ftr_recorder *rec)
{
    return rec->segments.has_ended;
}

/* Returns the number of bytes of all files so far. */
static inline uint64_t ftr_segments_bytes(const ftr_recorder *rec)
{
    return rec->segments.bytes_before + rec->output.offset;
}

/* Encodes the start of a file. */
void ftr_segments_start_file(ftr_recorder *rec);

/* Writes the start of the first file if it is due. */
void ftr_segments_write_start(ftr_recorder *rec);

/* Encodes the records of @p lane's block from its current position up to @p committed, into as many
 * files as necessary. A relation that must wait in a ring is stored in this ring instead. Counts
 * the records that fit into no file, or that cannot be written after a failure, as lost. After
 * ftr_segments_end(), only advances the position. */
void ftr_segments_take(ftr_recorder *rec, ftr_lane *lane, uint32_t committed);

/* Encodes a transaction that is still open, with the end @p end in ticks. If @p is_cut is true, the
 * transaction gets the attribute `unfinished`. Returns false if the transaction was not encoded: it
 * is then counted as lost, except after ftr_segments_end(). */
bool ftr_segments_take_open(ftr_recorder *rec, const ftr_slot *slot, uint64_t end, bool is_cut);

/* Flushes bodies as ftr_encoder_flush() does, and sends their chunks, with some that were framed
 * before. Sends about a megabyte at a time, so that the memory for chunks does not grow with the
 * number of streams. */
void ftr_segments_flush(ftr_recorder *rec, uint64_t ticket, uint64_t before);

/* Sends all framed chunks. The first failure is stored in the recorder. */
void ftr_segments_send(ftr_recorder *rec);

/* Removes all files, and reports @p why. The last file must be closed. Has no effect if the output
 * is not a regular file. */
void ftr_segments_remove(ftr_recorder *rec, const char *why);

/* Ends the last file, if possible even after a failure. */
void ftr_segments_end(ftr_recorder *rec);

/* Called before the end of the file is made: holds all data until the end, so that a short file is
 * written at once. Has no effect if a part of the file was written, after a failure, or if the size
 * of the file is limited. While data is held, no blocks and slots may be released. */
void ftr_segments_hold(ftr_recorder *rec);

bool ftr_segments_are_held(const ftr_recorder *rec);

#endif
