/* Compresses blocks of similar records.
 *
 * Consecutive records differ in a few bytes: numbers, times, values. A match with an earlier record
 * therefore usually ends at a few bytes that differ, and behind these bytes the two records are
 * equal again. One comparison of 16 bytes, at the distance of the last match, finds the position at
 * which the records become equal. Only at this position and one byte before it, the table of
 * positions is searched for a longer match with another record. liblz4, however, searches its table
 * at every byte that differs.
 *
 * A small block has few records, and most of its bytes are the first ones of their kind. Therefore
 * a search in a small block also finds matches of 4 bytes, and matches may start close to the end
 * of the block. */
#include "record_blocks.h"

#ifdef FTR_RECORD_BLOCKS

#include <ftr/detail/inline_macros.h>

#include <stdbool.h>
#include <string.h>
#include <emmintrin.h>

/* The format: a match has at least 4 bytes and ends at least 5 bytes before the end of the block.
 * The last match starts at least 12 bytes before the end. */
enum { MATCH_MIN = 4, LAST_LITERALS = 5, LAST_MATCH = 12, LENGTH_MAX = 15, BYTE_MAX = 255 };
/* Number of bytes that are compared at once. */
enum { STEP = 16 };
/* Comparisons that search a match start at least this number of bytes before the end of a block
 * that is not small, so that no comparison reads behind the end. */
enum { MARGIN = 3 * STEP };
/* The number of entries that are used of the table, as a power of two. */
enum { TABLE_BITS = 12, SMALL_TABLE_BITS = 9 };
/* If a match at the last distance has at least this length, the search for a longer match is
 * omitted. */
enum { GOOD_MATCH = 13 };
/* Number of positions for which the table is searched before the next comparison at the last
 * distance. */
enum { SEARCHES = 4 };

typedef struct match {
    const uint8_t *from;
    const uint8_t *end;
    ptrdiff_t back; /* negative distance of the match */
} match;

static inline uint64_t load(const uint8_t *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

/* Returns the table index for the first @p length bytes of @p value. In this file, `is_small` is
 * constant in each call, so that the compiler creates separate code for small blocks. */
FTR_INLINE size_t hash(uint64_t value, int length, bool is_small)
{
    return (value << (64 - 8 * length)) * UINT64_C(0x9e3779b97f4a7c15) >>
           (64 - (is_small ? SMALL_TABLE_BITS : TABLE_BITS));
}

/* Compares 16 bytes. Bit N of the result is set if byte N is equal. */
FTR_INLINE size_t equal_bytes(const uint8_t *a, const uint8_t *b)
{
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)a);
    const __m128i y = _mm_loadu_si128((const __m128i *)(const void *)b);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y));
}

/* Returns the number of clear bits below the lowest set bit. At least one bit must be set.
 * __builtin_ctzll() is not used, because it returns an int, which GCC extends with another
 * instruction. */
FTR_INLINE size_t lowest_bit(size_t bits)
{
    size_t number;
    __asm__("rep bsfq %1, %0" : "=r"(number) : "r"(bits) : "cc");
    return number;
}

/* Returns the number of set bits below the lowest clear bit. At least one bit must be clear. */
FTR_INLINE size_t ones(size_t bits)
{
    return lowest_bit(~bits);
}

/* Stores @p position in @p entry, and returns the position that was stored there before. */
FTR_INLINE size_t exchange(uint16_t *entry, size_t position)
{
    const size_t before = *entry;
    *entry = (uint16_t)position;
    return before;
}

/* Sets @p found to the match at the distance of the last match, which starts at @p at + @p start;
 * or to a longer match at another distance, which starts there or one byte before. @p equal is the
 * result of comparing the bytes at @p at with the bytes at @p at + found->back. */
FTR_INLINE void choose_match(match *found, uint16_t *table, const uint8_t *bytes, const uint8_t *at,
                             size_t equal, size_t start, bool is_small)
{
    const uint8_t *const from = at + start;
    const size_t length = ones(equal >> start);
    found->from = from;
    found->end = from + length;
    if (length >= GOOD_MATCH)
        return;
    /* The present match does not include the byte before `from`. A match with another record may
     * include it, so the search begins at this byte. */
    const uint64_t value = load(from - 1);
    const size_t position = (size_t)(from - bytes);
    const uint8_t *const before = bytes + exchange(&table[hash(value, 6, is_small)], position - 1);
    const uint8_t *const same = bytes + exchange(&table[hash(value >> 8, 7, is_small)], position);
    const uint8_t *const end_before = from - 1 + ones(equal_bytes(from - 1, before));
    const uint8_t *const end_same = from + ones(equal_bytes(from, same));
    if (end_same > found->end) {
        found->end = end_same;
        found->back = same - from;
    }
    if (end_before >= found->end)
        *found = (match){from - 1, end_before, before - (from - 1)};
}

/* Searches the table at a few positions: @p at, @p at + @p step and so on, all before @p limit.
 * Returns whether a match was found. If no match was found, found->end is the position at which the
 * caller continues. */
FTR_INLINE bool search(match *found, uint16_t *table, const uint8_t *bytes, const uint8_t *literals,
                       const uint8_t *at, const uint8_t *limit, size_t step, bool is_small)
{
    for (int i = 0; i < SEARCHES && at < limit; i++, at += step) {
        const size_t index = hash(load(at), is_small ? MATCH_MIN : 6, is_small);
        const uint8_t *candidate = bytes + exchange(&table[index], (size_t)(at - bytes));
        const size_t length = ones(equal_bytes(at, candidate));
        if (length < MATCH_MIN)
            continue;
        *found = (match){at, at + length, candidate - at};
        while (found->from > literals && candidate > bytes && found->from[-1] == candidate[-1]) {
            found->from--;
            candidate--;
        }
        return true;
    }
    found->end = at;
    return false;
}

/* Moves the end of a match to the first byte that differs, at most to @p end. */
FTR_INLINE void extend(match *found, const uint8_t *end, bool is_small)
{
    const uint8_t *p = found->end;
    const ptrdiff_t back = found->back;
    if (is_small) { /* comparisons may read behind the end of the block */
        size_t length = STEP;
        for (; p < end && length == STEP; p += length)
            length = ones(equal_bytes(p, p + back));
        found->end = p < end ? p : end;
        return;
    }
    while (*p == p[back]) {
        if (p + STEP > end) {
            while (p < end && *p == p[back])
                p++;
            break;
        }
        const size_t length = ones(equal_bytes(p, p + back));
        p += length;
        if (length < STEP)
            break;
    }
    found->end = p;
}

/* Writes the part of a length that is above 15. */
static __attribute__((noinline)) uint8_t *long_length_at(uint8_t *p, size_t rest)
{
    for (; rest >= BYTE_MAX; rest -= BYTE_MAX)
        *p++ = BYTE_MAX;
    *p++ = (uint8_t)rest;
    return p;
}

static __attribute__((noinline)) uint8_t *long_literals_at(uint8_t *p, const uint8_t *literals,
                                                           size_t count)
{
    p = long_length_at(p, count - LENGTH_MAX);
    memcpy(p, literals, count);
    return p + count;
}

/* Writes the token, the literals before a match, and the match. Returns the position behind
 * them. */
FTR_INLINE uint8_t *sequence_at(uint8_t *p, const uint8_t *literals, const match *found)
{
    const size_t count = (size_t)(found->from - literals);
    const size_t length = (size_t)(found->end - found->from) - MATCH_MIN;
    const size_t distance = (size_t)-found->back;
    uint8_t *const token = p++;
    unsigned high = LENGTH_MAX;
    unsigned low = LENGTH_MAX;
    if (FTR_LIKELY(count < LENGTH_MAX)) {
        high = (unsigned)count;
        /* a copy of fixed size needs no call; the bytes that it copies behind the literals are
         * overwritten later */
        memcpy(p, literals, STEP);
        p += count;
    } else {
        p = long_literals_at(p, literals, count);
    }
    p[0] = (uint8_t)distance;
    p[1] = (uint8_t)(distance >> 8);
    p += 2;
    if (length < LENGTH_MAX)
        low = (unsigned)length;
    else if (FTR_LIKELY(length < LENGTH_MAX + BYTE_MAX))
        *p++ = (uint8_t)(length - LENGTH_MAX);
    else
        p = long_length_at(p, length - LENGTH_MAX);
    *token = (uint8_t)(high << 4 | low);
    return p;
}

/* Writes the literals at the end of the block. */
static uint8_t *last_literals_at(uint8_t *p, const uint8_t *literals, size_t count)
{
    if (count >= LENGTH_MAX) {
        *p = LENGTH_MAX << 4;
        return long_literals_at(p + 1, literals, count);
    }
    *p++ = (uint8_t)(count << 4);
    if (count > 0)
        memcpy(p, literals, count);
    return p + count;
}

FTR_INLINE size_t compress(uint16_t *table, const uint8_t *bytes, size_t size, uint8_t *to,
                           bool is_small)
{
    /* An empty entry (0) refers to the first byte of the block. This is a valid position before all
     * others, so empty entries need no test. */
    memset(table, 0, sizeof *table << (is_small ? SMALL_TABLE_BITS : TABLE_BITS));
    const uint8_t *const end = bytes + size;
    const uint8_t *const limit = is_small ? end - LAST_MATCH + 1 : end - MARGIN;
    const uint8_t *literals = bytes;
    const uint8_t *at = bytes + 2;
    uint8_t *p = to;
    size_t misses = 0;
    match found = {.back = -1};
    while (at < limit) {
        const size_t equal = equal_bytes(at, at + found.back);
        /* after the next two lines, bit N of `runs` is set if bytes N to N + 3 are equal */
        size_t runs = equal & equal >> 1;
        runs &= runs >> 2;
        if (FTR_LIKELY(runs)) {
            const size_t start = lowest_bit(runs);
            if (is_small && at + start >= limit)
                break;
            choose_match(&found, table, bytes, at, equal, start, is_small);
        } else {
            match other; /* a separate variable, so that `found` stays in registers */
            /* in large data that cannot be compressed, the steps become longer */
            const size_t step = is_small ? 1 : 1 + misses / 4;
            if (!search(&other, table, bytes, literals, at, limit, step, is_small)) {
                misses++;
                at = other.end;
                continue;
            }
            misses = 0;
            found = other;
        }
        extend(&found, end - LAST_LITERALS, is_small);
        p = sequence_at(p, literals, &found);
        literals = at = found.end;
    }
    return (size_t)(last_literals_at(p, literals, (size_t)(end - literals)) - to);
}

size_t ftr_record_block_compress(ftr_record_work *work, const uint8_t *bytes, size_t size,
                                 uint8_t *to)
{
    if (size > FTR_RECORD_SMALL_MAX)
        return compress(work->table, bytes, size, to, false);
    if (size <= LAST_MATCH)
        return (size_t)(last_literals_at(to, bytes, size) - to);
    memcpy(work->padded, bytes, size);
    memset(work->padded + size, 0, FTR_RECORD_PADDING);
    return compress(work->table, work->padded, size, to, true);
}

#else

typedef int ftr_record_blocks_are_not_used; /* a source file must not be empty */

#endif
