/* Owns how C types are spelled and compared. Does not know where a type comes from. */
#include "c_type.h"

#include "c_layout.h"

#include <string.h>

const struct c_type *c_type_bare(const struct c_type *type)
{
    while (type->kind == C_TYPEDEF || type->kind == C_CONST || type->kind == C_VOLATILE)
        type = type->target;
    return type;
}

static bool is_aggregate(const struct c_type *type)
{
    return type->kind == C_STRUCT || type->kind == C_UNION;
}

static const char *joined(struct arena *arena, const char *type, const char *declarator)
{
    if (!*declarator)
        return type;
    return arena_print(arena, "%s %s", type, declarator);
}

static const char *enum_base(const struct c_type *type)
{
    static const char *const names[2][4] = {
        {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"},
        {"signed char", "short", "int", "long long"}};
    unsigned rank = type->size == 1 ? 0 : type->size == 2 ? 1 : type->size == 8 ? 3 : 2;
    return names[type->is_signed][rank];
}

static const char *tag_text(struct arena *arena, const struct c_type *type,
                            enum c_spelling spelling)
{
    const char *word = type->kind == C_ENUM ? "enum" : type->kind == C_STRUCT ? "struct" : "union";
    if (type->private_name != NULL && spelling == C_CANONICAL)
        return arena_print(arena, "%s %s", word, type->private_name);
    return type->name != NULL ? arena_print(arena, "%s %s", word, type->name)
                              : arena_print(arena, "%s {...}", word);
}

static const char *declare_parameters(struct arena *arena, const struct c_type *function,
                                      const char *declarator, enum c_spelling spelling)
{
    const char *text = arena_print(arena, "%s(", declarator);
    for (size_t i = 0; i < function->parameter_count; i++)
        text = arena_print(arena, "%s%s%s", text, i ? ", " : "",
                           c_type_declare(arena, function->parameters[i], "", spelling));
    if (function->variadic)
        return arena_print(arena, "%s%s...)", text, function->parameter_count ? ", " : "");
    return arena_print(arena, "%s%s)", text, function->parameter_count ? "" : "void");
}

static const char *declare_pointer(struct arena *arena, const struct c_type *type,
                                   const char *declarator, enum c_spelling spelling)
{
    static const struct c_type unnamed = {.kind = C_VOID};
    const struct c_type *target = type->target;
    const struct c_type *bare = c_type_bare(target);
    if (spelling == C_CANONICAL &&
        ((is_aggregate(bare) && bare->name == NULL) || bare->kind == C_OTHER))
        target = &unnamed;
    const struct c_type *shown = spelling == C_CANONICAL ? c_type_bare(target) : target;
    bool grouped = shown->kind == C_ARRAY || shown->kind == C_FUNCTION;
    return c_type_declare(arena, target, arena_print(arena, grouped ? "(*%s)" : "*%s", declarator),
                          spelling);
}

static const char *declare_qualified(struct arena *arena, const struct c_type *type,
                                     const char *declarator, enum c_spelling spelling)
{
    const char *word = type->kind == C_CONST ? "const" : "volatile";
    const struct c_type *target = type->target;
    while (spelling == C_CANONICAL && target->kind == C_TYPEDEF)
        target = target->target;
    if (target->kind == C_POINTER)
        return c_type_declare(arena, target, joined(arena, word, declarator), spelling);
    return arena_print(arena, "%s %s", word, c_type_declare(arena, target, declarator, spelling));
}

static const char *vector_text(struct arena *arena, const struct c_type *type,
                               enum c_spelling spelling)
{
    return arena_print(arena, "__typeof__(%s __attribute__((vector_size(%llu))))",
                       c_type_declare(arena, type->target, "", spelling),
                       (unsigned long long)type->size);
}

const char *c_type_declare(struct arena *arena, const struct c_type *type, const char *declarator,
                           enum c_spelling spelling)
{
    switch (type->kind) {
    case C_POINTER:
        return declare_pointer(arena, type, declarator, spelling);
    case C_CONST:
    case C_VOLATILE:
        return declare_qualified(arena, type, declarator, spelling);
    case C_ARRAY: {
        const char *size = type->elements ? arena_print(arena, "%s[%llu]", declarator,
                                                        (unsigned long long)type->elements)
                                          : arena_print(arena, "%s[]", declarator);
        return c_type_declare(arena, type->target, size, spelling);
    }
    case C_FUNCTION:
        return c_type_declare(arena, type->target,
                              declare_parameters(arena, type, declarator, spelling), spelling);
    case C_TYPEDEF:
        if (spelling == C_CANONICAL)
            return c_type_declare(arena, type->target, declarator, spelling);
        return joined(arena, type->name, declarator);
    case C_ENUM:
        return joined(arena,
                      spelling == C_CANONICAL ? enum_base(type) : tag_text(arena, type, spelling),
                      declarator);
    case C_STRUCT:
    case C_UNION:
        return joined(arena, tag_text(arena, type, spelling), declarator);
    case C_BOOL:
        return joined(arena, "_Bool", declarator);
    case C_VECTOR:
        return joined(arena, vector_text(arena, type, spelling), declarator);
    case C_VOID:
        return joined(arena, "void", declarator);
    case C_SIGNED:
    case C_UNSIGNED:
    case C_FLOAT:
    case C_COMPLEX:
    case C_OTHER:
        break;
    }
    return joined(arena, type->name != NULL ? type->name : "void", declarator);
}

const char *c_signature_text(struct arena *arena, const struct c_signature *signature)
{
    const char *text = arena_print(arena, "%s(", signature->function);
    for (size_t i = 0; i < signature->count; i++) {
        const struct c_parameter *parameter = &signature->parameters[i];
        text = arena_print(arena, "%s%s%s", text, i ? ", " : "",
                           c_type_declare(arena, parameter->type,
                                          parameter->name != NULL ? parameter->name : "",
                                          C_AS_WRITTEN));
    }
    if (signature->variadic)
        text = arena_print(arena, "%s%s...", text, signature->count ? ", " : "");
    else if (!signature->count)
        text = arena_print(arena, "%svoid", text);
    return c_type_declare(arena, signature->result, arena_print(arena, "%s)", text), C_AS_WRITTEN);
}

/* ---- comparison -------------------------------------------------------------------------------
 */

/* A struct without a tag is known by the typedef nearest to it. */
static const char *aggregate_name(const struct c_type *type)
{
    const char *name = NULL;
    while (type->kind == C_TYPEDEF || type->kind == C_CONST || type->kind == C_VOLATILE) {
        if (type->kind == C_TYPEDEF)
            name = type->name;
        type = type->target;
    }
    return type->name != NULL ? type->name : name;
}

static bool same_pointee(const struct c_type *a, const struct c_type *b)
{
    const struct c_type *bare_a = c_type_bare(a);
    const struct c_type *bare_b = c_type_bare(b);
    if (bare_a->kind == C_VOID || bare_b->kind == C_VOID)
        return true;
    if (bare_a->kind == C_FUNCTION || bare_b->kind == C_FUNCTION)
        return bare_a->kind == bare_b->kind;
    return c_type_same(a, b);
}

static bool is_integer(const struct c_type *type)
{
    return type->kind == C_SIGNED || type->kind == C_UNSIGNED || type->kind == C_ENUM;
}

bool c_type_same(const struct c_type *a, const struct c_type *b)
{
    const struct c_type *bare_a = c_type_bare(a);
    const struct c_type *bare_b = c_type_bare(b);
    bool integers = is_integer(bare_a) && is_integer(bare_b);
    if (integers && (bare_a->kind == C_ENUM || bare_b->kind == C_ENUM))
        return bare_a->size == bare_b->size;
    if (bare_a->kind != bare_b->kind)
        return false;
    if (bare_a->kind == C_POINTER)
        return same_pointee(bare_a->target, bare_b->target);
    if (is_aggregate(bare_a)) {
        const char *name_a = aggregate_name(a);
        const char *name_b = aggregate_name(b);
        return name_a == NULL || name_b == NULL || strcmp(name_a, name_b) == 0;
    }
    if (bare_a->kind == C_ARRAY)
        return c_type_same(bare_a->target, bare_b->target);
    return bare_a->size == bare_b->size;
}

bool c_signature_same(const struct c_signature *a, const struct c_signature *b)
{
    if (a->count != b->count || !c_type_same(a->result, b->result))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!c_type_same(a->parameters[i].type, b->parameters[i].type))
            return false;
    return true;
}

/* ---- definitions for generated C ---------------------------------------------------------------
 */

void c_type_collect_tags(struct arena *arena, const struct c_type *type, struct name_list *tags)
{
    const struct c_type *bare = c_type_bare(type);
    if (is_aggregate(bare) && bare->name != NULL && bare->private_name == NULL) {
        const char *tag = tag_text(arena, bare, C_CANONICAL);
        if (!name_list_has(tags, tag))
            name_list_add(arena, tags, tag);
    }
    if (bare->kind == C_POINTER || bare->kind == C_ARRAY || bare->kind == C_FUNCTION)
        c_type_collect_tags(arena, bare->target, tags);
    for (size_t i = 0; i < bare->parameter_count; i++)
        c_type_collect_tags(arena, bare->parameters[i], tags);
    for (size_t i = 0; i < bare->member_count; i++)
        c_type_collect_tags(arena, bare->members[i].type, tags);
}

/* Unnamed bit fields are not in debug information: single bits and bytes take their place. They
 * change neither alignment nor the way in which a struct is passed. */
static const char *fill(struct arena *arena, const char *text, uint64_t from, uint64_t to)
{
    while (from < to) {
        uint64_t bits = 8 - from % 8 < to - from ? 8 - from % 8 : to - from;
        text = arena_print(arena, "%s    unsigned char : %u;\n", text, (unsigned)bits);
        from += bits;
    }
    return text;
}

static const char *alignment_text(struct arena *arena, uint64_t alignment)
{
    if (!alignment)
        return "";
    return arena_print(arena, " __attribute__((aligned(%llu)))", (unsigned long long)alignment);
}

static const char *define_members(struct arena *arena, const struct c_type *type)
{
    const char *text = "";
    uint64_t end = 0; /* in bits */
    bool in_bits = false;
    for (size_t i = 0; i < type->member_count; i++) {
        const struct c_member *member = &type->members[i];
        const bool known = !member->bits || member->offset != C_BIT_UNKNOWN;
        const uint64_t begin = member->bits ? member->offset : 8 * member->offset;
        if (type->kind == C_STRUCT && known && (type->packed || in_bits || member->bits) &&
            begin < 8 * type->size)
            text = fill(arena, text, end, begin);
        text = arena_print(arena, "%s    %s", text,
                           c_type_declare(arena, member->type,
                                          member->name != NULL ? member->name : "", C_CANONICAL));
        if (member->bits)
            text = arena_print(arena, "%s : %u", text, member->bits);
        text = arena_print(arena, "%s%s;\n", text, alignment_text(arena, c_layout_asked(member)));
        in_bits = member->bits != 0;
        end = begin + (in_bits ? member->bits : 8 * c_type_bare(member->type)->size);
    }
    if (type->kind == C_STRUCT && in_bits && end <= 8 * type->size)
        text = fill(arena, text, end, 8 * type->size);
    return text;
}

static const char *attributes_text(struct arena *arena, const struct c_type *type)
{
    return arena_print(arena, "%s%s", type->packed ? " __attribute__((packed))" : "",
                       alignment_text(arena, type->alignment));
}

static const char *check_layout(struct arena *arena, const struct c_type *type)
{
    const char *tag = tag_text(arena, type, C_CANONICAL);
    const char *text =
        arena_print(arena, "_Static_assert(sizeof(%s) == %llu, \"%s: size\");\n", tag,
                    (unsigned long long)type->size, type->name != NULL ? type->name : "unnamed");
    for (size_t i = 0; i < type->member_count; i++)
        if (type->members[i].name != NULL && !type->members[i].bits)
            text = arena_print(
                arena, "%s_Static_assert(__builtin_offsetof(%s, %s) == %llu, \"%s: offset\");\n",
                text, tag, type->members[i].name, (unsigned long long)type->members[i].offset,
                type->members[i].name);
    return text;
}

/* An anonymous member must stay anonymous: its definition goes inside. */
static const char *define_unnamed(struct arena *arena, struct c_type *type)
{
    return arena_print(arena, "%s {\n%s}%s", type->kind == C_STRUCT ? "struct" : "union",
                       define_members(arena, type), attributes_text(arena, type));
}

const char *c_type_define_values(struct arena *arena, struct c_type *type, const char *prefix,
                                 unsigned *number)
{
    while (type->kind == C_TYPEDEF || type->kind == C_CONST || type->kind == C_VOLATILE ||
           type->kind == C_ARRAY)
        type = type->target;
    if (!is_aggregate(type) || type->private_name != NULL)
        return "";
    const char *text = "";
    type->packed = c_layout_is_packed(type);
    for (size_t i = 0; i < type->member_count; i++) {
        struct c_member *member = &type->members[i];
        text = arena_print(arena, "%s%s", text,
                           c_type_define_values(arena, member->type, prefix, number));
        if (member->name == NULL && is_aggregate(member->type)) {
            struct c_type *inside = arena_take(arena, 1, sizeof *inside);
            inside->kind = C_SIGNED; /* a spelling of its own, put where a base type's name goes */
            inside->name = define_unnamed(arena, member->type);
            inside->size = member->type->size;
            member->type = inside;
        }
    }
    type->private_name = arena_print(arena, "%s%u", prefix, (*number)++);
    return arena_print(arena, "%s%s {\n%s}%s;\n%s", text, tag_text(arena, type, C_CANONICAL),
                       define_members(arena, type), attributes_text(arena, type),
                       check_layout(arena, type));
}
