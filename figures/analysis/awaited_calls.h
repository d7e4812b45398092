/* Calls that wait for their second transaction. This transaction is in the stream with the suffix
 * `_timed`, and repeats times and attributes of the call. A call leaves the table when its second
 * transaction is found, or when this transaction can no longer come. */
#ifndef FTR_AWAITED_CALLS_H
#define FTR_AWAITED_CALLS_H

#include <ftr/reader.h>

/* The values that both transactions have in common. `end` is 0 for nb_transport calls, because the
 * end of their request is not known yet. */
typedef struct ftr_awaited_key {
    uint64_t link;
    uint64_t command; /* a number that identifies the command */
    uint64_t begin, end;
    uint64_t address, length;
} ftr_awaited_key;

typedef struct ftr_awaited_call {
    ftr_awaited_key key; /* must be the first member */
    bool is_used;
    bool is_completed; /* an nb_transport call that was answered by TLM_COMPLETED */
    uint64_t id;       /* id of the call */
    const ftr_stream_info *stream;
    const ftr_generator_info *generator;
    uint64_t delay;     /* the delay that was passed with the call */
    uint64_t last;      /* the latest time at which the second transaction can end */
    uint64_t access[2]; /* b_transport: the access of the call, already written; an ftr_tx */
} ftr_awaited_call;

typedef struct ftr_awaited_calls {
    ftr_awaited_call *calls; /* a hash table with open addressing */
    size_t count, capacity;
    size_t limit; /* with this number of calls, the next add first removes calls: see `last` */
} ftr_awaited_calls;

/* Adds a call. If the table has reached its limit, first removes the calls whose second
 * transactions would have ended before @p now. @return false if out of memory */
bool ftr_awaited_add(ftr_awaited_calls *awaited, const ftr_awaited_call *call, uint64_t now);

/* Returns the call with this key, which is valid until the next add or remove; NULL: there is none.
 */
ftr_awaited_call *ftr_awaited_find(const ftr_awaited_calls *awaited, const ftr_awaited_key *key);

void ftr_awaited_remove(ftr_awaited_calls *awaited, ftr_awaited_call *call);

void ftr_awaited_release(ftr_awaited_calls *awaited);

#endif
