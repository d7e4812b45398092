/* Loops over the buffers of a recorder. The policy of each buffer decides which blocks are kept. */
#include "buffers.h"

#include <string.h>

#include "blocks.h"

/* Memory of retained blocks, in bytes, for each stream with data. A transaction of two integers
 * takes 72 bytes of a block, and then 33 bytes of a body. */
#define MEMORY_OF_STREAM ((size_t)4 << 10)
/* Maximum number of blocks by which a budget grows at once. */
#define GROWTH_STEP ((size_t)16)

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static uint32_t count_of(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
}

void ftr_buffer_set_budget(ftr_buffer_entry *buffer, size_t blocks)
{
    buffer->blocks_max = blocks;
    buffer->blocks_usual = blocks;
    buffer->blocks_most = blocks;
    buffer->unread_usual = blocks < FTR_UNREAD_USUAL ? blocks : FTR_UNREAD_USUAL;
}

void ftr_buffers_set_main(ftr_recorder *rec, const char *name, size_t blocks)
{
    ftr_buffer_entry *main = &rec->buffers.at[0];
    ftr_lock_take(&rec->locks);
    memcpy(main->name, name, strlen(name) + 1);
    if (blocks)
        ftr_buffer_set_budget(main, blocks);
    ftr_lock_release(&rec->locks);
}

void ftr_buffers_init(ftr_recorder *rec, const ftr_block_policy *policy, size_t blocks)
{
    ftr_buffer_entry *own = &rec->buffers.at[0];
    *own = (ftr_buffer_entry){.trace = rec, .policy = policy};
    ftr_buffer_set_budget(own, blocks);
    if (rec->options.mode == FTR_MODE_FLIGHT)
        own->unread_usual = blocks; /* no pauses: this ring is written only once */
    atomic_store(&rec->buffers.count, 1);
}

void ftr_buffers_allow_growth(ftr_recorder *rec, size_t blocks)
{
    ftr_buffer_entry *own = &rec->buffers.at[0];
    const size_t most = smaller(blocks, ftr_arena_budget_room(&rec->arena));
    if (most > own->blocks_most)
        own->blocks_most = most;
}

/* Returns the budget for the present number of streams with data. A budget grows in steps, because
 * the journal is extended under `lock`. */
static size_t budget_for_streams(const ftr_recorder *rec, const ftr_buffer_entry *buffer)
{
    const size_t usual = buffer->blocks_usual;
    const size_t most = smaller(buffer->blocks_most, buffer->blocks_max + GROWTH_STEP);
    const size_t retained = rec->encoder.active_count * MEMORY_OF_STREAM / FTR_BLOCK_SIZE;
    return retained <= usual / 2 ? usual : smaller(retained + usual / 2, most);
}

/* Like ftr_buffer_fit(). The caller holds `lock`. */
static bool fit(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    if (buffer->blocks_most == buffer->blocks_usual)
        return false;
    const size_t budget = budget_for_streams(rec, buffer);
    const size_t in_use = buffer->blocks_in_use;
    const bool must_grow = budget > buffer->blocks_max && budget > in_use;
    const bool can_grow = must_grow && ftr_arena_make_free(&rec->arena, budget - in_use);
    if (must_grow && !can_grow)
        buffer->blocks_most = buffer->blocks_max;
    else if (can_grow || budget < buffer->blocks_max)
        buffer->blocks_max = budget;
    if (can_grow && rec->lanes.waiting)
        ftr_lock_wake_recording(&rec->locks);
    return can_grow;
}

bool ftr_buffer_fit(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    ftr_lock_take(&rec->locks);
    const bool has_grown = fit(rec, buffer);
    ftr_lock_release(&rec->locks);
    return has_grown;
}

void ftr_buffers_release(ftr_recorder *rec)
{
    for (uint32_t number = 0; number < FTR_BUFFERS_MAX; number++) {
        ftr_name_filter_release(&rec->buffers.at[number].streams);
        ftr_id_set_release(&rec->buffers.at[number].evicted);
    }
}

uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *owner, const char *name)
{
    uint32_t chosen = 0;
    /* The loop tests all filters, so that each of them marks its matching patterns. */
    for (uint32_t number = count_of(rec) - 1; number > 0; number--) {
        if (ftr_name_filter_matches(&rec->buffers.at[number].streams, owner, name))
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
    ftr_lock_take(&rec->locks);
    for (uint32_t number = 0; number < count_of(rec); number++) {
        ftr_buffer_entry *buffer = &rec->buffers.at[number];
        if (buffer->policy->end_drain != NULL)
            buffer->policy->end_drain(rec, buffer);
    }
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
}

bool ftr_buffers_are_short(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    bool is_short = false;
    for (uint32_t number = 0; number < count_of(rec); number++) {
        ftr_buffer_entry *buffer = &rec->buffers.at[number];
        is_short |= !buffer->is_ring && buffer->blocks_in_use >= buffer->blocks_max &&
                    buffer->retained >= ftr_buffer_unread(buffer) && !fit(rec, buffer);
    }
    ftr_lock_release(&rec->locks);
    return is_short;
}

size_t ftr_buffer_in_use(ftr_recorder *rec, uint32_t buffer)
{
    ftr_lock_take(&rec->locks);
    const size_t blocks = rec->buffers.at[buffer].blocks_in_use;
    ftr_lock_release(&rec->locks);
    return blocks;
}

/* Makes each relation wait until it is certain for both of its transactions whether they are in the
 * file. */
static void track_relations(ftr_recorder *rec)
{
    ftr_pending_relations_track_file(&rec->encoder.pending_relations);
    if (rec->journal.header == NULL)
        return;
    rec->journal.header->may_discard = 1;
    rec->journal.header->may_repeat = 1;
}

/* Adds @p entry to the table of buffers as number @p count. */
static void enter(ftr_recorder *rec, uint32_t count, const ftr_buffer_entry *entry)
{
    ftr_buffer_entry *entered = &rec->buffers.at[count];
    *entered = *entry;
    ftr_losses_add_buffer(&rec->losses, entered->name);
    if (rec->output.reserve)
        rec->output.reserve += FTR_LOSSES_ROOM_OF_BUFFER;
    if (entered->trace == rec) {
        entered->number = count;
        ftr_arena_grow(&rec->arena, entered->blocks_max);
    } else {
        uint32_t traces = ftr_recorder_trace_count(rec);
        rec->traces[traces] = entered->trace;
        atomic_store_explicit(&rec->trace_count, traces + 1, memory_order_release);
    }
    if (entered->is_ring)
        track_relations(rec);
    atomic_store_explicit(&rec->buffers.count, count + 1, memory_order_release);
}

bool ftr_buffers_add(ftr_recorder *rec, const ftr_buffer_entry *entry, uint32_t *number)
{
    ftr_lock_take(&rec->locks);
    const uint32_t count = count_of(rec);
    const bool has_room = count < FTR_BUFFERS_MAX;
    if (has_room) {
        enter(rec, count, entry);
        *number = count;
    }
    ftr_lock_release(&rec->locks);
    return has_room;
}
