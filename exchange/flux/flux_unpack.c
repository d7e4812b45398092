/* Owns the decompression of packed blocks. Libraries decode LZ4 and zlib; FastLZ is small enough to
 * be decoded here. */
#include "flux_unpack.h"

#include <lz4.h>
#ifdef FTR_HAS_ZLIB
#include <zlib.h>
#endif

#include <limits.h>
#include <string.h>

/* ---- FastLZ ---------------------------------------------------------------------------------- */

/* An instruction begins with a byte: three upper bits and five lower bits. If the upper bits are
 * 000, literals follow. Otherwise the instruction copies earlier output (a match). The length of
 * the match is the upper bits + 2, and if they are 111, more length bytes follow. The distance of
 * the match has the lower bits as its high part, and one more byte as its low part. The upper bits
 * of the first byte of a block are different: they are 0 for level 1, or 1 for level 2, which has
 * longer lengths and distances. */
typedef struct fastlz {
    const uint8_t *at, *end;
    uint8_t *out;
    size_t filled, size;
    bool wide; /* level 2 */
} fastlz;

static bool copy_literals(fastlz *f, size_t count)
{
    if (count > (size_t)(f->end - f->at) || count > f->size - f->filled)
        return false;
    memcpy(f->out + f->filled, f->at, count);
    f->at += count;
    f->filled += count;
    return true;
}

/* Copies byte by byte, because a match may overlap the bytes that it writes. */
static bool copy_match(fastlz *f, size_t length, size_t distance)
{
    if (distance > f->filled || length > f->size - f->filled)
        return false;
    for (; length > 0; length--, f->filled++)
        f->out[f->filled] = f->out[f->filled - distance];
    return true;
}

static bool match(fastlz *f, unsigned instruction)
{
    size_t length = (instruction >> 5) + 2;
    size_t distance = (size_t)(instruction & 31) << 8;
    if (instruction >> 5 == 7) {
        uint8_t more;
        do {
            if (f->at == f->end)
                return false;
            more = *f->at++;
            length += more;
        } while (f->wide && more == 255);
    }
    if (f->at == f->end)
        return false;
    const uint8_t low = *f->at++;
    distance += low;
    if (f->wide && low == 255 && (instruction & 31) == 31) {
        if (f->end - f->at < 2)
            return false;
        distance = ((size_t)f->at[0] << 8 | f->at[1]) + 8191;
        f->at += 2;
    }
    return copy_match(f, length, distance + 1);
}

static bool unpack_fastlz(const uint8_t *packed, size_t packed_size, uint8_t *bytes, size_t size)
{
    fastlz f = {packed, packed + packed_size, bytes, 0, size, false};
    if (packed_size == 0 || *packed >> 5 > 1)
        return false;
    f.wide = *packed >> 5 == 1;
    unsigned instruction = *f.at++ & 31;
    for (;;) {
        const bool ok =
            instruction < 32 ? copy_literals(&f, instruction + 1) : match(&f, instruction);
        if (!ok)
            return false;
        if (f.at == f.end)
            return f.filled == size;
        instruction = *f.at++;
    }
}

/* ---- public function ------------------------------------------------------------------------- */

#ifdef FTR_HAS_ZLIB
static bool inflate_all(int window, const uint8_t *packed, size_t packed_size, uint8_t *bytes,
                        size_t size)
{
    z_stream stream = {.next_in = (unsigned char *)packed,
                       .avail_in = (unsigned)packed_size,
                       .next_out = bytes,
                       .avail_out = (unsigned)size};
    if (inflateInit2(&stream, window) != Z_OK)
        return false;
    const int status = inflate(&stream, Z_FINISH);
    const bool ok = status == Z_STREAM_END && stream.avail_out == 0;
    (void)inflateEnd(&stream);
    return ok;
}
#endif

const char *ftr_flux_unpack(unsigned mode, const uint8_t *packed, size_t packed_size,
                            uint8_t *bytes, size_t size)
{
    bool ok = false;
    if (packed_size > INT_MAX || size > INT_MAX)
        return "a packed block that is too large";
    switch (mode) {
    case FTR_FLUX_LZ4:
        ok = LZ4_decompress_safe((const char *)packed, (char *)bytes, (int)packed_size,
                                 (int)size) == (int)size;
        break;
    case FTR_FLUX_FASTLZ:
        ok = unpack_fastlz(packed, packed_size, bytes, size);
        break;
#ifdef FTR_HAS_ZLIB
    case FTR_FLUX_ZLIB:
        ok = inflate_all(MAX_WBITS, packed, packed_size, bytes, size);
        break;
    case FTR_FLUX_GZIP:
        ok = inflate_all(MAX_WBITS + 16, packed, packed_size, bytes, size);
        break;
#endif
    default:
        return "a packed block with an unknown compression";
    }
    return ok ? NULL : "a packed block that does not expand to its declared size";
}
