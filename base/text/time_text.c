/* Parses times and converts them to ticks. Uses no floating point, so that no digit is lost. */
#include "time_text.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool parse_number(const char **at, ftr_time_value *time)
{
    const char *p = *at;
    bool fraction = false;
    bool any = false;
    time->mantissa = 0;
    time->exponent = 0;
    for (; isdigit((unsigned char)*p) || (*p == '.' && !fraction); p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        const unsigned digit = (unsigned)(*p - '0');
        if (time->mantissa > (UINT64_MAX - digit) / 10)
            return false;
        time->mantissa = time->mantissa * 10 + digit;
        time->exponent -= fraction;
        any = true;
    }
    *at = p;
    return any;
}

const char *const ftr_time_units[FTR_TIME_UNITS] = {"s", "ms", "us", "ns", "ps", "fs"};

bool ftr_time_unit(const char *name, size_t size, int *exponent)
{
    for (int i = 0; i < FTR_TIME_UNITS; i++)
        if (strlen(ftr_time_units[i]) == size && memcmp(ftr_time_units[i], name, size) == 0) {
            *exponent = -3 * i;
            return true;
        }
    *exponent = size == 2 && memcmp(name, "as", 2) == 0 ? -18 : -6;
    return *exponent == -18 || (size == 3 && memcmp(name, "\u00b5s", 3) == 0);
}

bool ftr_time_parse(const char *text, ftr_time_value *time, const char **rest)
{
    while (isspace((unsigned char)*text))
        text++;
    if (!parse_number(&text, time))
        return false;
    const char *unit = text;
    while (isspace((unsigned char)*unit))
        unit++;
    size_t length = 0;
    while (isalnum((unsigned char)unit[length]) || (unsigned char)unit[length] >= 0x80)
        length++;
    int exponent = 0;
    time->in_ticks = !ftr_time_unit(unit, length, &exponent);
    if (!time->in_ticks) {
        time->exponent += exponent;
        text = unit + length;
    }
    if (time->in_ticks && time->exponent < 0)
        return false; /* decimals without a unit are invalid */
    if (rest != NULL) {
        *rest = text;
        return true;
    }
    while (isspace((unsigned char)*text))
        text++;
    return *text == '\0';
}

bool ftr_time_to_ticks(const ftr_time_value *time, int scale, uint64_t *ticks, bool *exact)
{
    uint64_t value = time->mantissa;
    int shift = time->in_ticks ? 0 : time->exponent - scale;
    *exact = true;
    for (; shift > 0 && value > 0; shift--) {
        if (value > UINT64_MAX / 10)
            return false;
        value *= 10;
    }
    for (; shift < 0 && value > 0; shift++) {
        *exact &= value % 10 == 0;
        value /= 10;
    }
    *ticks = value;
    return true;
}

uint64_t ftr_time_ticks(const ftr_time_value *time, int scale)
{
    uint64_t ticks;
    bool exact;
    return ftr_time_to_ticks(time, scale, &ticks, &exact) ? ticks : UINT64_MAX;
}

bool ftr_time_lacks_unit(const char *text)
{
    ftr_time_value time;
    return ftr_time_parse(text, &time, NULL) && time.in_ticks && time.mantissa != 0;
}
