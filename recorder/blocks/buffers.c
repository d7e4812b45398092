/* Loops over the buffers of a recorder. The policy of each buffer decides which blocks are kept. */
#include "buffers.h"

#include "block_policy.h"

static uint32_t count_of(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
}

void ftr_buffer_set_budget(ftr_buffer_entry *buffer, size_t blocks)
{
    buffer->blocks_max = blocks;
    buffer->unread_usual = blocks < FTR_UNREAD_USUAL ? blocks : FTR_UNREAD_USUAL;
}

void ftr_buffers_init(ftr_recorder *rec, size_t blocks)
{
    bool is_flight = rec->options.mode == FTR_MODE_FLIGHT;
    ftr_buffer_entry *own = &rec->buffers.at[0];
    *own = (ftr_buffer_entry){.trace = rec,
                              .policy = is_flight ? &ftr_flight_blocks : &ftr_linear_blocks};
    ftr_buffer_set_budget(own, blocks);
    if (is_flight)
        own->unread_usual = blocks; /* this ring is written only once */
    atomic_store(&rec->buffers.count, 1);
}

void ftr_buffers_release(ftr_recorder *rec)
{
    for (uint32_t number = 0; number < FTR_BUFFERS_MAX; number++) {
        ftr_name_filter_release(&rec->buffers.at[number].streams);
        ftr_id_set_release(&rec->buffers.at[number].evicted);
    }
}

uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *name)
{
    uint32_t chosen = 0;
    /* The loop tests all filters, so that each of them marks its matching patterns. */
    for (uint32_t number = count_of(rec) - 1; number > 0; number--) {
        if (ftr_name_filter_matches(&rec->buffers.at[number].streams, name))
            chosen = number;
    }
    return chosen;
}

bool ftr_buffers_begin_drain(ftr_recorder *rec)
{
    bool any = false;
    for (uint32_t number = 0; number < count_of(rec); number++) {
        ftr_buffer_entry *buffer = &rec->buffers.at[number];
        any |= buffer->policy->begin_drain != NULL && buffer->policy->begin_drain(rec, buffer);
    }
    return any;
}

void ftr_buffers_end_drain(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->lock);
    for (uint32_t number = 0; number < count_of(rec); number++) {
        ftr_buffer_entry *buffer = &rec->buffers.at[number];
        if (buffer->policy->end_drain != NULL)
            buffer->policy->end_drain(rec, buffer);
    }
    pthread_cond_broadcast(&rec->lanes.space);
    pthread_mutex_unlock(&rec->lock);
}

bool ftr_buffers_are_short(const ftr_recorder *rec)
{
    bool is_short = rec->lanes.waiting > 0;
    for (uint32_t number = 0; number < count_of(rec); number++) {
        const ftr_buffer_entry *buffer = &rec->buffers.at[number];
        is_short |= !buffer->is_ring && buffer->blocks_in_use >= buffer->blocks_max;
    }
    return is_short;
}
