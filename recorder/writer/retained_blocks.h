/* Retained blocks: the drain has read them completely, but not all of their records are in the file
 * yet. The records that are not in the file are also in chunk bodies, but these are lost in a
 * crash. The blocks in the journal survive a crash. */
#ifndef FTR_RETAINED_BLOCKS_H
#define FTR_RETAINED_BLOCKS_H

#include "cbor_writer.h"
#include "lane.h"

/* For all functions, the caller holds `encoding`. */

/* Retains the current block of @p lane, which was read completely. If out of memory, the recorder
 * fails. Returns whether some of the buffer's retained blocks must be released now. */
bool ftr_retained_add(ftr_recorder *rec, const ftr_lane *lane);

/* Returns the ticket of the middle block among the retained blocks of @p buffer, in the order in
 * which they were read. At least one block must be retained. */
uint64_t ftr_retained_middle(const ftr_recorder *rec, uint32_t buffer);

/* Returns whether so many blocks are retained that releasing them is worth the time. */
bool ftr_retained_are_enough(const ftr_recorder *rec);

/* Returns whether ftr_retained_release() would release a block. */
bool ftr_retained_can_release(const ftr_recorder *rec);

/* Releases every block of which all records are in the file, and in the saved state of the summary:
 * see ftr_kept_summary_release_blocks(). Has no effect after a failure of the recorder. */
void ftr_retained_release(ftr_recorder *rec);

/* Frees the list. */
void ftr_retained_free(ftr_recorder *rec);

/* Writes the read positions, for recovery, as one byte string (ftr_read_position, journal_state.h).
 * There is one position for each block that the drain has read at least in part and that is not
 * released yet. */
void ftr_read_positions_put(ftr_recorder *rec, ftr_cbor_writer *w);

/* Returns the number of transactions that the drain has read and that stay in the journal when
 * blocks with a ticket below @p oldest are released. */
uint64_t ftr_read_positions_count(ftr_recorder *rec, uint64_t oldest);

/* Returns the end, in ticks, of the last transaction that was read from the current block of a
 * lane; 0 if no transaction was read from it. */
uint64_t ftr_read_position_time(const ftr_lane *lane);

/* Called when file number @p next begins: marks the records that the drain has read as records of
 * earlier files, so that recovery does not write them again. Also marks records in completely read
 * blocks, because a block remains retained as long as a pending relation needs an older block. Does
 * not mark blocks that a pending relation needs. Returns the highest ticket of the blocks that were
 * read; 0: none. */
uint64_t ftr_retained_settle(ftr_recorder *rec, uint32_t next);

#endif
