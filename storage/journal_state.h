/* The state of the run's summary in the journal. The transactions of blocks that were released are
 * only in this state; recovery adds those of the other blocks. There are two areas: one is valid
 * while the other one is written. */
#ifndef FTR_JOURNAL_STATE_H
#define FTR_JOURNAL_STATE_H

#include "journal.h"

/* The part of a block that is in the state. */
typedef struct ftr_read_position {
    uint64_t sequence; /* of the block, because its number is used again */
    uint64_t last_tx; /* id of the last transaction before `offset`: its slot may still look open */
    uint32_t block;
    uint32_t offset; /* of the first record that is not in the state */
} ftr_read_position;

/* Makes room for the next state. The caller holds the lock under which parts are added.
 * FTR_ERR_IO and errno. */
FTR_MUST_USE ftr_status ftr_journal_state_make_room(ftr_journal *journal, size_t size);

/* Replaces the state. There is room for it. FTR_ERR_IO and errno: the old one is still valid. */
FTR_MUST_USE ftr_status ftr_journal_state_write(ftr_journal *journal, const uint8_t *bytes,
                                                size_t size);

/* Marks in the journal that there is no valid state and that none will follow. */
void ftr_journal_state_give_up(ftr_journal *journal);

/* Reads the state from the journal open at @p fd.
 * @param[out] bytes malloc'ed; NULL: no transaction has left the journal
 * @return FTR_OK; FTR_ERR_FORMAT: there is no valid state; FTR_ERR_IO; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_journal_state_read(const ftr_journal_header *header, int fd,
                                               uint8_t **bytes, size_t *size);

#endif
