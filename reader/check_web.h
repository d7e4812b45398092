/* Counts the parts of a file that Surfer's build for web browsers cannot read or shows twice. */
#ifndef FTR_CHECK_WEB_H
#define FTR_CHECK_WEB_H

#include <stddef.h>
#include <stdint.h>

typedef struct ftr_check ftr_check;

typedef struct ftr_check_web {
    uint8_t *used; /* by generator index: nonzero if it has a transaction; NULL: out of memory */
    size_t used_count;
    uint64_t compressed; /* number of compressed transaction chunks, and offset of the first */
    uint64_t first_compressed;
    uint64_t early;           /* relation ends that appear later in the file than the relation */
    uint64_t absent;          /* relation ends that are not in the file */
    uint64_t first_relations; /* offset of the first chunk with an early end */
} ftr_check_web;

void ftr_check_web_init(ftr_check *check);
void ftr_check_web_release(ftr_check *check);

/* Called for each chunk of transactions, and for each chunk of relations in file order. */
void ftr_check_web_transactions(ftr_check *check);
void ftr_check_web_relations(ftr_check *check);

/* Called if the generator with this index has a transaction. */
void ftr_check_web_use(ftr_check *check, uint32_t generator);

/* Reports the findings. */
void ftr_check_web_end(ftr_check *check);

#endif
