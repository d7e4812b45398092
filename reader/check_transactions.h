/* Checks transactions and relations. */
#ifndef FTR_CHECK_TRANSACTIONS_H
#define FTR_CHECK_TRANSACTIONS_H

#include "check_state.h"

ftr_status ftr_check_transactions(ftr_check *check);
void ftr_check_relations(ftr_check *check);

#endif
