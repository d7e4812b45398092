/* The values that a condition compares (condition.h), taken from a transaction. */
#ifndef FTR_TX_VALUE_H
#define FTR_TX_VALUE_H

#include "condition.h"

/* Returns the value of a field other than FTR_FIELD_ATTRIBUTE. If a transaction ends before it
 * begins, its duration is 0. */
ftr_compared ftr_tx_value(const ftr_transaction *tx, ftr_tx_field field);

/* Returns the value of an attribute; absent if the file does not define it. */
ftr_compared ftr_attribute_compared(const ftr_attribute_value *attribute);

#endif
