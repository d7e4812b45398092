/* UTF-8 (RFC 3629): checking, and replacing bytes that are invalid. */
#ifndef FTR_UTF8_H
#define FTR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character U+FFFD, which replaces invalid bytes. */
#define FTR_UTF8_REPLACEMENT "\xef\xbf\xbd"
#define FTR_UTF8_REPLACEMENT_SIZE 3

/* Returns the number of bytes of the character at @p text, of which @p left bytes may be read.
 * Returns 0 if the bytes are invalid: an overlong form, a surrogate, a code point above U+10FFFF,
 * or an incomplete character.
 * @param[out] invalid if the result is 0: the number of bytes that one U+FFFD replaces (Unicode 15,
 * section 3.9, "substitution of maximal subparts") */
size_t ftr_utf8_length(const uint8_t *text, size_t left, size_t *invalid);

bool ftr_utf8_is_valid(const uint8_t *text, size_t size);

/* Copies @p text and replaces invalid bytes by U+FFFD. @p out needs room for 3 * @p size bytes.
 * @return the number of bytes written */
size_t ftr_utf8_repair(const uint8_t *text, size_t size, uint8_t *out);

#endif
