/* Lanes: finding the one of a thread, and refilling it. The only place where a recording thread
 * takes the recorder's lock or waits. */
#define _GNU_SOURCE
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "drain.h"

#define IDS_AT_ONCE 256
#define SLOTS_AT_ONCE 64
/* Free slots a lane may hold before it gives some back: a thread that only ends transactions which
 * others began must not hoard. */
#define SLOTS_HELD 256

_Thread_local ftr_lane_cache ftr_current_lane;

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
static void leave(void *data)
{
    thread_lanes *mine = data;
    ftr_registry_lock();
    for (ftr_recorder *rec = ftr_registry_first(); rec; rec = rec->next_recorder) {
        for (size_t i = 0; i < mine->count; ++i) {
            if (rec->serial != mine->lanes[i].serial ||
                atomic_load(&rec->gate) & (FTR_GATE_CLOSED | FTR_GATE_FORKED))
                continue;
            pthread_mutex_lock(&rec->lock);
            mine->lanes[i].lane->taken = 0;
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
    has_thread_key = pthread_key_create(&thread_key, leave) == 0;
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

/* A lane nobody has, or a new one. */
static ftr_lane *take_lane(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->lock);
    ftr_lane *lane = atomic_load_explicit(&rec->lanes, memory_order_relaxed);
    while (lane && lane->taken)
        lane = lane->next;
    if (!lane && (lane = calloc(1, sizeof *lane)) != NULL) {
        lane->recorder = rec;
        lane->free_slot = FTR_NO_SLOT;
        lane->number = rec->lane_count++;
        lane->next = atomic_load_explicit(&rec->lanes, memory_order_relaxed);
        atomic_store_explicit(&rec->lanes, lane, memory_order_release);
    }
    if (lane)
        lane->taken = 1;
    pthread_mutex_unlock(&rec->lock);
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
    ftr_lane *lane = atomic_exchange(&rec->lanes, NULL);
    while (lane) {
        ftr_lane *next = lane->next;
        free(lane);
        lane = next;
    }
}

/* Links a block behind the lane's last. Under the lock. */
static void link_block(ftr_lane *lane, uint32_t number, size_t run)
{
    ftr_recorder *rec = lane->recorder;
    ftr_block *block = ftr_arena_block(&rec->arena, number);
    memset(block, 0, sizeof *block);
    block->kind = FTR_BLOCK_TRANSACTIONS;
    block->run = (uint32_t)run;
    block->lane = lane->number;
    block->sequence = rec->next_sequence++;
    atomic_store_explicit(&block->committed, sizeof *block, memory_order_relaxed);
    if (lane->block) {
        lane->block->next = number;
        lane->block->sealed = 1;
    } else {
        lane->first_block = number;
    }
    lane->block = block;
    lane->cursor = (uint8_t *)(block + 1);
    lane->limit = (uint8_t *)block + run * FTR_BLOCK_SIZE;
}

/* Whether one more block may be used. A lane's first always, or lanes could wait for each other. */
static bool may_take(const ftr_recorder *rec, const ftr_lane *lane)
{
    return !lane->block || rec->blocks_in_use < rec->blocks_max + rec->lane_count ||
           !atomic_load_explicit(&rec->scale_known, memory_order_relaxed);
}

static ftr_status wait_for_space(ftr_recorder *rec, const ftr_lane *lane)
{
    while (!may_take(rec, lane) &&
           !(atomic_load_explicit(&rec->gate, memory_order_relaxed) & FTR_GATE_DEAD)) {
        if (rec->options.when_full == FTR_WHEN_FULL_DROP)
            return FTR_ERR_LIMIT;
        ++rec->waits;
        ++rec->waiting;
        pthread_cond_signal(&rec->work);
        pthread_cond_wait(&rec->space, &rec->lock);
        --rec->waiting;
    }
    return FTR_OK;
}

ftr_status ftr_lane_take_block(ftr_lane *lane, size_t size)
{
    ftr_recorder *rec = lane->recorder;
    size_t run = (sizeof(ftr_block) + size + FTR_BLOCK_SIZE - 1) / FTR_BLOCK_SIZE;
    if (!rec->has_writer)
        ftr_drain(rec, FTR_DRAIN_USUAL);
    pthread_mutex_lock(&rec->lock);
    ftr_status status = rec->has_writer ? wait_for_space(rec, lane) : FTR_OK;
    uint32_t gate = atomic_load_explicit(&rec->gate, memory_order_relaxed);
    if (status == FTR_OK && gate & FTR_GATE_DEAD)
        status = ftr_recorder_dead_status(rec, gate);
    uint32_t number = status == FTR_OK ? ftr_arena_take(&rec->arena, run) : 0;
    if (number) {
        rec->blocks_in_use += run;
        link_block(lane, number, run);
        if (rec->writer_sleeps)
            pthread_cond_signal(&rec->work);
    } else if (status == FTR_OK) {
        status = FTR_ERR_MEMORY;
    }
    pthread_mutex_unlock(&rec->lock);
    return status;
}

ftr_status ftr_lane_take_slots(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    pthread_mutex_lock(&rec->lock);
    ftr_status status =
        ftr_open_transactions_take(&rec->open, SLOTS_AT_ONCE, &lane->free_slot, &lane->free_slots);
    pthread_mutex_unlock(&rec->lock);
    return status;
}

void ftr_lane_give_slots(ftr_lane *lane)
{
    if (lane->free_slots < SLOTS_HELD)
        return;
    ftr_recorder *rec = lane->recorder;
    pthread_mutex_lock(&rec->lock);
    while (lane->free_slots > SLOTS_HELD / 2) {
        uint32_t index = lane->free_slot;
        lane->free_slot = ftr_slot_at(rec->slots, index)->next_free;
        ftr_open_transactions_give(&rec->open, index);
        --lane->free_slots;
    }
    pthread_mutex_unlock(&rec->lock);
}

void ftr_lane_take_ids(ftr_lane *lane)
{
    ftr_recorder *rec = lane->recorder;
    lane->next_id = atomic_fetch_add_explicit(&rec->next_id, IDS_AT_ONCE, memory_order_relaxed);
    lane->id_limit = lane->next_id + IDS_AT_ONCE;
    if (!rec->has_writer)
        ftr_drain_if_old(rec);
}
