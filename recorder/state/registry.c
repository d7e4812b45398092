/* The list of all recorders of this process. Closing a recorder neither removes it from the list
 * nor frees it, so that later calls with its handle return a status. */
#include "registry.h"

#include "ended_slots.h"

/* A handle contains the place of the slot and, in the bits below and above the place, the tag of
 * the recorder. A tag is never 0 and never all ones, so neither a zeroed handle nor FTR_NO_SLOT is
 * equal to the handle of a slot. */
#define TAG_COUNT 0x3ffe
#define TAG_LOW_BITS 8
#define TAG_HIGH_SHIFT 26

_Static_assert(FTR_SLOT_PLACE == (FTR_SLOTS_MAX - 1) * FTR_SLOT_SIZE &&
                   FTR_SLOT_SIZE == 1 << TAG_LOW_BITS &&
                   FTR_SLOTS_MAX * FTR_SLOT_SIZE == 1 << TAG_HIGH_SHIFT,
               "place and tag share a handle");

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static ftr_recorder *first_recorder;
/* Serial numbers begin at a different number in each copy of this library in the process, because
 * two copies may use one recorder, and each copy has its own table of the lanes of a thread. */
static uint64_t last_serial;
static bool is_prepared;

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

/* Called in a forked child, which has no writer thread and must not write to the file of its
 * parent. */
static void in_child(void)
{
    for (ftr_recorder *rec = first_recorder; rec != NULL; rec = rec->next_recorder) {
        ftr_recorder_set_valve(rec, ftr_recorder_valve(rec) | FTR_VALVE_FORKED);
        rec->losses.journal = NULL; /* another thread may have held the lock of the journal */
        ftr_journal_abandon(&rec->journal);
        ftr_output_abandon(&rec->output);
    }
    ftr_registry_unlock();
}

ftr_status ftr_registry_number(ftr_recorder *rec)
{
    ftr_registry_lock();
    if (!last_serial)
        last_serial = (uint64_t)(uintptr_t)&last_serial << 12;
    if (!is_prepared && ftr_ended_slots_prepare())
        is_prepared = pthread_atfork(ftr_registry_lock, ftr_registry_unlock, in_child) == 0;
    bool good = is_prepared;
    rec->serial = ++last_serial;
    ftr_registry_unlock();
    if (!good)
        return FTR_ERR_MEMORY;
    uint32_t tag = (uint32_t)(rec->serial % TAG_COUNT + 1);
    rec->open.slot_tag = (tag & ((1 << TAG_LOW_BITS) - 1)) | tag >> TAG_LOW_BITS << TAG_HIGH_SHIFT;
    return FTR_OK;
}

void ftr_registry_enter(ftr_recorder *rec)
{
    ftr_registry_lock();
    rec->next_recorder = first_recorder;
    first_recorder = rec;
    ftr_registry_unlock();
}
