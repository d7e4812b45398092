/** @file
 *  Measures and copies texts inline. Included by recorder_inline.h. */
#ifndef FTR_TEXT_INLINE_H
#define FTR_TEXT_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ftr/detail/inline_macros.h>

#ifdef FTR_READS_BESIDE_TEXTS
#include <emmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef FTR_READS_BESIDE_TEXTS
typedef long long ftr_text_vector __attribute__((vector_size(16)));

/** 16 bytes of a text, at any address; see ftr_text_piece. */
typedef struct __attribute__((packed)) ftr_text_pair {
    ftr_text_vector bytes;
} ftr_text_pair;

/** Copies the 16 aligned bytes at @p piece to @p to. Returns a mask: bit i is set if byte i is 0.
 */
FTR_INLINE unsigned ftr_text_copy_piece(uint8_t *to, const char *piece)
{
    const __m128i bytes = _mm_load_si128((const __m128i *)(const void *)piece);
    ((ftr_text_pair *)(void *)to)->bytes = (ftr_text_vector)bytes;
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
}
#endif

/** strlen(), declared as rarely called. */
size_t ftr_text_length_in_full(const char *text) __asm__("strlen") __attribute__((cold, pure));

/** A part of a text, at any address. A separate type tells compilers that writing it changes no
 * slot. */
typedef struct __attribute__((packed)) ftr_text_piece {
    uint64_t bytes;
} ftr_text_piece;

/** Copies a text. @p to must have space for 16 bytes more than @p size. Texts of 8 to 32 bytes are
 *  copied without a call, in pieces that overlap. */
FTR_INLINE void ftr_text_copy(uint8_t *to, const char *text, size_t size)
{
    if (__builtin_constant_p(size)) { /* then memcpy() is inlined, too */
        memcpy(to, text, size);
        return;
    }
    /* Compilers that know the array of a text warn of the branches for longer texts. */
    __asm__("" : "+r"(text));
    if (FTR_LIKELY(size - 8 < 8)) {
        uint64_t first, last;
        memcpy(&first, text, 8);
        memcpy(&last, text + size - 8, 8);
        ((ftr_text_piece *)(void *)to)->bytes = first;
        ((ftr_text_piece *)(void *)(to + size - 8))->bytes = last;
    } else if (size - 16 <= 16) {
        uint64_t pieces[4];
        memcpy(pieces, text, 16);
        memcpy(pieces + 2, text + size - 16, 16);
        ftr_text_piece *const first = (ftr_text_piece *)(void *)to;
        ftr_text_piece *const last = (ftr_text_piece *)(void *)(to + size - 16);
        first[0].bytes = pieces[0];
        first[1].bytes = pieces[1];
        last[0].bytes = pieces[2];
        last[1].bytes = pieces[3];
    } else {
        memcpy(to, text, size);
    }
}

/** The space that ftr_text_put() may use without a check. */
#define FTR_TEXT_AT_ONCE ((size_t)32)
/** Returned by ftr_text_put() for a text that is too long. */
#define FTR_TEXT_TOO_LONG SIZE_MAX

/** Copies a text that ends with a NUL to @p to, and returns its length. Most texts of up to 16
 * bytes need no call: they are searched and copied in aligned pieces, which never extend into
 * another page. May write 15 bytes before @p to, and FTR_TEXT_AT_ONCE bytes from @p to on.
 *  @param room maximum length of a longer text */
FTR_INLINE size_t ftr_text_put(uint8_t *to, const char *text, size_t room)
{
    if (__builtin_constant_p(*text)) {
        const size_t size = strlen(text);
        if (size > FTR_TEXT_AT_ONCE && size > room)
            return FTR_TEXT_TOO_LONG;
        memcpy(to, text, size);
        return size;
    }
#ifdef FTR_READS_BESIDE_TEXTS
    const size_t before = (uintptr_t)text & 15;
    const char *piece = text - before;
    uint8_t *start = to - before;
    __asm__("" : "+r"(start)); /* compilers would otherwise compute it twice */
    unsigned ends = ftr_text_copy_piece(start, piece) >> before;
    if (!FTR_LIKELY(!ends))
        return (unsigned)__builtin_ctz(ends);
    ends = ftr_text_copy_piece(start + 16, piece + 16);
    if (FTR_LIKELY(ends))
        return (unsigned)__builtin_ctz(ends) + 16 - before;
    to = start + before;
#endif
    const size_t size = ftr_text_length_in_full(text);
    if (size > FTR_TEXT_AT_ONCE && size > room)
        return FTR_TEXT_TOO_LONG;
    memcpy(to, text, size);
    return size;
}

/** Returns the number of bytes that a name or text of @p size bytes takes behind its item. */
FTR_INLINE size_t ftr_item_pad(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

#ifdef __cplusplus
}
#endif

#endif
