/* Which attributes of two transactions differ. */
#ifndef FTR_ATTRIBUTE_DIFF_H
#define FTR_ATTRIBUTE_DIFF_H

#include "tx_digest.h"

typedef struct ftr_attribute_sides {
    ftr_reader *reader[2];
    uint64_t factor[2]; /* common ticks in a tick of each file */
    ftr_digest_rules rules;
    uint64_t tolerance; /* of times, common ticks */
} ftr_attribute_sides;

/* Compares attributes of one name and class in the order in which each transaction has them.
 * @param differs told of each difference; NULL for what only one transaction has. May be NULL.
 * @return how many differences there are */
size_t ftr_attributes_compare(const ftr_attribute_sides *sides, ftr_transaction tx[2],
                              void (*differs)(void *user, const ftr_attribute_value *first,
                                              const ftr_attribute_value *second),
                              void *user);

#endif
