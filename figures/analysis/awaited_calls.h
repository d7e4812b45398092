/* Calls with an expected second transaction: the one in the stream with the suffix `_timed`, which
 * repeats times and attributes of the call. The table is a window: a call leaves it when its second
 * transaction is found, or when that transaction can no longer come. */
#ifndef FTR_AWAITED_CALLS_H
#define FTR_AWAITED_CALLS_H

#include <ftr/reader.h>

/* The values that both transactions have in common. Zero: not compared. */
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
    uint64_t id;       /* of the call */
    const ftr_stream_info *stream;
    const ftr_generator_info *generator;
    uint64_t delay;     /* passed with the call */
    uint64_t last;      /* the latest time at which the second transaction can end */
    uint64_t access[2]; /* the access of the call, an ftr_tx; only if it is already written */
} ftr_awaited_call;

typedef struct ftr_awaited_calls {
    ftr_awaited_call *calls; /* a hash table with open addressing */
    size_t count, capacity;
    size_t limit; /* if the table has more calls, those that are too late are removed */
} ftr_awaited_calls;

/* Adds a call. Removes calls if their second transactions would have ended before @p now.
 * @return false if out of memory */
bool ftr_awaited_add(ftr_awaited_calls *awaited, const ftr_awaited_call *call, uint64_t now);

/* @return NULL if no call has this key; valid until the next add or remove */
ftr_awaited_call *ftr_awaited_find(const ftr_awaited_calls *awaited, const ftr_awaited_key *key);

void ftr_awaited_remove(ftr_awaited_calls *awaited, ftr_awaited_call *call);

void ftr_awaited_release(ftr_awaited_calls *awaited);

#endif
