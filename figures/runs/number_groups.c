/* A group consists of a head, the base, the bits, and the rests that do not fit into the bits. The
 * writer chooses the form of the group with the fewest bytes. Among forms with equal sizes, it
 * chooses the first one that it tries, so that equal numbers always have equal bytes. */
#include "number_groups.h"

#include <limits.h>

#define ALL_EQUAL 127u /* instead of a width: every number of the group is the base */
#define HAS_BASE 128u
#define WIDTH_MAX 64u
/* The head, the base, the bits, and behind the bits up to 10 bytes for each number of the group. */
#define GROUP_SIZE_MAX (1u + 10u + FTR_NUMBER_GROUP * 8u + FTR_NUMBER_GROUP * 10u)

/* ---- writing --------------------------------------------------------------------------------- */

static unsigned length_of(uint64_t number)
{
    return number > 0 ? 64u - (unsigned)__builtin_clzll(number) : 0;
}

/* Returns how many bytes a number has in base 128. */
static unsigned bytes_of(uint64_t number)
{
    const unsigned length = length_of(number);
    return length > 0 ? (length + 6) / 7 : 1;
}

static uint8_t *put_bytes(uint8_t *p, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        *p++ = (uint8_t)(number | 128);
    *p++ = (uint8_t)number;
    return p;
}

/* Returns the greatest number of @p width bits. This value marks a number that does not fit: the
 * rest of the number is behind the bits. */
static uint64_t escape_of(unsigned width)
{
    return width < WIDTH_MAX ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

static unsigned size_of_bits(unsigned count, unsigned width)
{
    return (count * width + 7) / 8;
}

typedef struct form {
    unsigned size; /* bytes; 0: no form was tried */
    unsigned width;
    uint64_t base;
} form;

static void try_width(const ftr_number_writer *w, unsigned width, uint64_t base, form *best)
{
    const uint64_t escape = escape_of(width);
    const unsigned size_max = best->size > 0 ? best->size : UINT_MAX;
    unsigned size = 1 + (base > 0 ? bytes_of(base) : 0) + size_of_bits(w->count, width);
    for (unsigned i = 0; i < w->count && size < size_max; i++)
        if (w->group[i] - base >= escape)
            size += bytes_of(w->group[i] - base - escape);
    if (size < size_max)
        *best = (form){size, width, base};
}

static form choose(const ftr_number_writer *w)
{
    uint64_t least = UINT64_MAX, greatest = 0;
    form best = {0};
    for (unsigned i = 0; i < w->count; i++) {
        least = w->group[i] < least ? w->group[i] : least;
        greatest = w->group[i] > greatest ? w->group[i] : greatest;
    }
    if (least == greatest)
        return (form){1, ALL_EQUAL, least};
    for (unsigned with_base = 0; with_base <= (least > 0 ? 1u : 0u); with_base++) {
        const uint64_t base = with_base > 0 ? least : 0;
        const unsigned widest = length_of(greatest - base) + 1;
        for (unsigned width = 0; width <= widest && width <= WIDTH_MAX; width++)
            try_width(w, width, base, &best);
    }
    return best;
}

static uint8_t *put_bits(uint8_t *p, const ftr_number_writer *w, const form *chosen)
{
    const uint64_t escape = escape_of(chosen->width);
    unsigned filled = 0; /* bits of *p */
    memset(p, 0, size_of_bits(w->count, chosen->width));
    for (unsigned i = 0; i < w->count; i++) {
        const uint64_t above = w->group[i] - chosen->base;
        uint64_t bits = above < escape ? above : escape;
        for (unsigned left = chosen->width; left > 0;) {
            const unsigned room = 8 - filled;
            const unsigned part = left < room ? left : room;
            *p = (uint8_t)(*p | (bits & ((1u << part) - 1)) << filled);
            bits >>= part;
            left -= part;
            filled += part;
            p += filled / 8;
            filled %= 8;
        }
    }
    p += filled > 0 ? 1 : 0;
    for (unsigned i = 0; i < w->count; i++)
        if (w->group[i] - chosen->base >= escape)
            p = put_bytes(p, w->group[i] - chosen->base - escape);
    return p;
}

void ftr_numbers_end(ftr_number_writer *w)
{
    uint8_t *p = w->count > 0 ? ftr_cbor_reserve(w->to, GROUP_SIZE_MAX) : NULL;
    if (p != NULL) {
        const form chosen = choose(w);
        *p++ = (uint8_t)(chosen.width | (chosen.base > 0 ? HAS_BASE : 0));
        if (chosen.base > 0)
            p = put_bytes(p, chosen.base);
        if (chosen.width != ALL_EQUAL)
            p = put_bits(p, w, &chosen);
        ftr_cbor_advance(w->to, p);
    }
    w->count = 0;
}

void ftr_number_put(ftr_number_writer *w, uint64_t number)
{
    w->group[w->count++] = number;
    if (w->count == FTR_NUMBER_GROUP)
        ftr_numbers_end(w);
}

/* ---- reading --------------------------------------------------------------------------------- */

void ftr_number_reader_fail(ftr_number_reader *r, ftr_status status)
{
    if (r->status == FTR_OK)
        r->status = status;
    r->count = r->at = 0;
    r->left = 0;
}

static uint64_t get_bytes(ftr_number_reader *r)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < WIDTH_MAX; shift += 7) {
        if (r->next == r->end) {
            ftr_number_reader_fail(r, FTR_ERR_TRUNCATED);
            return 0;
        }
        const uint64_t byte = *r->next++;
        if (shift == 63 && byte > 1)
            break;
        number |= (byte & 127) << shift;
        if (byte < 128)
            return number;
    }
    ftr_number_reader_fail(r, FTR_ERR_FORMAT);
    return 0;
}

static uint64_t bits_at(const uint8_t *bytes, size_t first, unsigned width)
{
    uint64_t number = 0;
    for (unsigned got = 0; got < width;) {
        const size_t at = first + got;
        const unsigned room = 8 - (unsigned)(at % 8);
        const unsigned part = width - got < room ? width - got : room;
        number |= (uint64_t)(bytes[at / 8] >> at % 8 & ((1u << part) - 1)) << got;
        got += part;
    }
    return number;
}

static void get_numbers(ftr_number_reader *r, unsigned count, unsigned width, uint64_t base)
{
    const uint64_t escape = escape_of(width);
    const unsigned size = size_of_bits(count, width);
    if ((size_t)(r->end - r->next) < size) {
        ftr_number_reader_fail(r, FTR_ERR_TRUNCATED);
        return;
    }
    const uint8_t *const bits = r->next;
    r->next += size;
    for (unsigned i = 0; i < count && r->status == FTR_OK; i++) {
        uint64_t above = bits_at(bits, (size_t)i * width, width);
        if (above == escape) {
            const uint64_t more = get_bytes(r);
            if (more > UINT64_MAX - escape)
                ftr_number_reader_fail(r, FTR_ERR_FORMAT);
            above = escape + more;
        }
        if (above > UINT64_MAX - base)
            ftr_number_reader_fail(r, FTR_ERR_FORMAT);
        r->group[i] = base + above;
    }
}

static void read_group(ftr_number_reader *r)
{
    const unsigned count = r->left < FTR_NUMBER_GROUP ? (unsigned)r->left : FTR_NUMBER_GROUP;
    if (r->next == r->end) {
        ftr_number_reader_fail(r, FTR_ERR_TRUNCATED);
        return;
    }
    const unsigned head = *r->next++;
    const unsigned width = head & ~HAS_BASE;
    const uint64_t base = head & HAS_BASE ? get_bytes(r) : 0;
    if (width > WIDTH_MAX && width != ALL_EQUAL)
        ftr_number_reader_fail(r, FTR_ERR_FORMAT);
    if (r->status != FTR_OK)
        return;
    if (width == ALL_EQUAL)
        for (unsigned i = 0; i < count; i++)
            r->group[i] = base;
    else
        get_numbers(r, count, width, base);
    if (r->status != FTR_OK)
        return;
    r->left -= count;
    r->count = count;
    r->at = 0;
}

void ftr_numbers_begin(ftr_number_reader *r, uint64_t count)
{
    r->count = r->at = 0;
    r->left = r->status == FTR_OK ? count : 0;
}

uint64_t ftr_number_get(ftr_number_reader *r)
{
    if (r->at == r->count) {
        if (r->left > 0)
            read_group(r);
        if (r->at == r->count)
            return 0;
    }
    return r->group[r->at++];
}
