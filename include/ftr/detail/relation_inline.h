/** @file
 *  The inline call that relates two transactions. The rules of recorder_inline.h apply. Included by
 *  recorder.h, unless FTR_NO_INLINE is defined. */
#ifndef FTR_RELATION_INLINE_H
#define FTR_RELATION_INLINE_H

#include <string.h>

#include <ftr/detail/recorder_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns whether @p tx was certainly a transaction of this recorder. False for ids that are not
 * below the next id of this thread. */
FTR_INLINE bool ftr_tx_was_begun(const ftr_recorder_front *front, ftr_tx tx)
{
    return tx.id - 1 < front->lane.next_id - 1 &&
           ftr_tx_stream(tx) - 1 < __atomic_load_n(&front->entity_count, __ATOMIC_RELAXED) - 1 &&
           (((uint32_t)tx.place ^ front->slot_tag) & ~FTR_SLOT_PLACE) == 0;
}

/** Returns whether a relation from @p from can be written on the fast path, into the current block
 *  of the calling thread. */
FTR_INLINE bool ftr_may_relate(const ftr_recorder_front *front, ftr_relation relation, ftr_tx from)
{
    return relation - 1 < __atomic_load_n(&front->relation_count, __ATOMIC_ACQUIRE) - 1 &&
           ftr_tx_was_begun(front, from) &&
           front->lane.block->committed + FTR_RECORD_HEADER_SIZE <= front->lane.block_limit;
}

/** Writes a relation behind a block's last record. */
FTR_INLINE void ftr_block_commit_relation(ftr_block_front *block, ftr_relation relation,
                                          ftr_tx from, ftr_tx to)
{
    const uint32_t at = block->committed;
    uint8_t *record = (uint8_t *)block + at;
    const uint64_t kind = relation | (uint64_t)FTR_RECORD_KIND_RELATION << 32;
    memcpy(record, &from, 16);
    memcpy(record + 16, &to.id, 8);
    memcpy(record + 24, &kind, 8);
    memcpy(record + 32, &to.place, 8);
    __atomic_store_n(&block->committed, (uint32_t)(at + FTR_RECORD_HEADER_SIZE), __ATOMIC_RELEASE);
}

FTR_COLD_CALL(ftr_relation_put, ftr_recorder *rec, ftr_relation relation, ftr_tx from, ftr_tx to);

FTR_INLINE ftr_status ftr_relation_put_inline(ftr_recorder *rec, ftr_relation relation, ftr_tx from,
                                              ftr_tx to)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (FTR_LIKELY(rec) && ftr_may_write(rec) &&
        FTR_LIKELY(ftr_may_relate(front, relation, from) && ftr_tx_was_begun(front, to))) {
        ftr_block_commit_relation(front->lane.block, relation, from, to);
        return FTR_OK;
    }
    return ftr_relation_put_in_full(rec, relation, ftr_tx_copy(from), ftr_tx_copy(to));
}

#ifndef FTR_BUILDING_LIBRARY
#define ftr_relation_put ftr_relation_put_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
