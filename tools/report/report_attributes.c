/* Copies of attributes, and the texts of their values. Numbers and times have the same text as in
 * the JavaScript of the page. */
#include "report_attributes.h"

#include <ftr/detail/decimal.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- copies: the attribute, its name, its text, and padding ---------------------------------- */

/* The character that marks a shortened text: an ellipsis. */
#define CUT_MARK "\xe2\x80\xa6"

ftr_view ftr_kept_text(ftr_view text, char cut[FTR_KEPT_TEXT_ROOM])
{
    size_t length = FTR_KEPT_TEXT_MAX;
    if (text.size <= FTR_KEPT_TEXT_MAX)
        return text;
    while (length > 0 && ((unsigned char)text.data[length] & 0xc0u) == 0x80)
        length--; /* do not divide a character */
    memcpy(cut, text.data, length);
    memcpy(cut + length, CUT_MARK, sizeof CUT_MARK - 1);
    return (ftr_view){cut, length + sizeof CUT_MARK - 1};
}

/* Returns the number of bytes of a text that the selection can use. */
static size_t used_size(ftr_view text)
{
    /* One byte more than is kept. This byte shows that the text is shortened, and whether a
     * character ends before this byte. */
    return text.data == NULL               ? 0
           : text.size > FTR_KEPT_TEXT_MAX ? FTR_KEPT_TEXT_MAX + 1
                                           : text.size;
}

static ftr_view text_of(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_TEXT ? attribute->as.text : (ftr_view){0};
}

static size_t size_of(const ftr_attribute_value *attribute)
{
    const size_t size =
        sizeof *attribute + used_size(attribute->name) + used_size(text_of(attribute));
    return (size + 7) & ~(size_t)7;
}

static void put_text(char **to, ftr_view text)
{
    if (used_size(text) > 0)
        memcpy(*to, text.data, used_size(text));
    *to += used_size(text);
}

void ftr_copied_attributes_append(ftr_reader *reader, ftr_transaction *tx, ftr_prepared *prepared)
{
    ftr_attribute_value attribute;
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        char *to = ftr_prepared_append(prepared, size_of(&attribute));
        if (to == NULL)
            return; /* out of memory: this error ends the reading */
        ftr_attribute_value copy = attribute;
        copy.name.size = used_size(attribute.name);
        if (copy.form == FTR_FORM_TEXT)
            copy.as.text.size = used_size(attribute.as.text);
        memcpy(to, &copy, sizeof copy);
        to += sizeof copy;
        put_text(&to, attribute.name);
        put_text(&to, text_of(&attribute));
    }
}

const void *ftr_copied_attributes_next(const void *bytes, ftr_attribute_value *attribute)
{
    const char *texts = (const char *)bytes + sizeof *attribute;
    memcpy(attribute, bytes, sizeof *attribute);
    if (attribute->name.data != NULL)
        attribute->name.data = texts;
    if (attribute->form == FTR_FORM_TEXT && attribute->as.text.data != NULL)
        attribute->as.text.data = texts + attribute->name.size;
    return (const char *)bytes + size_of(attribute);
}

/* ---- reals ----------------------------------------------------------------------------------- */

/* Writes a decimal like String() of JavaScript. */
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

/* Writes a time in the largest unit that is not longer than the time. */
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

/* ---- searched texts -------------------------------------------------------------------------- */

/* Unicode guarantees that the pairs of letters never change, so every browser has the same pairs.
 */

/* Upper-case letters from `first` to `last` in steps of `step`. */
typedef struct letter_range {
    uint16_t first, last;
    uint8_t step;
    int16_t distance; /* code of the lower-case letter minus code of the upper-case letter */
} letter_range;

/* In ascending order; without U+0130, which has no single lower-case letter. */
static const letter_range RANGES[] = {
    {0xc0, 0xd6, 1, 32},   {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},    {0x132, 0x136, 2, 1},
    {0x139, 0x147, 2, 1},  {0x14a, 0x176, 2, 1},  {0x178, 0x178, 1, -121}, {0x179, 0x17d, 2, 1},
    {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64},   {0x38e, 0x38f, 1, 63},
    {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x400, 0x40f, 1, 80},   {0x410, 0x42f, 1, 32},
    {0x460, 0x480, 2, 1},  {0x48a, 0x4be, 2, 1},  {0x4c0, 0x4c0, 1, 15},   {0x4c1, 0x4cd, 2, 1},
    {0x4d0, 0x52e, 2, 1},
};

static unsigned fold_letter(unsigned letter)
{
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0] && letter >= RANGES[i].first; i++)
        if (letter <= RANGES[i].last && (letter - RANGES[i].first) % RANGES[i].step == 0)
            return (unsigned)((int)letter + RANGES[i].distance);
    return letter;
}

void ftr_fold_text(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= 'A' && byte <= 'Z') {
            text[i] = (char)(byte + ('a' - 'A'));
        } else if (byte >= 0xc3 && byte <= 0xd4 && i + 1 < size) { /* U+00C0 to U+053F */
            const unsigned letter =
                fold_letter((byte & 0x1fu) << 6 | ((unsigned char)text[i + 1] & 0x3fu));
            text[i] = (char)(0xc0 | letter >> 6);
            text[++i] = (char)(0x80 | (letter & 0x3f));
        }
    }
}
