/* Pairs the transactions of one section of a stream in two traces. */
#ifndef FTR_ALIGNMENT_WINDOW_H
#define FTR_ALIGNMENT_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of a transaction that alignment needs. Times are common ticks: ticks of a time scale
 * that is fine enough for both traces. */
typedef struct ftr_aligned_tx {
    uint64_t identity, content; /* see tx_digest.h */
    uint64_t begin, end;
    uint64_t id;
    uint64_t next; /* number of the next transaction of the stream that is not aligned */
    /* number of the partner in the other trace, or FTR_TX_PENDING, _ALONE or _REPORTED */
    uint64_t partner;
    uint32_t stream, generator;
} ftr_aligned_tx;

#define FTR_TX_PENDING UINT64_MAX
#define FTR_TX_ALONE (UINT64_MAX - 1)
#define FTR_TX_REPORTED (UINT64_MAX - 2)

typedef struct ftr_alignment_rules {
    bool ignore_times;  /* times are neither compared nor used to find partners */
    bool fixed_base;    /* both traces have one time axis: a displaced transaction differs */
    uint64_t tolerance; /* times that differ by this number of common ticks count as equal */
} ftr_alignment_rules;

typedef struct ftr_window {
    const ftr_alignment_rules *rules;
    int64_t base;
    /* for the last pair before the window: id in the second trace - id in the first trace, modulo
     * 2^64 */
    uint64_t id_base;
    bool final; /* no transactions follow */
    const ftr_aligned_tx **tx[2];
    uint64_t *numbers[2];
    uint32_t count[2];
    uint32_t capacity;
    /* The alignment: index of the partner on the other side, or FTR_NO_PARTNER. */
    uint32_t *partner[2];
    /* for each side: the first `settled` transactions keep their partners; the transactions behind
     * them may still get other partners */
    uint32_t settled[2];
    int64_t settled_base;
    /* scratch */
    uint32_t *candidate[2];
    uint64_t *keys[2];
} ftr_window;

/* Makes room for @p count transactions on each side. @return false if out of memory */
bool ftr_window_reserve(ftr_window *window, uint32_t count);
void ftr_window_release(ftr_window *window);

/* Aligns the window and sets `settled`: to all transactions if `final` is set, and to 0 if the
 * sides do not agree again within the window. @return false if out of memory */
bool ftr_window_align(ftr_window *window);

/* Settles the whole window with its current alignment. */
void ftr_window_settle_all(ftr_window *window);

#endif
