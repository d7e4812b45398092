/* The shortest decimal text that converts back to the same double. */
#ifndef FTR_DECIMAL_H
#define FTR_DECIMAL_H

#include <stddef.h>

#define FTR_DECIMAL_SIZE 32

/* Writes @p value, with a dot in every locale, or "inf", "-inf" or "nan". Returns the length. */
size_t ftr_decimal_format(double value, char text[FTR_DECIMAL_SIZE]);

#endif
