/* The memory that flux entries are written to: a linear buffer with a handler, or a ring of
 * sections. Freestanding. Apart from the entries at the beginning of a section, the content of
 * entries is not known here. */
#include "flux_encoder.h"

#define TAG_SECTION 0x06
#define TAG_CURRENT 0x23
#define SECTION_HEAD 7
#define SECTION_MIN 16
#define SECTION_MAX 65535
#define LAST_SECTION 0x80

void ftr_flux_buffer_init(ftr_flux_buffer *buffer, void *memory, size_t size, ftr_flux_take *take,
                          void *user)
{
    *buffer = (ftr_flux_buffer){.bytes = memory, .size = size, .take = take, .user = user};
}

const void *ftr_flux_buffer_get(const ftr_flux_buffer *buffer, size_t *size)
{
    *size = buffer->sections > 0 ? buffer->size : buffer->used;
    return buffer->bytes;
}

ftr_status ftr_flux_flush(ftr_flux_buffer *buffer)
{
    if (buffer->take == NULL || buffer->sections > 0)
        return FTR_OK;
    while (buffer->used > 0) {
        size_t taken = buffer->take(buffer->user, buffer->bytes, buffer->used);
        if (taken == 0)
            return FTR_ERR_IO;
        if (taken > buffer->used)
            taken = buffer->used;
        buffer->used -= taken;
        for (size_t i = 0; i < buffer->used; i++) /* the ranges may overlap */
            buffer->bytes[i] = buffer->bytes[taken + i];
    }
    return FTR_OK;
}

/* ---- the ring -------------------------------------------------------------------------------- */

static uint8_t *section_head(const ftr_flux_buffer *buffer)
{
    return buffer->bytes + buffer->sections_at + buffer->section * buffer->section_size;
}

static size_t section_room(const ftr_flux_buffer *buffer, size_t section)
{
    const size_t at = buffer->sections_at + section * buffer->section_size;
    const size_t end = section + 1 == buffer->sections ? buffer->size : at + buffer->section_size;
    return end - at - SECTION_HEAD;
}

static size_t section_used(const ftr_flux_buffer *buffer)
{
    const uint8_t *head = section_head(buffer);
    return head[5] | (size_t)head[6] << 8;
}

static void set_section_used(ftr_flux_buffer *buffer, size_t used)
{
    uint8_t *head = section_head(buffer);
    head[5] = (uint8_t)used;
    head[6] = (uint8_t)(used >> 8);
}

/* Encodes the positions of the open items, which a reader needs at the beginning of a section,
 * because the earlier sections with the previous positions may be overwritten. */
static void encode_positions(ftr_flux_encoder *to, const ftr_flux_trace *trace)
{
    for (uint32_t item = 0; item <= trace->max_item_id; item++) {
        if (!trace->items[item].open)
            continue;
        ftr_flux_byte(to, 0);
        ftr_flux_byte(to, TAG_CURRENT);
        ftr_flux_pint(to, item);
        ftr_flux_sint(to, trace->items[item].position);
    }
}

/* Begins to write a section. The counter in the head of the section is incremented at each use,
 * from 1 to 15 and then from 1 again. 0 marks a section that was never written. */
static void enter_section(ftr_flux_trace *trace, size_t section)
{
    ftr_flux_buffer *buffer = trace->buffer;
    buffer->section = section;
    uint8_t *head = section_head(buffer);
    ftr_flux_encoder to = {head + SECTION_HEAD, section_room(buffer, section), 0};
    head[2] = (uint8_t)((head[2] & 0xf0) | ((head[2] & 0x0f) % 15 + 1));
    encode_positions(&to, trace);
    set_section_used(buffer, to.used);
}

ftr_status ftr_flux_put_sections(ftr_flux_trace *trace, unsigned count)
{
    ftr_flux_buffer *buffer = trace->buffer;
    if (buffer->sections > 0)
        return FTR_ERR_STATE;
    const size_t left = buffer->size - buffer->used;
    const size_t size = count > 0 ? left / count : 0;
    const size_t last = left - size * (count > 0 ? count - 1 : 0);
    if (count == 0 || size < SECTION_HEAD + SECTION_MIN || last - SECTION_HEAD > SECTION_MAX)
        return FTR_ERR_ARGUMENT;
    buffer->sections_at = buffer->used;
    buffer->section_size = size;
    buffer->sections = count;
    for (unsigned i = 0; i < count; i++) {
        buffer->section = i;
        uint8_t *head = section_head(buffer);
        const size_t room = section_room(buffer, i);
        head[0] = 0;
        head[1] = TAG_SECTION;
        head[2] = i + 1 == count ? LAST_SECTION : 0;
        head[3] = (uint8_t)room;
        head[4] = (uint8_t)(room >> 8);
        set_section_used(buffer, 0);
    }
    buffer->used = buffer->size;
    buffer->section = 0;
    /* the first section needs no positions, because the linear entries before it contain them */
    section_head(buffer)[2] |= 1;
    return FTR_OK;
}

static ftr_status request_in_ring(ftr_flux_trace *trace, size_t size, ftr_flux_encoder *to)
{
    ftr_flux_buffer *buffer = trace->buffer;
    if (size > section_room(buffer, buffer->section) - section_used(buffer)) {
        /* The room in the next section is checked before this section is entered, so that an entry
         * that does not fit into any section does not overwrite the oldest section. */
        const size_t next = (buffer->section + 1) % buffer->sections;
        ftr_flux_encoder positions = {NULL, 0, 0};
        encode_positions(&positions, trace);
        if (positions.used > section_room(buffer, next) ||
            size > section_room(buffer, next) - positions.used)
            return FTR_ERR_MEMORY;
        enter_section(trace, next);
    }
    *to = (ftr_flux_encoder){section_head(buffer) + SECTION_HEAD + section_used(buffer), size, 0};
    return FTR_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

ftr_status ftr_flux_request(ftr_flux_trace *trace, size_t size, ftr_flux_encoder *to)
{
    return size > trace->max_entry_size ? FTR_ERR_LIMIT : ftr_flux_reserve(trace, size, to);
}

ftr_status ftr_flux_reserve(ftr_flux_trace *trace, size_t size, ftr_flux_encoder *to)
{
    ftr_flux_buffer *buffer = trace->buffer;
    if (buffer->sections > 0)
        return request_in_ring(trace, size, to);
    if (size > buffer->size - buffer->used)
        (void)ftr_flux_flush(buffer);
    if (size > buffer->size - buffer->used)
        return FTR_ERR_MEMORY;
    *to = (ftr_flux_encoder){buffer->bytes + buffer->used, size, 0};
    return FTR_OK;
}

ftr_status ftr_flux_commit(ftr_flux_trace *trace, const ftr_flux_encoder *entry)
{
    ftr_flux_buffer *buffer = trace->buffer;
    if (entry->used > entry->size)
        return FTR_ERR_LIMIT;
    if (buffer->sections > 0)
        set_section_used(buffer, section_used(buffer) + entry->used);
    else
        buffer->used += entry->used;
    return FTR_OK;
}
