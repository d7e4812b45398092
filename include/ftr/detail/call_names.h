/** @file
 *  The names of calls in messages about invalid calls. An adapter for another language sets them:
 *  its users write `end()`, and do not know the C function ftr_tx_end(). */
#ifndef FTR_CALL_NAMES_H
#define FTR_CALL_NAMES_H

#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the name under which the users of an adapter know the C function @p call: for example
 *  "end()" for "ftr_tx_end". Returns NULL if users call the C function directly, and "" if the
 *  adapter, not the recorder, reports invalid calls of this function. The recorder does not copy
 *  the name: it must be a constant. Several recording threads can call this function at the same
 *  time, also in a signal handler: the function must not lock, allocate or call the recorder. */
typedef const char *ftr_call_namer(const char *call);

/** Sets the function that names the calls in the messages of @p rec. Any thread may call this at
 * any time before ftr_recorder_close(); messages that are already written are not changed.
 *  @param rec NULL: the call has no effect
 *  @param name NULL: messages contain the names of the C functions. ftr_recorder_close() also calls
 *              the function, so it must stay loaded until ftr_recorder_close() has returned */
FTR_API void ftr_recorder_set_call_names(ftr_recorder *rec, ftr_call_namer *name);

#ifdef __cplusplus
}
#endif

#endif
