/* Transactions that begin within others and end with words, in full: the cases to which the fast
 * path does not apply. Each call is a sequence of simpler calls. Independent of blocks. */
#include <ftr/detail/word_calls.h>

#include "recorder_state.h"

ftr_status ftr_tx_begin_within(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                               const uint64_t *words, size_t count, ftr_relation relation,
                               const ftr_tx *outer, ftr_tx *tx)
{
    ftr_status status = ftr_tx_begin_words(rec, generator, begin, words, count, tx);
    if (status != FTR_OK || outer == NULL)
        return status;
    return ftr_relation_put(rec, relation, *outer, *tx);
}

ftr_status ftr_tx_end_words(ftr_recorder *rec, ftr_tx tx, uint64_t end, unsigned first,
                            const uint64_t *words, size_t count)
{
    if (rec == NULL || (words == NULL && count))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    rec = ftr_recorder_trace_of(rec, tx);
    const ftr_slot *slot = ftr_slot_of(rec, tx);
    /* If the transaction is not open, or ends before it begins, ftr_tx_end() returns the error. */
    if (!ftr_slot_holds(slot, tx) || end < slot->begin)
        return ftr_tx_end(rec, tx, end);
    if (count > slot->entity->attributes.count || first > slot->entity->attributes.count - count)
        return ftr_recorder_misuse(rec, FTR_ERR_ATTRIBUTE);
    for (unsigned i = 0; i < count; i++) {
        ftr_status status = ftr_tx_put_word(rec, tx, first + i, words[i]);
        if (status != FTR_OK)
            return status;
    }
    return ftr_tx_end(rec, tx, end);
}
