/* The slot table of ended recorders: one empty table for the process, which replaces the table of
 * each recorder that has ended. The inline calls then find no transaction for a handle, and need
 * not test the gate. */
#ifndef FTR_ENDED_SLOTS_H
#define FTR_ENDED_SLOTS_H

#include <stdbool.h>

#include <ftr/recorder.h>

/* Makes the table. Returns false if out of memory; a later call tries again. Not thread safe. */
FTR_MUST_USE bool ftr_ended_slots_prepare(void);

ftr_slot *ftr_ended_slots(void);

#endif
