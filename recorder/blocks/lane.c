/* Makes lanes and gives them blocks, ids and slots. Never waits for blocks. */
#include "lane.h"

#include <stdlib.h>

#include "registry.h"

#define IDS_AT_ONCE 65536
/* Number of free slots that a lane keeps if it is trimmed; between two trims it can have more. */
#define SLOTS_HELD 256

/* An empty block for a lane that has none yet. No record fits into it, so calls need not test for a
 * missing block. */
static ftr_block_front no_block;

ftr_lane *ftr_lane_make(ftr_recorder *rec, uint32_t buffer, ftr_lane *main)
{
    ftr_lane *lane = calloc(1, sizeof *lane);
    if (lane == NULL)
        return NULL;
    lane->recorder = rec;
    lane->main = main != NULL ? main : lane;
    lane->buffer = buffer;
    lane->front = rec->lanes.count == 0 ? &rec->front.lane : &lane->own;
    lane->front->block = &no_block;
    lane->number = rec->lanes.count++;
    lane->taken = 1;
    lane->next = atomic_load_explicit(&rec->lanes.first, memory_order_relaxed);
    atomic_store_explicit(&rec->lanes.first, lane, memory_order_release);
    return lane;
}

static void link_block(ftr_lane *lane, uint32_t number, size_t run)
{
    ftr_recorder *rec = lane->recorder;
    ftr_lane_front *front = lane->front;
    ftr_block *block = ftr_arena_block(&rec->arena, number);
    *block = (ftr_block){.front = {sizeof *block},
                         .run = (uint32_t)run,
                         .lane = lane->number,
                         .sequence = rec->lanes.next_sequence++};
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

bool ftr_lane_add_block(ftr_lane *lane, size_t size)
{
    size_t run = (sizeof(ftr_block) + size + FTR_BLOCK_SLACK + FTR_BLOCK_SIZE - 1) / FTR_BLOCK_SIZE;
    uint32_t number = ftr_arena_take(&lane->recorder->arena, run);
    if (number)
        link_block(lane, number, run);
    return number != 0;
}

void ftr_lane_keep_ids(ftr_lane *lane)
{
    ftr_lane_front *front = lane->front;
    if (lane->id_limit - front->next_id >= FTR_LANE_LEAST_IDS)
        return;
    uint64_t first =
        atomic_fetch_add_explicit(lane->recorder->next_id, IDS_AT_ONCE, memory_order_relaxed);
    if (first != lane->id_limit)
        front->next_id = first;
    lane->id_limit = first + IDS_AT_ONCE;
}

void ftr_lane_trim_slots(ftr_lane *lane)
{
    ftr_slot *slot = lane->front->free_slot;
    for (size_t held = 1; slot != NULL && held < SLOTS_HELD; held++)
        slot = slot->next_free;
    while (slot != NULL && slot->next_free != NULL) {
        ftr_slot *surplus = slot->next_free;
        slot->next_free = surplus->next_free;
        ftr_open_transactions_give(&lane->recorder->open, surplus);
    }
}

void ftr_lanes_release(ftr_recorder *rec)
{
    ftr_registry_lock(); /* a thread that is ending may be leaving its lane */
    ftr_lane *lane = atomic_exchange(&rec->lanes.first, NULL);
    while (lane != NULL) {
        ftr_lane *next = lane->next;
        free(lane);
        lane = next;
    }
    ftr_registry_unlock();
}
