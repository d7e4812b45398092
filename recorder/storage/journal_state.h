/* The state of the run's summary in the journal. The state includes the transactions of all
 * released blocks; recovery adds the transactions of the other blocks. There are two areas for
 * states: one contains the valid state while the next state is written to the other one. */
#ifndef FTR_JOURNAL_STATE_H
#define FTR_JOURNAL_STATE_H

#include "journal.h"

/* The part of a block whose transactions are included in the state. */
typedef struct ftr_read_position {
    /* ftr_block.sequence: identifies the block, because block numbers are reused */
    uint64_t sequence;
    /* id of the last transaction before `offset`: its slot may not be marked as free yet */
    uint64_t last_tx;
    uint32_t block;
    /* bytes from the start of the block to the first record that the state does not include */
    uint32_t offset;
} ftr_read_position;

/* Allocates the areas for states of the usual size, if the disk has space. Otherwise, room is made
 * later. Called before further blocks are added to the journal, because these can fill the disk. */
void ftr_journal_state_reserve(ftr_journal *journal);

/* Makes room for the next state, which has @p size bytes. The caller holds the lock under which
 * parts are added to the journal. On failure, returns FTR_ERR_IO and sets errno. */
FTR_MUST_USE ftr_status ftr_journal_state_make_room(ftr_journal *journal, size_t size);

/* Replaces the state, after ftr_journal_state_make_room(). On failure, returns FTR_ERR_IO and sets
 * errno; the old state is still valid. */
FTR_MUST_USE ftr_status ftr_journal_state_write(ftr_journal *journal, const uint8_t *bytes,
                                                size_t size);

/* Records in the journal that there is no valid state and that no other state will follow. */
void ftr_journal_state_give_up(ftr_journal *journal);

/* Reads the state from the journal open at @p fd.
 * @param[out] bytes malloc'ed; NULL: no state was written yet, because no transaction has left the
 *                   journal
 * @return FTR_OK; FTR_ERR_FORMAT: there is no valid state; FTR_ERR_IO; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_journal_state_read(const ftr_journal_header *header, int fd,
                                               uint8_t **bytes, size_t *size);

#endif
