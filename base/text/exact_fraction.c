/* Owns the conversion of a floating-point number to the fraction that its shortest decimal text
 * states. The text of a double has at most 17 digits, so the numerator fits. */
#include "exact_fraction.h"

#include <ftr/detail/decimal.h>

/* 10^38 is the greatest power of ten in a ftr_wide. */
enum { DIGITS_AFTER_POINT_MAX = 38 };

bool ftr_fraction_of_double(double value, ftr_fraction *fraction)
{
    if (!(value >= 0 && value <= 1))
        return false;
    *fraction = (ftr_fraction){0, 1};
    if (value == 0)
        return true;
    const ftr_decimal number = ftr_decimal_shortest(value, sizeof value);
    const int after_point = number.count - number.point;
    if (after_point > DIGITS_AFTER_POINT_MAX)
        return true;
    for (int i = 0; i < number.count; i++)
        fraction->numerator = fraction->numerator * 10 + (uint64_t)(number.digits[i] - '0');
    for (int i = 0; i < after_point; i++)
        fraction->denominator *= 10;
    return true;
}
