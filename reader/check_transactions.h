/* Checks transactions and relations. */
#ifndef FTR_CHECK_TRANSACTIONS_H
#define FTR_CHECK_TRANSACTIONS_H

#include "check_state.h"

/* Sets the parts of a check that do not change. */
void ftr_check_transactions_init(ftr_check *check);
ftr_status ftr_check_transactions(ftr_check *check);
/* Reports, at @p at, that the ids exceed the budget. No later id is checked. */
void ftr_check_stop_ids(ftr_check *check, const uint8_t *at);
void ftr_check_relations(ftr_check *check);

#endif
