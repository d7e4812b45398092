/* Definitions of structs and unions in generated C. Debug information does not contain the
 * attribute `packed`, so it is inferred from sizes and offsets, with the usual alignments of C
 * types. */
#include "c_type.h"

#define ALIGNMENT_MAX 16
#define VECTOR_MAX 16 /* bytes */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the alignment in bytes that the source requests for a member, directly or in a typedef;
 * 0: the source requests none. */
static uint64_t requested_alignment(const ftr_c_member *member)
{
    uint64_t alignment = member->alignment;
    const ftr_c_type *type = member->type;
    for (; type->kind == FTR_C_TYPEDEF || type->kind == FTR_C_CONST || type->kind == FTR_C_VOLATILE;
         type = type->target)
        alignment = larger(alignment, type->alignment);
    return alignment;
}

typedef struct type_layout {
    uint64_t alignment;
    bool packed; /* the type is a packed struct or union */
} type_layout;

static type_layout layout_of(const ftr_c_type *type);

static uint64_t power_of_two_in(uint64_t size)
{
    const uint64_t power = size & (~size + 1);
    return power < ALIGNMENT_MAX ? power : ALIGNMENT_MAX;
}

static bool crosses_its_unit(const ftr_c_member *member)
{
    const uint64_t unit = 8 * ftr_c_type_bare(member->type)->size;
    return unit && member->offset != FTR_C_BIT_UNKNOWN &&
           member->offset % unit + member->bits > unit;
}

static type_layout layout_of_aggregate(const ftr_c_type *type)
{
    type_layout layout = {1, false};
    for (size_t i = 0; i < type->member_count; i++) {
        const ftr_c_member *member = &type->members[i];
        const uint64_t alignment = layout_of(member->type).alignment;
        layout.packed |= member->bits ? crosses_its_unit(member) : member->offset % alignment != 0;
        layout.alignment = larger(layout.alignment, larger(alignment, requested_alignment(member)));
    }
    layout.packed |= type->size % layout.alignment != 0;
    if (layout.packed)
        layout.alignment = 1;
    return layout;
}

/* Returns the alignment of a type, and whether the type is packed. Debug information contains
 * neither, so both are inferred. The alignment of a scalar is the greatest power of two in its
 * size, at most 16. A struct is packed if its size or the offset of a member contradicts these
 * alignments. If the machine aligns a type to less than its size, a struct that is not packed may
 * be taken for packed. This is harmless, because the members have the same offsets in both
 * cases. */
static type_layout layout_of(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    type_layout layout = {1, false};
    switch (bare->kind) {
    case FTR_C_ARRAY:
        return layout_of(bare->target);
    case FTR_C_STRUCT:
    case FTR_C_UNION:
        layout = layout_of_aggregate(bare);
        break;
    case FTR_C_COMPLEX:
        layout.alignment = power_of_two_in(bare->size / 2);
        break;
    default:
        layout.alignment = power_of_two_in(bare->size);
    }
    layout.alignment = larger(layout.alignment, larger(bare->alignment, 1));
    return layout;
}

void ftr_c_type_collect_tags(ftr_link_arena *arena, const ftr_c_type *type, ftr_name_list *tags)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    if (ftr_c_type_is_aggregate(bare) && bare->name != NULL && bare->private_name == NULL) {
        const char *tag = ftr_c_type_tag(arena, bare, FTR_C_CANONICAL);
        if (!ftr_name_list_has(tags, tag))
            ftr_name_list_add(arena, tags, tag);
    }
    if (bare->kind == FTR_C_POINTER || bare->kind == FTR_C_ARRAY || bare->kind == FTR_C_FUNCTION)
        ftr_c_type_collect_tags(arena, bare->target, tags);
    for (size_t i = 0; i < bare->parameter_count; i++)
        ftr_c_type_collect_tags(arena, bare->parameters[i], tags);
    for (size_t i = 0; i < bare->member_count; i++)
        ftr_c_type_collect_tags(arena, bare->members[i].type, tags);
}

/* Appends members to @p text that fill the bits @p from to @p to of a struct. Debug information
 * does not contain the unnamed bit fields that are in this gap. The members are bit fields of at
 * most 8 bits, because these change neither the alignment nor the calling convention of the
 * struct. */
static const char *fill(ftr_link_arena *arena, const char *text, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t bits = 8 - from % 8 < to - from ? 8 - from % 8 : to - from;
        text = ftr_arena_print(arena, "%s    unsigned char : %u;\n", text, (unsigned)bits);
        from += bits;
    }
    return text;
}

static const char *alignment_text(ftr_link_arena *arena, uint64_t alignment)
{
    if (!alignment)
        return "";
    return ftr_arena_print(arena, " __attribute__((aligned(%llu)))", (unsigned long long)alignment);
}

static const char *define_members(ftr_link_arena *arena, const ftr_c_type *type)
{
    const char *text = "";
    uint64_t end = 0; /* end of the previous member, in bits */
    bool in_bits = false;
    for (size_t i = 0; i < type->member_count; i++) {
        const ftr_c_member *member = &type->members[i];
        const bool known = !member->bits || member->offset != FTR_C_BIT_UNKNOWN;
        const uint64_t begin = member->bits ? member->offset : 8 * member->offset;
        if (type->kind == FTR_C_STRUCT && known && (type->packed || in_bits || member->bits) &&
            begin < 8 * type->size)
            text = fill(arena, text, end, begin);
        text = ftr_arena_print(arena, "%s    %s", text,
                               ftr_c_type_declare(arena, member->type,
                                                  member->name != NULL ? member->name : "",
                                                  FTR_C_CANONICAL));
        if (member->bits)
            text = ftr_arena_print(arena, "%s : %u", text, member->bits);
        text = ftr_arena_print(arena, "%s%s;\n", text,
                               alignment_text(arena, requested_alignment(member)));
        in_bits = member->bits != 0;
        end = begin + (in_bits ? member->bits : 8 * ftr_c_type_bare(member->type)->size);
    }
    if (type->kind == FTR_C_STRUCT && in_bits && end <= 8 * type->size)
        text = fill(arena, text, end, 8 * type->size);
    return text;
}

static const char *attributes_text(ftr_link_arena *arena, const ftr_c_type *type)
{
    return ftr_arena_print(arena, "%s%s", type->packed ? " __attribute__((packed))" : "",
                           alignment_text(arena, type->alignment));
}

static const char *check_layout(ftr_link_arena *arena, const ftr_c_type *type)
{
    const char *tag = ftr_c_type_tag(arena, type, FTR_C_CANONICAL);
    const char *text = ftr_arena_print(arena, "_Static_assert(sizeof(%s) == %llu, \"%s: size\");\n",
                                       tag, (unsigned long long)type->size,
                                       type->name != NULL ? type->name : "unnamed");
    for (size_t i = 0; i < type->member_count; i++)
        if (type->members[i].name != NULL && !type->members[i].bits)
            text = ftr_arena_print(
                arena, "%s_Static_assert(__builtin_offsetof(%s, %s) == %llu, \"%s: offset\");\n",
                text, tag, type->members[i].name, (unsigned long long)type->members[i].offset,
                type->members[i].name);
    return text;
}

/* Returns the definition of an anonymous struct or union member. It is written inside the outer
 * struct, because the member must stay anonymous. */
static const char *define_unnamed(ftr_link_arena *arena, ftr_c_type *type)
{
    return ftr_arena_print(arena, "%s {\n%s}%s", type->kind == FTR_C_STRUCT ? "struct" : "union",
                           define_members(arena, type), attributes_text(arena, type));
}

const char *ftr_c_type_define_values(ftr_link_arena *arena, ftr_c_type *type, const char *prefix,
                                     unsigned *number)
{
    while (type->kind == FTR_C_TYPEDEF || type->kind == FTR_C_CONST ||
           type->kind == FTR_C_VOLATILE || type->kind == FTR_C_ARRAY)
        type = type->target;
    if (!ftr_c_type_is_aggregate(type) || type->private_name != NULL)
        return "";
    const char *text = "";
    type->packed = layout_of(type).packed;
    for (size_t i = 0; i < type->member_count; i++) {
        ftr_c_member *member = &type->members[i];
        text = ftr_arena_print(arena, "%s%s", text,
                               ftr_c_type_define_values(arena, member->type, prefix, number));
        if (member->name == NULL && ftr_c_type_is_aggregate(member->type)) {
            ftr_c_type *inside = ftr_link_arena_allocate(arena, 1, sizeof *inside);
            /* stored as the name of a base type, because names of base types are printed
             * unchanged */
            inside->kind = FTR_C_SIGNED;
            inside->name = define_unnamed(arena, member->type);
            inside->size = member->type->size;
            member->type = inside;
        }
    }
    type->private_name = ftr_arena_print(arena, "%s%u", prefix, (*number)++);
    return ftr_arena_print(
        arena, "%s%s {\n%s}%s;\n%s", text, ftr_c_type_tag(arena, type, FTR_C_CANONICAL),
        define_members(arena, type), attributes_text(arena, type), check_layout(arena, type));
}

bool ftr_c_type_needs_options(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    if (bare->kind == FTR_C_VECTOR)
        return bare->size > VECTOR_MAX;
    if (bare->kind == FTR_C_ARRAY)
        return ftr_c_type_needs_options(bare->target);
    for (size_t i = 0; i < bare->member_count; i++)
        if (ftr_c_type_needs_options(bare->members[i].type))
            return true;
    return false;
}
