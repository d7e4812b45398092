/* Checks of transaction chunks on several threads. Each thread checks the rules that need one chunk
 * only, and passes on the facts for rules that span several chunks. A chunk with a finding is
 * checked again by the calling thread. */
#ifndef FTR_CHECK_AHEAD_H
#define FTR_CHECK_AHEAD_H

#include "check_state.h"

typedef struct ftr_check_ahead ftr_check_ahead;

/* Starts checking. @return NULL: the caller checks alone */
ftr_check_ahead *ftr_check_ahead_create(ftr_check *check);
void ftr_check_ahead_destroy(ftr_check_ahead *ahead);

/* Takes the facts of the current chunk. @return false if the caller must check it */
bool ftr_check_ahead_take(ftr_check_ahead *ahead, ftr_check *check);

#endif
