/* Owns the forms of numbers and times in the page, which are those of JavaScript. Does not know
 * texts. */
#include "shown_value.h"

#include <ftr/detail/decimal.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reals ----------------------------------------------------------------------------------- */

/* Writes a decimal as String() does. */
static size_t put_decimal(ftr_decimal number, char *text)
{
    const int count = number.count, point = number.point;
    const char *digits = number.digits;
    if (count <= point && point <= 21)
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "%.*s%.*s", count, digits, point - count,
                                "000000000000000000000");
    if (point > 0 && point <= 21)
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "%.*s.%.*s", point, digits,
                                count - point, digits + point);
    if (point > -6 && point <= 0)
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "0.%.*s%.*s", -point, "00000", count,
                                digits);
    return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "%c%s%.*se%+d", digits[0],
                            count > 1 ? "." : "", count - 1, digits + 1, point - 1);
}

static size_t put_real(double value, unsigned size, char *text)
{
    if (isnan(value))
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "NaN");
    if (value == 0)
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "0");
    const size_t sign = value < 0;
    text[0] = '-';
    if (isinf(value))
        return sign + (size_t)snprintf(text + sign, FTR_SHOWN_VALUE_MAX - 1, "Infinity");
    return sign + put_decimal(ftr_decimal_shortest(fabs(value), size), text + sign);
}

/* ---- times ----------------------------------------------------------------------------------- */

static size_t put_zeros(char *text, int count)
{
    if (count <= 0)
        return 0;
    memset(text, '0', (size_t)count);
    return (size_t)count;
}

/* Writes digits * 10^exponent, without zeros at the end of a fraction. */
static size_t put_scaled(const char *digits, size_t count, int exponent, char *text)
{
    size_t size = 0;
    const int whole = (int)count + (exponent < 0 ? exponent : 0); /* digits before the point */
    if (exponent >= 0 || whole > 0) {
        memcpy(text, digits, (size_t)whole);
        size = (size_t)whole;
        size += put_zeros(text + size, exponent);
    } else {
        text[size++] = '0';
    }
    if (exponent >= 0)
        return size;
    const size_t point = size;
    text[size++] = '.';
    size += put_zeros(text + size, -whole);
    if (whole > 0) {
        digits += whole;
        count -= (size_t)whole;
    }
    memcpy(text + size, digits, count);
    size += count;
    while (size > point + 1 && text[size - 1] == '0')
        size--;
    return size == point + 1 ? point : size;
}

/* Writes a time in the largest unit of which it has at least one. */
static size_t put_time(uint64_t ticks, bool is_negative, int scale, char *text)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "ps", "fs", "as"};
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, ticks);
    const int top = count - 1 + scale;
    int unit = 0;
    if (ticks > 0 && top < 0)
        unit = top < -18 ? 6 : (2 - top) / 3;
    size_t size = 0;
    if (is_negative)
        text[size++] = '-';
    size += put_scaled(digits, (size_t)count, scale + 3 * unit, text + size);
    return size + (size_t)snprintf(text + size, FTR_SHOWN_VALUE_MAX - size, " %s", units[unit]);
}

/* ---- values ---------------------------------------------------------------------------------- */

static size_t put_integer(const ftr_attribute_value *attribute, uint64_t magnitude,
                          bool is_negative, int scale, char *text)
{
    const char *sign = is_negative ? "-" : "";
    if (attribute->type == FTR_TYPE_TIME)
        return put_time(magnitude, is_negative, scale, text);
    if (attribute->type == FTR_TYPE_POINTER && is_negative)
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "0x-%" PRIx64, magnitude);
    if (attribute->type == FTR_TYPE_POINTER)
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "0x%" PRIx64, magnitude);
    return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "%s%" PRIu64, sign, magnitude);
}

size_t ftr_shown_value(const ftr_attribute_value *attribute, int scale,
                       char text[FTR_SHOWN_VALUE_MAX])
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "%s",
                                attribute->as.boolean ? "true" : "false");
    case FTR_FORM_INTEGER: {
        const int64_t value = attribute->as.integer;
        const bool is_negative = value < 0;
        return put_integer(attribute, is_negative ? 0 - (uint64_t)value : (uint64_t)value,
                           is_negative, scale, text);
    }
    case FTR_FORM_NUMBER:
        return put_integer(attribute, attribute->as.number, false, scale, text);
    case FTR_FORM_REAL:
        return put_real(attribute->as.real, attribute->real_size, text);
    default:
        return (size_t)snprintf(text, FTR_SHOWN_VALUE_MAX, "(none)");
    }
}
