/* The recorders of this process: what a thread that ends and a process that forks must reach.
 * Recorders stay listed after close, because their handles stay valid arguments. */
#include "recorder_state.h"

/* Handles carry the slot's index in the low 20 bits and a tag above it. All ones is FTR_NO_SLOT. */
#define TAG_SHIFT 20
#define TAG_COUNT 0xffe

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static ftr_recorder *first_recorder;
/* Counted from a number that no other copy of this library in the process counts from: a recorder
 * may be used by two copies, each with its own threads' lanes. */
static uint64_t last_serial;
static bool fork_is_watched;

void ftr_registry_lock(void)
{
    pthread_mutex_lock(&registry_mutex);
}

void ftr_registry_unlock(void)
{
    pthread_mutex_unlock(&registry_mutex);
}

ftr_recorder *ftr_registry_first(void)
{
    return first_recorder;
}

/* The child has neither the writer thread nor a right to the file. */
static void in_child(void)
{
    for (ftr_recorder *rec = first_recorder; rec; rec = rec->next_recorder)
        atomic_fetch_or(&rec->gate, FTR_GATE_FORKED);
    ftr_registry_unlock();
}

static void watch_fork(void)
{
    fork_is_watched = pthread_atfork(ftr_registry_lock, ftr_registry_unlock, in_child) == 0;
}

ftr_status ftr_registry_enter(ftr_recorder *rec)
{
    pthread_once(&fork_once, watch_fork);
    if (!fork_is_watched)
        return FTR_ERR_MEMORY;
    ftr_registry_lock();
    if (!last_serial)
        last_serial = (uint64_t)(uintptr_t)&last_serial << 12;
    rec->serial = ++last_serial;
    rec->slot_tag = (uint32_t)(rec->serial % TAG_COUNT + 1) << TAG_SHIFT;
    rec->next_recorder = first_recorder;
    first_recorder = rec;
    ftr_registry_unlock();
    return FTR_OK;
}
