/* The condition of --where, evaluated for transactions (docs/conditions.md). */
#ifndef FTR_FILTER_EXPRESSION_H
#define FTR_FILTER_EXPRESSION_H

#include <ftr/reader.h>

typedef struct ftr_filter ftr_filter;

/* Creates the filter of `--where TEXT` for a file with ticks of 10^@p time_scale seconds.
 * @return a filter to be released with ftr_filter_destroy(); NULL after an error message */
ftr_filter *ftr_filter_create(const char *text, int time_scale);
void ftr_filter_destroy(ftr_filter *filter);

/* Returns true if the transaction fulfils the condition. Rewinds the transaction, and remembers
 * which attributes were found. */
bool ftr_filter_accepts(ftr_filter *filter, ftr_reader *reader, ftr_transaction *tx);

/* Returns true if begin, end or duration is compared with a number without a unit, and sets
 * @p ticks to this number. */
bool ftr_filter_bare_time(const ftr_filter *filter, uint64_t *ticks);

/* Adds the attributes that @p from has found to those that @p to has found. Both filters must have
 * been created from the same text. */
void ftr_filter_gather(ftr_filter *to, const ftr_filter *from);

/* Gets the next attribute of the condition that was not found in any transaction. @p at must be 0
 * before the first call.
 * @return false at the end */
bool ftr_filter_next_unmatched(const ftr_filter *filter, size_t *at, ftr_view *name);

#endif
