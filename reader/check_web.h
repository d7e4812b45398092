/* Counts the parts of a file that Surfer's build for web browsers cannot read or shows twice. */
#ifndef FTR_CHECK_WEB_H
#define FTR_CHECK_WEB_H

#include "check_state.h"

void ftr_check_web_init(ftr_check *check);
void ftr_check_web_release(ftr_check *check);

/* Call these functions in file order: for each chunk of transactions, and for each of relations. */
void ftr_check_web_transactions(ftr_check *check);
void ftr_check_web_relations(ftr_check *check);

/* Call this function if the generator with index @p generator has a transaction. */
void ftr_check_web_use(ftr_check *check, uint32_t generator);

/* Reports the findings. */
void ftr_check_web_end(ftr_check *check);

#endif
