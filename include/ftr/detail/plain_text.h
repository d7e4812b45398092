/** @file Text for terminals: names, texts and paths come from traces and from other users. A
 * terminal interprets control characters, and characters that change the direction of the
 * surrounding text, instead of displaying them. The bytes of these characters become \xNN. The
 * functions are inline, because the preloaded library and the adapter use them without exported
 * symbols of libftr. */
#ifndef FTR_PLAIN_TEXT_H
#define FTR_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of \xNN. */
#define FTR_PLAIN_ESCAPE_SIZE 4

/** Returns the number of bytes of the UTF-8 character at @p at, of which @p left bytes (at least 1)
 *  may be read; 1 for a byte that begins no character. */
static inline size_t ftr_plain_step(const unsigned char *at, size_t left)
{
    const size_t size = *at < 0xc2 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 1;
    if (size > left)
        return 1;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 1;
    return size;
}

/** Returns true if a terminal interprets the character of @p size bytes (ftr_plain_step()): the
 *  control characters C0 and DEL; C1, both as U+0080 to U+009F and as single bytes; the line ends
 *  U+2028 and U+2029; the characters that change the direction of text (U+061C, U+200E, U+200F,
 *  U+202A to U+202E, U+2066 to U+2069). */
static inline bool ftr_plain_is_acting(const unsigned char *at, size_t size)
{
    if (size == 1)
        return *at < 0x20 || (*at >= 0x7f && *at <= 0x9f);
    if (size == 2)
        return (at[0] == 0xc2 && at[1] <= 0x9f) || (at[0] == 0xd8 && at[1] == 0x9c);
    if (size != 3 || at[0] != 0xe2)
        return false;
    return at[1] == 0x80 ? at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae)
                         : at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
}

/** Writes \xNN to @p out, which needs room for FTR_PLAIN_ESCAPE_SIZE bytes. */
static inline void ftr_plain_escape(unsigned char byte, char *out)
{
    static const char digits[] = "0123456789abcdef";
    out[0] = '\\';
    out[1] = 'x';
    out[2] = digits[byte >> 4];
    out[3] = digits[byte & 15];
}

/** Copies @p text and replaces each byte of a character that a terminal interprets by \xNN.
 *  @param[out] out room for FTR_PLAIN_ESCAPE_SIZE * @p size bytes; not terminated by a NUL
 *  @return the number of bytes written */
static inline size_t ftr_plain_text(const char *text, size_t size, char *out)
{
    size_t written = 0;
    size_t step;
    for (size_t i = 0; i < size; i += step) {
        const unsigned char *at = (const unsigned char *)text + i;
        step = ftr_plain_step(at, size - i);
        const bool is_acting = ftr_plain_is_acting(at, step);
        for (size_t k = 0; k < step; k++) {
            if (is_acting)
                ftr_plain_escape(at[k], out + written);
            else
                out[written] = text[i + k];
            written += is_acting ? FTR_PLAIN_ESCAPE_SIZE : 1;
        }
    }
    return written;
}

#ifdef __cplusplus
}
#endif

#endif
