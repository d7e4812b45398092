/* Shortest round-trip decimals. Does not know attributes. */
#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS_ALWAYS_EXACT 17

size_t ftr_decimal_format(double value, char text[FTR_DECIMAL_SIZE])
{
    if (isnan(value)) {
        memcpy(text, "nan", 4);
        return 3;
    }
    int length = 0;
    for (int digits = 1; digits <= DIGITS_ALWAYS_EXACT; digits++) {
        length = snprintf(text, FTR_DECIMAL_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* The decimal point depends on the locale. It starts at the first character that is not a
     * digit, a sign or an "e". */
    size_t point = strspn(text, "+-0123456789e");
    size_t rest = point + strcspn(text + point, "+-0123456789e");
    if (isfinite(value) && rest > point) {
        text[point] = '.';
        memmove(text + point + 1, text + rest, strlen(text + rest) + 1);
        length -= (int)(rest - point) - 1;
    }
    return (size_t)length;
}
