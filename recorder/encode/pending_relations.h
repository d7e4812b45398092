/* Relations that wait for their transactions. A transaction is settled if it is in the file, or can
 * no longer get into it. A relation is pending until both of its transactions are settled. */
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
    /* address of the same record in its block, which is retained for recovery; NULL: the block was
     * released */
    ftr_stored_relation *held;
    uint64_t ticket; /* ticket of the block that contains `held`; UINT64_MAX: no block */
} ftr_pending_relation;

/* Counters in the journal for relations that recovery cannot find in the blocks. A relation is
 * first counted; then its record is marked (FTR_RECORD_COUNTED). */
typedef struct ftr_relation_account {
    uint64_t *discarded; /* discarded relations of the current file; NULL: not counted */
    /* pending relations that are neither in a block nor in a file; NULL: no journal */
    uint64_t *unheld;
} ftr_relation_account;

typedef struct ftr_pending_relations {
    const ftr_open_transactions *open;
    ftr_discarded_ids *discarded_ids; /* NULL: no transaction is discarded */
    /* points to `ids`, the ids of the transactions in the file, if transactions can be missing in
     * the file; NULL: only `discarded_ids` decides */
    ftr_id_set *in_file;
    ftr_id_set ids;
    ftr_pending_relation *waiting;
    size_t count;
    size_t capacity;
    uint64_t oldest_ticket; /* lowest ticket in `waiting`; UINT64_MAX: none */
    ftr_relation_account account;
} ftr_pending_relations;

void ftr_pending_relations_init(ftr_pending_relations *wait);

/* From now on, the ids of the transactions in the file are kept, because the file is limited or a
 * ring evicts transactions. A relation then waits until the drain has read both of its
 * transactions, and is discarded if one of them is not in the file. */
void ftr_pending_relations_track_file(ftr_pending_relations *wait);

/* Returns whether the transaction @p id is in the file, if the ids in the file are kept. */
static inline bool ftr_pending_relations_has_in_file(const ftr_pending_relations *wait, uint64_t id)
{
    return ftr_id_set_contains(&wait->ids, id);
}

/* Whether transactions can be missing in the file, so that relations must wait. */
static inline bool ftr_pending_relations_tracks(const ftr_pending_relations *wait)
{
    return wait->discarded_ids != NULL || wait->in_file != NULL;
}

/* Decides whether to write, discard or store @p relation, a record in the block with ticket @p
 * ticket. If the relation must be stored and the list is full, the relation is discarded. */
FTR_MUST_USE ftr_relation_state ftr_pending_relations_add(ftr_pending_relations *wait,
                                                          ftr_stored_relation *relation,
                                                          uint64_t ticket);

/* Counts a relation that was discarded. @p held is its record in a block; NULL: the block was
 * released. */
void ftr_pending_relations_discard(ftr_pending_relations *wait, ftr_stored_relation *held);

/* Reduces the counter `unheld` by @p count, which is the number of relations from released blocks
 * that are now in the file. */
void ftr_pending_relations_sent(ftr_pending_relations *wait, uint64_t count);

/* Removes the references to the blocks with tickets from @p first to @p last, so that these blocks
 * can be released although their relations are still pending. If the process is then killed, these
 * relations are lost; the journal contains their number. */
void ftr_pending_relations_let_go(ftr_pending_relations *wait, uint64_t first, uint64_t last);

/* Whether a relation in the block with ticket @p ticket is pending. */
FTR_MUST_USE bool ftr_pending_relations_holds(const ftr_pending_relations *wait, uint64_t ticket);

/* Checks all pending relations. Calls @p write for each relation that can be written. Returns the
 * number of discarded relations. The caller must have read all lanes, so that every transaction
 * that ended earlier is encoded. @p file_ends: see ftr_encoder_settle_relations(). */
uint64_t ftr_pending_relations_settle(ftr_pending_relations *wait, bool file_ends,
                                      void (*write)(void *user,
                                                    const ftr_pending_relation *waiting),
                                      void *user);

void ftr_pending_relations_release(ftr_pending_relations *wait);

#endif
