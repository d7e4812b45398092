/** @file
 *  Access to a recorded call while attributes are added to it. */
#ifndef FTR_CALL_RECORDER_H
#define FTR_CALL_RECORDER_H

#include "call_contexts.h"

#include <errno.h>

/** A call to which attributes are being added. */
typedef struct ftr_entered_call {
    ftr_call_thread *thread;
    ftr_recorder *recorder;
    ftr_tx tx;
    int error;
} ftr_entered_call;

/** Begins to add attributes to a call: marks the thread busy until ftr_entered_call_end(). @return
 * false if the call is not recorded. */
bool ftr_entered_call_begin(const ftr_call *call, ftr_entered_call *entered);

static inline void ftr_entered_call_end(const ftr_entered_call *entered)
{
    entered->thread->busy = 0;
    errno = entered->error;
}

#endif
