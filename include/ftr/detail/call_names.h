/** @file
 *  The names of calls in messages about invalid calls. For the adapters of other languages, whose
 *  users do not call the functions of C by name. */
#ifndef FTR_CALL_NAMES_H
#define FTR_CALL_NAMES_H

#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the name of a call for its users: for example "end()" for @p call "ftr_tx_end". Returns
 *  NULL if users write the name @p call, and "" if the adapter reports invalid calls of this
 *  function itself. */
typedef const char *ftr_call_namer(const char *call);

/** Sets the names for the messages of @p rec, which may be NULL. */
FTR_API void ftr_recorder_set_call_names(ftr_recorder *rec, ftr_call_namer *name);

#ifdef __cplusplus
}
#endif

#endif
