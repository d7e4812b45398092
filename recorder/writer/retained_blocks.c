/* Retains and releases blocks by their tickets. */
#include "retained_blocks.h"

#include "encoder_framing.h"
#include "growing_array.h"
#include "kept_summary.h"

bool ftr_retained_add(ftr_recorder *rec, const ftr_lane *lane)
{
    ftr_retained_blocks *retained = &rec->retained;
    ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    if (!ftr_array_grow(&retained->at, &retained->capacity, retained->count,
                        sizeof *retained->at)) {
        ftr_recorder_fail(rec, FTR_ERR_MEMORY, &(ftr_failure){0});
        return false;
    }
    retained->at[retained->count++] = (ftr_retained_block){
        ftr_arena_number(&rec->arena, lane->reading), lane->buffer, lane->reading->ticket};
    return ++buffer->retained * 2 >= buffer->blocks_max;
}

uint64_t ftr_retained_middle(const ftr_recorder *rec, uint32_t buffer)
{
    size_t left = rec->buffers.at[buffer].retained / 2;
    size_t i = 0;
    while (rec->retained.at[i].buffer != buffer || left-- > 0)
        i++;
    return rec->retained.at[i].ticket;
}

static bool has_older(const ftr_retained_blocks *retained, uint64_t ticket)
{
    bool found = false;
    for (size_t i = 0; i < retained->count && !found; i++)
        found = retained->at[i].ticket < ticket;
    return found;
}

/* With a summary, each release saves the state of the summary, which takes time. Therefore a
 * quarter of a buffer's blocks is collected first. */
bool ftr_retained_are_enough(const ftr_recorder *rec)
{
    bool enough = rec->summary == NULL;
    for (uint32_t i = 0; i < rec->buffers.count && !enough; i++)
        enough = rec->buffers.at[i].retained * 4 >= rec->buffers.at[i].blocks_max;
    return enough;
}

void ftr_retained_release(ftr_recorder *rec)
{
    ftr_retained_blocks *retained = &rec->retained;
    uint64_t oldest = ftr_encoder_oldest_ticket(&rec->encoder);
    size_t kept = 0;
    /* After a failure, records that were not written stay in their blocks in the journal. */
    if (ftr_recorder_gate(rec) & FTR_GATE_FAILED)
        return;
    if (has_older(retained, oldest))
        ftr_kept_summary_save(rec);
    pthread_mutex_lock(&rec->lock);
    for (size_t i = 0; i < retained->count; i++) {
        const ftr_retained_block *at = &retained->at[i];
        if (at->ticket < oldest) {
            const ftr_block *block = ftr_arena_block(&rec->arena, at->block);
            ftr_buffer_entry *buffer = &rec->buffers.at[at->buffer];
            buffer->blocks_in_use -= block->run;
            buffer->retained--;
            ftr_arena_give(&rec->arena, at->block, block->run);
        } else {
            retained->at[kept++] = *at;
        }
    }
    bool released = kept < retained->count;
    if (released)
        rec->lanes.provider_is_late = false;
    retained->count = kept;
    const bool is_awaited = rec->lanes.waiting || rec->lanes.pausing || rec->lanes.needing;
    pthread_mutex_unlock(&rec->lock);
    if (released && is_awaited)
        pthread_cond_broadcast(&rec->lanes.space);
}
