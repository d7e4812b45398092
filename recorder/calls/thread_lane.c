/* The lanes of each thread, one for each recorder. When a thread ends, other threads can take its
 * lanes, with the blocks and slots in them. */
#define _GNU_SOURCE
#include "thread_lane.h"

#include <signal.h>
#include <stdlib.h>

#include "growing_array.h"
#include "lane_supply.h"
#include "registry.h"

_Thread_local ftr_lane_cache ftr_current_lane;

/* The lanes of a thread, one for each recorder; freed when the thread ends. */
typedef struct thread_lanes {
    size_t count;
    size_t capacity;
    ftr_lane_cache *lanes;
} thread_lanes;

static pthread_key_t thread_key;
static bool has_thread_key; /* under the lock of the registry */

static void leave_lanes(void *data)
{
    thread_lanes *mine = data;
    sigset_t all;
    sigset_t before;
    /* a signal handler that records would wait for locks that this thread holds */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ftr_registry_lock();
    for (ftr_recorder *rec = ftr_registry_first(); rec != NULL; rec = rec->next_recorder) {
        for (size_t i = 0; i < mine->count; i++) {
            if (rec->serial == mine->lanes[i].serial)
                ftr_lane_leave(rec, mine->lanes[i].lane);
        }
    }
    ftr_registry_unlock();
    ftr_current_lane = (ftr_lane_cache){0};
    free(mine->lanes);
    free(mine);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* pthread_once() would make a system call. */
static bool make_thread_key(void)
{
    ftr_registry_lock();
    if (!has_thread_key)
        has_thread_key = pthread_key_create(&thread_key, leave_lanes) == 0;
    const bool is_made = has_thread_key;
    ftr_registry_unlock();
    return is_made;
}

/* Returns the list of the calling thread, with room for one more lane. */
static thread_lanes *lanes_of_thread(void)
{
    if (!make_thread_key())
        return NULL;
    thread_lanes *mine = pthread_getspecific(thread_key);
    if (mine == NULL) {
        mine = calloc(1, sizeof *mine);
        if (mine == NULL || pthread_setspecific(thread_key, mine) != 0) {
            free(mine);
            return NULL;
        }
    }
    return ftr_array_grow(&mine->lanes, &mine->capacity, mine->count, sizeof *mine->lanes) ? mine
                                                                                           : NULL;
}

ftr_lane *ftr_thread_lane_find(ftr_recorder *rec)
{
    thread_lanes *mine = lanes_of_thread();
    if (mine == NULL)
        return NULL;
    for (size_t i = 0; i < mine->count; i++) {
        if (mine->lanes[i].serial == rec->serial) {
            ftr_current_lane = mine->lanes[i];
            return ftr_current_lane.lane;
        }
    }
    ftr_lane *lane = ftr_lane_take(rec);
    if (lane == NULL)
        return NULL;
    ftr_current_lane = (ftr_lane_cache){rec->serial, lane};
    mine->lanes[mine->count++] = ftr_current_lane;
    return lane;
}

ftr_lane *ftr_lane_sibling(ftr_lane *lane, uint32_t buffer)
{
    ftr_lane *found = lane->sibling;
    while (found != NULL && found->buffer != buffer)
        found = found->sibling;
    if (found == NULL)
        found = ftr_lane_add_sibling(lane, buffer);
    /* The inline calls do not test whether the lane has ids left, so the lane must get new ids
     * before its ids run out. */
    if (found != NULL && ftr_lane_has_few_ids(lane))
        ftr_lane_tend(lane);
    return found;
}
