/* Decodes CBOR heads and traverses items. Checks nesting, counts and lengths, but not UTF-8. */
#include "cbor_reader.h"

#include <assert.h>

ftr_status ftr_cbor_reader_fail(ftr_cbor_reader *r, ftr_status status)
{
    if (r->status == FTR_OK)
        r->status = status;
    return r->status;
}

/* Decodes the head at *at and moves *at past the head. On failure, *at and *head are not
 * changed. */
static ftr_status parse_head(const uint8_t **at, const uint8_t *end, ftr_cbor_head *head)
{
    const uint8_t *p = *at;
    if (p == end)
        return FTR_ERR_TRUNCATED;
    const uint8_t major = *p >> 5;
    const uint8_t info = *p & 31;
    uint64_t argument = info;
    p++;
    if (info >= FTR_CBOR_INFO_8 && info <= FTR_CBOR_INFO_64) {
        const unsigned size = 1u << (info - FTR_CBOR_INFO_8);
        const size_t left = (size_t)(end - p);
        if (left < size)
            return FTR_ERR_TRUNCATED;
        argument = ftr_cbor_load(p, size, left);
        p += size;
        /* RFC 8949 allows only the one-byte form for simple values below 32. */
        if (major == FTR_CBOR_MAJOR_SIMPLE && size == 1 && argument < 32)
            return FTR_ERR_FORMAT;
    } else if (info == FTR_CBOR_INFO_INDEFINITE) {
        if (major <= FTR_CBOR_MAJOR_NEGATIVE || major == FTR_CBOR_MAJOR_TAG)
            return FTR_ERR_FORMAT;
        argument = 0;
    } else if (info > FTR_CBOR_INFO_64) {
        return FTR_ERR_FORMAT;
    }
    *head = (ftr_cbor_head){.argument = argument,
                            .major = major,
                            .info = info,
                            .indefinite = info == FTR_CBOR_INFO_INDEFINITE};
    *at = p;
    return FTR_OK;
}

static bool is_break(const ftr_cbor_head *head)
{
    return head->major == FTR_CBOR_MAJOR_SIMPLE && head->indefinite;
}

/* Decodes the head of the next item, which must be of type `major`, without moving the reader.
 * *after receives the position behind the head. If the head is invalid or of another type, latches
 * an error. */
static ftr_status expect(ftr_cbor_reader *r, uint8_t major, ftr_cbor_head *head,
                         const uint8_t **after)
{
    if (r->status != FTR_OK)
        return r->status;
    const uint8_t *p = r->cursor;
    ftr_cbor_head found;
    ftr_status status = parse_head(&p, r->end, &found);
    if (status == FTR_OK && found.major != major)
        status = FTR_ERR_FORMAT;
    if (status != FTR_OK) {
        (void)ftr_cbor_reader_fail(r, status);
        return status;
    }
    *head = found;
    *after = p;
    return FTR_OK;
}

ftr_cbor_type ftr_cbor_peek(const ftr_cbor_reader *r)
{
    if (r->status != FTR_OK || r->cursor == r->end)
        return FTR_CBOR_END;
    const uint8_t major = *r->cursor >> 5;
    const uint8_t info = *r->cursor & 31;
    if (info > FTR_CBOR_INFO_64 && info < FTR_CBOR_INFO_INDEFINITE)
        return FTR_CBOR_MALFORMED;
    if (major != FTR_CBOR_MAJOR_SIMPLE) {
        const bool definite_only = major <= FTR_CBOR_MAJOR_NEGATIVE || major == FTR_CBOR_MAJOR_TAG;
        if (info == FTR_CBOR_INFO_INDEFINITE && definite_only)
            return FTR_CBOR_MALFORMED;
        return (ftr_cbor_type)((int)FTR_CBOR_UINT + major);
    }
    switch (*r->cursor) {
    case FTR_CBOR_BYTE_FALSE:
    case FTR_CBOR_BYTE_TRUE:
        return FTR_CBOR_BOOL;
    case FTR_CBOR_BYTE_NULL:
        return FTR_CBOR_NULL;
    case FTR_CBOR_BYTE_UNDEFINED:
        return FTR_CBOR_UNDEFINED;
    case FTR_CBOR_BYTE_HALF:
        return FTR_CBOR_HALF;
    case FTR_CBOR_BYTE_FLOAT:
        return FTR_CBOR_FLOAT;
    case FTR_CBOR_BYTE_DOUBLE:
        return FTR_CBOR_DOUBLE;
    case FTR_CBOR_BYTE_BREAK:
        return FTR_CBOR_BREAK;
    default:
        return FTR_CBOR_SIMPLE;
    }
}

bool ftr_cbor_peek_indefinite(const ftr_cbor_reader *r)
{
    const ftr_cbor_type type = ftr_cbor_peek(r);
    return type >= FTR_CBOR_BYTES && type <= FTR_CBOR_MAP &&
           (*r->cursor & 31) == FTR_CBOR_INFO_INDEFINITE;
}

ftr_status ftr_cbor_get_head(ftr_cbor_reader *r, ftr_cbor_head *head)
{
    if (r->status != FTR_OK)
        return r->status;
    const ftr_status status = parse_head(&r->cursor, r->end, head);
    return status == FTR_OK ? FTR_OK : ftr_cbor_reader_fail(r, status);
}

ftr_status ftr_cbor_get_argument_slow(ftr_cbor_reader *r, uint8_t major, uint64_t *argument)
{
    ftr_cbor_head head;
    const uint8_t *after;
    const ftr_status status = expect(r, major, &head, &after);
    if (status != FTR_OK)
        return status;
    if (head.indefinite)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    r->cursor = after;
    *argument = head.argument;
    return FTR_OK;
}

ftr_status ftr_cbor_get_int(ftr_cbor_reader *r, int64_t *value)
{
    if (r->status != FTR_OK)
        return r->status;
    const uint8_t *p = r->cursor;
    ftr_cbor_head head;
    const ftr_status status = parse_head(&p, r->end, &head);
    if (status != FTR_OK)
        return ftr_cbor_reader_fail(r, status);
    if (head.major > FTR_CBOR_MAJOR_NEGATIVE)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    if (head.argument > INT64_MAX)
        return ftr_cbor_reader_fail(r, FTR_ERR_LIMIT);
    r->cursor = p;
    *value =
        head.major == FTR_CBOR_MAJOR_UINT ? (int64_t)head.argument : -1 - (int64_t)head.argument;
    return FTR_OK;
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of_half(uint16_t half)
{
    const uint64_t sign = (uint64_t)(half >> 15) << 63;
    const uint64_t exponent = (half >> 10) & 31;
    const uint64_t fraction = half & 1023;
    if (exponent == 0) {
        /* Zero or a subnormal number, in units of 2^-24. */
        const double magnitude = (double)fraction * 0x1p-24;
        return sign != 0 ? -magnitude : magnitude;
    }
    const uint64_t widened = exponent == 31 ? 2047 : exponent - 15 + 1023;
    return double_of_bits(sign | widened << 52 | fraction << 42);
}

ftr_status ftr_cbor_get_double(ftr_cbor_reader *r, double *value)
{
    ftr_cbor_head head;
    const uint8_t *after;
    const ftr_status status = expect(r, FTR_CBOR_MAJOR_SIMPLE, &head, &after);
    if (status != FTR_OK)
        return status;
    if (head.info == FTR_CBOR_INFO_16) {
        *value = double_of_half((uint16_t)head.argument);
    } else if (head.info == FTR_CBOR_INFO_32) {
        const uint32_t bits = (uint32_t)head.argument;
        float single;
        memcpy(&single, &bits, sizeof single);
        *value = (double)single;
    } else if (head.info == FTR_CBOR_INFO_64) {
        *value = double_of_bits(head.argument);
    } else {
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    }
    r->cursor = after;
    return FTR_OK;
}

ftr_status ftr_cbor_get_simple(ftr_cbor_reader *r, uint8_t *value)
{
    ftr_cbor_head head;
    const uint8_t *after;
    const ftr_status status = expect(r, FTR_CBOR_MAJOR_SIMPLE, &head, &after);
    if (status != FTR_OK)
        return status;
    if (head.info > FTR_CBOR_INFO_8)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    r->cursor = after;
    *value = (uint8_t)head.argument;
    return FTR_OK;
}

/* Reads the next item if it consists of the byte `one` or of the byte `other`. */
static ftr_status get_byte(ftr_cbor_reader *r, uint8_t one, uint8_t other, uint8_t *found)
{
    if (r->status != FTR_OK)
        return r->status;
    if (r->cursor == r->end)
        return ftr_cbor_reader_fail(r, FTR_ERR_TRUNCATED);
    if (*r->cursor != one && *r->cursor != other)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    *found = *r->cursor++;
    return FTR_OK;
}

ftr_status ftr_cbor_get_bool(ftr_cbor_reader *r, bool *value)
{
    uint8_t found;
    const ftr_status status = get_byte(r, FTR_CBOR_BYTE_FALSE, FTR_CBOR_BYTE_TRUE, &found);
    if (status == FTR_OK)
        *value = found == FTR_CBOR_BYTE_TRUE;
    return status;
}

ftr_status ftr_cbor_get_break(ftr_cbor_reader *r)
{
    uint8_t found;
    return get_byte(r, FTR_CBOR_BYTE_BREAK, FTR_CBOR_BYTE_BREAK, &found);
}

static ftr_status get_string(ftr_cbor_reader *r, uint8_t major, const uint8_t **content,
                             size_t *size)
{
    ftr_cbor_reader at = *r;
    uint64_t length = 0;
    const ftr_status status = ftr_cbor_get_argument(&at, major, &length);
    if (status != FTR_OK)
        return ftr_cbor_reader_fail(r, status);
    if (length > ftr_cbor_reader_left(&at))
        return ftr_cbor_reader_fail(r, FTR_ERR_TRUNCATED);
    *content = at.cursor;
    *size = (size_t)length;
    r->cursor = at.cursor + length;
    return FTR_OK;
}

ftr_status ftr_cbor_get_bytes(ftr_cbor_reader *r, const uint8_t **bytes, size_t *size)
{
    return get_string(r, FTR_CBOR_MAJOR_BYTES, bytes, size);
}

ftr_status ftr_cbor_get_text(ftr_cbor_reader *r, const char **text, size_t *size)
{
    const uint8_t *content;
    const ftr_status status = get_string(r, FTR_CBOR_MAJOR_TEXT, &content, size);
    if (status == FTR_OK)
        *text = (const char *)content;
    return status;
}

/* Moves *at from the position behind the head of a string past the content of the string. Copies
 * the content if `to` is not NULL. *size receives the number of bytes of the content. */
static ftr_status walk_string(const uint8_t **at, const uint8_t *end, const ftr_cbor_head *head,
                              uint8_t *to, size_t *size)
{
    const uint8_t *p = *at;
    ftr_cbor_head chunk = *head;
    size_t total = 0;
    for (;;) {
        if (head->indefinite) {
            const ftr_status status = parse_head(&p, end, &chunk);
            if (status != FTR_OK)
                return status;
            if (is_break(&chunk))
                break;
            if (chunk.major != head->major || chunk.indefinite)
                return FTR_ERR_FORMAT;
        }
        if (chunk.argument > (size_t)(end - p))
            return FTR_ERR_TRUNCATED;
        const size_t length = (size_t)chunk.argument;
        if (to != NULL && length > 0)
            memcpy(to + total, p, length);
        p += length;
        total += length;
        if (!head->indefinite)
            break;
    }
    *at = p;
    *size = total;
    return FTR_OK;
}

ftr_status ftr_cbor_measure_string(ftr_cbor_reader *r, uint8_t major, size_t *size)
{
    assert(major == FTR_CBOR_MAJOR_TEXT || major == FTR_CBOR_MAJOR_BYTES);
    ftr_cbor_head head;
    const uint8_t *p;
    ftr_status status = expect(r, major, &head, &p);
    if (status != FTR_OK)
        return status;
    status = walk_string(&p, r->end, &head, NULL, size);
    return status == FTR_OK ? FTR_OK : ftr_cbor_reader_fail(r, status);
}

ftr_status ftr_cbor_copy_string(ftr_cbor_reader *r, uint8_t major, void *to, size_t capacity,
                                size_t *size)
{
    size_t needed;
    ftr_status status = ftr_cbor_measure_string(r, major, &needed);
    if (status != FTR_OK)
        return status;
    if (needed > capacity)
        return ftr_cbor_reader_fail(r, FTR_ERR_LIMIT);
    ftr_cbor_head head;
    const uint8_t *p;
    status = expect(r, major, &head, &p);
    if (status == FTR_OK)
        status = walk_string(&p, r->end, &head, to, size);
    if (status == FTR_OK)
        r->cursor = p;
    return status;
}

static ftr_status get_container(ftr_cbor_reader *r, uint8_t major, uint64_t *count)
{
    ftr_cbor_head head;
    const uint8_t *after;
    const ftr_status status = expect(r, major, &head, &after);
    if (status != FTR_OK)
        return status;
    /* An item takes at least one byte, a pair at least two, so a greater count cannot be valid. */
    const size_t left = (size_t)(r->end - after);
    if (head.argument > (major == FTR_CBOR_MAJOR_MAP ? left / 2 : left))
        return ftr_cbor_reader_fail(r, FTR_ERR_TRUNCATED);
    r->cursor = after;
    *count = head.indefinite ? FTR_CBOR_INDEFINITE : head.argument;
    return FTR_OK;
}

ftr_status ftr_cbor_get_array(ftr_cbor_reader *r, uint64_t *count)
{
    return get_container(r, FTR_CBOR_MAJOR_ARRAY, count);
}

ftr_status ftr_cbor_get_map(ftr_cbor_reader *r, uint64_t *count)
{
    return get_container(r, FTR_CBOR_MAJOR_MAP, count);
}

bool ftr_cbor_next(ftr_cbor_reader *r, uint64_t *count)
{
    if (r->status != FTR_OK || *count == 0)
        return false;
    if (*count != FTR_CBOR_INDEFINITE) {
        (*count)--;
        return true;
    }
    if (r->cursor == r->end) {
        ftr_cbor_reader_fail(r, FTR_ERR_TRUNCATED);
        return false;
    }
    if (*r->cursor != FTR_CBOR_BYTE_BREAK)
        return true;
    r->cursor++;
    *count = 0;
    return false;
}

/* State of a skip. Only indefinite containers need a stack. For definite arrays, maps and tags, one
 * number is sufficient: the number of items that must follow before the innermost indefinite
 * container can end. Outside of indefinite containers, this is the number of items that must follow
 * before the whole item ends. */
typedef struct ftr_cbor_skip_state {
    /* number of items that must follow; at 0 the innermost indefinite container may end */
    uint64_t pending;
    bool map; /* the innermost indefinite container is a map */
    bool odd; /* only for a map: the last item was a key, and its value must follow */
} ftr_cbor_skip_state;

typedef struct ftr_cbor_skip_walk {
    ftr_cbor_skip_state now;
    ftr_cbor_skip_state outer[FTR_CBOR_SKIP_DEPTH];
    unsigned depth;
} ftr_cbor_skip_walk;

static ftr_status skip_break(ftr_cbor_skip_walk *walk)
{
    if (walk->depth == 0 || walk->now.pending != 0 || walk->now.odd)
        return FTR_ERR_FORMAT;
    walk->now = walk->outer[--walk->depth];
    return FTR_OK;
}

static ftr_status skip_into(ftr_cbor_skip_walk *walk, const ftr_cbor_head *head, size_t left)
{
    const bool map = head->major == FTR_CBOR_MAJOR_MAP;
    if (head->indefinite) {
        if (walk->depth == FTR_CBOR_SKIP_DEPTH)
            return FTR_ERR_LIMIT;
        walk->outer[walk->depth++] = walk->now;
        walk->now = (ftr_cbor_skip_state){.map = map};
        return FTR_OK;
    }
    /* An item takes at least one byte. This check also prevents an overflow of the sum. */
    if (head->argument > (map ? left / 2 : left))
        return FTR_ERR_TRUNCATED;
    walk->now.pending += map ? head->argument * 2 : head->argument;
    return walk->now.pending <= left ? FTR_OK : FTR_ERR_TRUNCATED;
}

ftr_status ftr_cbor_skip(ftr_cbor_reader *r)
{
    if (r->status != FTR_OK)
        return r->status;
    ftr_cbor_skip_walk walk;
    walk.now = (ftr_cbor_skip_state){.pending = 1};
    walk.depth = 0;
    const uint8_t *p = r->cursor;
    while (walk.depth > 0 || walk.now.pending > 0) {
        ftr_cbor_head head;
        ftr_status status = parse_head(&p, r->end, &head);
        if (status != FTR_OK)
            return ftr_cbor_reader_fail(r, status);
        if (is_break(&head)) {
            status = skip_break(&walk);
        } else {
            if (walk.now.pending > 0) {
                walk.now.pending--;
            } else if (walk.now.map) {
                walk.now.odd = !walk.now.odd;
            }
            if (head.major == FTR_CBOR_MAJOR_BYTES || head.major == FTR_CBOR_MAJOR_TEXT) {
                size_t size;
                status = walk_string(&p, r->end, &head, NULL, &size);
            } else if (head.major == FTR_CBOR_MAJOR_ARRAY || head.major == FTR_CBOR_MAJOR_MAP) {
                status = skip_into(&walk, &head, (size_t)(r->end - p));
            } else if (head.major == FTR_CBOR_MAJOR_TAG) {
                walk.now.pending++;
            }
        }
        if (status != FTR_OK)
            return ftr_cbor_reader_fail(r, status);
    }
    r->cursor = p;
    return FTR_OK;
}
