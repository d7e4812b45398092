/** @file
 *  Measures and copies texts inline. Included by recorder_inline.h. */
#ifndef FTR_TEXT_INLINE_H
#define FTR_TEXT_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ftr/detail/inline_macros.h>
#include <ftr/detail/recorder_layout.h>
#include <ftr/transaction.h>

#ifdef FTR_READS_BESIDE_TEXTS
#include <emmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** strlen(), declared as rarely called. */
size_t ftr_text_length_in_full(const char *text) __asm__("strlen")
    __attribute__((cold, pure, nothrow));

/** A part of a text, at any address. A separate type tells compilers that writing it changes no
 * slot. */
typedef struct __attribute__((packed)) ftr_text_word {
    uint64_t bytes;
} ftr_text_word;

/** Copies a text. Texts of 8 to 32 bytes are copied without a call, in words that overlap. */
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
        ((ftr_text_word *)(void *)to)->bytes = first;
        ((ftr_text_word *)(void *)(to + size - 8))->bytes = last;
    } else if (size - 16 <= 16) {
        uint64_t pieces[4];
        memcpy(pieces, text, 16);
        memcpy(pieces + 2, text + size - 16, 16);
        ftr_text_word *const first = (ftr_text_word *)(void *)to;
        ftr_text_word *const last = (ftr_text_word *)(void *)(to + size - 16);
        first[0].bytes = pieces[0];
        first[1].bytes = pieces[1];
        last[0].bytes = pieces[2];
        last[1].bytes = pieces[3];
    } else {
        memcpy(to, text, size);
    }
}

/** The size of a piece of a text. */
#define FTR_TEXT_PIECE ((size_t)16)
/** Consider the byte before a text. If its offset in its page is below this number, the first piece
 * of the text is in one page. */
#define FTR_TEXT_PIECES_IN_PAGE ((uint32_t)(4096 - FTR_TEXT_PIECE))

#ifdef FTR_READS_BESIDE_TEXTS
/** Returns true only if FTR_TEXT_PIECE bytes at @p text are in one page. Returns false for NULL.
 *  @param pieces FTR_TEXT_PIECES_IN_PAGE; 0: the function returns false */
FTR_INLINE bool ftr_text_is_in_page(const char *text, uint32_t pieces)
{
    return (((uint32_t)(uintptr_t)text - 1) & 4095) < pieces;
}

/** Returns whether FTR_TEXT_PIECE bytes at @p text can be read: ftr_text_is_in_page(), and no tool
 *  checks the reads. Returns false for NULL. */
FTR_INLINE bool ftr_text_has_piece(const ftr_recorder_front *front, const char *text)
{
    return ftr_text_is_in_page(text, front->text_pieces);
}

/** The bytes of a text and those behind it. GCC would warn if this array had
 *  a size. */
#ifdef __clang__
typedef char ftr_text_bytes[FTR_TEXT_PIECE];
#else
typedef char ftr_text_bytes[];
#endif
#ifdef __AVX__
#define FTR_TEXT_LOAD "vmovdqu"
#else
#define FTR_TEXT_LOAD "movdqu"
#endif

typedef long long ftr_text_vector __attribute__((vector_size(16)));

/** A piece of a text, at any address. For the purpose of the type, see ftr_text_word. */
typedef struct __attribute__((packed)) ftr_text_piece {
    ftr_text_vector bytes;
} ftr_text_piece;

/** Copies FTR_TEXT_PIECE bytes from @p text to @p to. Returns whether one of these bytes is 0, and
 *  sets @p size to the number of bytes before the first 0. The bytes may extend beyond the array of
 *  the text, so the load is written in assembly: in C, it would be undefined, and compilers remove
 *  earlier stores to an array if only this load reads the array. */
FTR_INLINE bool ftr_text_copy_piece(uint8_t *to, const char *text, size_t *size)
{
    __m128i bytes;
    bool is_none;
    __asm__(FTR_TEXT_LOAD " {%1, %0|%0, %1}"
            : "=x"(bytes)
            : "m"(*(const ftr_text_bytes *)(const void *)text));
    ((ftr_text_piece *)(void *)to)->bytes = (ftr_text_vector)bytes;
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    /* __builtin_ctz() would take two more instructions, to compare and to extend. */
    __asm__("bsf {%2, %k0|%k0, %2}" : "=r"(*size), "=@ccz"(is_none) : "r"(zeros));
    return !is_none;
}
#endif

/** Returns the number of bytes that a name or text of @p size bytes takes behind its item. */
FTR_INLINE size_t ftr_item_pad(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

/** A text that the caller puts, before it is measured and copied. */
typedef struct ftr_text_source {
    const char *text;
    size_t length;    /**< bytes; FTR_NUL_TERMINATED if `is_measured` */
    bool is_measured; /**< the text is measured when it is put */
} ftr_text_source;

#pragma GCC diagnostic push
/* GCC warns of a constant NULL, although it is not measured. */
#pragma GCC diagnostic ignored "-Wnonnull"
/** Returns the description of a text. The compiler measures a literal.
 *  @param length FTR_NUL_TERMINATED: the text ends with a NUL */
FTR_INLINE ftr_text_source ftr_text_source_of(const char *text, size_t length)
{
    ftr_text_source from = {text, length, false};
    if (length == FTR_NUL_TERMINATED) {
        from.is_measured = !__builtin_constant_p(text && *text);
        if (!from.is_measured && text)
            from.length = strlen(text);
    }
    return from;
}
#pragma GCC diagnostic pop

/** Returns the number of bytes that must be free before the caller puts a text: a piece, the whole
 *  text if its length is constant, or 0. */
FTR_INLINE size_t ftr_text_least(ftr_text_source from)
{
    if (from.is_measured)
        return FTR_TEXT_PIECE;
    return __builtin_constant_p(from.length) && from.length <= FTR_TEXT_SIZE_MAX
               ? ftr_item_pad(from.length)
               : 0;
}

/** Copies a text of less than FTR_TEXT_PIECE bytes to @p to, where there are ftr_text_least() bytes
 *  of space, and sets @p size to its length. Returns false if this fast path does not apply; the
 *  caller then uses ftr_text_put_any(). */
FTR_INLINE bool ftr_text_put_short(const ftr_recorder_front *front, ftr_text_source from,
                                   uint8_t *to, size_t *size)
{
#ifdef FTR_READS_BESIDE_TEXTS
    return from.is_measured && FTR_LIKELY(ftr_text_has_piece(front, from.text)) &&
           FTR_LIKELY(ftr_text_copy_piece(to, from.text, size));
#else
    (void)front, (void)from, (void)to, (void)size;
    return false;
#endif
}

/** Copies a text to @p to after ftr_text_put_short() has failed, and sets @p size to its length.
 *  Returns false for NULL, and if the text is too long.
 *  @param room maximum length of a text of more than FTR_TEXT_PIECE bytes, not 0. Pieces are
 *              written whole: a text that is read in pieces may be up to FTR_TEXT_PIECE - 1 bytes
 *              longer than @p room */
FTR_INLINE bool ftr_text_put_any(const ftr_recorder_front *front, ftr_text_source from, uint8_t *to,
                                 size_t room, size_t *size)
{
#ifdef FTR_READS_BESIDE_TEXTS
    /* ftr_text_put_short() has failed: if the first piece can be read, it has no NUL. */
    const char *more = from.text;
    __asm__("" : "+r"(more)); /* compilers that know the array would warn of this branch */
    if (from.is_measured && ftr_text_has_piece(front, from.text) && room > FTR_TEXT_PIECE &&
        ftr_text_is_in_page(more + FTR_TEXT_PIECE, FTR_TEXT_PIECES_IN_PAGE) &&
        ftr_text_copy_piece(to + FTR_TEXT_PIECE, more + FTR_TEXT_PIECE, size)) {
        *size += FTR_TEXT_PIECE;
        return true;
    }
#else
    (void)front;
#endif
    if (!FTR_LIKELY(from.text) ||
        (__builtin_constant_p(from.length) && !from.is_measured && from.length > FTR_TEXT_SIZE_MAX))
        return false;
    *size = from.is_measured ? ftr_text_length_in_full(from.text) : from.length;
    if (*size > ftr_text_least(from) && !FTR_LIKELY(*size <= room))
        return false;
    ftr_text_copy(to, from.text, *size);
    return true;
}

#ifdef __cplusplus
}
#endif

#endif
