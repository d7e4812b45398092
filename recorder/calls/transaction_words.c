/* The full versions of the calls for transactions that begin within others and for transactions
 * that end with words. They handle the cases to which the fast path does not apply. Each call is a
 * sequence of simpler calls, and does not depend on blocks. */
#include <ftr/detail/word_calls.h>

#include "misuse.h"

ftr_status ftr_tx_begin_within(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                               const uint64_t *words, size_t count, ftr_relation relation,
                               const ftr_tx *outer, ftr_tx *tx)
{
    ftr_status status = ftr_tx_begin_words(rec, generator, begin, words, count, tx);
    if (status != FTR_OK || outer == NULL)
        return status;
    return ftr_relation_put(rec, relation, *outer, *tx);
}

static ftr_status refuse(ftr_recorder *rec, ftr_status status, ftr_tx tx, size_t count)
{
    return ftr_recorder_misuse(
        rec, status,
        &(ftr_misuse){.call = "ftr_tx_end_words", .set = FTR_MISUSE_TX, .tx = tx, .count = count});
}

ftr_status ftr_tx_end_words(ftr_recorder *rec, ftr_tx tx, uint64_t end, unsigned first,
                            const uint64_t *words, size_t count)
{
    if (rec == NULL || (words == NULL && count))
        return refuse(rec, FTR_ERR_ARGUMENT, tx, count);
    const ftr_slot *slot = ftr_slot_of(ftr_recorder_trace_of(rec, tx), tx);
    /* If the transaction is not open, or ends before it begins, ftr_tx_end() returns the error. */
    if (!ftr_slot_holds(slot, tx) || end < slot->begin)
        return ftr_tx_end(rec, tx, end);
    if (count > slot->entity->attributes.count || first > slot->entity->attributes.count - count)
        return refuse(rec, FTR_ERR_ATTRIBUTE, tx, count);
    for (unsigned i = 0; i < count; i++) {
        ftr_status status = ftr_tx_put_word(rec, tx, first + i, words[i]);
        if (status != FTR_OK)
            return status;
    }
    return ftr_tx_end(rec, tx, end);
}
