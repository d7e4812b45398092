/* Converts flux values to attributes of FTR, for each type (docs/exchange.md). */
#include "flux_values.h"

#include "growing_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 1024
#define ARRAY_MAX 65536

enum {
    SIGNAL_EVENT = 1,
    SIGNAL_INTEGER,
    SIGNAL_LOGIC,
    SIGNAL_FLOAT,
    SIGNAL_TEXT,
    SIGNAL_BINARY,
    SIGNAL_STRUCT,
    SIGNAL_EVENTS,
    SIGNAL_INTEGERS,
    SIGNAL_FLOATS
};
enum {
    MEMBER_TEXT = 1,
    MEMBER_ENUM,
    MEMBER_INTEGER,
    MEMBER_FLOAT,
    MEMBER_LOGIC,
    MEMBER_BINARY,
    MEMBER_LOCAL_ENUM,
    MEMBER_MERGE_ENUM
};
#define MEMBER_MASK 0x0f
/* Indices of the enumerations of an item. The enumeration of member or element n has the index
 * ENUM_OF_MEMBER + n. */
enum { ENUM_GLOBAL = 0, ENUM_OF_MEMBER = 8 };

static void put(ftr_flux_values *values, ftr_attribute_class class_, const char *name,
                const ftr_value *value)
{
    ftr_import_keep(values->target, ftr_tx_put_named(values->target->recorder, values->tx, class_,
                                                     *name != '\0' ? name : "value", value));
}

static void put_text(ftr_flux_values *values, const char *name, ftr_type type, const char *text,
                     size_t size)
{
    put(values, FTR_CLASS_BEGIN, name,
        &(ftr_value){.type = type, .text_length = size, .as.text = text});
}

static bool make_room(ftr_flux_values *values, size_t size)
{
    if (ftr_array_fit(&values->text, &values->text_capacity, size, 1))
        return true;
    ftr_import_keep(values->target, FTR_ERR_MEMORY);
    return false;
}

/* Puts bytes in hexadecimal. */
static void put_binary(ftr_flux_values *values, const char *name, ftr_view bytes)
{
    static const char DIGITS[] = "0123456789abcdef";
    if (!make_room(values, bytes.size * 2 + 1))
        return;
    for (size_t i = 0; i < bytes.size; i++) {
        values->text[2 * i] = DIGITS[(uint8_t)bytes.data[i] >> 4];
        values->text[2 * i + 1] = DIGITS[(uint8_t)bytes.data[i] & 15];
    }
    put_text(values, name, FTR_TYPE_STRING, values->text, bytes.size * 2);
}

/* Puts the bytes of a value that does not fit its type, and counts this value. */
static void put_mismatched(ftr_flux_values *values, const char *name, ftr_view bytes)
{
    values->wrong++;
    put_binary(values, name, bytes);
}

static void put_integer(ftr_flux_values *values, const char *name, ftr_view bytes)
{
    int64_t integer = 0;
    ftr_value value = {.type = FTR_TYPE_INTEGER};
    if (!ftr_flux_integer(bytes, &integer)) {
        put_mismatched(values, name, bytes);
        return;
    }
    value.as.integer = integer;
    if (ftr_flux_is_wide(bytes)) {
        value.type = FTR_TYPE_UNSIGNED;
        value.as.number = (uint64_t)integer;
    }
    put(values, FTR_CLASS_BEGIN, name, &value);
}

/* Puts the label that a value has in @p enumeration, or, without such a label, in the global
 * enumeration of the item. If the value has neither label, puts the number. Values are unsigned,
 * even if their top bit is set: version 4 does not write the additional zero byte for such
 * values. */
static void put_enum(ftr_flux_values *values, const char *name, const ftr_flux_legend_item *item,
                     uint64_t enumeration, ftr_view bytes)
{
    uint64_t number = 0;
    if (!ftr_flux_number(bytes, &number)) {
        put_mismatched(values, name, bytes);
        return;
    }
    const char *label = ftr_flux_find_label(item, enumeration, number);
    if (label == NULL && enumeration != ENUM_GLOBAL)
        label = ftr_flux_find_label(item, ENUM_GLOBAL, number);
    if (label != NULL)
        put_text(values, name, FTR_TYPE_ENUMERATION, label, strlen(label));
    else
        put(values, FTR_CLASS_BEGIN, name,
            &(ftr_value){.type = FTR_TYPE_UNSIGNED, .as.number = number});
}

static void put_real(ftr_flux_values *values, const char *name, ftr_view bytes)
{
    double real = 0;
    if (!ftr_flux_real(bytes, &real)) {
        put_mismatched(values, name, bytes);
        return;
    }
    put(values, FTR_CLASS_BEGIN, name,
        &(ftr_value){.type = FTR_TYPE_FLOATING_POINT, .as.real = real});
}

/* Puts logic states as digits. The first digit is the state that fills all higher bits. */
static void put_logic(ftr_flux_values *values, const char *name, ftr_view bytes, uint8_t format)
{
    const size_t most = bytes.size * 8 + 1;
    if (!make_room(values, most))
        return;
    const size_t count = ftr_flux_logic_letters(bytes, format, values->text, most);
    size_t first = 0;
    while (first + 1 < count && values->text[first] == values->text[first + 1])
        first++;
    const char *letters = values->text + first;
    const size_t size = count - first;
    bool known = size > 0;
    for (size_t i = 0; i < size; i++)
        known &= strchr("01XZ", letters[i]) != NULL;
    put_text(values, name, known ? FTR_TYPE_LOGIC_VECTOR : FTR_TYPE_STRING, letters, size);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static const char *element_name(const ftr_flux_legend_item *item, uint64_t index, char *name)
{
    const ftr_flux_legend_member *member = ftr_flux_find_member(item, index);
    if (member != NULL && *member->label != '\0')
        (void)snprintf(name, NAME_SIZE, "%s", member->label);
    else
        (void)snprintf(name, NAME_SIZE, "value[%" PRIu64 "]", index);
    return name;
}

/* Returns true for arrays that store the number of their elements. Only version 6 has such
 * arrays. */
static bool is_dynamic(uint8_t format)
{
    return (format & 3) == 3;
}

static void put_array(ftr_flux_values *values, const ftr_flux_legend_item *item,
                      const ftr_flux_entry *entry)
{
    ftr_flux_bytes from = {(const uint8_t *)entry->bytes.data,
                           (const uint8_t *)entry->bytes.data + entry->bytes.size, false, false};
    const uint64_t count = is_dynamic(entry->format) ? ftr_flux_get_pint(&from) : UINT64_MAX;
    const size_t size = (entry->format & 8) != 0 ? 8 : 4;
    char name[NAME_SIZE];
    for (uint64_t i = 0; i < count && i < ARRAY_MAX && from.at < from.end; i++) {
        (void)element_name(item, i, name);
        if (item->type == SIGNAL_FLOATS) {
            if ((size_t)(from.end - from.at) < size) {
                from.cut = true;
                break;
            }
            put_real(values, name, (ftr_view){(const char *)from.at, size});
            from.at += size;
            continue;
        }
        const ftr_view element = ftr_flux_get_value(&from);
        if (from.cut || from.bad)
            break;
        if (item->type == SIGNAL_EVENTS)
            put_enum(values, name, item, ENUM_OF_MEMBER + i, element);
        else
            put_integer(values, name, element);
    }
    values->wrong += from.cut || from.bad || from.at < from.end;
}

/* ---- structs --------------------------------------------------------------------------------- */

bool ftr_flux_next_member(ftr_flux_bytes *from, ftr_flux_struct_member *member)
{
    if (from->at == from->end)
        return false;
    member->id = ftr_flux_get_pint(from);
    member->type = ftr_flux_get_byte(from);
    member->bytes = ftr_flux_get_value(from);
    return !from->cut && !from->bad;
}

static void put_member(ftr_flux_values *values, const ftr_flux_legend_item *item,
                       const ftr_flux_struct_member *member)
{
    const ftr_flux_legend_member *legend = ftr_flux_find_member(item, member->id);
    char name[NAME_SIZE];
    if (legend != NULL && *legend->label != '\0')
        (void)snprintf(name, sizeof name, "%s", legend->label);
    else
        (void)snprintf(name, sizeof name, "member%" PRIu64, member->id);
    switch (member->type & MEMBER_MASK) {
    case MEMBER_TEXT:
        put_text(values, name, FTR_TYPE_STRING, member->bytes.data, member->bytes.size);
        break;
    case MEMBER_ENUM:
        put_enum(values, name, item, ENUM_GLOBAL, member->bytes);
        break;
    case MEMBER_LOCAL_ENUM:
    case MEMBER_MERGE_ENUM:
        put_enum(values, name, item, ENUM_OF_MEMBER + member->id, member->bytes);
        break;
    case MEMBER_INTEGER:
        put_integer(values, name, member->bytes);
        break;
    case MEMBER_FLOAT:
        put_real(values, name, member->bytes);
        break;
    default: /* binary, and unknown formats */
        put_binary(values, name, member->bytes);
    }
}

static void put_struct(ftr_flux_values *values, const ftr_flux_legend_item *item,
                       const ftr_flux_entry *entry)
{
    ftr_flux_bytes from = {(const uint8_t *)entry->bytes.data,
                           (const uint8_t *)entry->bytes.data + entry->bytes.size, false, false};
    ftr_flux_struct_member member;
    while (ftr_flux_next_member(&from, &member))
        put_member(values, item, &member);
    values->wrong += from.cut || from.bad;
}

/* ---- signals without a type ------------------------------------------------------------------ */

enum {
    FORMAT_PLAIN = 1, /* integers, texts, bytes, members */
    FORMAT_EVENT = 2,
    FORMAT_OF_4 = 5,
    FORMAT_OF_8 = 9
};

uint8_t ftr_flux_contents_of(const ftr_flux_entry *entry)
{
    uint8_t contents = FTR_FLUX_SEEN;
    if (entry->none || entry->format != FORMAT_PLAIN)
        return contents;
    if (entry->bytes.size > sizeof(uint64_t))
        contents |= FTR_FLUX_NOT_INTEGER;
    for (size_t i = 0; i < entry->bytes.size; i++) {
        const unsigned char byte = (unsigned char)entry->bytes.data[i];
        if ((byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f)
            contents |= FTR_FLUX_NOT_TEXT;
    }
    return contents;
}

/* Returns the type of a value. The format of the value determines its type. If several types have
 * the same format, all values of the signal determine the type. */
static uint8_t type_by_value(const ftr_flux_legend_item *item, const ftr_flux_entry *entry)
{
    const size_t size = entry->bytes.size;
    if (entry->format == FORMAT_EVENT)
        return SIGNAL_EVENT;
    if ((entry->format == FORMAT_OF_4 && size == 4) || (entry->format == FORMAT_OF_8 && size == 8))
        return SIGNAL_FLOAT;
    if (entry->format != FORMAT_PLAIN)
        return (entry->format & 8) != 0 || size == 0 ? SIGNAL_LOGIC : SIGNAL_BINARY;
    if (item->member_count > 0)
        return SIGNAL_STRUCT;
    if ((item->contents & FTR_FLUX_NOT_INTEGER) == 0)
        return SIGNAL_INTEGER;
    return (item->contents & FTR_FLUX_NOT_TEXT) == 0 ? SIGNAL_TEXT : SIGNAL_BINARY;
}

/* ---- public functions ------------------------------------------------------------------------ */

void ftr_flux_put_sample_value(ftr_flux_values *values, const ftr_flux_legend_item *item,
                               const ftr_flux_entry *entry)
{
    if (entry->conflict)
        put(values, FTR_CLASS_BEGIN, "conflict",
            &(ftr_value){.type = FTR_TYPE_BOOLEAN, .as.boolean = true});
    if (entry->none)
        return;
    switch (item->type != 0 ? item->type : type_by_value(item, entry)) {
    case SIGNAL_EVENT:
        put_enum(values, "value", item, ENUM_GLOBAL, entry->bytes);
        break;
    case SIGNAL_INTEGER:
        put_integer(values, "value", entry->bytes);
        break;
    case SIGNAL_LOGIC:
        put_logic(values, "value", entry->bytes, entry->format);
        break;
    case SIGNAL_FLOAT:
        put_real(values, "value", entry->bytes);
        break;
    case SIGNAL_TEXT:
        put_text(values, "value", FTR_TYPE_STRING, entry->bytes.data, entry->bytes.size);
        break;
    case SIGNAL_STRUCT:
        put_struct(values, item, entry);
        break;
    case SIGNAL_EVENTS:
    case SIGNAL_INTEGERS:
    case SIGNAL_FLOATS:
        put_array(values, item, entry);
        break;
    default:
        put_binary(values, "value", entry->bytes);
    }
}

/* Returns the member type that a value of @p type must have. Used to check values, because the
 * description in the file may be wrong. */
static uint8_t member_type_of(ftr_type type)
{
    switch (type) {
    case FTR_TYPE_BOOLEAN:
    case FTR_TYPE_INTEGER:
    case FTR_TYPE_UNSIGNED:
    case FTR_TYPE_POINTER:
    case FTR_TYPE_TIME:
        return MEMBER_INTEGER;
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        return MEMBER_FLOAT;
    default:
        return MEMBER_TEXT;
    }
}

void ftr_flux_put_own_member(ftr_flux_values *values, const ftr_flux_legend_member *legend,
                             const ftr_flux_struct_member *member)
{
    ftr_value value = {.type = legend->value_type};
    int64_t integer = 0;
    double real = 0;
    if ((member->type & MEMBER_MASK) != member_type_of(value.type)) {
        values->wrong++;
        return;
    }
    switch (member->type & MEMBER_MASK) {
    case MEMBER_INTEGER:
        values->wrong += !ftr_flux_integer(member->bytes, &integer);
        if (value.type == FTR_TYPE_BOOLEAN)
            value.as.boolean = integer != 0;
        else if (value.type == FTR_TYPE_INTEGER)
            value.as.integer = integer;
        else
            value.as.number = (uint64_t)integer;
        break;
    case MEMBER_FLOAT:
        values->wrong += !ftr_flux_real(member->bytes, &real);
        value.as.real = real;
        break;
    default:
        value.as.text = member->bytes.data;
        value.text_length = member->bytes.size;
    }
    put(values, legend->class_, legend->label, &value);
}
