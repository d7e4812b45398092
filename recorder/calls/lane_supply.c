/* Supplies lanes with blocks and slots under the recorder's lock, and waits for blocks. */
#include "lane_supply.h"

#include "blocks.h"
#include "buffers.h"
#include "writer.h"

#define SLOTS_AT_ONCE 64

/* Each time this number of blocks has been recorded, the number of unread blocks at which threads
 * pause grows by one. The growth is slow, because each new block must be touched for the first
 * time, which takes longer than recording into the block. */
#define BLOCKS_PER_GROWTH 32
/* A pause ends after this time at the latest. If the drain has not caught up by then, the writer
 * thread is delayed, for example by a slow disk. */
#define PAUSE_NS UINT64_C(20000000)

/* A wait for a ready block or for slots ends after this time at the latest. */
#define READY_NS UINT64_C(2000000)

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Continues a wait for the writer thread that is already counted in `waits`. During the wait, the
 * thread is counted in @p waiters. The caller holds `lock`. */
static void wait_again(ftr_recorder *rec, unsigned *waiters, uint64_t ns)
{
    (*waiters)++;
    if (rec->locks.writer_sleeps)
        ftr_lock_wake_writer(&rec->locks);
    ftr_lock_await_space(&rec->locks, ns);
    (*waiters)--;
}

static void wait_for_writer(ftr_recorder *rec, unsigned *waiters, uint64_t ns)
{
    rec->lanes.waits++;
    wait_again(rec, waiters, ns);
}

/* Waits until the drain has caught up, instead of using memory for the first time: the drain reads
 * a block in less time than the kernel needs to provide the memory of a new one. The caller holds
 * `lock`. */
static void pause_for_writer(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    size_t earned =
        smaller(FTR_UNREAD_USUAL + (size_t)(rec->lanes.next_sequence / BLOCKS_PER_GROWTH),
                buffer->blocks_max);
    if (buffer->unread_usual < earned) {
        buffer->unread_usual = earned;
        return;
    }
    size_t before = ftr_buffer_unread(buffer);
    wait_for_writer(rec, &rec->lanes.pausing, PAUSE_NS);
    if (ftr_buffer_unread(buffer) >= before)
        buffer->unread_usual = smaller(2 * buffer->unread_usual, buffer->blocks_max);
}

/* Waits until the buffer has room. Returns FTR_LANE_DROPS if the buffer will get no room, or if the
 * options of the recorder require dropping instead of waiting. Returns FTR_OK without room if the
 * recorder has ended, or if there is no writer thread. The caller holds `lock`. */
static ftr_status wait_for_room(ftr_recorder *rec, ftr_buffer_entry *buffer)
{
    for (;;) {
        ftr_room room = buffer->policy->make_room(rec, buffer);
        if (room == FTR_ROOM_FREE || ftr_recorder_dead_valve(rec))
            return FTR_OK;
        if (room == FTR_ROOM_NONE)
            return FTR_LANE_DROPS;
        if (!ftr_writer_is_running(rec))
            return FTR_OK;
        if (rec->options.when_full == FTR_WHEN_FULL_DROP)
            return room == FTR_ROOM_SOON ? FTR_OK : FTR_LANE_DROPS;
        if (room == FTR_ROOM_SOON)
            pause_for_writer(rec, buffer);
        else
            wait_for_writer(rec, &rec->lanes.waiting, FTR_CALL_WAIT_NS);
    }
}

static bool can_await_memory(const ftr_recorder *rec)
{
    return ftr_writer_is_running(rec) && rec->options.when_full != FTR_WHEN_FULL_DROP &&
           !ftr_recorder_dead_valve(rec);
}

/* Waits for memory that the writer thread provides, because this takes less time than the first
 * access to other memory. If the writer thread was late once, threads do not wait again until the
 * writer thread has provided memory. The caller holds `lock`. */
static void await_memory(ftr_recorder *rec, unsigned *waiters)
{
    if (rec->lanes.provider_is_late || !can_await_memory(rec))
        return;
    rec->lanes.provider_is_late = true; /* until the writer thread has provided memory */
    wait_for_writer(rec, waiters, READY_NS);
}

/* Waits for slots. Continues to wait while the writer thread waits for the disk, because an
 * allocation by this thread would wait for the same disk, but would hold `lock` meanwhile. The
 * caller holds `lock`. */
static void await_slots(ftr_recorder *rec)
{
    if (ftr_open_transactions_need_memory(&rec->open))
        await_memory(rec, &rec->lanes.needing_slots);
    while (rec->lanes.allocates_slots && ftr_open_transactions_need_memory(&rec->open) &&
           can_await_memory(rec))
        wait_again(rec, &rec->lanes.needing_slots, READY_NS);
}

/* Returns whether another thread waits for slots that this thread has returned. */
static bool returned_slots_are_awaited(const ftr_recorder *rec)
{
    return rec->lanes.needing_slots > 0 && rec->open.first_free != NULL;
}

/* Gives the lane a new block, and ids if necessary. If the recorder has ended, returns without a
 * block; the status then has no meaning. The caller holds `lock`.
 * @param[out] has_work  whether the caller must wake the writer thread after it has released the
 *                       lock */
static ftr_status refill(ftr_lane *lane, size_t size, bool *has_work)
{
    ftr_recorder *rec = lane->recorder;
    ftr_status status = wait_for_room(rec, ftr_buffer_of_lane(rec, lane));
    if (status != FTR_OK || ftr_recorder_dead_valve(rec))
        return status;
    if (ftr_ready_blocks_can_be_awaited(rec) && ftr_writer_has_begun(rec))
        await_memory(rec, &rec->lanes.needing);
    if (ftr_recorder_dead_valve(rec))
        return FTR_OK;
    if (!ftr_lane_add_block(lane, size))
        return FTR_ERR_MEMORY;
    ftr_lane_keep_ids(lane->main);
    ftr_lane_trim_slots(lane->main);
    /* Waking the writer costs more than recording a block, so the writer is only woken for several
     * blocks. */
    const ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    *has_work =
        rec->locks.writer_sleeps &&
        (ftr_buffer_unread(buffer) * 4 >= buffer->unread_usual || ftr_ready_blocks_are_few(rec));
    return FTR_OK;
}

/* Without a writer thread: drains before the lane gets a block. If the journal has become short of
 * blocks, a second drain releases the blocks that the first one has read. */
static void drain_first(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    ftr_writer_drain(rec, FTR_DRAIN_USUAL);
    ftr_lock_take(&rec->locks);
    const bool lacks_room = !ftr_recorder_dead_valve(rec) &&
                            buffer->policy->make_room(rec, buffer) == FTR_ROOM_WAIT &&
                            !ftr_arena_is_covered(&rec->arena);
    ftr_lock_release(&rec->locks);
    if (lacks_room)
        ftr_writer_drain(rec, FTR_DRAIN_USUAL);
}

/* Starts the scheduled writer thread if it is due, or if another lane has the first block of the
 * run. The caller is in a guarded call. */
static void start_writer_if_due(const ftr_lane *lane, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    const bool has_block = lane->front->block_limit > 0;
    bool is_due = ftr_writer_is_due(rec, has_block ? lane->front->block->committed + size : size);
    if (!has_block && !is_due) {
        ftr_lock_take(&rec->locks);
        is_due = rec->lanes.next_sequence > 0;
        ftr_lock_release(&rec->locks);
    }
    if (is_due)
        ftr_writer_start(rec);
}

ftr_status ftr_lane_take_block(ftr_lane *lane, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return FTR_ERR_STATE;
    if (ftr_writer_is_scheduled(rec))
        start_writer_if_due(lane, size);
    if (ftr_lane_extend(lane, size)) {
        ftr_call_leave(&call);
        return FTR_OK;
    }
    if (!ftr_writer_is_running(rec) && !ftr_writer_is_scheduled(rec))
        drain_first(lane);
    bool has_work = false;
    ftr_lock_take(&rec->locks);
    ftr_status status = refill(lane, size, &has_work);
    uint32_t valve = ftr_recorder_dead_valve(rec);
    const bool are_awaited = returned_slots_are_awaited(rec);
    ftr_lock_release(&rec->locks);
    if (are_awaited)
        ftr_lock_wake_recording(&rec->locks);
    if (has_work) /* not while the lock is held: the woken writer thread would wait for it */
        ftr_lock_wake_writer(&rec->locks);
    ftr_call_leave(&call);
    return valve ? ftr_recorder_dead_status(rec, valve) : status;
}

void ftr_lane_tend(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return;
    ftr_lock_take(&rec->locks);
    ftr_lane_keep_ids(lane);
    ftr_lane_trim_slots(lane);
    const bool are_awaited = returned_slots_are_awaited(rec);
    ftr_lock_release(&rec->locks);
    if (are_awaited)
        ftr_lock_wake_recording(&rec->locks);
    ftr_call_leave(&call);
}

/* Makes the slots visible to calls. Called only after the first slots were initialised, because in
 * zeroed memory a call with a zeroed handle would find a transaction. Tests the valve instead of
 * comparing front.slots with ftr_ended_slots(), because another copy of this library, with another
 * table, may have opened the recorder. The caller holds `lock`. */
static void show_slots(ftr_recorder *rec)
{
    if (!ftr_recorder_dead_valve(rec))
        __atomic_store_n(&rec->front.slots, ftr_open_slot(&rec->open, 0), __ATOMIC_RELEASE);
}

/* Starts the scheduled writer thread if the journal must get memory for slots: the run is not
 * short. The thread provides this memory, and does not hold the lock while it waits for the disk.
 * The caller is in a guarded call. */
static void start_writer_for_slots(ftr_recorder *rec)
{
    ftr_lock_take(&rec->locks);
    const bool is_due =
        atomic_load(&rec->open.slot_count) > 0 && ftr_open_transactions_need_memory(&rec->open);
    ftr_lock_release(&rec->locks);
    if (is_due)
        ftr_writer_start(rec);
}

ftr_status ftr_lane_take_slots(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return FTR_ERR_STATE;
    if (ftr_writer_is_scheduled(rec))
        start_writer_for_slots(rec);
    else if (!ftr_writer_is_running(rec))
        ftr_writer_drain_if_old(rec);
    ftr_lock_take(&rec->locks);
    await_slots(rec);
    /* If the recorder was closed during the wait, its memory has been released. */
    const uint32_t valve = ftr_recorder_dead_valve(rec);
    ftr_status status = FTR_OK;
    if (!valve) {
        status = ftr_open_transactions_take(&rec->open, SLOTS_AT_ONCE, &lane->front->free_slot);
        show_slots(rec);
        ftr_lane_keep_ids(lane);
    }
    ftr_recorder_unlock(rec, &call);
    return valve ? ftr_recorder_dead_status(rec, valve) : status;
}

ftr_status ftr_lane_grow_slot(ftr_recorder *rec, ftr_slot *slot, size_t size)
{
    ftr_guarded_call call;
    if (!ftr_recorder_lock(rec, &call))
        return FTR_ERR_STATE;
    const ftr_status status = ftr_slot_grow(&rec->open, slot, slot->fill + size);
    ftr_lock_release(&rec->locks);
    ftr_writer_start_if_grown(rec);
    ftr_call_leave(&call);
    return status;
}

void ftr_lane_shrink_slot(ftr_recorder *rec, ftr_slot *slot)
{
    ftr_guarded_call call;
    if (!ftr_recorder_lock(rec, &call))
        return;
    ftr_slot_shrink(&rec->open, slot);
    ftr_recorder_unlock(rec, &call);
}
