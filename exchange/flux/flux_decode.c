/* The layouts of flux entries in versions 4 and 6. Never reads outside the given bytes. */
#include "flux_entry.h"

#include <string.h>

/* ---- primitives ------------------------------------------------------------------------------ */

uint8_t ftr_flux_get_byte(ftr_flux_bytes *from)
{
    if (from->at == from->end) {
        from->cut = true;
        return 0;
    }
    return *from->at++;
}

uint64_t ftr_flux_get_pint(ftr_flux_bytes *from)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        const uint8_t byte = ftr_flux_get_byte(from);
        if (shift == 63 && (byte & 0x7e) != 0)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80 || from->cut)
            return value;
    }
    from->bad = true;
    return 0;
}

static ftr_view get_bytes(ftr_flux_bytes *from, uint64_t size)
{
    if (size > (uint64_t)(from->end - from->at)) {
        from->cut = true;
        from->at = from->end;
        return (ftr_view){"", 0};
    }
    const ftr_view view = {(const char *)from->at, (size_t)size};
    from->at += size;
    return view;
}

ftr_view ftr_flux_get_value(ftr_flux_bytes *from)
{
    const uint64_t size = ftr_flux_get_pint(from);
    return from->cut || from->bad ? (ftr_view){"", 0} : get_bytes(from, size);
}

bool ftr_flux_number(ftr_view bytes, uint64_t *number)
{
    const uint8_t *at = (const uint8_t *)bytes.data;
    size_t size = bytes.size;
    if (size == 9 && (at[8] == 0 || at[8] == 0xff))
        size = 8;
    if (size > 8)
        return false;
    *number = 0;
    for (size_t i = 0; i < size; i++)
        *number |= (uint64_t)at[i] << (8 * i);
    return true;
}

bool ftr_flux_integer(ftr_view bytes, int64_t *integer)
{
    uint64_t value;
    const size_t size = bytes.size;
    if (!ftr_flux_number(bytes, &value))
        return false;
    if (size > 0 && size < 8 && ((uint8_t)bytes.data[size - 1] & 0x80) != 0)
        value |= UINT64_MAX << (8 * size);
    *integer = (int64_t)value;
    return true;
}

bool ftr_flux_is_wide(ftr_view bytes)
{
    return bytes.size == 9 && bytes.data[8] == 0;
}

bool ftr_flux_real(ftr_view bytes, double *real)
{
    const uint8_t *at = (const uint8_t *)bytes.data;
    uint64_t bits = 0;
    for (size_t i = 0; i < bytes.size && i < 8; i++)
        bits |= (uint64_t)at[i] << (8 * i);
    if (bytes.size == 8) {
        memcpy(real, &bits, sizeof *real);
        return true;
    }
    if (bytes.size != 4)
        return false;
    const uint32_t half = (uint32_t)bits;
    float single;
    memcpy(&single, &half, sizeof single);
    *real = single;
    return true;
}

static int64_t get_sint(ftr_flux_bytes *from)
{
    int64_t integer = 0;
    if (!ftr_flux_integer(ftr_flux_get_value(from), &integer))
        from->bad = true;
    return integer;
}

size_t ftr_flux_logic_letters(ftr_view bytes, uint8_t format, char *letters, size_t size)
{
    static const char LETTERS[] = "01ZXLHUW-JKMNOP#";
    const unsigned level = format & 3;
    /* the format itself contains one state, which applies to all digits */
    if ((format & 8) == 0 || level == 0) {
        if (size > 0)
            letters[0] = (format & 4) != 0 ? '1' : '0';
        return 1;
    }
    const unsigned bits = 1U << (level - 1);
    size_t count = 0;
    for (size_t i = 0; i < bytes.size; i++)
        for (unsigned shift = 8; shift > 0; shift -= bits) {
            const unsigned state = ((uint8_t)bytes.data[i] >> (shift - bits)) & ((1U << bits) - 1);
            if (count < size)
                letters[count] = LETTERS[state];
            count++;
        }
    return count;
}

/* ---- entries --------------------------------------------------------------------------------- */

static void get_head(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->descriptor = get_bytes(from, 4); /* "flux", or the name of a derived format */
    entry->version = ftr_flux_get_byte(from);
    entry->trace = (uint32_t)ftr_flux_get_pint(from);
    entry->name = ftr_flux_get_value(from);
    entry->description = ftr_flux_get_value(from);
    entry->mode = ftr_flux_get_byte(from);
    entry->max_item = ftr_flux_get_pint(from);
    entry->max_entry = ftr_flux_get_pint(from);
}

static void get_packed(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->mode = ftr_flux_get_byte(from);
    entry->original_size = ftr_flux_get_pint(from);
    const uint64_t size = ftr_flux_get_pint(from);
    if (!from->cut && !from->bad)
        entry->bytes = get_bytes(from, size);
}

static void get_section(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->counter = ftr_flux_get_byte(from);
    const unsigned size = ftr_flux_get_byte(from) | (unsigned)ftr_flux_get_byte(from) << 8;
    const unsigned used = ftr_flux_get_byte(from) | (unsigned)ftr_flux_get_byte(from) << 8;
    if (from->cut)
        return;
    entry->bytes = get_bytes(from, size);
    if (used > size)
        from->bad = true;
    else if (!from->cut)
        entry->bytes.size = used;
}

static void get_item(ftr_flux_bytes *from, ftr_flux_entry *entry, bool range)
{
    entry->item = ftr_flux_get_pint(from);
    entry->item_to = range ? ftr_flux_get_pint(from) : entry->item;
    entry->parent = ftr_flux_get_pint(from);
    entry->name = ftr_flux_get_value(from);
    entry->description = ftr_flux_get_value(from);
}

static void get_signal_type(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->type = ftr_flux_get_byte(from);
    entry->descriptor = ftr_flux_get_value(from);
}

static void get_bits(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->first_bit = ftr_flux_get_pint(from);
    entry->last_bit = ftr_flux_get_pint(from);
}

static void get_open(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->item = ftr_flux_get_pint(from);
    entry->domain = ftr_flux_get_value(from);
    entry->position = get_sint(from);
    entry->rate = (uint64_t)get_sint(from);
}

static void get_member(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->item = ftr_flux_get_pint(from);
    entry->member = ftr_flux_get_pint(from);
    if (entry->version >= 6)
        entry->parent = ftr_flux_get_pint(from);
    entry->name = ftr_flux_get_value(from);
    entry->type = ftr_flux_get_byte(from);
    entry->descriptor = ftr_flux_get_value(from);
}

static void get_relation(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->item = ftr_flux_get_pint(from);
    if (entry->version >= 6)
        entry->relation_type = ftr_flux_get_byte(from);
    /* the target, a value of the enumeration of relation targets */
    entry->enumeration = ftr_flux_get_pint(from);
    /* the style, a value of the enumeration of relation styles */
    entry->value = ftr_flux_get_pint(from);
    entry->position = get_sint(from);
    if (entry->version >= 6)
        entry->member = ftr_flux_get_pint(from); /* the domain base of the target; not used */
}

static void get_label(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->item = ftr_flux_get_pint(from);
    entry->value = ftr_flux_get_pint(from);
    if (entry->version >= 6) {
        entry->x = (int64_t)ftr_flux_get_pint(from);
        entry->y = (int64_t)ftr_flux_get_pint(from);
    } else {
        entry->x = get_sint(from);
        entry->y = get_sint(from);
    }
}

static void get_control(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    entry->item = ftr_flux_get_pint(from);
    entry->value = ftr_flux_get_pint(from);
    entry->count = ftr_flux_get_pint(from);
    const uint8_t *first = from->at;
    for (uint64_t i = 0; i < entry->count && !from->cut && !from->bad; i++) {
        (void)ftr_flux_get_pint(from);
        (void)ftr_flux_get_byte(from);
        (void)ftr_flux_get_value(from);
    }
    entry->bytes = (ftr_view){(const char *)first, (size_t)(from->at - first)};
}

static bool get_structural(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    switch (entry->tag) {
    case FTR_FLUX_HEAD:
        get_head(from, entry);
        return true;
    case FTR_FLUX_SWITCH:
        entry->trace = (uint32_t)ftr_flux_get_pint(from);
        return true;
    case FTR_FLUX_PACKED:
        get_packed(from, entry);
        return true;
    case FTR_FLUX_SECTION:
        get_section(from, entry);
        return true;
    case FTR_FLUX_SCOPE:
    case FTR_FLUX_REFERENCE:
        get_item(from, entry, false);
        return true;
    case FTR_FLUX_SCATTERED_REFERENCE:
        get_item(from, entry, false);
        get_bits(from, entry);
        return true;
    case FTR_FLUX_SIGNAL:
    case FTR_FLUX_SIGNALS:
        get_item(from, entry, entry->tag == FTR_FLUX_SIGNALS);
        get_signal_type(from, entry);
        return true;
    case FTR_FLUX_SCATTERED:
        get_item(from, entry, false);
        get_signal_type(from, entry);
        get_bits(from, entry);
        return true;
    case FTR_FLUX_OPEN:
        get_open(from, entry);
        return true;
    case FTR_FLUX_CLOSE:
    case FTR_FLUX_CURRENT:
        entry->item = ftr_flux_get_pint(from);
        entry->position = get_sint(from);
        return true;
    case FTR_FLUX_DOMAIN:
        entry->domain = ftr_flux_get_value(from);
        return true;
    case FTR_FLUX_ENUM:
        entry->item = ftr_flux_get_pint(from);
        entry->enumeration = ftr_flux_get_pint(from);
        entry->name = ftr_flux_get_value(from);
        entry->value = ftr_flux_get_pint(from);
        return true;
    case FTR_FLUX_MEMBER:
        get_member(from, entry);
        return true;
    case FTR_FLUX_RELATION:
        get_relation(from, entry);
        return true;
    case FTR_FLUX_LABEL:
        get_label(from, entry);
        return true;
    case FTR_FLUX_REQUEST:
    case FTR_FLUX_RESULT:
        get_control(from, entry);
        return true;
    default:
        return false;
    }
}

static void get_sample(ftr_flux_bytes *from, ftr_flux_entry *entry)
{
    const uint64_t head = ftr_flux_get_pint(from);
    entry->tag = FTR_FLUX_SAMPLE;
    entry->item = head >> 3;
    entry->conflict = (head & 1) != 0;
    if ((head & 2) != 0)
        entry->delta = ftr_flux_get_pint(from);
    const uint64_t length = ftr_flux_get_pint(from);
    entry->format = length & 0x0f;
    entry->none = length == 0;
    if (!from->cut && !from->bad)
        entry->bytes = get_bytes(from, length >> 4);
}

ftr_flux_decoded ftr_flux_decode(const uint8_t *bytes, size_t size, ftr_flux_entry *entry,
                                 size_t *used)
{
    ftr_flux_bytes from = {bytes, bytes + size, false, false};
    *entry =
        (ftr_flux_entry){.trace = entry->trace, .version = entry->version, .offset = entry->offset};
    if (size == 0)
        return FTR_FLUX_CUT;
    if (*bytes == 0) {
        from.at++;
        entry->tag = (ftr_flux_tag)ftr_flux_get_byte(&from);
        if (!from.cut && (entry->tag == FTR_FLUX_SAMPLE || !get_structural(&from, entry)))
            return FTR_FLUX_UNKNOWN_TAG;
    } else {
        get_sample(&from, entry);
    }
    *used = (size_t)(from.at - bytes);
    return from.bad ? FTR_FLUX_MALFORMED : from.cut ? FTR_FLUX_CUT : FTR_FLUX_DECODED;
}
