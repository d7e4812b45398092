/* Which of the two numberings the attribute types of a file follow. */
#ifndef FTR_NUMBERING_H
#define FTR_NUMBERING_H

#include "cbor_reader.h"

#include <ftr/reader.h>

/* What a value has to be. */
typedef enum ftr_expected {
    FTR_EXPECT_NOTHING, /* the type does not exist */
    FTR_EXPECT_NONE,    /* any value, not looked at */
    FTR_EXPECT_BOOLEAN,
    FTR_EXPECT_INTEGER,
    FTR_EXPECT_NUMBER,
    FTR_EXPECT_REAL,
    FTR_EXPECT_TEXT /* by its dictionary id */
} ftr_expected;

typedef struct ftr_type_row {
    ftr_type type;
    ftr_expected expected;
} ftr_type_row;

#define FTR_STORED_TYPES 13
extern const ftr_type_row ftr_type_rows[2][FTR_STORED_TYPES];

/* By ftr_expected: a bit for each ftr_cbor_type that fits. */
extern const uint32_t ftr_expected_values[FTR_EXPECT_TEXT + 1];

static inline bool ftr_expected_fits(ftr_expected expected, ftr_cbor_type value)
{
    return (ftr_expected_values[expected] >> value & 1) != 0;
}

/* What a value of type number @p stored tells: 1 + the numbering, or 0 when both have it. */
unsigned ftr_numbering_told(uint64_t stored, ftr_cbor_type value);

/* Looks at a sample of the chunks, once, if nothing has told yet. */
void ftr_numbering_look(ftr_reader *reader);

#endif
