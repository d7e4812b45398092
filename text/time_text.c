/* Owns the parsing of times. Uses no floating point, so that no digit is lost. */
#include "time_text.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool take_number(const char **at, ftr_time_value *time)
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

bool ftr_time_parse(const char *text, ftr_time_value *time, const char **rest)
{
    static const struct {
        char name[3];
        int exponent;
    } UNITS[] = {{"ms", -3}, {"us", -6}, {"ns", -9}, {"ps", -12}, {"fs", -15}, {"s", 0}};
    while (isspace((unsigned char)*text))
        text++;
    if (!take_number(&text, time))
        return false;
    const char *unit = text;
    while (isspace((unsigned char)*unit))
        unit++;
    time->in_ticks = true;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0] && time->in_ticks; i++) {
        const size_t length = strlen(UNITS[i].name);
        if (strncmp(unit, UNITS[i].name, length) == 0 && !isalnum((unsigned char)unit[length])) {
            time->in_ticks = false;
            time->exponent += UNITS[i].exponent;
            text = unit + length;
        }
    }
    if (time->in_ticks && time->exponent < 0)
        return false; /* a fraction of a tick is invalid */
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
