/* Numbers of 64 bits in groups of 32, for values that are similar to each other
 * (docs/summary-format.md, "Numbers"): a group stores the differences of its numbers from a base,
 * with a fixed number of bits for each difference. The rest of a difference that does not fit is
 * stored as bytes behind these bits. */
#ifndef FTR_NUMBER_GROUPS_H
#define FTR_NUMBER_GROUPS_H

#include "cbor_writer.h"

#define FTR_NUMBER_GROUP 32u

typedef struct ftr_number_writer {
    ftr_cbor_writer *to; /* errors latch here */
    uint64_t group[FTR_NUMBER_GROUP];
    unsigned count; /* numbers in `group` that are not written yet */
} ftr_number_writer;

void ftr_number_put(ftr_number_writer *w, uint64_t number);

/* Writes the last group of a column. The next number begins a new group. */
void ftr_numbers_end(ftr_number_writer *w);

typedef struct ftr_number_reader {
    const uint8_t *next, *end;
    ftr_status status; /* the first error; later numbers are 0 */
    uint64_t group[FTR_NUMBER_GROUP];
    /* `count`: size of the present group; `at`: how many of its numbers were returned */
    unsigned count, at;
    uint64_t left; /* numbers of the column in later groups */
} ftr_number_reader;

/* Begins a column of @p count numbers. Unread numbers of the previous column are skipped if they
 * are in the present group, but not if they are in later groups. */
void ftr_numbers_begin(ftr_number_reader *r, uint64_t count);

/* Returns the next number of the column; 0 after an error or after the end of the column. */
uint64_t ftr_number_get(ftr_number_reader *r);

/* Latches @p status, unless an error is already latched. */
void ftr_number_reader_fail(ftr_number_reader *r, ftr_status status);

#endif
