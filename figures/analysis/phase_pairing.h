/* Makes accesses from the nb_transport calls of one link, if the stream with requests and responses
 * is not in the trace. The calls of one access are found by the number of the payload (trans.id),
 * which recordings with FTR_PROTOCOL have, or else by the attributes of the payload. */
#ifndef FTR_PHASE_PAIRING_H
#define FTR_PHASE_PAIRING_H

#include "fold_output.h"

typedef struct ftr_phase_pairing ftr_phase_pairing;

enum {
    /* Maximum number of open accesses of a link. Beyond it, the oldest one ends as unfinished. */
    FTR_PAIRING_OPEN_MAX = 1 << 14,
    /* The calls of a link that begin at the same time are put in the order of the protocol, but at
     * most this number of them together. Further calls at this time come after them. */
    FTR_PAIRING_CALLS_MAX = 1 << 16
};

/* @param link_name must live as long as the pairing
 * @return NULL if out of memory */
ftr_phase_pairing *ftr_phase_pairing_create(ftr_fold_output *output, uint32_t link,
                                            ftr_view link_name);

/* Accepts NULL. */
void ftr_phase_pairing_destroy(ftr_phase_pairing *pairing);

/* Adds a call; calls must be added in the order of their ends. @return false after an error, or if
 * the sink of the output stops */
bool ftr_phase_pairing_add(ftr_phase_pairing *pairing, const ftr_call *call);

/* Ends all accesses that are still open as unfinished. @return as ftr_phase_pairing_add() */
bool ftr_phase_pairing_finish(ftr_phase_pairing *pairing);

#endif
