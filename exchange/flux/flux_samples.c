/* The sample entries of flux: positions, and the encoding of values of each type. Freestanding. */
#include "flux_encoder.h"

#define TAG_CURRENT 0x23

/* The format of a value: the low bits of the length field before it. */
enum {
    FORMAT_PLAIN = 1,
    FORMAT_EVENT = 2,
    FORMAT_OF_4 = 5, /* array with elements of 4 bytes; the next format: of 8 bytes */
    FORMAT_OF_8 = 9
};

/* Writes the bytes of a value, without the length field. The function is called twice: first with
 * an encoder that only counts bytes, and again, after the length field, to write the same bytes. */
typedef void encode_value(ftr_flux_encoder *to, const void *value);

typedef struct sample {
    uint32_t item;
    bool conflict;
    uint64_t delta;
    uint8_t format;
    bool none;
    unsigned width; /* size of the length field in bytes; 0: the shortest possible size */
    encode_value *encode;
    const void *value;
} sample;

static void encode_sample(ftr_flux_encoder *to, const sample *s)
{
    ftr_flux_encoder measured = {NULL, 0, 0};
    ftr_flux_pint(to, (uint64_t)s->item << 3 | (s->delta > 0 ? 2U : 0U) | s->conflict);
    if (s->delta > 0)
        ftr_flux_pint(to, s->delta);
    if (s->none) {
        ftr_flux_byte(to, 0);
        return;
    }
    s->encode(&measured, s->value);
    const uint64_t length = (uint64_t)measured.used << 4 | s->format;
    if (s->width > 0)
        ftr_flux_pint_of_width(to, length, s->width);
    else
        ftr_flux_pint(to, length);
    s->encode(to, s->value);
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Returns the item whose position applies to @p item: the nearest open item on the path from @p
 * item to the root. NULL if no item on this path is open. */
static ftr_flux_item *opened(const ftr_flux_trace *trace, uint32_t item, uint32_t *id)
{
    while (item != 0 && !trace->items[item].open)
        item = trace->items[item].parent;
    *id = item;
    return trace->items[item].open ? &trace->items[item] : NULL;
}

static void encode_current(ftr_flux_encoder *to, uint32_t item, int64_t position)
{
    ftr_flux_byte(to, 0);
    ftr_flux_byte(to, TAG_CURRENT);
    ftr_flux_pint(to, item);
    ftr_flux_sint(to, position);
}

ftr_status ftr_flux_put_current(ftr_flux_trace *trace, uint32_t item, int64_t position)
{
    int64_t current;
    const ftr_status known = ftr_flux_get_position(trace, item, &current);
    if (known != FTR_OK || !trace->items[item].open)
        return known != FTR_OK ? known : FTR_ERR_STATE;
    if (position < current)
        return FTR_ERR_ORDER;
    ftr_flux_encoder to = {NULL, 0, 0};
    encode_current(&to, item, position);
    const ftr_status status = ftr_flux_request(trace, to.used, &to);
    if (status != FTR_OK)
        return status;
    encode_current(&to, item, position);
    trace->items[item].position = position;
    return ftr_flux_commit(trace, &to);
}

ftr_status ftr_flux_get_position(const ftr_flux_trace *trace, uint32_t item, int64_t *position)
{
    uint32_t id;
    if (item > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    if (trace->items[item].kind == 0)
        return FTR_ERR_UNDEFINED;
    const ftr_flux_item *domain = opened(trace, item, &id);
    if (domain == NULL)
        return FTR_ERR_STATE;
    *position = domain->position;
    return FTR_OK;
}

/* Writes a sample. If the position cannot be expressed as a delta from the current position, first
 * writes an entry with the new position. Writes both entries or none. */
static ftr_status put(ftr_flux_trace *trace, sample *s, int64_t position)
{
    uint32_t id;
    if (s->item == 0 || s->item > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    if (trace->items[s->item].kind == 0)
        return FTR_ERR_UNDEFINED;
    ftr_flux_item *domain = opened(trace, s->item, &id);
    if (domain == NULL)
        return FTR_ERR_STATE;
    if (position < domain->position)
        return FTR_ERR_ORDER;
    s->delta = (uint64_t)position - (uint64_t)domain->position;
    const bool jumps = s->delta > UINT32_MAX;
    ftr_flux_encoder jump = {NULL, 0, 0};
    ftr_flux_encoder to = {NULL, 0, 0};
    if (jumps) {
        s->delta = 0;
        encode_current(&jump, id, position);
    }
    encode_sample(&to, s);
    if (jump.used > trace->max_entry_size || to.used > trace->max_entry_size)
        return FTR_ERR_LIMIT;
    const ftr_status status = ftr_flux_reserve(trace, jump.used + to.used, &to);
    if (status != FTR_OK)
        return status;
    if (jumps)
        encode_current(&to, id, position);
    encode_sample(&to, s);
    domain->position = position;
    return ftr_flux_commit(trace, &to);
}

/* ---- single values --------------------------------------------------------------------------- */

static void encode_integer(ftr_flux_encoder *to, const void *value)
{
    int64_t integer;
    __builtin_memcpy(&integer, value, sizeof integer);
    ftr_flux_integer_bytes(to, (uint64_t)integer, ftr_flux_sint_size(integer));
}

static void encode_uint4(ftr_flux_encoder *to, const void *value)
{
    uint32_t number;
    __builtin_memcpy(&number, value, sizeof number);
    ftr_flux_integer_bytes(to, number, ftr_flux_uint_size(number, sizeof number));
}

static void encode_uint8(ftr_flux_encoder *to, const void *value)
{
    uint64_t number;
    __builtin_memcpy(&number, value, sizeof number);
    ftr_flux_integer_bytes(to, number, ftr_flux_uint_size(number, sizeof number));
}

static void encode_float4(ftr_flux_encoder *to, const void *value)
{
    float number;
    __builtin_memcpy(&number, value, sizeof number);
    ftr_flux_float4(to, number);
}

static void encode_float8(ftr_flux_encoder *to, const void *value)
{
    double number;
    __builtin_memcpy(&number, value, sizeof number);
    ftr_flux_float8(to, number);
}

typedef struct bytes {
    const void *data;
    size_t size;
} bytes;

static void encode_bytes(ftr_flux_encoder *to, const void *value)
{
    const bytes *b = value;
    ftr_flux_bytes(to, b->data, b->size);
}

ftr_status ftr_flux_put_none(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position)
{
    return put(trace, &(sample){.item = item, .conflict = conflict, .none = true}, position);
}

ftr_status ftr_flux_put_int(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                            int64_t value)
{
    return put(trace, &(sample){item, conflict, 0, FORMAT_PLAIN, false, 0, encode_integer, &value},
               position);
}

ftr_status ftr_flux_put_uint(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                             uint64_t value)
{
    return put(trace, &(sample){item, conflict, 0, FORMAT_PLAIN, false, 0, encode_uint8, &value},
               position);
}

ftr_status ftr_flux_put_uint32(ftr_flux_trace *trace, uint32_t item, bool conflict,
                               int64_t position, uint32_t value)
{
    return put(trace, &(sample){item, conflict, 0, FORMAT_PLAIN, false, 0, encode_uint4, &value},
               position);
}

ftr_status ftr_flux_put_event(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                              uint32_t value)
{
    return put(trace, &(sample){item, conflict, 0, FORMAT_EVENT, false, 0, encode_uint4, &value},
               position);
}

ftr_status ftr_flux_put_double(ftr_flux_trace *trace, uint32_t item, bool conflict,
                               int64_t position, double value)
{
    return put(trace, &(sample){item, conflict, 0, FORMAT_OF_8, false, 0, encode_float8, &value},
               position);
}

ftr_status ftr_flux_put_float(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                              float value)
{
    return put(trace, &(sample){item, conflict, 0, FORMAT_OF_4, false, 0, encode_float4, &value},
               position);
}

ftr_status ftr_flux_put_text(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                             const char *text)
{
    return ftr_flux_put_binary(trace, item, conflict, position, text, ftr_flux_length(text));
}

ftr_status ftr_flux_put_binary(ftr_flux_trace *trace, uint32_t item, bool conflict,
                               int64_t position, const void *data, size_t size)
{
    const bytes value = {data, size};
    if (data == NULL && size > 0)
        return FTR_ERR_ARGUMENT;
    return put(trace, &(sample){item, conflict, 0, FORMAT_PLAIN, false, 0, encode_bytes, &value},
               position);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef enum element { EVENTS, INTS, LONGS, FLOATS, DOUBLES } element;

typedef struct array {
    element element;
    const void *values;
    size_t count;
} array;

static void encode_array(ftr_flux_encoder *to, const void *value)
{
    const array *a = value;
    for (size_t i = 0; i < a->count; i++)
        switch (a->element) {
        case EVENTS:
            ftr_flux_uint(to, ((const uint32_t *)a->values)[i], sizeof(uint32_t));
            break;
        case INTS:
            ftr_flux_sint(to, ((const int32_t *)a->values)[i]);
            break;
        case LONGS:
            ftr_flux_sint(to, ((const int64_t *)a->values)[i]);
            break;
        case FLOATS:
            ftr_flux_float4(to, ((const float *)a->values)[i]);
            break;
        default:
            ftr_flux_float8(to, ((const double *)a->values)[i]);
        }
}

/* As in the reference writer, the length field has the size that it would need for the longest
 * possible values. */
static ftr_status put_array(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                            const array *a)
{
    static const uint8_t FORMATS[] = {FORMAT_EVENT, FORMAT_OF_4, FORMAT_OF_8, FORMAT_OF_4,
                                      FORMAT_OF_8};
    static const uint8_t SIZES[] = {1 + 4, 1 + 4, 1 + 8, 4, 8};
    if (a->values == NULL && a->count > 0)
        return FTR_ERR_ARGUMENT;
    if (a->count > UINT32_MAX / 16)
        return FTR_ERR_LIMIT;
    const unsigned width =
        ftr_flux_pint_size((uint64_t)a->count * SIZES[a->element] << 4 | FORMATS[a->element]);
    return put(trace,
               &(sample){item, conflict, 0, FORMATS[a->element], false, width, encode_array, a},
               position);
}

ftr_status ftr_flux_put_events(ftr_flux_trace *trace, uint32_t item, bool conflict,
                               int64_t position, const uint32_t *values, size_t count)
{
    return put_array(trace, item, conflict, position, &(array){EVENTS, values, count});
}

ftr_status ftr_flux_put_ints(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                             const int32_t *values, size_t count)
{
    return put_array(trace, item, conflict, position, &(array){INTS, values, count});
}

ftr_status ftr_flux_put_longs(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                              const int64_t *values, size_t count)
{
    return put_array(trace, item, conflict, position, &(array){LONGS, values, count});
}

ftr_status ftr_flux_put_floats(ftr_flux_trace *trace, uint32_t item, bool conflict,
                               int64_t position, const float *values, size_t count)
{
    return put_array(trace, item, conflict, position, &(array){FLOATS, values, count});
}

ftr_status ftr_flux_put_doubles(ftr_flux_trace *trace, uint32_t item, bool conflict,
                                int64_t position, const double *values, size_t count)
{
    return put_array(trace, item, conflict, position, &(array){DOUBLES, values, count});
}

/* ---- structs --------------------------------------------------------------------------------- */

typedef struct members {
    const ftr_flux_member *members;
    size_t count;
} members;

/* Returns the maximum size of the encoded value of a member in bytes, which depends on the C type
 * of the member. */
static unsigned member_size_max(const ftr_flux_member *member)
{
    if (member->type == FTR_FLUX_MEMBER_TEXT || member->type == FTR_FLUX_MEMBER_BINARY)
        return member->size;
    if (member->type == FTR_FLUX_MEMBER_FLOAT)
        return member->size == 4 ? 4 : 8;
    return member->size >= 1 && member->size < 8 ? member->size : 8;
}

static unsigned member_size(const ftr_flux_member *member)
{
    const unsigned most = member_size_max(member);
    if (member->type == FTR_FLUX_MEMBER_TEXT || member->type == FTR_FLUX_MEMBER_BINARY ||
        member->type == FTR_FLUX_MEMBER_FLOAT)
        return most;
    if (member->type != FTR_FLUX_MEMBER_INTEGER || member->is_unsigned)
        return ftr_flux_uint_size((uint64_t)member->as.integer, most);
    return ftr_flux_sint_size(member->as.integer);
}

void ftr_flux_encode_members(ftr_flux_encoder *to, const ftr_flux_member *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ftr_flux_member *member = &values[i];
        if (!member->valid)
            continue;
        const unsigned size = member_size(member);
        ftr_flux_pint(to, member->member);
        ftr_flux_byte(to, (uint8_t)member->type);
        ftr_flux_pint(to, size);
        if (member->type == FTR_FLUX_MEMBER_TEXT || member->type == FTR_FLUX_MEMBER_BINARY)
            ftr_flux_bytes(to, member->as.bytes, size);
        else if (member->type != FTR_FLUX_MEMBER_FLOAT)
            ftr_flux_integer_bytes(to, (uint64_t)member->as.integer, size);
        else if (size == 4)
            ftr_flux_float4(to, (float)member->as.real);
        else
            ftr_flux_float8(to, member->as.real);
    }
}

static void encode_members(ftr_flux_encoder *to, const void *value)
{
    const members *all = value;
    ftr_flux_encode_members(to, all->members, all->count);
}

/* As for arrays, the length field has the size that it would need for the longest possible
 * values. */
unsigned ftr_flux_members_width(const ftr_flux_member *values, size_t count)
{
    uint64_t longest = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i].valid) {
            const unsigned most = member_size_max(&values[i]);
            longest += ftr_flux_pint_size(values[i].member) + 1 + ftr_flux_pint_size(most) + most;
        }
    return ftr_flux_pint_size(longest << 4 | FORMAT_PLAIN);
}

ftr_status ftr_flux_put_struct(ftr_flux_trace *trace, uint32_t item, bool conflict,
                               int64_t position, const ftr_flux_member *values, size_t count)
{
    const members all = {values, count};
    if (values == NULL && count > 0)
        return FTR_ERR_ARGUMENT;
    const unsigned width = ftr_flux_members_width(values, count);
    return put(trace,
               &(sample){item, conflict, 0, FORMAT_PLAIN, false, width, encode_members, &all},
               position);
}

ftr_status ftr_flux_put_encoded(ftr_flux_trace *trace, uint32_t item, int64_t position,
                                unsigned width, const void *data, size_t size)
{
    const bytes value = {data, size};
    return put(trace, &(sample){item, false, 0, FORMAT_PLAIN, false, width, encode_bytes, &value},
               position);
}

/* ---- logic ----------------------------------------------------------------------------------- */

#define UNKNOWN_STATE 15

typedef struct logic {
    const char *states; /* the digits, without the first digits that are equal to the fill */
    size_t count;
    unsigned fill;
    unsigned bits; /* bits per state: 1, 2 or 4 */
} logic;

static unsigned state_of(char letter)
{
    static const char LETTERS[] = "01ZXLHUW-JKMNOP";
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    for (unsigned i = 0; i < sizeof LETTERS - 1; i++)
        if (LETTERS[i] == letter)
            return i;
    return UNKNOWN_STATE;
}

/* Writes the digits. At least one fill digit comes first, and as many as are needed to complete the
 * first byte. */
static void encode_logic(ftr_flux_encoder *to, const void *value)
{
    const logic *l = value;
    const size_t a_byte = 8 / l->bits;
    const size_t size = l->count / a_byte + 1;
    const size_t in_front = size * a_byte - l->count;
    for (size_t i = 0; i < size * a_byte; i += a_byte) {
        unsigned byte = 0;
        for (size_t k = i; k < i + a_byte; k++)
            byte = byte << l->bits | (k < in_front ? l->fill : state_of(l->states[k - in_front]));
        ftr_flux_byte(to, (uint8_t)byte);
    }
}

static void encode_nothing(ftr_flux_encoder *to, const void *value)
{
    (void)to;
    (void)value;
}

ftr_status ftr_flux_put_logic(ftr_flux_trace *trace, uint32_t item, bool conflict, int64_t position,
                              char fill, const char *states)
{
    logic l = {.states = states, .count = ftr_flux_length(states), .fill = state_of(fill)};
    unsigned highest = l.fill;
    for (size_t i = 0; i < l.count; i++)
        highest = state_of(states[i]) > highest ? state_of(states[i]) : highest;
    while (l.count > 0 && state_of(*l.states) == l.fill) {
        l.states++;
        l.count--;
    }
    const unsigned level = highest <= 1 ? 1 : highest <= 3 ? 2 : 3;
    l.bits = 1U << (level - 1);
    /* all digits are equal to the fill: the format alone states the value */
    if (l.count == 0 && l.fill <= 1)
        return put(trace,
                   &(sample){item, conflict, 0, (uint8_t)(l.fill == 0 ? 1 : 5), false, 0,
                             encode_nothing, &l},
                   position);
    return put(trace,
               &(sample){item, conflict, 0, (uint8_t)(8 | level), false, 0, encode_logic, &l},
               position);
}
