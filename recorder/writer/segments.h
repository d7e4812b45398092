/* The files of a recording: what may go into the one that is written, when another follows, and how
 * each ends. */
#ifndef FTR_SEGMENTS_H
#define FTR_SEGMENTS_H

#include "lane.h"
#include "recorder_state.h"

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
