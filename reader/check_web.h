/* What Surfer's build for web browsers cannot read or shows twice, counted over a file. */
#ifndef FTR_CHECK_WEB_H
#define FTR_CHECK_WEB_H

#include <stddef.h>
#include <stdint.h>

typedef struct ftr_check ftr_check;

typedef struct ftr_check_web {
    uint8_t *used; /* by index of the generator: it has a transaction; NULL: no memory */
    size_t used_count;
    uint64_t compressed; /* transaction chunks, and where the first one is */
    uint64_t first_compressed;
    uint64_t early;           /* ends of relations that were not in the file yet */
    uint64_t absent;          /* ends of relations that never are */
    uint64_t first_relations; /* where the first chunk with an early end is */
} ftr_check_web;

void ftr_check_web_init(ftr_check *check);
void ftr_check_web_release(ftr_check *check);

/* The chunk being checked is one of transactions, or one of relations at its place in the file. */
void ftr_check_web_transactions(ftr_check *check);
void ftr_check_web_relations(ftr_check *check);

/* The generator of this index has a transaction. */
void ftr_check_web_use(ftr_check *check, uint32_t generator);

/* Reports what was counted. */
void ftr_check_web_end(ftr_check *check);

#endif
