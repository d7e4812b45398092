/* Conditions on transactions, as --where takes them:
 *     trans.address >= 0x1000 && trans.command == "tlm::TLM_WRITE_COMMAND" || duration > 10us
 * Names are attributes, or id, begin, end, duration, stream, generator. A name with other
 * characters than letters, digits and _.[]:/ stands in backquotes. Operators: || && ! == != < <= >
 * >= =~ (glob). A comparison with an attribute that a transaction does not have is false. */
#ifndef FTR_FILTER_EXPRESSION_H
#define FTR_FILTER_EXPRESSION_H

#include <ftr/reader.h>

typedef struct ftr_filter ftr_filter;

/* @param[out] filter the caller's until ftr_filter_destroy()
 * @param[out] message what is wrong with it, and @param[out] at where
 * @return false when @p text is no condition */
bool ftr_filter_create(const char *text, int time_scale, ftr_filter **filter, const char **message,
                       size_t *at);
void ftr_filter_destroy(ftr_filter *filter);

/* Rewinds the transaction, and notes which attributes it has. */
bool ftr_filter_accepts(ftr_filter *filter, ftr_reader *reader, ftr_transaction *tx);

/* Whether begin, end or duration is compared with a number without a unit, and which. */
bool ftr_filter_bare_time(const ftr_filter *filter, uint64_t *ticks);

/* The next attribute that no transaction had that was asked for it. @p at is 0 for the first.
 * @return false when there is no further one */
bool ftr_filter_next_unmatched(const ftr_filter *filter, size_t *at, ftr_view *name);

#endif
