/* Moves records from the blocks of lanes to the encoder. */
#include "drain.h"

#include "blocks.h"
#include "buffers.h"
#include "encoder.h"
#include "kept_summary.h"
#include "lane.h"
#include "retained_blocks.h"
#include "segments.h"

/* Maximum age of encoded data, in ns. Together with the interval of the writer thread, this limits
 * the delay of a record to about one second. */
#define AGE_MAX_NS UINT64_C(500000000)
/* With a helper, this number of blocks is read before their chunks are sent, so that the helper can
 * compress chunks in the meantime. */
#define BLOCKS_SENT_AT_ONCE 16

/* Starts to read block @p number of the lane. Only the first block of the lane can have been read
 * in part before; `first_offset` is then the position in this block. A comparison with the number
 * of that block would not be reliable, because the lane may have got the same block again after
 * this drain released it. */
static void start_reading(ftr_recorder *rec, ftr_lane *lane, uint32_t number)
{
    bool is_cut = lane->reading == NULL && lane->first_offset;
    lane->reading = ftr_arena_block(&rec->arena, number);
    lane->read_offset = is_cut ? lane->first_offset : sizeof(ftr_block);
    ftr_uncovered_block_read(rec, lane->reading);
    lane->reading->ticket = ++rec->encoder.ticket;
}

/* Flushes only the bodies that contain records of the older half of the buffer's retained blocks,
 * and releases these blocks. The other bodies continue to grow, so that streams with few
 * transactions get long chunks. */
static void release_half(ftr_recorder *rec, uint32_t buffer)
{
    uint64_t middle = ftr_retained_middle(rec, buffer);
    ftr_segments_flush(rec, middle, 0);
    ftr_pending_relations_let_go(&rec->encoder.pending_relations, 0, middle);
    if (!ftr_segments_are_held(rec))
        ftr_kept_summary_release_blocks(rec);
}

/* Advances to the lane's next block. Returns false if there is nothing more to read now. */
static bool next_block(ftr_recorder *rec, ftr_lane *lane)
{
    bool lacks_memory;
    const uint32_t next = ftr_lane_next_block(lane, &lacks_memory);
    if (lacks_memory)
        ftr_ready_blocks_provide(rec);
    if (!next)
        return false;
    if (lane->reading != NULL && ftr_retained_add(rec, lane))
        release_half(rec, lane->buffer);
    start_reading(rec, lane, next);
    return true;
}

/* Reads at most as many blocks of a lane as its buffer had at the start of this call: records that
 * are added during the call belong to the next drain. */
static void drain_lane(ftr_recorder *rec, ftr_lane *lane)
{
    size_t blocks_left = ftr_buffer_in_use(rec, lane->buffer);
    if (lane->reading == NULL && !next_block(rec, lane))
        return;
    do {
        uint32_t committed = __atomic_load_n(&lane->reading->front.committed, __ATOMIC_ACQUIRE);
        /* The block of the records that are encoded here does not always have the newest ticket. */
        uint64_t newest = rec->encoder.ticket;
        rec->encoder.ticket = lane->reading->ticket;
        ftr_segments_take(rec, lane, committed);
        rec->encoder.ticket = newest;
        if (!ftr_chunk_writer_has_helper(&rec->encoder.chunks) ||
            blocks_left % BLOCKS_SENT_AT_ONCE == 0)
            ftr_segments_send(rec);
    } while (blocks_left-- > 0 && next_block(rec, lane));
}

static bool is_readable(const ftr_recorder *rec, const ftr_lane *lane)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[lane->buffer];
    return buffer->policy->is_readable(rec, buffer);
}

/* Reads each lane once. */
static void drain_all(ftr_recorder *rec)
{
    ftr_lane *const first = ftr_lanes_first(rec);
    const bool several = rec->summary != NULL && first != NULL && first->next != NULL;
    uint64_t until = UINT64_MAX;
    if (several)
        ftr_kept_summary_begin_pass(rec);
    for (ftr_lane *lane = first; lane != NULL; lane = lane->next) {
        const ftr_block *block = lane->reading;
        const uint32_t offset = lane->read_offset;
        if (is_readable(rec, lane))
            drain_lane(rec, lane);
        if (several && (lane->reading != block || lane->read_offset != offset)) {
            const uint64_t time = ftr_read_position_time(lane);
            until = time < until ? time : until;
        }
    }
    if (several)
        ftr_kept_summary_end_pass(rec, until);
}

/* Flushes the bodies that must be flushed according to @p extent and the state of the buffers. */
static void flush(ftr_recorder *rec, ftr_drain_extent extent)
{
    bool is_short = ftr_buffers_are_short(rec);
    uint64_t now = rec->encoder.now;
    if (extent == FTR_DRAIN_ALL || is_short)
        ftr_segments_flush(rec, UINT64_MAX, UINT64_MAX);
    else if (now > AGE_MAX_NS)
        ftr_segments_flush(rec, 0, now - AGE_MAX_NS);
    if (extent == FTR_DRAIN_ALL)
        ftr_encoder_flush_definitions(&rec->encoder);
    ftr_segments_send(rec);
    if (!ftr_segments_are_held(rec) &&
        (extent == FTR_DRAIN_ALL || is_short || ftr_retained_are_enough(rec)))
        ftr_kept_summary_release_blocks(rec);
}

void ftr_drain_lanes(ftr_recorder *rec, ftr_drain_extent extent)
{
    if (!atomic_load_explicit(&rec->window.scale_known, memory_order_acquire) ||
        ftr_flight_is_holding(&rec->flight))
        return;
    ftr_segments_write_start(rec);
    bool is_triggered = ftr_buffers_begin_drain(rec);
    if (is_triggered)
        extent = FTR_DRAIN_ALL;
    rec->encoder.now = ftr_recorder_now(rec);
    drain_all(rec);
    if (rec->encoder.pending_relations.count)
        ftr_encoder_settle_relations(&rec->encoder, false);
    flush(rec, extent);
    if (is_triggered)
        ftr_buffers_end_drain(rec);
}

bool ftr_drain_is_complete(const ftr_recorder *rec)
{
    if (rec->options.mode == FTR_MODE_FLIGHT)
        return true; /* only a trigger drains the ring */
    for (const ftr_lane *lane = ftr_lanes_first(rec); lane != NULL; lane = lane->next) {
        if (!is_readable(rec, lane))
            continue;
        const ftr_block *last = (const ftr_block *)lane->front->block;
        bool has_block = lane->front->block_limit > 0;
        if (has_block &&
            (lane->reading != last ||
             __atomic_load_n(&last->front.committed, __ATOMIC_ACQUIRE) != lane->read_offset))
            return false;
    }
    return true;
}
