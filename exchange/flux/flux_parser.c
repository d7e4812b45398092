/* Extracts entries from the bytes of a flux file: the part of the file in memory, nested packed
 * blocks, the order of the sections of a ring, and the current trace. */
#include "flux_parser.h"

#include "growing_array.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>

#ifdef FTR_HAS_ZLIB
#include <zlib.h>
#endif

/* ---- FastLZ ---------------------------------------------------------------------------------- */

/* An instruction begins with a byte of three upper bits and five lower bits. If the upper bits are
 * 000, literals follow. Otherwise, the instruction copies earlier output (a match). The length of
 * the match is the upper bits + 2. If the upper bits are 111, more bytes of the length follow. The
 * lower bits are the high part of the distance of the match, and one more byte is the low part. In
 * the first byte of a block, the upper bits have another meaning: 0 is level 1, and 1 is level 2,
 * which has longer lengths and distances. */
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

/* ---- packed blocks --------------------------------------------------------------------------- */

/* The compressions of packed blocks. Libraries decode LZ4 and zlib. FastLZ is decoded by the
 * functions above, because it is simple. */
enum { PACKED_LZ4 = 0, PACKED_FASTLZ = 1, PACKED_ZLIB = 2, PACKED_GZIP = 3 };

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

/* Unpacks to exactly @p size bytes. Returns NULL if successful, otherwise a static error
 * message. */
static const char *unpack(unsigned mode, const uint8_t *packed, size_t packed_size, uint8_t *bytes,
                          size_t size)
{
    bool ok = false;
    if (packed_size > INT_MAX || size > INT_MAX)
        return "a packed block that is too large";
    switch (mode) {
    case PACKED_LZ4:
        ok = LZ4_decompress_safe((const char *)packed, (char *)bytes, (int)packed_size,
                                 (int)size) == (int)size;
        break;
    case PACKED_FASTLZ:
        ok = unpack_fastlz(packed, packed_size, bytes, size);
        break;
#ifdef FTR_HAS_ZLIB
    case PACKED_ZLIB:
        ok = inflate_all(MAX_WBITS, packed, packed_size, bytes, size);
        break;
    case PACKED_GZIP:
        ok = inflate_all(MAX_WBITS + 16, packed, packed_size, bytes, size);
        break;
#endif
    default:
        return "a packed block with an unknown compression";
    }
    return ok ? NULL : "a packed block that does not expand to its declared size";
}

/* ---- entries --------------------------------------------------------------------------------- */

#define WINDOW_FIRST ((size_t)256 << 10)
#define VERSION_DEFAULT 4
#define LAST_SECTION 0x80
#define SECTIONS_MAX 4096

bool ftr_flux_parser_init(ftr_flux_parser *parser, ftr_byte_input *input,
                          void (*find)(void *user, uint64_t offset, const char *message),
                          void *user)
{
    *parser = (ftr_flux_parser){.input = input, .find = find, .user = user};
    parser->bytes = malloc(WINDOW_FIRST);
    parser->capacity = WINDOW_FIRST;
    return parser->bytes != NULL;
}

static void drop_levels(ftr_flux_parser *parser)
{
    while (parser->depth > 0)
        free(parser->levels[--parser->depth].owned);
}

void ftr_flux_parser_release(ftr_flux_parser *parser)
{
    drop_levels(parser);
    free(parser->bytes);
}

bool ftr_flux_parser_rewind(ftr_flux_parser *parser)
{
    drop_levels(parser);
    parser->first = parser->last = 0;
    parser->offset = 0;
    parser->ended = parser->failed = parser->stopped = false;
    parser->trace = 0;
    parser->version_count = 0;
    return ftr_byte_input_rewind(parser->input);
}

/* Returns the offset of the current entry in the file; for an entry in a block, the offset of the
 * block. */
static uint64_t where(const ftr_flux_parser *parser)
{
    return parser->depth > 0 ? parser->block : parser->offset;
}

/* Reports an error and stops: the length of this entry is not known, so the next entry cannot be
 * found. Within a block, only skips the rest of the block. */
static bool stop(ftr_flux_parser *parser, const char *why)
{
    parser->find(parser->user, where(parser), why);
    if (parser->depth > 0)
        free(parser->levels[--parser->depth].owned); /* parsing continues after the block */
    else
        parser->stopped = true;
    return false;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Reads more bytes of the file into memory. Returns false at the end of the file, if the memory is
 * full, and after a failed read (`failed` is then true). */
static bool fill(ftr_flux_parser *parser)
{
    if (parser->ended)
        return false;
    memmove(parser->bytes, parser->bytes + parser->first, parser->last - parser->first);
    parser->last -= parser->first;
    parser->first = 0;
    if (parser->last == parser->capacity &&
        (parser->capacity >= FTR_FLUX_ENTRY_MAX ||
         !ftr_array_grow(&parser->bytes, &parser->capacity, parser->last, 1)))
        return false;
    const size_t room = parser->capacity - parser->last;
    const int64_t got = ftr_byte_input_read(parser->input, parser->bytes + parser->last, room);
    parser->failed = got < 0;
    parser->ended = got < (int64_t)room;
    parser->last += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static void consume(ftr_flux_parser *parser, size_t size)
{
    if (parser->depth > 0) {
        parser->levels[parser->depth - 1].at += size;
    } else {
        parser->first += size;
        parser->offset += size;
    }
}

/* ---- traces ---------------------------------------------------------------------------------- */

static uint8_t version_of(const ftr_flux_parser *parser, uint32_t trace)
{
    for (size_t i = 0; i < parser->version_count; i++)
        if (parser->versions[i].trace == trace)
            return parser->versions[i].version;
    return VERSION_DEFAULT;
}

static void note_version(ftr_flux_parser *parser, const ftr_flux_entry *head)
{
    parser->trace = head->trace;
    for (size_t i = 0; i < parser->version_count; i++)
        if (parser->versions[i].trace == head->trace) {
            parser->versions[i].version = head->version;
            return;
        }
    if (parser->version_count == FTR_FLUX_TRACES_MAX) {
        parser->find(parser->user, head->offset, "too many traces");
        return;
    }
    parser->versions[parser->version_count].trace = head->trace;
    parser->versions[parser->version_count++].version = head->version;
}

/* ---- blocks and rings ------------------------------------------------------------------------ */

static bool push(ftr_flux_parser *parser, uint64_t offset, uint8_t *owned, size_t size)
{
    if (parser->depth == 0)
        parser->block = offset;
    parser->levels[parser->depth++] = (ftr_flux_level){owned, owned, owned + size};
    return true;
}

static bool enter_block(ftr_flux_parser *parser, const ftr_flux_entry *entry)
{
    const char *wrong = NULL;
    uint8_t *bytes = NULL;
    if (parser->depth == FTR_FLUX_DEPTH_MAX)
        wrong = "blocks within blocks, more than eight deep";
    else if (entry->original_size > FTR_FLUX_ENTRY_MAX)
        wrong = "a packed block of more than 64 MiB";
    else if ((bytes = malloc(entry->original_size > 0 ? (size_t)entry->original_size : 1)) == NULL)
        wrong = "out of memory for a packed block";
    else
        wrong = unpack(entry->mode, (const uint8_t *)entry->bytes.data, entry->bytes.size, bytes,
                       (size_t)entry->original_size);
    if (wrong == NULL)
        return push(parser, entry->offset, bytes, (size_t)entry->original_size);
    free(bytes);
    parser->find(parser->user, entry->offset, wrong);
    return false; /* parsing continues after the block */
}

typedef struct section {
    uint8_t counter;
    ftr_view bytes; /* only the size is used; the bytes are in a copy, at the offset `at` */
    size_t at;
} section;

/* Returns the index of the oldest section. The writer increments the counter of a section at each
 * use (1 follows 15; 0: never written). Therefore the oldest section is the first section whose
 * counter differs from the counter of the section before it. */
static size_t oldest_of(const section *sections, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned now = sections[i].counter & 0x0f;
        const unsigned next = sections[(i + 1) % count].counter & 0x0f;
        if (now != next && i + 1 < count)
            return next == 0 ? 0 : i + 1;
    }
    return 0;
}

/* Reads consecutive sections as one ring. The entries of the ring are then returned in order, from
 * the oldest section on. */
static bool enter_ring(ftr_flux_parser *parser, const ftr_flux_entry *first)
{
    section *sections = malloc(SECTIONS_MAX * sizeof *sections);
    uint8_t *copy = NULL;
    size_t size = 0;
    size_t capacity = 0;
    size_t count = 0;
    ftr_flux_entry entry = *first;
    bool ok = sections != NULL && parser->depth < FTR_FLUX_DEPTH_MAX;
    while (ok) {
        if (size + entry.bytes.size > FTR_FLUX_ENTRY_MAX || count == SECTIONS_MAX ||
            !ftr_array_fit(&copy, &capacity, size + entry.bytes.size + 1, 1)) {
            ok = false;
            break;
        }
        memcpy(copy + size, entry.bytes.data, entry.bytes.size);
        sections[count++] = (section){entry.counter, {NULL, entry.bytes.size}, size};
        size += entry.bytes.size;
        if ((entry.counter & LAST_SECTION) != 0)
            break;
        size_t used;
        ftr_flux_decoded decoded;
        const uint8_t *at = NULL;
        size_t left = 0;
        do {
            if (parser->depth > 0) {
                at = parser->levels[parser->depth - 1].at;
                left = (size_t)(parser->levels[parser->depth - 1].end - at);
            } else {
                at = parser->bytes + parser->first;
                left = parser->last - parser->first;
            }
            decoded = left >= 2 && (at[0] != 0 || at[1] != FTR_FLUX_SECTION)
                          ? FTR_FLUX_MALFORMED
                          : ftr_flux_decode(at, left, &entry, &used);
        } while (decoded == FTR_FLUX_CUT && parser->depth == 0 && fill(parser));
        if (decoded != FTR_FLUX_DECODED) {
            parser->find(parser->user, first->offset, "a ring that ends before its last section");
            break;
        }
        consume(parser, used);
    }
    uint8_t *ordered = ok ? malloc(size + 1) : NULL;
    if (ordered != NULL) {
        size_t filled = 0;
        const size_t oldest = oldest_of(sections, count);
        for (size_t i = 0; i < count; i++) {
            const section *s = &sections[(oldest + i) % count];
            if ((s->counter & 0x0f) == 0)
                continue; /* never written */
            memcpy(ordered + filled, copy + s->at, s->bytes.size);
            filled += s->bytes.size;
        }
        (void)push(parser, first->offset, ordered, filled);
    } else {
        parser->find(parser->user, first->offset, "out of memory for a ring");
    }
    free(copy);
    free(sections);
    return ordered != NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Decodes the entry at the current position. @return false at the end of the file or after an
 * error, and also at the end of a block: the next call then continues after the block */
static bool decode_next(ftr_flux_parser *parser, ftr_flux_entry *entry)
{
    for (;;) {
        ftr_flux_level *level = parser->depth > 0 ? &parser->levels[parser->depth - 1] : NULL;
        const uint8_t *at = level != NULL ? level->at : parser->bytes + parser->first;
        const size_t left =
            level != NULL ? (size_t)(level->end - at) : parser->last - parser->first;
        size_t used;
        *entry = (ftr_flux_entry){.trace = parser->trace,
                                  .version = version_of(parser, parser->trace),
                                  .offset = where(parser)};
        switch (ftr_flux_decode(at, left, entry, &used)) {
        case FTR_FLUX_DECODED:
            consume(parser, used);
            return true;
        case FTR_FLUX_CUT:
            if (level == NULL && fill(parser))
                continue;
            if (left > 0)
                return stop(parser, "the bytes end in the middle of an entry");
            if (level != NULL)
                free(parser->levels[--parser->depth].owned);
            else
                parser->stopped = true;
            return false;
        case FTR_FLUX_UNKNOWN_TAG:
            return stop(parser, "an entry of an unknown kind: the data after it cannot be read");
        default:
            return stop(parser, "a number out of range: the data after it cannot be read");
        }
    }
}

bool ftr_flux_parser_next(ftr_flux_parser *parser, bool blocks, ftr_flux_entry *entry)
{
    while (!parser->stopped && !parser->failed) {
        if (!decode_next(parser, entry))
            continue;
        if (entry->tag == FTR_FLUX_HEAD)
            note_version(parser, entry);
        else if (entry->tag == FTR_FLUX_SWITCH)
            parser->trace = entry->trace;
        const bool is_block = entry->tag == FTR_FLUX_PACKED || entry->tag == FTR_FLUX_SECTION;
        if (entry->tag == FTR_FLUX_PACKED)
            (void)enter_block(parser, entry);
        else if (is_block)
            (void)enter_ring(parser, entry);
        if (is_block && !blocks)
            continue;
        return true;
    }
    return false;
}
