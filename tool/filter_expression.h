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

/* Rewinds the transaction. */
bool ftr_filter_accepts(const ftr_filter *filter, ftr_reader *reader, ftr_transaction *tx);

#endif
