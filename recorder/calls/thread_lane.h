/* Finds the lane of the calling thread. */
#ifndef FTR_THREAD_LANE_H
#define FTR_THREAD_LANE_H

#include "lane.h"

/* The calling thread's most recent recorder and its lane. */
typedef struct ftr_lane_cache {
    uint64_t serial;
    ftr_lane *lane;
} ftr_lane_cache;

extern _Thread_local ftr_lane_cache ftr_current_lane __attribute__((tls_model("initial-exec")))
__attribute__((visibility("hidden")));

/* Finds the calling thread's lane of a recorder that is not in ftr_current_lane. Returns NULL if
 * out of memory. */
ftr_lane *ftr_thread_lane_find(ftr_recorder *rec);

static inline ftr_lane *ftr_thread_lane(ftr_recorder *rec)
{
    if (FTR_LIKELY(ftr_current_lane.serial == rec->serial))
        return ftr_current_lane.lane;
    return ftr_thread_lane_find(rec);
}

/* Returns the sibling of @p lane for @p buffer: the lane in which the same thread records to this
 * buffer, which is not the main buffer (0). Makes sure that the lane has ids for the next
 * transactions in the sibling. Returns NULL if out of memory. */
ftr_lane *ftr_lane_sibling(ftr_lane *lane, uint32_t buffer);

/* Returns the lane in which the thread of @p lane records transactions of @p buffer. NULL if out of
 * memory. */
static inline ftr_lane *ftr_lane_of_buffer(ftr_lane *lane, uint32_t buffer)
{
    return FTR_LIKELY(buffer == 0) ? lane : ftr_lane_sibling(lane, buffer);
}

#endif
