/* The list of all recorders of this process. The list is used when a thread ends and when the
 * process forks. */
#ifndef FTR_REGISTRY_H
#define FTR_REGISTRY_H

#include "recorder_state.h"

void ftr_registry_lock(void);
void ftr_registry_unlock(void);
/* Returns the newest recorder; NULL: there is none. The member `next_recorder` leads to the older
 * ones. A caller that reads more than whether there is a recorder must hold the registry's lock. */
ftr_recorder *ftr_registry_first(void);

/* Gives a recorder its serial number and its tag.
 * @return FTR_OK; FTR_ERR_MEMORY if the process cannot prepare for recorders */
FTR_MUST_USE ftr_status ftr_registry_number(ftr_recorder *rec);

/* Adds a recorder to the list. Recorders are never removed. */
void ftr_registry_enter(ftr_recorder *rec);

#endif
