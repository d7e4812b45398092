/* Owns the definitions of structs and unions in generated C. */
#include "c_definition.h"

#include "c_layout.h"

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
 * does not contain the unnamed bit fields that are in this gap. Single bits and bytes are used,
 * because they change neither the alignment nor the calling convention of the struct. */
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
                               alignment_text(arena, ftr_c_layout_requested(member)));
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
    type->packed = ftr_c_layout_is_packed(type);
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
