/* The spelling and comparison of C types. */
#include "c_type.h"

#include <string.h>

const ftr_c_type *ftr_c_type_bare(const ftr_c_type *type)
{
    while (type->kind == FTR_C_TYPEDEF || type->kind == FTR_C_CONST || type->kind == FTR_C_VOLATILE)
        type = type->target;
    return type;
}

bool ftr_c_type_is_aggregate(const ftr_c_type *type)
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

const char *ftr_c_type_tag(ftr_link_arena *arena, const ftr_c_type *type, ftr_c_spelling spelling)
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
        ((ftr_c_type_is_aggregate(bare) && bare->name == NULL) || bare->kind == FTR_C_OTHER))
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
        return joined(arena,
                      spelling == FTR_C_CANONICAL ? enum_base(type)
                                                  : ftr_c_type_tag(arena, type, spelling),
                      declarator);
    case FTR_C_STRUCT:
    case FTR_C_UNION:
        return joined(arena, ftr_c_type_tag(arena, type, spelling), declarator);
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

/* ---- comparison ------------------------------------------------------------------------------ */

/* Returns the name that identifies a struct or union: its tag; without a tag, the innermost
 * typedef; NULL if it has neither. */
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
    if (ftr_c_type_is_aggregate(bare_a)) {
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
