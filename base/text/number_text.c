/* Parses numbers with units. The mantissa and the exponent are exact, so that a time can be
 * compared with a tick without rounding. */
#include "number_text.h"

#include "time_text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define DIGITS_MAX 1000
#define EXPONENT_MAX 9999

/* The units other than those of time. The factor of a unit is a power of 10 or of 2: a factor of
 * 1024 is a shift of 10. */
static const struct {
    const char *name;
    ftr_unit_kind kind;
    int exponent;
    unsigned shift;
} UNITS[] = {
    {"%", FTR_UNIT_PERCENT, 0, 0},        {"B", FTR_UNIT_BYTES, 0, 0},
    {"kB", FTR_UNIT_BYTES, 3, 0},         {"MB", FTR_UNIT_BYTES, 6, 0},
    {"GB", FTR_UNIT_BYTES, 9, 0},         {"TB", FTR_UNIT_BYTES, 12, 0},
    {"KiB", FTR_UNIT_BYTES, 0, 10},       {"MiB", FTR_UNIT_BYTES, 0, 20},
    {"GiB", FTR_UNIT_BYTES, 0, 30},       {"TiB", FTR_UNIT_BYTES, 0, 40},
    {"B/s", FTR_UNIT_BANDWIDTH, 0, 0},    {"kB/s", FTR_UNIT_BANDWIDTH, 3, 0},
    {"MB/s", FTR_UNIT_BANDWIDTH, 6, 0},   {"GB/s", FTR_UNIT_BANDWIDTH, 9, 0},
    {"TB/s", FTR_UNIT_BANDWIDTH, 12, 0},  {"KiB/s", FTR_UNIT_BANDWIDTH, 0, 10},
    {"MiB/s", FTR_UNIT_BANDWIDTH, 0, 20}, {"GiB/s", FTR_UNIT_BANDWIDTH, 0, 30},
    {"TiB/s", FTR_UNIT_BANDWIDTH, 0, 40}, {"tx/s", FTR_UNIT_RATE, 0, 0},
    {"ktx/s", FTR_UNIT_RATE, 3, 0},       {"Mtx/s", FTR_UNIT_RATE, 6, 0},
    {"Gtx/s", FTR_UNIT_RATE, 9, 0},
};

const char *ftr_unit_names(ftr_unit_kind kind)
{
    static const char *const NAMES[] = {
        [FTR_UNIT_NONE] = "",
        [FTR_UNIT_TIME] = "s, ms, us, ns, ps, fs",
        [FTR_UNIT_BYTES] = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB",
        [FTR_UNIT_BANDWIDTH] = "B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s",
        [FTR_UNIT_RATE] = "tx/s, ktx/s, Mtx/s, Gtx/s",
        [FTR_UNIT_PERCENT] = "%",
    };
    return NAMES[kind];
}

bool ftr_number_begins(const char *text)
{
    text += *text == '-';
    return isdigit((unsigned char)text[*text == '.']);
}

static unsigned digit_of(char byte)
{
    const char lower = (char)(byte | 0x20);
    if (isdigit((unsigned char)byte))
        return (unsigned)(byte - '0');
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10 : 16;
}

/* Parses an exponent such as `e-3`. A letter e without digits is not part of the number. */
static const char *parse_exponent(const char *text, ftr_number *number)
{
    int exponent = 0;
    if ((*text | 0x20) != 'e')
        return text;
    const char *at = text + 1;
    const bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    if (!isdigit((unsigned char)*at))
        return text;
    for (; isdigit((unsigned char)*at); at++)
        exponent = exponent < EXPONENT_MAX ? exponent * 10 + (*at - '0') : EXPONENT_MAX;
    exponent = exponent < EXPONENT_MAX ? exponent : EXPONENT_MAX;
    number->exponent += negative ? -exponent : exponent;
    return at;
}

/* Parses the digits and the exponent of a number. @return the end of the number; NULL if it has
 * more than DIGITS_MAX bytes */
static const char *parse_digits(const char *text, ftr_number *number)
{
    const bool is_hexadecimal =
        text[0] == '0' && (text[1] | 0x20) == 'x' && isxdigit((unsigned char)text[2]);
    const unsigned base = is_hexadecimal ? 16 : 10;
    bool fraction = false;
    const char *at = text + (is_hexadecimal ? 2 : 0);
    for (; digit_of(*at) < base || (*at == '.' && !fraction && !is_hexadecimal); at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        const unsigned digit = digit_of(*at);
        number->exceeds |= number->mantissa > (UINT64_MAX - digit) / base;
        number->mantissa = number->mantissa * base + digit;
        number->rounded = number->rounded * base + digit;
        number->exponent -= fraction;
    }
    if (at - text > DIGITS_MAX)
        return NULL;
    return is_hexadecimal ? at : parse_exponent(at, number);
}

/* Parses the unit of a number. @return the position after the unit; @p text if there is none */
static const char *parse_unit(const char *text, ftr_number *number)
{
    const char *name = text;
    size_t size = 0;
    int exponent;
    while (isspace((unsigned char)*name))
        name++;
    while (isalnum((unsigned char)name[size]) || name[size] == '/' || name[size] == '%' ||
           (unsigned char)name[size] >= 0x80)
        size++;
    if (ftr_time_unit(name, size, &exponent)) {
        number->unit = FTR_UNIT_TIME;
        number->exponent += exponent;
        return name + size;
    }
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (strlen(UNITS[i].name) != size || memcmp(UNITS[i].name, name, size) != 0)
            continue;
        number->unit = UNITS[i].kind;
        number->exponent += UNITS[i].exponent;
        number->exceeds |= number->mantissa > UINT64_MAX >> UNITS[i].shift;
        number->mantissa <<= UNITS[i].shift;
        number->rounded = ldexpl(number->rounded, (int)UNITS[i].shift);
        return name + size;
    }
    return text;
}

bool ftr_number_parse(const char **text, ftr_number *number)
{
    ftr_number parsed = {.negative = **text == '-'};
    if (!ftr_number_begins(*text))
        return false;
    const char *at = parse_digits(*text + parsed.negative, &parsed);
    if (at == NULL)
        return false;
    *text = parse_unit(at, &parsed);
    *number = parsed;
    return true;
}

long double ftr_number_real(const ftr_number *number, int scale)
{
    const int exponent = number->exponent - scale;
    /* Powers of ten up to 10^27 are exact, so the result of a division is rounded only once. */
    const long double value =
        exponent < 0 ? number->rounded / powl(10, -exponent) : number->rounded * powl(10, exponent);
    return number->negative ? -value : value;
}
