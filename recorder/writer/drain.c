/* The way from lanes to the file. Knows blocks and tickets, nothing of what the records say. */
#define _GNU_SOURCE
#include "drain.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "lane.h"
#include "last_thread.h"
#include "signal_watch.h"

#define NS_PER_SECOND UINT64_C(1000000000)
/* The writer looks this often; with the age below nothing waits longer than a second. */
#define LOOK_EVERY_NS (NS_PER_SECOND / 4)
#define AGE_MAX_NS (NS_PER_SECOND / 2)

void ftr_drain_release(ftr_recorder *rec)
{
    uint64_t oldest = ftr_encoder_oldest_ticket(&rec->encoder);
    size_t kept = 0;
    /* What could not be written stays in the journal. */
    if (ftr_recorder_gate(rec) & FTR_GATE_FAILED)
        return;
    pthread_mutex_lock(&rec->lock);
    for (size_t i = 0; i < rec->retained_count; ++i) {
        ftr_retained_block retained = rec->retained[i];
        if (retained.ticket < oldest) {
            const ftr_block *block = ftr_arena_block(&rec->arena, retained.block);
            ftr_buffer_entry *buffer = &rec->buffers.at[retained.buffer];
            buffer->blocks_in_use -= block->run;
            --buffer->retained;
            ftr_arena_give(&rec->arena, retained.block, block->run);
        } else {
            rec->retained[kept++] = retained;
        }
    }
    bool released = kept < rec->retained_count;
    rec->retained_count = kept;
    if (released && rec->waiting)
        pthread_cond_broadcast(&rec->space);
    pthread_mutex_unlock(&rec->lock);
}

/* The ticket of the block in the middle of those of @p buffer. */
static uint64_t middle_ticket(const ftr_recorder *rec, uint32_t buffer)
{
    size_t left = rec->buffers.at[buffer].retained / 2;
    size_t i = 0;
    while (rec->retained[i].buffer != buffer || left-- > 0)
        ++i;
    return rec->retained[i].ticket;
}

/* A block was read to its end. It stays until the file has what was in it: as long as that lies in
 * bodies, the block is what survives a crash. */
static void retain(ftr_recorder *rec, const ftr_lane *lane)
{
    ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    if (rec->retained_count == rec->retained_capacity) {
        size_t capacity = rec->retained_capacity ? rec->retained_capacity * 2 : 64;
        ftr_retained_block *grown = realloc(rec->retained, capacity * sizeof *grown);
        if (!grown) {
            ftr_failure failure = {0};
            ftr_recorder_fail(rec, FTR_ERR_MEMORY, &failure);
            return;
        }
        rec->retained = grown;
        rec->retained_capacity = capacity;
    }
    rec->retained[rec->retained_count++] = (ftr_retained_block){
        ftr_arena_number(&rec->arena, lane->reading), lane->buffer, lane->reading->ticket};
    if (++buffer->retained * 2 < buffer->blocks_max)
        return;
    /* Write out whatever holds the older half back, so that rare streams get long chunks and blocks
     * come free all the same. */
    uint64_t middle = middle_ticket(rec, lane->buffer);
    ftr_encoder_flush(&rec->encoder, middle, 0);
    ftr_pending_relations_let_go(&rec->encoder.pending_relations, 0, middle);
    ftr_segments_send(rec);
    ftr_drain_release(rec);
}

/* Only the first block of the lane's chain may have been read in part before. Its number does not
 * tell: the lane may have got the block again since this drain released it. */
static void start_reading(ftr_recorder *rec, ftr_lane *lane, uint32_t number)
{
    bool is_cut = !lane->reading && lane->first_offset;
    lane->reading = ftr_arena_block(&rec->arena, number);
    lane->read_offset = is_cut ? lane->first_offset : sizeof(ftr_block);
    lane->reading->ticket = ++rec->encoder.ticket;
}

/* Goes on to the lane's next block. False: there is nothing more to read now. */
static bool next_block(ftr_recorder *rec, ftr_lane *lane)
{
    pthread_mutex_lock(&rec->lock);
    uint32_t next = lane->reading ? lane->reading->next : lane->first_block;
    bool is_done = !lane->reading ||
                   (lane->reading->sealed && lane->read_offset == lane->reading->front.committed);
    pthread_mutex_unlock(&rec->lock);
    if (!is_done || !next)
        return false;
    if (lane->reading)
        retain(rec, lane);
    start_reading(rec, lane, next);
    return true;
}

/* Reads at most as many blocks of a lane as there are in its buffer: what comes meanwhile is for
 * the next time. */
static void drain_lane(ftr_recorder *rec, ftr_lane *lane)
{
    pthread_mutex_lock(&rec->lock);
    size_t blocks_left = ftr_buffer_of_lane(rec, lane)->blocks_in_use;
    pthread_mutex_unlock(&rec->lock);
    if (!lane->reading && !next_block(rec, lane))
        return;
    do {
        uint32_t committed = __atomic_load_n(&lane->reading->front.committed, __ATOMIC_ACQUIRE);
        /* What is encoded now holds this block, not the youngest one. */
        uint64_t newest = rec->encoder.ticket;
        rec->encoder.ticket = lane->reading->ticket;
        ftr_segments_take(rec, lane, committed);
        rec->encoder.ticket = newest;
        ftr_segments_send(rec);
    } while (blocks_left-- > 0 && next_block(rec, lane));
}

void ftr_drain_locked(ftr_recorder *rec, ftr_drain_extent extent)
{
    ftr_buffers_hand_on(rec, extent != FTR_DRAIN_USUAL);
    if (!atomic_load_explicit(&rec->scale_known, memory_order_acquire))
        return;
    if (ftr_flight_holds(rec))
        return;
    bool writes_rings = ftr_buffers_start_writing(rec);
    if (writes_rings && extent == FTR_DRAIN_USUAL)
        ftr_buffers_hand_on(rec, true); /* to the rings that are written now */
    if (writes_rings)
        extent = FTR_DRAIN_ALL;
    rec->encoder.now = ftr_recorder_now(rec);
    for (ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_acquire); lane;
         lane = lane->next) {
        if (ftr_buffers_lets_read(rec, lane))
            drain_lane(rec, lane);
    }
    if (rec->encoder.pending_relations.count)
        ftr_encoder_settle_relations(&rec->encoder);
    pthread_mutex_lock(&rec->lock);
    bool is_short = ftr_buffers_are_short(rec);
    pthread_mutex_unlock(&rec->lock);
    uint64_t now = rec->encoder.now;
    if (extent == FTR_DRAIN_ALL || is_short)
        ftr_encoder_flush(&rec->encoder, UINT64_MAX, UINT64_MAX);
    else if (now > AGE_MAX_NS)
        ftr_encoder_flush(&rec->encoder, 0, now - AGE_MAX_NS);
    if (extent == FTR_DRAIN_ALL)
        ftr_encoder_flush_definitions(&rec->encoder);
    ftr_segments_send(rec);
    ftr_drain_release(rec);
    if (writes_rings)
        ftr_buffers_stop_writing(rec);
}

void ftr_drain(ftr_recorder *rec, ftr_drain_extent extent)
{
    pthread_mutex_lock(&rec->encoding);
    ftr_drain_locked(rec, extent);
    pthread_mutex_unlock(&rec->encoding);
}

void ftr_drain_everything(ftr_recorder *rec)
{
    if (!rec->has_writer) {
        ftr_drain(rec, FTR_DRAIN_ALL);
        return;
    }
    pthread_mutex_lock(&rec->lock);
    uint64_t mine = ++rec->drains_wanted;
    pthread_cond_signal(&rec->work);
    while (rec->drains_done < mine && !atomic_load(&rec->ends_for_signal))
        ftr_signal_watch_wait(rec);
    pthread_mutex_unlock(&rec->lock);
}

void ftr_drain_if_old(ftr_recorder *rec)
{
    uint64_t now = ftr_recorder_now(rec);
    pthread_mutex_lock(&rec->encoding);
    if (now - rec->last_look >= LOOK_EVERY_NS) {
        rec->last_look = now;
        ftr_drain_locked(rec, FTR_DRAIN_USUAL);
    }
    pthread_mutex_unlock(&rec->encoding);
}

/* Sleeps until there is work or it is time to look. Returns whether to go on; @p wanted is the
 * number of the last complete drain somebody waits for. */
static bool writer_waits(ftr_recorder *rec, uint64_t *wanted)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t nanoseconds = (uint64_t)until.tv_nsec + LOOK_EVERY_NS;
    until.tv_sec += (time_t)(nanoseconds / NS_PER_SECOND);
    until.tv_nsec = (long)(nanoseconds % NS_PER_SECOND);
    pthread_mutex_lock(&rec->lock);
    if (!rec->writer_must_stop && !rec->waiting && rec->drains_wanted == rec->drains_done) {
        rec->writer_sleeps = true;
        pthread_cond_timedwait(&rec->work, &rec->lock, &until);
        rec->writer_sleeps = false;
    }
    bool go_on = !rec->writer_must_stop;
    *wanted = rec->drains_wanted;
    pthread_mutex_unlock(&rec->lock);
    return go_on;
}

/* Ends the writer thread without the file: nobody records any more unless it is an exit handler,
 * and the end of the last thread runs those. */
static void leave_to_exit(ftr_recorder *rec)
{
    sigset_t none;
    pthread_detach(pthread_self());
    pthread_mutex_lock(&rec->lock);
    atomic_store(&rec->has_writer, false);
    pthread_mutex_unlock(&rec->lock);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static void *writer_main(void *data)
{
    ftr_recorder *rec = data;
    uint64_t wanted;
    uint64_t before = 0;
    while (writer_waits(rec, &wanted)) {
        if (ftr_signal_watch_waits(rec)) {
            ftr_recorder_end_for_signal(rec);
            return NULL;
        }
        bool is_triggered = wanted != rec->drains_done;
        ftr_drain(rec, is_triggered ? FTR_DRAIN_ALL : FTR_DRAIN_USUAL);
        pthread_mutex_lock(&rec->encoding);
        bool is_idle = rec->encoder.transactions == before;
        before = rec->encoder.transactions;
        pthread_mutex_unlock(&rec->encoding);
        if (is_idle && !is_triggered && ftr_only_writers_are_left()) {
            leave_to_exit(rec);
            return NULL;
        }
        if (!is_triggered)
            continue;
        pthread_mutex_lock(&rec->lock);
        rec->drains_done = wanted;
        pthread_cond_broadcast(&rec->space);
        pthread_mutex_unlock(&rec->lock);
    }
    ftr_recorder_write_end(rec);
    return NULL;
}

ftr_status ftr_writer_start(ftr_recorder *rec)
{
    /* The program's signals are for its own threads. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&rec->writer, NULL, writer_main, rec);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        return FTR_ERR_MEMORY;
    pthread_setname_np(rec->writer, FTR_WRITER_THREAD_NAME);
    rec->has_writer = true;
    return FTR_OK;
}

bool ftr_drain_is_complete(const ftr_recorder *rec)
{
    if (rec->options.mode == FTR_MODE_FLIGHT)
        return true; /* what is still in the ring was not asked for */
    for (const ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_acquire); lane;
         lane = lane->next) {
        if (!ftr_buffers_lets_read(rec, lane))
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

void ftr_writer_stop(ftr_recorder *rec)
{
    if (!rec->has_writer) {
        ftr_recorder_write_end(rec);
        return;
    }
    pthread_mutex_lock(&rec->lock);
    rec->writer_must_stop = true;
    pthread_cond_signal(&rec->work);
    pthread_mutex_unlock(&rec->lock);
    pthread_join(rec->writer, NULL);
    rec->has_writer = false;
}
