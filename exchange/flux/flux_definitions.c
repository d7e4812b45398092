/* All entries of flux except samples: head, items, sequences, legends, attachments. Stores for each
 * item whether it is defined and whether it is open. Freestanding. */
#include "flux_encoder.h"

#define MAX_ITEM_ID ((UINT32_C(1) << 29) - 1)
#define FORMAT_VERSION 4

enum {
    TAG_HEAD = 0x01,
    TAG_SWITCH = 0x04,
    TAG_SCOPE = 0x10,
    TAG_SIGNAL = 0x11,
    TAG_SIGNALS = 0x12,
    TAG_REFERENCE = 0x13,
    TAG_SCATTERED = 0x14,
    TAG_SCATTERED_REFERENCE = 0x15,
    TAG_OPEN = 0x20,
    TAG_CLOSE = 0x21,
    TAG_DOMAIN = 0x22,
    TAG_ENUM = 0x30,
    TAG_MEMBER = 0x31,
    TAG_RELATION = 0x40,
    TAG_LABEL = 0x41
};

enum { KIND_NONE, KIND_SCOPE, KIND_SIGNAL };

/* ---- entries of fields ----------------------------------------------------------------------- */

typedef enum field_kind { BYTE, PINT, SINT, UINT32, TEXT, FORMAT } field_kind;

typedef struct field {
    field_kind kind;
    uint64_t value;
    const char *text;
} field;

static void encode(ftr_flux_encoder *to, uint8_t tag, const field *fields, size_t count)
{
    ftr_flux_byte(to, 0);
    ftr_flux_byte(to, tag);
    for (size_t i = 0; i < count; i++) {
        const field *f = &fields[i];
        if (f->kind == BYTE)
            ftr_flux_byte(to, (uint8_t)f->value);
        else if (f->kind == PINT)
            ftr_flux_pint(to, f->value);
        else if (f->kind == SINT)
            ftr_flux_sint(to, (int64_t)f->value);
        else if (f->kind == UINT32)
            ftr_flux_uint(to, f->value, sizeof(uint32_t));
        else if (f->kind == TEXT)
            ftr_flux_text(to, f->text);
        else
            ftr_flux_bytes(to, f->text, 4);
    }
}

static ftr_status put(ftr_flux_trace *trace, uint8_t tag, const field *fields, size_t count)
{
    ftr_flux_encoder to = {NULL, 0, 0};
    encode(&to, tag, fields, count); /* writes nothing, only measures the size */
    const ftr_status status = ftr_flux_request(trace, to.used, &to);
    if (status != FTR_OK)
        return status;
    encode(&to, tag, fields, count);
    return ftr_flux_commit(trace, &to);
}

#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

/* ---- the trace ------------------------------------------------------------------------------- */

ftr_status ftr_flux_trace_init(ftr_flux_trace *trace, uint32_t id, uint32_t max_item_id,
                               uint32_t max_entry_size, ftr_flux_item *items,
                               ftr_flux_buffer *buffer)
{
    if (trace == NULL || items == NULL || buffer == NULL || max_item_id > MAX_ITEM_ID)
        return FTR_ERR_ARGUMENT;
    *trace = (ftr_flux_trace){.buffer = buffer,
                              .items = items,
                              .id = id,
                              .max_item_id = max_item_id,
                              .max_entry_size = max_entry_size};
    for (uint32_t i = 0; i <= max_item_id; i++)
        items[i] = (ftr_flux_item){.kind = KIND_NONE};
    items[0].kind = KIND_SCOPE;
    return FTR_OK;
}

void ftr_flux_trace_set_buffer(ftr_flux_trace *trace, ftr_flux_buffer *buffer)
{
    trace->buffer = buffer;
}

ftr_status ftr_flux_put_head(ftr_flux_trace *trace, const char *name, const char *description)
{
    return ftr_flux_put_head_as(trace, "flux", FTR_FLUX_MODE_NORMAL, name, description);
}

ftr_status ftr_flux_put_head_as(ftr_flux_trace *trace, const char *format, ftr_flux_mode mode,
                                const char *name, const char *description)
{
    if (ftr_flux_length(format) != 4)
        return FTR_ERR_ARGUMENT;
    const field fields[] = {
        {FORMAT, 0, format},
        {BYTE, FORMAT_VERSION, NULL},
        {PINT, trace->id, NULL},
        {TEXT, 0, name},
        {TEXT, 0, description},
        {BYTE, (uint64_t)mode, NULL},
        {PINT, trace->max_item_id, NULL},
        {PINT, trace->max_entry_size, NULL},
    };
    return put(trace, TAG_HEAD, fields, COUNT(fields));
}

ftr_status ftr_flux_put_switch(ftr_flux_trace *trace)
{
    const field fields[] = {{PINT, trace->id, NULL}};
    return put(trace, TAG_SWITCH, fields, COUNT(fields));
}

/* ---- items ----------------------------------------------------------------------------------- */

static ftr_status check_new(const ftr_flux_trace *trace, uint32_t from, uint32_t to,
                            uint32_t parent)
{
    if (from == 0 || from > to || to > trace->max_item_id || parent > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    if (trace->items[parent].kind != KIND_SCOPE)
        return FTR_ERR_UNDEFINED;
    for (uint32_t item = from; item <= to; item++)
        if (trace->items[item].kind != KIND_NONE)
            return FTR_ERR_STATE;
    return FTR_OK;
}

static ftr_status define(ftr_flux_trace *trace, uint32_t from, uint32_t to, uint32_t parent,
                         uint8_t kind, uint8_t tag, const field *fields, size_t count)
{
    ftr_status status = check_new(trace, from, to, parent);
    if (status == FTR_OK)
        status = put(trace, tag, fields, count);
    for (uint32_t item = from; status == FTR_OK && item <= to; item++)
        trace->items[item] = (ftr_flux_item){.parent = parent, .kind = kind};
    return status;
}

ftr_status ftr_flux_put_scope(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                              const char *name, const char *description)
{
    const field fields[] = {
        {PINT, item, NULL}, {PINT, parent, NULL}, {TEXT, 0, name}, {TEXT, 0, description}};
    return define(trace, item, item, parent, KIND_SCOPE, TAG_SCOPE, fields, COUNT(fields));
}

ftr_status ftr_flux_put_signal(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                               const char *name, const char *description, ftr_flux_type type,
                               const char *descriptor)
{
    const field fields[] = {
        {PINT, item, NULL},     {PINT, parent, NULL},         {TEXT, 0, name},
        {TEXT, 0, description}, {BYTE, (uint64_t)type, NULL}, {TEXT, 0, descriptor},
    };
    return define(trace, item, item, parent, KIND_SIGNAL, TAG_SIGNAL, fields, COUNT(fields));
}

ftr_status ftr_flux_put_signals(ftr_flux_trace *trace, uint32_t from, uint32_t to, uint32_t parent,
                                const char *name, const char *description, ftr_flux_type type,
                                const char *descriptor)
{
    const field fields[] = {
        {PINT, from, NULL},    {PINT, to, NULL},       {PINT, parent, NULL},
        {TEXT, 0, name},       {TEXT, 0, description}, {BYTE, (uint64_t)type, NULL},
        {TEXT, 0, descriptor},
    };
    return define(trace, from, to, parent, KIND_SIGNAL, TAG_SIGNALS, fields, COUNT(fields));
}

ftr_status ftr_flux_put_scattered(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                  const char *name, const char *description, ftr_flux_type type,
                                  const char *descriptor, uint32_t first_bit, uint32_t last_bit)
{
    const field fields[] = {
        {PINT, item, NULL},      {PINT, parent, NULL},         {TEXT, 0, name},
        {TEXT, 0, description},  {BYTE, (uint64_t)type, NULL}, {TEXT, 0, descriptor},
        {PINT, first_bit, NULL}, {PINT, last_bit, NULL},
    };
    return define(trace, item, item, parent, KIND_SIGNAL, TAG_SCATTERED, fields, COUNT(fields));
}

static ftr_status check_reference(const ftr_flux_trace *trace, uint32_t item, uint32_t parent)
{
    if (item > trace->max_item_id || parent > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    return trace->items[item].kind == KIND_SIGNAL && trace->items[parent].kind == KIND_SCOPE
               ? FTR_OK
               : FTR_ERR_UNDEFINED;
}

ftr_status ftr_flux_put_reference(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                  const char *name, const char *description)
{
    const field fields[] = {
        {PINT, item, NULL}, {PINT, parent, NULL}, {TEXT, 0, name}, {TEXT, 0, description}};
    const ftr_status status = check_reference(trace, item, parent);
    return status == FTR_OK ? put(trace, TAG_REFERENCE, fields, COUNT(fields)) : status;
}

ftr_status ftr_flux_put_scattered_reference(ftr_flux_trace *trace, uint32_t item, uint32_t parent,
                                            const char *name, const char *description,
                                            uint32_t first_bit, uint32_t last_bit)
{
    const field fields[] = {
        {PINT, item, NULL},     {PINT, parent, NULL},    {TEXT, 0, name},
        {TEXT, 0, description}, {PINT, first_bit, NULL}, {PINT, last_bit, NULL},
    };
    const ftr_status status = check_reference(trace, item, parent);
    return status == FTR_OK ? put(trace, TAG_SCATTERED_REFERENCE, fields, COUNT(fields)) : status;
}

/* ---- sequences ------------------------------------------------------------------------------- */

ftr_status ftr_flux_open(ftr_flux_trace *trace, uint32_t item, const char *domain_base,
                         int64_t start, uint32_t rate)
{
    const field fields[] = {{PINT, item, NULL},
                            {TEXT, 0, domain_base},
                            {SINT, (uint64_t)start, NULL},
                            {UINT32, rate, NULL}};
    if (item > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    if (trace->items[item].kind == KIND_NONE)
        return FTR_ERR_UNDEFINED;
    if (trace->items[item].open)
        return FTR_ERR_STATE;
    const ftr_status status = put(trace, TAG_OPEN, fields, COUNT(fields));
    if (status == FTR_OK) {
        trace->items[item].open = true;
        trace->items[item].position = start;
    }
    return status;
}

ftr_status ftr_flux_close(ftr_flux_trace *trace, uint32_t item, int64_t end)
{
    if (item > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    ftr_flux_item *closed = &trace->items[item];
    if (!closed->open)
        return FTR_ERR_STATE;
    if (end < closed->position)
        end = closed->position < INT64_MAX ? closed->position + 1 : INT64_MAX;
    const field fields[] = {{PINT, item, NULL}, {SINT, (uint64_t)end, NULL}};
    const ftr_status status = put(trace, TAG_CLOSE, fields, COUNT(fields));
    if (status == FTR_OK)
        closed->open = false;
    return status;
}

ftr_status ftr_flux_put_domain_base(ftr_flux_trace *trace, const char *domain_base)
{
    const field fields[] = {{TEXT, 0, domain_base}};
    return put(trace, TAG_DOMAIN, fields, COUNT(fields));
}

/* ---- legends and attachments ----------------------------------------------------------------- */

static ftr_status check_open(const ftr_flux_trace *trace, uint32_t item)
{
    if (item > trace->max_item_id)
        return FTR_ERR_ARGUMENT;
    if (trace->items[item].kind == KIND_NONE)
        return FTR_ERR_UNDEFINED;
    while (item != 0 && !trace->items[item].open)
        item = trace->items[item].parent;
    return trace->items[item].open ? FTR_OK : FTR_ERR_STATE;
}

static ftr_status put_open(ftr_flux_trace *trace, uint32_t item, uint8_t tag, const field *fields,
                           size_t count)
{
    const ftr_status status = check_open(trace, item);
    return status == FTR_OK ? put(trace, tag, fields, count) : status;
}

ftr_status ftr_flux_put_enum(ftr_flux_trace *trace, uint32_t item, uint32_t enumeration,
                             const char *label, uint32_t value)
{
    const field fields[] = {
        {PINT, item, NULL}, {PINT, enumeration, NULL}, {TEXT, 0, label}, {PINT, value, NULL}};
    return put_open(trace, item, TAG_ENUM, fields, COUNT(fields));
}

ftr_status ftr_flux_put_member(ftr_flux_trace *trace, uint32_t item, uint32_t member,
                               const char *label, ftr_flux_member_type type, const char *descriptor)
{
    const field fields[] = {{PINT, item, NULL},
                            {PINT, member, NULL},
                            {TEXT, 0, label},
                            {BYTE, (uint64_t)type, NULL},
                            {TEXT, 0, descriptor}};
    return put_open(trace, item, TAG_MEMBER, fields, COUNT(fields));
}

ftr_status ftr_flux_put_element(ftr_flux_trace *trace, uint32_t item, uint32_t index,
                                const char *label)
{
    return ftr_flux_put_member(trace, item, index, label, (ftr_flux_member_type)0, NULL);
}

ftr_status ftr_flux_put_relation(ftr_flux_trace *trace, uint32_t item, uint32_t target,
                                 uint32_t style, int64_t delta)
{
    const field fields[] = {{PINT, item, NULL},
                            {PINT, target, NULL},
                            {PINT, style, NULL},
                            {SINT, (uint64_t)delta, NULL}};
    return put_open(trace, item, TAG_RELATION, fields, COUNT(fields));
}

ftr_status ftr_flux_put_label(ftr_flux_trace *trace, uint32_t item, uint32_t style, int64_t x,
                              int64_t y)
{
    const field fields[] = {{PINT, item, NULL},
                            {PINT, style, NULL},
                            {SINT, (uint64_t)x, NULL},
                            {SINT, (uint64_t)y, NULL}};
    return put_open(trace, item, TAG_LABEL, fields, COUNT(fields));
}
