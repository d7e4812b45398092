/* Validates UTF-8 (RFC 3629). */
#ifndef FTR_UTF8_CHECK_H
#define FTR_UTF8_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the size of the valid character at @p p, or 0. */
size_t ftr_character_size(const uint8_t *p, size_t left);

bool ftr_is_utf8(const uint8_t *p, size_t size);

#endif
