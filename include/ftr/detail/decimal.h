/** @file The shortest decimal of a floating-point number. ftr writes floating-point numbers in this
 * form in all files, outputs and pages. Any thread; the locale has no influence. */
#ifndef FTR_DECIMAL_H
#define FTR_DECIMAL_H

#include <stddef.h>

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Size of a buffer for the text of any number, in bytes. */
#define FTR_DECIMAL_SIZE 40

/** A positive number: 0.DIGITS * 10^point. The last digit is not 0. */
typedef struct ftr_decimal {
    char digits[20]; /**< not terminated by NUL */
    int count, point;
} ftr_decimal;

/** Returns the decimal of a positive, finite float of @p size bytes that converts back to the same
 *  number. A double (8 bytes) gets the least possible number of digits, as in ECMAScript; a smaller
 *  float gets 6 to 9 digits, without zeros at the end. Among the decimals with this number of
 *  digits, the result is the nearest one; a tie is rounded to the even digit. */
ftr_decimal ftr_decimal_shortest(double value, unsigned size);

/** Returns the double with the same shortest decimal as @p value, a float of @p size bytes. For a
 *  single-precision 0.1, which is 0.100000001490116, it returns 0.1. */
double ftr_decimal_as_double(double value, unsigned size);

/** Writes the shortest decimal of a float of @p size bytes as text, or "inf", "-inf" or "nan".
 *  @param fixed numbers from 0.0001 on have no exponent if they have at most @p fixed digits before
 *               the decimal point, or if all digits before the point are digits of the shortest
 *               decimal
 *  @return the length of the text, which is terminated by NUL */
FTR_API size_t ftr_decimal_format(double value, unsigned size, int fixed,
                                  char text[FTR_DECIMAL_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
