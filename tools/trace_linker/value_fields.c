/* Decodes C values from bytes that another machine recorded. */
#include "value_fields.h"

#include <string.h>

#define FIELDS_LIMIT 16
#define BYTES_SHOWN 32

static void add(ftr_link_arena *arena, ftr_value_fields *fields, const char *name, ftr_type type,
                const ftr_c_type *c_type, uint32_t offset, uint32_t size)
{
    ftr_value_field field = {
        .name = name, .type = type, .c_type = c_type, .offset = offset, .size = size};
    FTR_ARENA_APPEND(arena, fields->fields, fields->count, field);
}

static bool is_word(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Adds a bit field of the struct that begins at @p offset. Does nothing if the debug information
 * does not contain the position of the bit field, or if this position is outside of the struct. */
static void add_bit_field(ftr_link_arena *arena, const char *name, const ftr_c_type *in,
                          const ftr_c_member *member, uint32_t offset, ftr_value_fields *fields)
{
    const ftr_c_type *type = ftr_c_type_bare(member->type);
    ftr_value_field field = {.name = name,
                             .type = FTR_TYPE_UNSIGNED,
                             .c_type = type,
                             .bits = member->bits,
                             .offset = offset,
                             .bit_offset = member->offset};
    if (member->bits > 64 || member->bits > 8 * in->size ||
        member->offset > 8 * in->size - member->bits)
        return;
    if (type->kind == FTR_C_BOOL)
        field.type = FTR_TYPE_BOOLEAN;
    else if (type->kind == FTR_C_SIGNED)
        field.type = FTR_TYPE_INTEGER;
    else if (type->kind == FTR_C_ENUM)
        field.type = FTR_TYPE_ENUMERATION;
    FTR_ARENA_APPEND(arena, fields->fields, fields->count, field);
}

static void add_typed(ftr_link_arena *arena, const char *name, const ftr_c_type *type,
                      uint32_t offset, ftr_value_fields *fields)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    uint32_t size = (uint32_t)bare->size;
    ftr_type as = FTR_TYPE_STRING;
    if (bare->kind == FTR_C_STRUCT && bare->member_count && bare->member_count <= FIELDS_LIMIT) {
        for (size_t i = 0; i < bare->member_count; i++) {
            const ftr_c_member *member = &bare->members[i];
            const char *full =
                member->name != NULL ? ftr_arena_print(arena, "%s.%s", name, member->name) : name;
            if (member->bits)
                add_bit_field(arena, full, bare, member, offset, fields);
            else
                add_typed(arena, full, member->type, offset + (uint32_t)member->offset, fields);
        }
        return;
    }
    if (bare->kind == FTR_C_BOOL)
        as = FTR_TYPE_BOOLEAN;
    else if (bare->kind == FTR_C_SIGNED && is_word(size))
        as = FTR_TYPE_INTEGER;
    else if (bare->kind == FTR_C_UNSIGNED && is_word(size))
        as = FTR_TYPE_UNSIGNED;
    else if (bare->kind == FTR_C_POINTER && is_word(size))
        as = FTR_TYPE_POINTER;
    else if (bare->kind == FTR_C_FLOAT && (size == 4 || size == 8))
        as = FTR_TYPE_FLOATING_POINT;
    else if (bare->kind == FTR_C_ENUM && is_word(size))
        as = FTR_TYPE_ENUMERATION;
    add(arena, fields, name, as, bare, offset, size);
}

static ftr_type type_of_text(const char *text, uint32_t size)
{
    size_t length = strlen(text);
    if (!is_word(size))
        return FTR_TYPE_STRING;
    if (length && (text[length - 1] == '*' || strstr(text, "(*") != NULL))
        return FTR_TYPE_POINTER;
    if (strstr(text, "float") != NULL || strstr(text, "double") != NULL)
        return size >= 4 ? FTR_TYPE_FLOATING_POINT : FTR_TYPE_STRING;
    if (strcmp(text, "bool") == 0 || strcmp(text, "_Bool") == 0)
        return FTR_TYPE_BOOLEAN;
    if (strstr(text, "unsigned") != NULL || strstr(text, "uint") != NULL ||
        strcmp(text, "size_t") == 0)
        return FTR_TYPE_UNSIGNED;
    return strstr(text, "struct") != NULL || strstr(text, "union") != NULL ? FTR_TYPE_STRING
                                                                           : FTR_TYPE_INTEGER;
}

void ftr_value_fields_of(ftr_link_arena *arena, const char *name, const ftr_c_type *type,
                         const char *type_text, uint32_t size, ftr_value_fields *fields)
{
    if (type != NULL)
        add_typed(arena, name, type, 0, fields);
    else
        add(arena, fields, name, type_of_text(type_text, size), NULL, 0, size);
}

static uint64_t number_of(const unsigned char *bytes, uint32_t size, bool big_endian)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return number;
}

/* Returns the bits of a bit field. On a little-endian machine, offset 0 is the lowest bit of the
 * first byte, and the first bit of the field is the lowest bit of its value. On a big-endian
 * machine, both are the highest bits. */
static uint64_t bits_of(const unsigned char *bytes, uint64_t offset, unsigned bits, bool big_endian)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < bits; i++) {
        uint64_t at = offset + i;
        uint64_t bit = bytes[at / 8] >> (big_endian ? 7 - at % 8 : at % 8) & 1;
        number |= bit << (big_endian ? bits - 1 - i : i);
    }
    return number;
}

static int64_t with_sign(uint64_t number, unsigned bits)
{
    unsigned unused = 64 - bits;
    return (int64_t)(number << unused) >> unused;
}

static double real_of(uint64_t number, uint32_t size)
{
    uint32_t half = (uint32_t)number;
    float small;
    double large;
    memcpy(&small, &half, sizeof small);
    memcpy(&large, &number, sizeof large);
    return size == 4 ? (double)small : large;
}

static const char *enumerator_of(ftr_link_arena *arena, const ftr_c_type *type, int64_t number)
{
    for (size_t i = 0; i < type->enumerator_count; i++)
        if (type->enumerators[i].value == number)
            return type->enumerators[i].name;
    return ftr_arena_print(arena, "%lld", (long long)number);
}

static const char *bytes_text(ftr_link_arena *arena, const unsigned char *bytes, uint32_t size)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t shown = size < BYTES_SHOWN ? size : BYTES_SHOWN;
    char *text = ftr_link_arena_allocate(arena, 2 * (size_t)shown + 4, 1);
    for (size_t i = 0; i < shown; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return shown < size ? ftr_arena_print(arena, "%s...", text) : text;
}

ftr_value ftr_value_field_read(ftr_link_arena *arena, const ftr_value_field *field,
                               const unsigned char *bytes, bool big_endian)
{
    ftr_value value = {.type = field->type, .text_length = FTR_NUL_TERMINATED};
    const unsigned bits = field->bits ? field->bits : 8 * field->size;
    uint64_t number = 0;
    bytes += field->offset;
    if (field->bits)
        number = bits_of(bytes, field->bit_offset, field->bits, big_endian);
    else if (is_word(field->size))
        number = number_of(bytes, field->size, big_endian);
    switch (field->type) {
    case FTR_TYPE_BOOLEAN:
        value.as.boolean = number != 0;
        break;
    case FTR_TYPE_INTEGER:
        value.as.integer = with_sign(number, bits);
        break;
    case FTR_TYPE_FLOATING_POINT:
        value.as.real = real_of(number, field->size);
        break;
    case FTR_TYPE_ENUMERATION:
        value.as.text =
            enumerator_of(arena, field->c_type,
                          field->c_type->is_signed ? with_sign(number, bits) : (int64_t)number);
        break;
    case FTR_TYPE_STRING:
        value.as.text = bytes_text(arena, bytes, field->size);
        break;
    default:
        value.as.number = number;
    }
    return value;
}
