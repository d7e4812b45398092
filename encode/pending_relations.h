/* A relation is settled when both of its transactions are settled: each is in the file, or can no
 * longer get there. Until then the relation is pending. */
#ifndef FTR_PENDING_RELATIONS_H
#define FTR_PENDING_RELATIONS_H

#include "discarded_ids.h"
#include "open_transactions.h"
#include "record.h"

typedef enum ftr_relation_state {
    FTR_RELATION_WRITTEN,
    FTR_RELATION_DISCARDED,
    FTR_RELATION_PENDING
} ftr_relation_state;

typedef struct ftr_pending_relation {
    ftr_stored_relation record;
    ftr_stored_relation
        *held;       /* the record, in a block that is retained for recovery; NULL: none */
    uint64_t ticket; /* of the block of `held`; UINT64_MAX: none */
} ftr_pending_relation;

/* Counters of relations that recovery cannot count, both in the journal. A relation is first
 * counted, then its record is marked (FTR_RECORD_COUNTED). */
typedef struct ftr_relation_account {
    uint64_t *discarded; /* of the current file; NULL: not counted */
    uint64_t *unheld;    /* relations that are neither in a block nor in a file; NULL: no journal */
} ftr_relation_account;

typedef struct ftr_pending_relations {
    const ftr_open_transactions *open;
    ftr_discarded_ids
        *discarded_ids;  /* NULL: every transaction that began is or will be in the file */
    ftr_id_set *in_file; /* transactions in the file; NULL: as for `discarded_ids` */
    ftr_pending_relation *waiting;
    size_t count;
    size_t capacity;
    uint64_t oldest_ticket; /* the lowest ticket in `waiting`; UINT64_MAX: none */
    ftr_relation_account account;
} ftr_pending_relations;

void ftr_pending_relations_init(ftr_pending_relations *wait);

/* Whether some transactions can be missing in the file. */
static inline bool ftr_pending_relations_tracks(const ftr_pending_relations *wait)
{
    return wait->discarded_ids != NULL || wait->in_file != NULL;
}

/* Decides whether to write, discard or store a relation of the block of @p ticket. If the list is
 * full, a relation that would have to wait is discarded. */
FTR_MUST_USE ftr_relation_state ftr_pending_relations_take(ftr_pending_relations *wait,
                                                           ftr_stored_relation *relation,
                                                           uint64_t ticket);

/* Counts a relation that is in no file. @p held is its record; NULL: its block was released. */
void ftr_pending_relations_discard(ftr_pending_relations *wait, ftr_stored_relation *held);

/* Counts @p count more relations in the file, from blocks that were released. */
void ftr_pending_relations_sent(ftr_pending_relations *wait, uint64_t count);

/* Drops the references to the blocks with tickets from @p first to @p last, because the blocks are
 * needed and relations can be pending for a long time. A crash loses the pending relations of these
 * blocks; the journal contains their number. */
void ftr_pending_relations_let_go(ftr_pending_relations *wait, uint64_t first, uint64_t last);

/* Whether a relation from the block of @p ticket is pending. */
FTR_MUST_USE bool ftr_pending_relations_holds(const ftr_pending_relations *wait, uint64_t ticket);

/* Checks all pending relations. The caller has encoded every transaction that had ended when its
 * encoding call began, or the file ends and another follows. Calls @p write for each relation that
 * can be written. Returns the number of discarded relations. */
uint64_t ftr_pending_relations_settle(ftr_pending_relations *wait, bool file_ends,
                                      void (*write)(void *user,
                                                    const ftr_pending_relation *waiting),
                                      void *user);

void ftr_pending_relations_release(ftr_pending_relations *wait);

#endif
