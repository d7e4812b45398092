/* Numbers with units: "42", "-7", "0x1000", "1e6", "1.5 us", "64 KiB", "3 GB/s", "5 %". Conditions
 * and rules use the same numbers (docs/conditions.md). */
#ifndef FTR_NUMBER_TEXT_H
#define FTR_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ftr_unit_kind {
    FTR_UNIT_NONE,
    FTR_UNIT_TIME,      /* seconds */
    FTR_UNIT_BYTES,     /* bytes */
    FTR_UNIT_BANDWIDTH, /* bytes per second */
    FTR_UNIT_RATE,      /* transactions per second */
    FTR_UNIT_PERCENT
} ftr_unit_kind;

/* The number mantissa * 10^exponent, with the sign `negative`, in the unit without a prefix, for
 * example in seconds. */
typedef struct ftr_number {
    bool negative;
    bool exceeds; /* the mantissa exceeds 64 bits: only `rounded` is valid */
    uint64_t mantissa;
    long double rounded; /* the mantissa, also if it exceeds 64 bits */
    int exponent;
    ftr_unit_kind unit;
} ftr_number;

/* Returns true if a number begins at @p text: a digit, before which there may be a `-` and then a
 * `.`. */
bool ftr_number_begins(const char *text);

/* Parses the number at *text and its unit, and moves *text past both. Blanks may precede the unit.
 * A word that is not a unit is not part of the number. The locale has no effect. @return false if
 * ftr_number_begins() is false, or if the number has more than 1000 digits */
bool ftr_number_parse(const char **text, ftr_number *number);

/* Returns the number, with its sign, in multiples of 10^@p scale of its unit. */
long double ftr_number_real(const ftr_number *number, int scale);

/* Returns the names of the units, separated by commas: "s, ms, us, ns, ps, fs". */
const char *ftr_unit_names(ftr_unit_kind kind);

#endif
