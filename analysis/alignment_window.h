/* A stretch of one stream in two traces: which transactions in it belong together. */
#ifndef FTR_ALIGNMENT_WINDOW_H
#define FTR_ALIGNMENT_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A transaction as far as aligning needs it. Times are ticks of the scale that both traces share.
 */
typedef struct ftr_aligned_tx {
    uint64_t identity, content; /* tx_digest.h */
    uint64_t begin, end;
    uint64_t id;
    uint64_t next;    /* number of the next one of its stream that is not aligned */
    uint64_t partner; /* number in the other trace, or one of the below */
    uint32_t stream, generator;
} ftr_aligned_tx;

#define FTR_TX_PENDING UINT64_MAX
#define FTR_TX_ALONE (UINT64_MAX - 1)
#define FTR_TX_TOLD (UINT64_MAX - 2)

typedef struct ftr_alignment_rules {
    bool ignore_times; /* they neither differ nor tell what belongs together */
    bool fixed_base;   /* both traces share one time axis */
    uint64_t tolerance;
} ftr_alignment_rules;

typedef struct ftr_window {
    const ftr_alignment_rules *rules;
    int64_t base;
    bool final; /* nothing comes behind it */
    const ftr_aligned_tx **tx[2];
    uint64_t *numbers[2];
    uint32_t count[2];
    uint32_t capacity;
    /* The alignment: by index the index of the partner on the other side, or FTR_NO_PARTNER. */
    uint32_t *partner[2];
    uint32_t settled[2]; /* how many are aligned for good; those behind may yet find partners */
    int64_t settled_base;
    /* scratch */
    uint32_t *candidate[2];
    uint64_t *keys[2];
} ftr_window;

/* Makes room for @p count transactions of a side. @return false without memory */
bool ftr_window_reserve(ftr_window *window, uint32_t count);
void ftr_window_release(ftr_window *window);

/* Aligns the window, and sets how much of it is settled: nothing if the sides do not come to agree
 * in it. @return false without memory */
bool ftr_window_align(ftr_window *window);

/* Settles everything, as it is. */
void ftr_window_settle_all(ftr_window *window);

#endif
