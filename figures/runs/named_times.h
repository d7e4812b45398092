/* Attributes of type TIME, for example `request_time`: a generator has the distributions of at most
 * two of them. Of several names, `request_time` comes first, then `response_time`, then the other
 * names in order of their bytes; `delay` and `lowered_by` come last. A name that comes earlier
 * replaces a name that comes later, so the two names do not depend on the order of the
 * transactions. A replaced name never returns, so each distribution has all values of its name. */
#ifndef FTR_NAMED_TIMES_H
#define FTR_NAMED_TIMES_H

#include "figure_text.h"
#include "latency_bins.h"

/* Maximum number of named times of a generator. */
#define FTR_TIMES_MAX 2u

/* ---- one transaction ------------------------------------------------------------------------- */

typedef struct ftr_tx_time {
    const char *name; /* borrowed */
    size_t name_size;
    uint64_t ticks;
} ftr_tx_time;

/* Adds a time to the times of a transaction. Only the first two are kept, in the order above. They
 * suffice for the generator, because its two names come first in each of its transactions that has
 * them. If the transaction has the name already, the first value counts.
 * @param times room for FTR_TIMES_MAX times, @p count of them used
 * @param name borrowed as long as @p times is used */
void ftr_tx_times_add(ftr_tx_time *times, uint8_t *count, const char *name, size_t name_size,
                      uint64_t ticks);

/* ---- generators ------------------------------------------------------------------------------ */

/* Decides which attributes of a generator have distributions; depends on the kind of its stream. */
typedef enum ftr_times_rule {
    FTR_TIMES_ALL,
    FTR_TIMES_NO_DELAYS, /* accesses: all except `delay` and `lowered_by` */
    FTR_TIMES_NONE       /* TLM calls: none, because all their attributes of type TIME are delays */
} ftr_times_rule;

ftr_times_rule ftr_times_rule_of(const char *kind, size_t kind_size);

/* The distribution of an attribute, in ticks. */
typedef struct ftr_named_times {
    ftr_figure_text name;
    ftr_latency_bins bins;
} ftr_named_times;

/* Adds the times of a transaction.
 * @param of address of the distributions, in the order above; allocated when they are needed
 * @return false if out of memory */
bool ftr_named_times_add(ftr_named_times **of, unsigned *count, ftr_times_rule rule,
                         const ftr_tx_time *times, unsigned time_count);

/* Sorts distributions by name, and their bins by value. Nothing may be added after this call. */
void ftr_named_times_sort(ftr_named_times *of, unsigned count);

/* Frees distributions; @p of may be NULL. */
void ftr_named_times_release(ftr_named_times *of, unsigned count);

#endif
