/* The results of folding a recording of calls: accesses, transactions that cannot be folded, and
 * the access to which each transaction belongs. */
#ifndef FTR_FOLD_OUTPUT_H
#define FTR_FOLD_OUTPUT_H

#include "folded_access.h"
#include "id_file.h"

/* The reasons why a transaction is not part of an access: X(identifier, text) */
#define FTR_FOLD_REASONS(X)                                                                       \
    X(NO_REQUEST, "the request of its access is not in the trace")                                \
    X(NO_RESPONSE, "the response of its access is not in the trace")                              \
    X(AMBIGUOUS, "several open accesses of its link have its attributes, and it has no trans.id") \
    X(NO_PHASE, "it has no attribute tlm_phase")                                                  \
    X(STREAM, "its generator belongs to another stream")                                          \
    X(GENERATOR, "its generator is neither 'request' nor 'response'")                             \
    X(TIME, "its times exceed 64 bits")

typedef enum ftr_fold_reason {
#define FTR_FOLD_ENUMERATOR(identifier, text) FTR_FOLD_##identifier,
    FTR_FOLD_REASONS(FTR_FOLD_ENUMERATOR)
#undef FTR_FOLD_ENUMERATOR
        FTR_FOLD_REASON_COUNT
} ftr_fold_reason;

/* Texts of the reasons; index: ftr_fold_reason. */
extern const char *const ftr_fold_reason_texts[FTR_FOLD_REASON_COUNT];

/* Receives the results. The functions return false to stop. */
typedef struct ftr_fold_sink {
    void *user;
    /* @param[out] tx the written transaction, for relations */
    bool (*put)(void *user, const ftr_access *access, ftr_tx *tx);
    bool (*skip)(void *user, const ftr_call *call, ftr_fold_reason reason);
} ftr_fold_sink;

typedef struct ftr_fold_counts {
    uint64_t calls; /* transactions in streams of calls */
    uint64_t put[FTR_ACCESS_PLACES];
    uint64_t unfinished; /* number of unfinished accesses in put[FTR_PLACE_LINK] */
    uint64_t skipped[FTR_FOLD_REASON_COUNT];
} ftr_fold_counts;

typedef struct ftr_fold_output {
    const ftr_fold_sink *sink;
    ftr_id_file *ids;  /* maps ids of the trace to transactions of the sink */
    ftr_status status; /* the first error; FTR_ERR_STATE: the sink has stopped */
    ftr_fold_counts counts;
} ftr_fold_output;

/* These functions return false after an error, or if the sink stops. */

/* Passes an access to the sink. @param[out] tx the written transaction; NULL: not needed */
bool ftr_fold_put(ftr_fold_output *output, const ftr_access *access, ftr_tx *tx);

/* Reports a transaction that cannot be folded. */
bool ftr_fold_skip(ftr_fold_output *output, const ftr_call *call, ftr_fold_reason reason);

/* Stores that the transaction @p id is a part of @p tx. */
bool ftr_fold_note(ftr_fold_output *output, uint64_t id, ftr_tx tx);

/* Stores that the transaction @p id is folded, but that its relations have no meaning for accesses.
 */
bool ftr_fold_absorb(ftr_fold_output *output, uint64_t id);

/* Returns the transaction of which @p id is a part; {0}: none.
 * @param[out] is_absorbed whether ftr_fold_absorb() was called for it; then {0} is returned */
ftr_tx ftr_fold_find(const ftr_id_file *ids, uint64_t id, bool *is_absorbed);

#endif
