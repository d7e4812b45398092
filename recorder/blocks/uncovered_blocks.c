/* Adds the number of records in each full uncovered block to the counts in the journal. The member
 * `reserved` of a block stores the counts of this block, so that they can be subtracted again, and
 * whether the drain has begun to read the block. */
#include "blocks.h"

#define RELATIONS_SHIFT 32
#define IS_READ (UINT64_C(1) << 63)

bool ftr_block_is_uncovered(const ftr_recorder *rec, const ftr_block *block)
{
    const uint32_t number = ftr_arena_number(&rec->arena, block);
    return rec->journal.header != NULL && (rec->arena.kinds[number] & FTR_BLOCK_UNCOVERED) != 0;
}

static uint64_t transactions_of(const ftr_block *block)
{
    return (uint32_t)block->reserved;
}

static uint64_t relations_of(const ftr_block *block)
{
    return (block->reserved & ~IS_READ) >> RELATIONS_SHIFT;
}

static void count_records(ftr_block *block)
{
    const uint8_t *at = (const uint8_t *)(block + 1);
    const uint8_t *end = (const uint8_t *)block + block->front.committed;
    while (at < end) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)at;
        const bool is_relation = ftr_record_kind(record) == FTR_RECORD_RELATION;
        block->reserved += is_relation ? UINT64_C(1) << RELATIONS_SHIFT : 1;
        at += ftr_record_size(record);
    }
}

void ftr_uncovered_block_full(ftr_recorder *rec, ftr_block *block)
{
    ftr_journal_header *header = rec->journal.header;
    if (!ftr_block_is_uncovered(rec, block))
        return;
    count_records(block);
    header->uncovered_at_most += relations_of(block);
    if (block->reserved & IS_READ)
        header->uncovered_at_most += transactions_of(block);
    else
        header->uncovered_transactions += transactions_of(block);
    header->uncovered_full++;
}

void ftr_uncovered_block_read(ftr_recorder *rec, ftr_block *block)
{
    ftr_journal_header *header = rec->journal.header;
    if (header == NULL ||
        atomic_load_explicit(&header->cover, memory_order_relaxed) == FTR_JOURNAL_COVERS)
        return;
    ftr_lock_take(&rec->locks);
    if (ftr_block_is_uncovered(rec, block) && !(block->reserved & IS_READ)) {
        header->uncovered_at_most += transactions_of(block);
        header->uncovered_transactions -= transactions_of(block);
        block->reserved |= IS_READ;
    }
    ftr_lock_release(&rec->locks);
}

void ftr_uncovered_block_released(ftr_recorder *rec, const ftr_block *block)
{
    ftr_journal_header *header = rec->journal.header;
    if (!ftr_block_is_uncovered(rec, block))
        return;
    header->uncovered_at_most -= relations_of(block);
    if (block->reserved & IS_READ)
        header->uncovered_at_most -= transactions_of(block);
    else
        header->uncovered_transactions -= transactions_of(block);
    header->uncovered_full--;
}
