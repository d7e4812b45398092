/* Shortest round-trip decimals, from the correctly rounded decimals of the C library. The locale
 * does not matter: a printed decimal point is skipped, and numbers are read with an exponent and
 * without a decimal point. */
#include <ftr/detail/decimal.h>

#include "exact_fraction.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two different decimals of at most DOUBLE_SURE digits never denote the same normal double. If a
 * double has a decimal with fewer digits, this is therefore its decimal of DOUBLE_SURE digits
 * without the zeros at the end. DOUBLE_MAX digits are sufficient for every double. The same holds
 * for singles, with SINGLE_SURE and SINGLE_MAX. */
enum { DOUBLE_SURE = 15, DOUBLE_MAX = 17, SINGLE_SURE = 6, SINGLE_MAX = 9 };

/* Rounds to @p count digits. */
static ftr_decimal rounded(double value, int count)
{
    char text[FTR_DECIMAL_SIZE];
    ftr_decimal number = {.count = count};
    (void)snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *exponent = strchr(text, 'e');
    number.digits[0] = text[0];
    /* The decimal point, which depends on the locale, precedes the other digits. */
    memcpy(number.digits + 1, exponent - (count - 1), (size_t)(count - 1));
    number.point = (int)strtol(exponent + 1, NULL, 10) + 1;
    return number;
}

static double value_of(const ftr_decimal *number)
{
    static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int exponent = number->point - number->count;
    uint64_t integer = 0;
    for (int i = 0; i < number->count; i++)
        integer = integer * 10 + (uint64_t)(number->digits[i] - '0');
    /* One operation with two exact numbers is rounded correctly, and is much faster than strtod().
     */
    if (integer < UINT64_C(1) << DBL_MANT_DIG && abs(exponent) <= 22)
        return exponent < 0 ? (double)integer / POWERS[-exponent]
                            : (double)integer * POWERS[exponent];
    char text[FTR_DECIMAL_SIZE];
    (void)snprintf(text, sizeof text, "%" PRIu64 "e%d", integer, exponent);
    return strtod(text, NULL);
}

static void add_one(ftr_decimal *number)
{
    int at = number->count - 1;
    while (at >= 0 && number->digits[at] == '9')
        number->digits[at--] = '0';
    if (at >= 0) {
        number->digits[at]++;
        return;
    }
    number->digits[0] = '1'; /* the digits were rounded up from 999 to 1000 */
    number->point++;
}

static ftr_decimal without_zeros(ftr_decimal number)
{
    while (number.count > 1 && number.digits[number.count - 1] == '0')
        number.count--;
    return number;
}

static ftr_decimal shortest_double(double value)
{
    ftr_decimal number = {0};
    for (int count = value < DBL_MIN ? 1 : DOUBLE_SURE; count < DOUBLE_MAX; count++) {
        number = rounded(value, count);
        if (value_of(&number) == value)
            return number;
    }
    /* The two neighbours of a power of two have different distances from it. Its second nearest
     * decimal of 16 digits can therefore convert back although the nearest one does not. */
    add_one(&number);
    return value_of(&number) == value ? number : rounded(value, DOUBLE_MAX);
}

static ftr_decimal shortest_single(double value)
{
    ftr_decimal number = {0};
    for (int count = SINGLE_SURE; count <= SINGLE_MAX; count++) {
        number = rounded(value, count);
        if ((float)value_of(&number) == (float)value)
            break;
    }
    return number;
}

ftr_decimal ftr_decimal_shortest(double value, unsigned size)
{
    return without_zeros(size == sizeof(double) ? shortest_double(value) : shortest_single(value));
}

double ftr_decimal_as_double(double value, unsigned size)
{
    if (size == sizeof(double) || !isfinite(value))
        return value;
    /* A whole number needs no conversion. Every single from 2^24 on is a whole number. */
    if (fabs(value) >= 0x1p24 || value == (double)(int32_t)value)
        return value;
    const ftr_decimal number = ftr_decimal_shortest(fabs(value), size);
    return copysign(value_of(&number), value);
}

static char *put(char *to, const char *bytes, int count)
{
    memcpy(to, bytes, (size_t)count);
    return to + count;
}

/* Writes a decimal in the form of "%g". Returns the end of the text. */
static char *put_decimal(const ftr_decimal *number, int fixed, char *to)
{
    const int count = number->count, point = number->point;
    const bool has_exponent = point < -3 || point > (fixed > count ? fixed : count);
    const int whole = has_exponent ? 1 : point; /* digits before the decimal point */
    if (whole <= 0)
        to = put(put(to, "0.000", 2 - whole), number->digits, count);
    else if (whole >= count)
        to = put(put(to, number->digits, count), "00000000000000000000", whole - count);
    else
        to =
            put(put(put(to, number->digits, whole), ".", 1), number->digits + whole, count - whole);
    if (has_exponent)
        return to + sprintf(to, "e%+03d", point - 1);
    *to = '\0';
    return to;
}

size_t ftr_decimal_format(double value, unsigned size, int fixed, char text[FTR_DECIMAL_SIZE])
{
    char *to = text;
    if (signbit(value) && !isnan(value))
        *to++ = '-';
    if (value != 0 && isfinite(value)) {
        const ftr_decimal number = ftr_decimal_shortest(fabs(value), size);
        return (size_t)(put_decimal(&number, fixed, to) - text);
    }
    const char *word = value == 0 ? "0" : isnan(value) ? "nan" : "inf";
    memcpy(to, word, strlen(word) + 1);
    return strlen(text);
}

/* 10^38 is the greatest power of ten in a ftr_wide. */
enum { DIGITS_AFTER_POINT_MAX = 38 };

/* The text of a double has at most 17 digits, so the numerator fits. */
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
