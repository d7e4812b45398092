/* Whether a relation is in the file is known when both its transactions are settled: in the file,
 * or never to be there. Until then it waits. */
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
        *held;       /* the record itself, in a block that stays for recovery; NULL: none */
    uint64_t ticket; /* of that block; UINT64_MAX: none */
} ftr_pending_relation;

/* Relations that recovery cannot count: both numbers are in the journal. A relation is counted
 * first, and its record marked then (FTR_RECORD_COUNTED). */
typedef struct ftr_relation_account {
    uint64_t *discarded; /* of the file that is being written; NULL: not counted */
    uint64_t *unheld;    /* relations that are in neither a block nor a file; NULL: no journal */
} ftr_relation_account;

typedef struct ftr_pending_relations {
    const ftr_open_transactions *open;
    ftr_discarded_ids
        *discarded_ids;  /* NULL: every transaction that began is or will be in the file */
    ftr_id_set *in_file; /* NULL: the same; else those that the file has */
    ftr_pending_relation *waiting;
    size_t count;
    size_t capacity;
    uint64_t oldest_ticket; /* the lowest of those in `waiting`; UINT64_MAX: none */
    ftr_relation_account account;
} ftr_pending_relations;

void ftr_pending_relations_init(ftr_pending_relations *wait);

/* Whether there are transactions that the file does not have. */
static inline bool ftr_pending_relations_tracks(const ftr_pending_relations *wait)
{
    return wait->discarded_ids || wait->in_file;
}

/* Decides on a relation in the block of @p ticket. A relation that waits is kept, unless there are
 * too many: then it is discarded. */
FTR_MUST_USE ftr_relation_state ftr_pending_relations_take(ftr_pending_relations *wait,
                                                           ftr_stored_relation *relation,
                                                           uint64_t ticket);

/* Counts a relation that is in no file. @p held is its record; NULL: its block was released. */
void ftr_pending_relations_discard(ftr_pending_relations *wait, ftr_stored_relation *held);

/* The file has @p count relations more that no block held. */
void ftr_pending_relations_sent(ftr_pending_relations *wait, uint64_t count);

/* Lets go of the blocks of @p first to @p last ticket: they are needed, and relations may wait for
 * a long time. A crash loses the relations among them that still wait; the journal has their
 * number. */
void ftr_pending_relations_let_go(ftr_pending_relations *wait, uint64_t first, uint64_t last);

/* Whether a relation from the block of @p ticket waits. */
FTR_MUST_USE bool ftr_pending_relations_holds(const ftr_pending_relations *wait, uint64_t ticket);

/* Looks at all that wait, after everything was encoded that had ended before the call that encoded
 * it began. @p write is called for those to be written. Returns how many are omitted. */
uint64_t ftr_pending_relations_settle(ftr_pending_relations *wait,
                                      void (*write)(void *user,
                                                    const ftr_pending_relation *waiting),
                                      void *user);

/* The same when the file ends and another follows: what has one end in this file can be in
 * neither. */
uint64_t ftr_pending_relations_end_file(ftr_pending_relations *wait,
                                        void (*write)(void *user,
                                                      const ftr_pending_relation *waiting),
                                        void *user);

void ftr_pending_relations_release(ftr_pending_relations *wait);

#endif
