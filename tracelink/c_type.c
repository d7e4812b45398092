/* Owns the spelling and comparison of C types. Does not know the source of a type. */
#include "c_type.h"

#include "c_layout.h"

#include <string.h>

const ftr_c_type *ftr_c_type_bare(const ftr_c_type *type)
{
    while (type->kind == FTR_C_TYPEDEF || type->kind == FTR_C_CONST || type->kind == FTR_C_VOLATILE)
        type = type->target;
    return type;
}

static bool is_aggregate(const ftr_c_type *type)
{
    return type->kind == FTR_C_STRUCT || type->kind == FTR_C_UNION;
}

static const char *joined(ftr_link_arena *arena, const char *type, const char *declarator)
{
    if (!*declarator)
        return type;
    return ftr_arena_print(arena, "%s %s", type, declarator);
}

static const char *enum_base(const ftr_c_type *type)
{
    static const char *const names[2][4] = {
        {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"},
        {"signed char", "short", "int", "long long"}};
    unsigned rank = type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 8 ? 3 : 2;
    return names[type->is_signed][rank];
}

static const char *tag_text(ftr_link_arena *arena, const ftr_c_type *type, ftr_c_spelling spelling)
{
    const char *word = type->kind == FTR_C_ENUM     ? "enum"
                       : type->kind == FTR_C_STRUCT ? "struct"
                                                    : "union";
    if (type->private_name != NULL && spelling == FTR_C_CANONICAL)
        return ftr_arena_print(arena, "%s %s", word, type->private_name);
    return type->name != NULL ? ftr_arena_print(arena, "%s %s", word, type->name)
                              : ftr_arena_print(arena, "%s {...}", word);
}

static const char *declare_parameters(ftr_link_arena *arena, const ftr_c_type *function,
                                      const char *declarator, ftr_c_spelling spelling)
{
    const char *text = ftr_arena_print(arena, "%s(", declarator);
    for (size_t i = 0; i < function->parameter_count; i++)
        text = ftr_arena_print(arena, "%s%s%s", text, i ? ", " : "",
                               ftr_c_type_declare(arena, function->parameters[i], "", spelling));
    if (function->variadic)
        return ftr_arena_print(arena, "%s%s...)", text, function->parameter_count ? ", " : "");
    return ftr_arena_print(arena, "%s%s)", text, function->parameter_count ? "" : "void");
}

static const char *declare_pointer(ftr_link_arena *arena, const ftr_c_type *type,
                                   const char *declarator, ftr_c_spelling spelling)
{
    static const ftr_c_type unnamed = {.kind = FTR_C_VOID};
    const ftr_c_type *target = type->target;
    const ftr_c_type *bare = ftr_c_type_bare(target);
    if (spelling == FTR_C_CANONICAL &&
        ((is_aggregate(bare) && bare->name == NULL) || bare->kind == FTR_C_OTHER))
        target = &unnamed;
    const ftr_c_type *shown = spelling == FTR_C_CANONICAL ? ftr_c_type_bare(target) : target;
    bool grouped = shown->kind == FTR_C_ARRAY || shown->kind == FTR_C_FUNCTION;
    return ftr_c_type_declare(
        arena, target, ftr_arena_print(arena, grouped ? "(*%s)" : "*%s", declarator), spelling);
}

static const char *declare_qualified(ftr_link_arena *arena, const ftr_c_type *type,
                                     const char *declarator, ftr_c_spelling spelling)
{
    const char *word = type->kind == FTR_C_CONST ? "const" : "volatile";
    const ftr_c_type *target = type->target;
    while (spelling == FTR_C_CANONICAL && target->kind == FTR_C_TYPEDEF)
        target = target->target;
    if (target->kind == FTR_C_POINTER)
        return ftr_c_type_declare(arena, target, joined(arena, word, declarator), spelling);
    return ftr_arena_print(arena, "%s %s", word,
                           ftr_c_type_declare(arena, target, declarator, spelling));
}

static const char *vector_text(ftr_link_arena *arena, const ftr_c_type *type,
                               ftr_c_spelling spelling)
{
    return ftr_arena_print(arena, "__typeof__(%s __attribute__((vector_size(%llu))))",
                           ftr_c_type_declare(arena, type->target, "", spelling),
                           (unsigned long long)type->size);
}

const char *ftr_c_type_declare(ftr_link_arena *arena, const ftr_c_type *type,
                               const char *declarator, ftr_c_spelling spelling)
{
    switch (type->kind) {
    case FTR_C_POINTER:
        return declare_pointer(arena, type, declarator, spelling);
    case FTR_C_CONST:
    case FTR_C_VOLATILE:
        return declare_qualified(arena, type, declarator, spelling);
    case FTR_C_ARRAY: {
        const char *size = type->elements ? ftr_arena_print(arena, "%s[%llu]", declarator,
                                                            (unsigned long long)type->elements)
                                          : ftr_arena_print(arena, "%s[]", declarator);
        return ftr_c_type_declare(arena, type->target, size, spelling);
    }
    case FTR_C_FUNCTION:
        return ftr_c_type_declare(arena, type->target,
                                  declare_parameters(arena, type, declarator, spelling), spelling);
    case FTR_C_TYPEDEF:
        if (spelling == FTR_C_CANONICAL)
            return ftr_c_type_declare(arena, type->target, declarator, spelling);
        return joined(arena, type->name, declarator);
    case FTR_C_ENUM:
        return joined(
            arena, spelling == FTR_C_CANONICAL ? enum_base(type) : tag_text(arena, type, spelling),
            declarator);
    case FTR_C_STRUCT:
    case FTR_C_UNION:
        return joined(arena, tag_text(arena, type, spelling), declarator);
    case FTR_C_BOOL:
        return joined(arena, "_Bool", declarator);
    case FTR_C_VECTOR:
        return joined(arena, vector_text(arena, type, spelling), declarator);
    case FTR_C_VOID:
        return joined(arena, "void", declarator);
    case FTR_C_SIGNED:
    case FTR_C_UNSIGNED:
    case FTR_C_FLOAT:
    case FTR_C_COMPLEX:
    case FTR_C_OTHER:
        break;
    }
    return joined(arena, type->name != NULL ? type->name : "void", declarator);
}

const char *ftr_c_signature_text(ftr_link_arena *arena, const ftr_c_signature *signature)
{
    const char *text = ftr_arena_print(arena, "%s(", signature->function);
    for (size_t i = 0; i < signature->count; i++) {
        const ftr_c_parameter *parameter = &signature->parameters[i];
        text = ftr_arena_print(arena, "%s%s%s", text, i ? ", " : "",
                               ftr_c_type_declare(arena, parameter->type,
                                                  parameter->name != NULL ? parameter->name : "",
                                                  FTR_C_AS_WRITTEN));
    }
    if (signature->variadic)
        text = ftr_arena_print(arena, "%s%s...", text, signature->count ? ", " : "");
    else if (!signature->count)
        text = ftr_arena_print(arena, "%svoid", text);
    return ftr_c_type_declare(arena, signature->result, ftr_arena_print(arena, "%s)", text),
                              FTR_C_AS_WRITTEN);
}

/* ---- comparison -------------------------------------------------------------------------------
 */

/* A struct without a tag is identified by the innermost typedef. */
static const char *aggregate_name(const ftr_c_type *type)
{
    const char *name = NULL;
    while (type->kind == FTR_C_TYPEDEF || type->kind == FTR_C_CONST ||
           type->kind == FTR_C_VOLATILE) {
        if (type->kind == FTR_C_TYPEDEF)
            name = type->name;
        type = type->target;
    }
    return type->name != NULL ? type->name : name;
}

static bool same_pointee(const ftr_c_type *a, const ftr_c_type *b)
{
    const ftr_c_type *bare_a = ftr_c_type_bare(a);
    const ftr_c_type *bare_b = ftr_c_type_bare(b);
    if (bare_a->kind == FTR_C_VOID || bare_b->kind == FTR_C_VOID)
        return true;
    if (bare_a->kind == FTR_C_FUNCTION || bare_b->kind == FTR_C_FUNCTION)
        return bare_a->kind == bare_b->kind;
    return ftr_c_type_same(a, b);
}

static bool is_integer(const ftr_c_type *type)
{
    return type->kind == FTR_C_SIGNED || type->kind == FTR_C_UNSIGNED || type->kind == FTR_C_ENUM;
}

bool ftr_c_type_same(const ftr_c_type *a, const ftr_c_type *b)
{
    const ftr_c_type *bare_a = ftr_c_type_bare(a);
    const ftr_c_type *bare_b = ftr_c_type_bare(b);
    bool integers = is_integer(bare_a) && is_integer(bare_b);
    if (integers && (bare_a->kind == FTR_C_ENUM || bare_b->kind == FTR_C_ENUM))
        return bare_a->size == bare_b->size;
    if (bare_a->kind != bare_b->kind)
        return false;
    if (bare_a->kind == FTR_C_POINTER)
        return same_pointee(bare_a->target, bare_b->target);
    if (is_aggregate(bare_a)) {
        const char *name_a = aggregate_name(a);
        const char *name_b = aggregate_name(b);
        return name_a == NULL || name_b == NULL || strcmp(name_a, name_b) == 0;
    }
    if (bare_a->kind == FTR_C_ARRAY)
        return ftr_c_type_same(bare_a->target, bare_b->target);
    return bare_a->size == bare_b->size;
}

bool ftr_c_signature_same(const ftr_c_signature *a, const ftr_c_signature *b)
{
    if (a->count != b->count || !ftr_c_type_same(a->result, b->result))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!ftr_c_type_same(a->parameters[i].type, b->parameters[i].type))
            return false;
    return true;
}

/* ---- definitions for generated C ---------------------------------------------------------------
 */

void ftr_c_type_collect_tags(ftr_link_arena *arena, const ftr_c_type *type, ftr_name_list *tags)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    if (is_aggregate(bare) && bare->name != NULL && bare->private_name == NULL) {
        const char *tag = tag_text(arena, bare, FTR_C_CANONICAL);
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

/* Returns members that fill a gap with single bits and bytes, because debug information does not
 * contain unnamed bit fields. These members change neither the alignment nor the calling convention
 * of a struct. */
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
    uint64_t end = 0; /* in bits */
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
    const char *tag = tag_text(arena, type, FTR_C_CANONICAL);
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

/* An anonymous member must stay anonymous, so its definition is nested. */
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
    if (!is_aggregate(type) || type->private_name != NULL)
        return "";
    const char *text = "";
    type->packed = ftr_c_layout_is_packed(type);
    for (size_t i = 0; i < type->member_count; i++) {
        ftr_c_member *member = &type->members[i];
        text = ftr_arena_print(arena, "%s%s", text,
                               ftr_c_type_define_values(arena, member->type, prefix, number));
        if (member->name == NULL && is_aggregate(member->type)) {
            ftr_c_type *inside = ftr_link_arena_take(arena, 1, sizeof *inside);
            /* the definition is stored as the name of a base type, which is printed unchanged */
            inside->kind = FTR_C_SIGNED;
            inside->name = define_unnamed(arena, member->type);
            inside->size = member->type->size;
            member->type = inside;
        }
    }
    type->private_name = ftr_arena_print(arena, "%s%u", prefix, (*number)++);
    return ftr_arena_print(arena, "%s%s {\n%s}%s;\n%s", text,
                           tag_text(arena, type, FTR_C_CANONICAL), define_members(arena, type),
                           attributes_text(arena, type), check_layout(arena, type));
}
