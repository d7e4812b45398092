/* Lanes: finding the one of a thread, and refilling it. The only place where a recording thread
 * takes the recorder's lock or waits. */
#define _GNU_SOURCE
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "drain.h"
#include "guarded_call.h"
#include "signal_watch.h"

#define IDS_AT_ONCE 65536
/* More than the slots a lane holds and the shortest records a block has room for, together. */
#define IDS_LEAST 4096
#define SLOTS_AT_ONCE 64
/* Free slots a lane may keep. */
#define SLOTS_HELD 256

_Thread_local ftr_lane_cache ftr_current_lane;

/* The block of a lane that has none yet: nothing fits, and nobody has to ask whether there is one.
 */
static ftr_block_front no_block;

/* The lanes a thread has, one a recorder; freed when the thread ends. */
typedef struct thread_lanes {
    size_t count;
    size_t capacity;
    ftr_lane_cache *lanes;
} thread_lanes;

static pthread_key_t thread_key;
static pthread_once_t thread_key_once = PTHREAD_ONCE_INIT;
static bool has_thread_key;

/* A thread ends: its lanes, with the blocks and slots they hold, are for others to take. */
static void leave_lanes(void *data)
{
    thread_lanes *mine = data;
    ftr_registry_lock();
    for (ftr_recorder *rec = ftr_registry_first(); rec; rec = rec->next_recorder) {
        for (size_t i = 0; i < mine->count; ++i) {
            if (rec->serial != mine->lanes[i].serial ||
                ftr_recorder_gate(rec) & (FTR_GATE_CLOSED | FTR_GATE_FORKED))
                continue;
            pthread_mutex_lock(&rec->lock);
            mine->lanes[i].lane->taken = 0;
            if (mine->lanes[i].lane->front == &rec->front.lane) {
                rec->owner = 0;
                ftr_recorder_set_gate(rec, ftr_recorder_gate(rec));
            }
            pthread_mutex_unlock(&rec->lock);
        }
    }
    ftr_registry_unlock();
    ftr_current_lane = (ftr_lane_cache){0};
    free(mine->lanes);
    free(mine);
}

static void make_thread_key(void)
{
    has_thread_key = pthread_key_create(&thread_key, leave_lanes) == 0;
}

/* The calling thread's list, with room for one more. */
static thread_lanes *lanes_of_thread(void)
{
    pthread_once(&thread_key_once, make_thread_key);
    if (!has_thread_key)
        return NULL;
    thread_lanes *mine = pthread_getspecific(thread_key);
    if (!mine) {
        mine = calloc(1, sizeof *mine);
        if (!mine || pthread_setspecific(thread_key, mine) != 0) {
            free(mine);
            return NULL;
        }
    }
    if (mine->count == mine->capacity) {
        size_t capacity = mine->capacity ? mine->capacity * 2 : 4;
        ftr_lane_cache *grown = realloc(mine->lanes, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        mine->lanes = grown;
        mine->capacity = capacity;
    }
    return mine;
}

/* A new lane, which somebody has. @p main is NULL: itself. Under the lock. */
static ftr_lane *make_lane(ftr_recorder *rec, uint32_t buffer, ftr_lane *main)
{
    ftr_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return NULL;
    lane->recorder = rec;
    lane->main = main ? main : lane;
    lane->buffer = buffer;
    lane->front = rec->lane_count == 0 ? &rec->front.lane : &lane->own;
    lane->front->block = &no_block;
    lane->number = rec->lane_count++;
    lane->taken = 1;
    lane->next = atomic_load_explicit(&rec->lanes, memory_order_relaxed);
    atomic_store_explicit(&rec->lanes, lane, memory_order_release);
    return lane;
}

/* Enters a guarded call and takes the lock. */
static bool enter(ftr_guarded_call *call, ftr_recorder *rec)
{
    if (!ftr_call_enter(call, rec, FTR_CALL_LOCKS))
        return false;
    pthread_mutex_lock(&rec->lock);
    return true;
}

static void leave(const ftr_guarded_call *call, ftr_recorder *rec)
{
    pthread_mutex_unlock(&rec->lock);
    ftr_call_leave(call);
}

/* A lane nobody has, or a new one. */
static ftr_lane *take_lane(ftr_recorder *rec)
{
    ftr_guarded_call call;
    if (!enter(&call, rec))
        return NULL;
    ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_relaxed);
    while (lane && lane->taken)
        lane = lane->next;
    if (lane)
        lane->taken = 1;
    else
        lane = make_lane(rec, 0, NULL);
    if (lane && lane->front == &rec->front.lane) {
        rec->owner = ftr_thread_self();
        ftr_recorder_set_gate(rec, ftr_recorder_gate(rec));
    }
    leave(&call, rec);
    return lane;
}

ftr_lane *ftr_lane_find(ftr_recorder *rec)
{
    thread_lanes *mine = lanes_of_thread();
    if (!mine)
        return NULL;
    for (size_t i = 0; i < mine->count; ++i) {
        if (mine->lanes[i].serial == rec->serial) {
            ftr_current_lane = mine->lanes[i];
            return ftr_current_lane.lane;
        }
    }
    ftr_lane *lane = take_lane(rec);
    if (!lane)
        return NULL;
    ftr_current_lane = (ftr_lane_cache){rec->serial, lane};
    mine->lanes[mine->count++] = ftr_current_lane;
    return lane;
}

void ftr_lanes_release(ftr_recorder *rec)
{
    ftr_registry_lock(); /* a thread that ends right now may be giving its lane back */
    ftr_lane *lane = atomic_exchange(&rec->lanes, NULL);
    while (lane) {
        ftr_lane *next = lane->next;
        free(lane);
        lane = next;
    }
    ftr_registry_unlock();
}

/* Links a block behind the lane's last. Under the lock. */
static void link_block(ftr_lane *lane, uint32_t number, size_t run)
{
    ftr_recorder *rec = lane->recorder;
    ftr_lane_front *front = lane->front;
    ftr_block *block = ftr_arena_block(&rec->arena, number);
    *block = (ftr_block){.front = {sizeof *block},
                         .run = (uint32_t)run,
                         .lane = lane->number,
                         .sequence = rec->next_sequence++};
    ftr_arena_mark(&rec->arena, number, FTR_BLOCK_TRANSACTIONS);
    if (front->block_limit) {
        ftr_block *last = (ftr_block *)front->block;
        last->next = number;
        last->sealed = 1;
        ftr_buffer_of_lane(rec, lane)->blocks_in_use += last->run;
    } else {
        lane->first_block = number;
    }
    front->block = &block->front;
    front->block_limit = run * FTR_BLOCK_SIZE - FTR_BLOCK_SLACK;
}

/* Keeps enough ids for all transactions that can begin before the next visit here: as many as there
 * are free slots, and as many as end in one block. Under the lock. */
static void keep_ids(ftr_lane *lane)
{
    ftr_lane_front *front = lane->front;
    if (lane->id_limit - front->next_id >= IDS_LEAST)
        return;
    uint64_t first =
        atomic_fetch_add_explicit(lane->recorder->next_id, IDS_AT_ONCE, memory_order_relaxed);
    if (first != lane->id_limit)
        front->next_id = first;
    lane->id_limit = first + IDS_AT_ONCE;
}

/* A thread that ends what others began must not hoard their slots. Under the lock. */
static void trim_slots(ftr_lane *lane)
{
    ftr_slot *slot = lane->front->free_slot;
    for (size_t held = 1; slot && held < SLOTS_HELD; ++held)
        slot = slot->next_free;
    while (slot && slot->next_free) {
        ftr_slot *surplus = slot->next_free;
        slot->next_free = surplus->next_free;
        ftr_open_transactions_give(&lane->recorder->open, surplus);
    }
}

/* Whether one more block may be used. The one a lane fills does not count, however large: it is
 * released only when the lane has got another, so lanes could wait for each other. */
static bool may_take(const ftr_recorder *rec, const ftr_buffer_entry *buffer)
{
    return buffer->blocks_in_use < buffer->blocks_max ||
           !atomic_load_explicit(&rec->scale_known, memory_order_relaxed);
}

/* Whether nothing empties the buffer until the flight recorder is triggered. */
static bool is_stuck(const ftr_recorder *rec, const ftr_lane *lane)
{
    return lane->buffer && !rec->buffers.at[lane->buffer].into &&
           ftr_flight_is_holding(&rec->flight);
}

static ftr_status wait_for_space(ftr_recorder *rec, const ftr_lane *lane)
{
    const ftr_buffer_entry *buffer = ftr_buffer_of_lane(rec, lane);
    while (!ftr_buffer_turns(rec, lane->buffer)) {
        if (may_take(rec, buffer) || ftr_recorder_gate(rec) & FTR_GATE_DEAD)
            return FTR_OK;
        if (is_stuck(rec, lane))
            return FTR_LANE_DROPS;
        if (!rec->has_writer)
            return FTR_OK;
        if (rec->options.when_full == FTR_WHEN_FULL_DROP)
            return FTR_LANE_DROPS;
        ++rec->waits;
        ++rec->waiting;
        pthread_cond_signal(&rec->work);
        ftr_signal_watch_wait(rec);
        --rec->waiting;
    }
    ftr_buffer_evict(rec, lane->buffer);
    return FTR_OK;
}

bool ftr_lane_add_block(ftr_lane *lane, size_t size)
{
    ftr_arena *arena = &lane->recorder->arena;
    size_t run = (sizeof(ftr_block) + size + FTR_BLOCK_SLACK + FTR_BLOCK_SIZE - 1) / FTR_BLOCK_SIZE;
    uint32_t number = ftr_arena_take(arena, run);
    if (number)
        link_block(lane, number, run);
    return number != 0;
}

/* Refills the lane. Under the lock. */
static ftr_status refill(ftr_lane *lane, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    ftr_status status = wait_for_space(rec, lane);
    if (status != FTR_OK || ftr_recorder_gate(rec) & FTR_GATE_DEAD)
        return status;
    if (!ftr_lane_add_block(lane, size))
        return FTR_ERR_MEMORY;
    keep_ids(lane->main);
    trim_slots(lane->main);
    if (rec->writer_sleeps)
        pthread_cond_signal(&rec->work);
    return FTR_OK;
}

ftr_status ftr_lane_take_block(ftr_lane *lane, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    if (!atomic_load_explicit(&rec->has_writer, memory_order_relaxed))
        ftr_drain(rec, FTR_DRAIN_USUAL);
    pthread_mutex_lock(&rec->lock);
    ftr_status status = refill(lane, size);
    uint32_t gate = ftr_recorder_gate(rec);
    leave(&call, rec);
    return gate & FTR_GATE_DEAD ? ftr_recorder_dead_status(rec, gate) : status;
}

ftr_lane *ftr_lane_make_carrier(ftr_recorder *rec, uint32_t buffer)
{
    pthread_mutex_lock(&rec->lock);
    ftr_lane *lane = make_lane(rec, buffer, NULL);
    pthread_mutex_unlock(&rec->lock);
    return lane;
}

/* Makes the sibling of a lane for @p buffer. NULL: no memory. */
static ftr_lane *make_sibling(ftr_lane *lane, uint32_t buffer)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!enter(&call, rec))
        return NULL;
    ftr_lane *made = make_lane(rec, buffer, lane);
    leave(&call, rec);
    if (!made)
        return NULL;
    made->sibling = lane->sibling;
    lane->sibling = made;
    return made;
}

ftr_lane *ftr_lane_sibling(ftr_lane *lane, uint32_t buffer)
{
    ftr_lane *found = lane->sibling;
    while (found && found->buffer != buffer)
        found = found->sibling;
    if (!found)
        found = make_sibling(lane, buffer);
    /* The inline calls rely on the lane's having been here before its ids run out. */
    if (found && lane->id_limit - lane->front->next_id < IDS_LEAST)
        ftr_lane_tend(lane);
    return found;
}

void ftr_lane_tend(ftr_lane *lane)
{
    ftr_guarded_call call;
    if (!enter(&call, lane->recorder))
        return;
    keep_ids(lane);
    trim_slots(lane);
    leave(&call, lane->recorder);
}

/* Lets the calls see the slots, now that the first of them are initialised: in zeroed memory they
 * would find the transaction of a zeroed handle. The table of no slots is not compared with:
 * another copy of this library may have opened the recorder. Under the lock. */
static void show_slots(ftr_recorder *rec)
{
    if (!(ftr_recorder_gate(rec) & FTR_GATE_DEAD))
        __atomic_store_n(&rec->front.slots, ftr_open_slot(&rec->open, 0), __ATOMIC_RELEASE);
}

ftr_status ftr_lane_take_slots(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    if (!atomic_load_explicit(&rec->has_writer, memory_order_relaxed))
        ftr_drain_if_old(rec);
    pthread_mutex_lock(&rec->lock);
    ftr_status status =
        ftr_open_transactions_take(&rec->open, SLOTS_AT_ONCE, &lane->front->free_slot);
    show_slots(rec);
    keep_ids(lane);
    leave(&call, rec);
    return status;
}
