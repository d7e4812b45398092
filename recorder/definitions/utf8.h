/* UTF-8 as RFC 3629 has it: what is valid, and what becomes of what is not. */
#ifndef FTR_UTF8_H
#define FTR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether all of @p text is valid: no overlong form, no surrogate, nothing past U+10FFFF. */
bool ftr_utf8_is_valid(const uint8_t *text, size_t length);

/* Copies @p text with U+FFFD for every maximal invalid sequence. @p out needs 3 * length bytes.
 * Returns the bytes written. */
size_t ftr_utf8_repair(const uint8_t *text, size_t length, uint8_t *out);

#endif
