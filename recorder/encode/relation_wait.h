/* Whether a relation is in the file is known when both its transactions are settled: in the file,
 * or never to be there. Until then it waits. */
#ifndef FTR_RELATION_WAIT_H
#define FTR_RELATION_WAIT_H

#include "left_out.h"
#include "open_transactions.h"
#include "record.h"

typedef enum ftr_relation_fate {
    FTR_RELATION_IS_WRITTEN,
    FTR_RELATION_IS_LEFT_OUT,
    FTR_RELATION_WAITS
} ftr_relation_fate;

typedef struct ftr_waiting_relation {
    ftr_record_relation record;
    uint64_t ticket; /* of the block that holds it for recovery; UINT64_MAX: none does */
} ftr_waiting_relation;

typedef struct ftr_relation_wait {
    const ftr_open_transactions *open;
    ftr_left_out *left_out; /* NULL: every transaction that began is or will be in the file */
    ftr_id_set *in_file;    /* NULL: the same; else those that the file has */
    ftr_waiting_relation *waiting;
    size_t count;
    size_t capacity;
    uint64_t oldest_ticket; /* the lowest of those in `waiting`; UINT64_MAX: none */
} ftr_relation_wait;

void ftr_relation_wait_init(ftr_relation_wait *wait);

/* Whether there are transactions that the file does not have. */
static inline bool ftr_relation_may_wait(const ftr_relation_wait *wait)
{
    return wait->left_out || wait->in_file;
}

/* Decides on a relation that was read from the block of @p ticket. A relation that waits is kept,
 * unless there are too many: then it is left out. */
FTR_MUST_USE ftr_relation_fate ftr_relation_wait_take(ftr_relation_wait *wait,
                                                      const ftr_record_relation *relation,
                                                      uint64_t ticket);

/* Lets go of the blocks up to @p ticket: they are needed, and relations may wait for a long time.
 * A crash loses the relations among them that still wait. */
void ftr_relation_wait_let_go(ftr_relation_wait *wait, uint64_t ticket);

/* Whether a relation from the block of @p ticket waits. */
FTR_MUST_USE bool ftr_relation_wait_holds(const ftr_relation_wait *wait, uint64_t ticket);

/* Looks at all that wait, after everything was encoded that had ended before the call that encoded
 * it began. @p write is called for those to be written. Returns how many are left out. */
uint64_t ftr_relation_wait_settle(ftr_relation_wait *wait,
                                  void (*write)(void *user, const ftr_waiting_relation *waiting),
                                  void *user);

/* The same when the file ends and another follows: what has one end in this file can be in
 * neither. */
uint64_t ftr_relation_wait_end_file(ftr_relation_wait *wait,
                                    void (*write)(void *user, const ftr_waiting_relation *waiting),
                                    void *user);

void ftr_relation_wait_release(ftr_relation_wait *wait);

#endif
