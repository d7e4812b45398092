/* Finds the attributes in which two transactions differ. */
#ifndef FTR_ATTRIBUTE_DIFF_H
#define FTR_ATTRIBUTE_DIFF_H

#include "tx_digest.h"

typedef struct ftr_attribute_sides {
    ftr_reader *reader[2];
    uint64_t factor[2]; /* common ticks per tick of each file */
    ftr_digest_rules rules;
    uint64_t tolerance; /* for times, in common ticks */
} ftr_attribute_sides;

/* Compares two transactions. Attributes with the same name and class are paired in their order
 * within each transaction.
 * @param differs called for each difference; an attribute that a transaction does not have is NULL.
 * May be NULL.
 * @return number of differences */
size_t ftr_attributes_compare(const ftr_attribute_sides *sides, ftr_transaction tx[2],
                              void (*differs)(void *user, const ftr_attribute_value *first,
                                              const ftr_attribute_value *second),
                              void *user);

#endif
