/* Parses simulated times without floating point. Knows nothing of recorders. */
#include "simulated_time.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool add_digit(uint64_t *digits, char c)
{
    unsigned value = (unsigned)(c - '0');
    if (*digits > (UINT64_MAX - value) / 10)
        return false;
    *digits = *digits * 10 + value;
    return true;
}

static bool unit_exponent(const char *unit, int *exponent)
{
    static const struct {
        const char *name;
        int exponent;
    } units[] = {{"fs", -15}, {"ps", -12}, {"ns", -9}, {"us", -6}, {"ms", -3}, {"s", 0}};
    size_t length = strcspn(unit, " \t");
    if (unit[length + strspn(unit + length, " \t")] != '\0')
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        if (strlen(units[i].name) == length && strncmp(unit, units[i].name, length) == 0) {
            *exponent = units[i].exponent;
            return true;
        }
    }
    return false;
}

ftr_status ftr_simulated_time_parse(const char *text, ftr_simulated_time *time)
{
    ftr_simulated_time read = {0};
    int places = 0;
    bool any = false;
    text += strspn(text, " \t");
    for (; is_digit(*text); ++text, any = true) {
        if (!add_digit(&read.digits, *text))
            return FTR_ERR_ARGUMENT;
    }
    if (*text == '.') {
        for (++text; is_digit(*text); ++text, ++places, any = true) {
            if (!add_digit(&read.digits, *text))
                return FTR_ERR_ARGUMENT;
        }
    }
    text += strspn(text, " \t");
    if (!any || !unit_exponent(text, &read.exponent))
        return FTR_ERR_ARGUMENT;
    read.exponent -= places;
    *time = read;
    return FTR_OK;
}

uint64_t ftr_simulated_time_ticks(ftr_simulated_time time, int scale)
{
    uint64_t ticks = time.digits;
    for (int i = time.exponent; i > scale && ticks != 0; --i) {
        if (ticks > UINT64_MAX / 10)
            return UINT64_MAX;
        ticks *= 10;
    }
    for (int i = time.exponent; i < scale && ticks != 0; ++i)
        ticks /= 10;
    return ticks;
}
