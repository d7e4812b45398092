/* Checks of chunks on several threads. For transactions, each thread checks the rules that concern
 * a single chunk, and collects facts for the rules that concern several chunks. Relations are
 * checked when the transactions of all chunks are known. The calling thread checks a chunk with a
 * finding again. */
#ifndef FTR_CHECK_AHEAD_H
#define FTR_CHECK_AHEAD_H

#include "check_state.h"

typedef struct ftr_check_ahead ftr_check_ahead;

/* Starts the threads for the chunks of relations, or for those of transactions. @return NULL: the
 * caller checks all chunks itself */
ftr_check_ahead *ftr_check_ahead_create(ftr_check *check, bool relations);
void ftr_check_ahead_destroy(ftr_check_ahead *ahead);

/* Takes the result for the current chunk. @return false if the caller must check the chunk */
bool ftr_check_ahead_take(ftr_check_ahead *ahead, ftr_check *check);

#endif
