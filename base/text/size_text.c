/* Parses sizes in bytes, with units. */
#include <ftr/detail/size_text.h>

#include <stddef.h>
#include <string.h>

bool ftr_size_parse(const char *text, uint64_t *size)
{
    static const char UNITS[] = "KkMmGgTt";
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        const unsigned digit = (unsigned)(*at - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (at == text)
        return false;
    const char *const unit = *at != '\0' ? strchr(UNITS, *at) : NULL;
    const unsigned shift = unit != NULL ? 10 * (unsigned)((unit - UNITS) / 2 + 1) : 0;
    if (at[unit != NULL] != '\0' || number > UINT64_MAX >> shift)
        return false;
    *size = number << shift;
    return true;
}
