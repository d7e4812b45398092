/* Finds out which of the two numberings of attribute types a file uses. */
#ifndef FTR_NUMBERING_H
#define FTR_NUMBERING_H

#include "cbor_reader.h"

#include <ftr/reader.h>

/* The kind of value that a type requires. */
typedef enum ftr_expected {
    FTR_EXPECT_NOTHING, /* the type does not exist */
    FTR_EXPECT_NONE,    /* null or undefined */
    FTR_EXPECT_BOOLEAN,
    FTR_EXPECT_INTEGER, /* an integer of either sign */
    FTR_EXPECT_NUMBER,  /* an unsigned integer */
    FTR_EXPECT_REAL,    /* a float of any precision */
    FTR_EXPECT_TEXT     /* a dictionary id */
} ftr_expected;

typedef struct ftr_type_row {
    ftr_type type;
    ftr_expected expected;
} ftr_type_row;

#define FTR_STORED_TYPES 13
/* First index: the numbering; second index: number of a type in this numbering. */
extern const ftr_type_row ftr_type_rows[2][FTR_STORED_TYPES];

/* Indexed by ftr_expected: a bit for each ftr_cbor_type that matches. */
extern const uint32_t ftr_expected_values[FTR_EXPECT_TEXT + 1];

static inline bool ftr_expected_fits(ftr_expected expected, ftr_cbor_type value)
{
    return (ftr_expected_values[expected] >> value & 1) != 0;
}

/* Returns 1 + the numbering that a value of type number @p stored proves. Returns 0 if the value
 * proves nothing: it fits both numberings or neither, or is negative where the deployed numbering
 * requires an unsigned number. */
unsigned ftr_numbering_of_value(uint64_t stored, ftr_cbor_type value);

/* Determines the numbering from a sample of the chunks. Does nothing if the numbering is known, if
 * a sample was taken before, or for a pipe. */
void ftr_numbering_sample(ftr_reader *reader);

#endif
