/* Maps C types to FTR attributes. The generated statements call the inline functions
 * of <ftr/tracelink.h>. */
#include "record_code.h"

#include <limits.h>
#include <string.h>

#define LEAVES_LIMIT 16 /* structs with more fields are recorded as bytes */
#define ELEMENTS_LIMIT 8

typedef struct leaves {
    ftr_link_arena *arena;
    ftr_record_function *plan;
    ftr_record_tables *tables;
    unsigned string_limit;
    const char *class_;
    /** C expressions of the words of the first attributes, up to the first attribute that does not
     * fit into a word */
    const char *words;
    unsigned word_count;
    const char *puts; /**< statements that put the other attributes */
    /** "NUMBER, WORD" of the last added attribute; NULL: it does not fit into a word */
    const char *last_word;
    unsigned count;
} leaves;

static void declare(leaves *l, const char *name, const char *type)
{
    l->plan->attributes = ftr_arena_print(l->arena, "%s    {\"%s\", FTR_TYPE_%s, FTR_CLASS_%s},\n",
                                          l->plan->attributes, name, type, l->class_);
    l->plan->attribute_count++;
    l->count++;
    l->last_word = NULL;
}

/* Adds an attribute with a separate statement that puts it. */
static void add(leaves *l, const char *name, const char *type, const char *put)
{
    l->puts = ftr_arena_print(l->arena, "%s    %s\n", l->puts, put);
    declare(l, name, type);
}

/* Adds an attribute that fits into one word. The leading attributes that fit into a word are passed
 * together to the function that begins the call. */
static void add_word(leaves *l, const char *name, const char *type, const char *word)
{
    unsigned number = l->plan->attribute_count;
    if (number == l->word_count && !*l->puts) {
        l->words = ftr_arena_print(l->arena, "%s%s%s", l->words, number ? ", " : "", word);
        l->word_count++;
    } else {
        l->puts = ftr_arena_print(l->arena, "%s    ftr_call_put_word(&call, %u, %s);\n", l->puts,
                                  number, word);
    }
    declare(l, name, type);
    l->last_word = ftr_arena_print(l->arena, "%u, %s", number, word);
}

static void add_scalar(leaves *l, const char *name, const char *type, const char *cast,
                       const char *expression)
{
    add_word(l, name, type, ftr_arena_print(l->arena, "%s%s", cast, expression));
}

static bool same_enumeration(const ftr_c_type *a, const ftr_c_type *b)
{
    if (a->enumerator_count != b->enumerator_count)
        return false;
    for (size_t i = 0; i < a->enumerator_count; i++)
        if (a->enumerators[i].value != b->enumerators[i].value ||
            strcmp(a->enumerators[i].name, b->enumerators[i].name) != 0)
            return false;
    return true;
}

static void add_enumeration(leaves *l, const char *name, const ftr_c_type *type,
                            const char *expression)
{
    size_t index = 0;
    while (index < l->tables->count && !same_enumeration(l->tables->enumerations[index], type))
        index++;
    if (index == l->tables->count)
        FTR_ARENA_APPEND(l->arena, l->tables->enumerations, l->tables->count, type);
    add(l, name, "ENUMERATION",
        ftr_arena_print(l->arena,
                        "ftr_call_put_enumerator(&call, %u, &ftr_enumeration_%zu, (int64_t)%s);",
                        l->plan->attribute_count, index, expression));
}

static bool is_text(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    return bare->is_char && bare->name != NULL && strcmp(bare->name, "char") == 0;
}

static void add_pointer(leaves *l, const char *name, const ftr_c_type *type, const char *expression)
{
    if (!l->string_limit || !is_text(type->target)) {
        add_scalar(l, name, "POINTER", "(uint64_t)(uintptr_t)", expression);
        return;
    }
    add(l, name, "STRING",
        ftr_arena_print(l->arena, "ftr_call_put_string(&call, %u, (const char *)%s, %u);",
                        l->plan->attribute_count, expression, l->string_limit));
}

static uint64_t leaves_of(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    uint64_t count = 0;
    if (bare->kind == FTR_C_ARRAY && !is_text(bare->target)) {
        if (!bare->elements || bare->elements > ELEMENTS_LIMIT)
            return 1;
        return bare->elements * leaves_of(bare->target);
    }
    if (bare->kind == FTR_C_COMPLEX)
        return 2;
    if (bare->kind == FTR_C_VECTOR && bare->elements <= ELEMENTS_LIMIT)
        return bare->elements;
    if (bare->kind != FTR_C_STRUCT)
        return 1;
    for (size_t i = 0; i < bare->member_count; i++)
        count += leaves_of(bare->members[i].type);
    return count;
}

static void add_bytes(leaves *l, const char *name, const char *expression)
{
    add(l, name, "STRING",
        ftr_arena_print(l->arena, "ftr_call_put_bytes(&call, %u, &%s, sizeof(%s));",
                        l->plan->attribute_count, expression, expression));
}

static void add_value(leaves *l, const char *name, const ftr_c_type *type, const char *expression);

static void add_elements(leaves *l, const char *name, const ftr_c_type *type,
                         const char *expression);

static void add_members(leaves *l, const char *name, const ftr_c_type *type, const char *expression)
{
    for (size_t i = 0; i < type->member_count; i++) {
        const ftr_c_member *member = &type->members[i];
        if (member->name != NULL)
            add_value(l, ftr_arena_print(l->arena, "%s.%s", name, member->name), member->type,
                      ftr_arena_print(l->arena, "%s.%s", expression, member->name));
        else if (ftr_c_type_bare(member->type)->kind == FTR_C_STRUCT)
            add_members(l, name, ftr_c_type_bare(member->type), expression);
        else if (ftr_c_type_bare(member->type)->member_count) {
            /* Of an anonymous union, only the first member is recorded. */
            ftr_c_type first = *ftr_c_type_bare(member->type);
            first.member_count = 1;
            add_members(l, name, &first, expression);
        }
    }
}

static void add_array(leaves *l, const char *name, const ftr_c_type *type, const char *expression)
{
    if (is_text(type->target)) {
        add(l, name, "STRING",
            ftr_arena_print(l->arena, "ftr_call_put_characters(&call, %u, %s, sizeof(%s));",
                            l->plan->attribute_count, expression, expression));
        return;
    }
    add_elements(l, name, type, expression);
}

/* Adds the elements of an array or vector. */
static void add_elements(leaves *l, const char *name, const ftr_c_type *type,
                         const char *expression)
{
    if (!type->elements || type->elements > ELEMENTS_LIMIT) {
        add_bytes(l, name, expression);
        return;
    }
    for (unsigned i = 0; i < type->elements; i++)
        add_value(l, ftr_arena_print(l->arena, "%s[%u]", name, i), type->target,
                  ftr_arena_print(l->arena, "%s[%u]", expression, i));
}

/* Adds the real or the imaginary part of a complex number. */
static void add_part(leaves *l, const char *name, const char *part, const char *expression)
{
    add_word(l, name, "FLOATING_POINT",
             ftr_arena_print(l->arena, "ftr_call_real((double)%s %s)", part, expression));
}

static void add_value(leaves *l, const char *name, const ftr_c_type *type, const char *expression)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    switch (bare->kind) {
    case FTR_C_BOOL:
        add_scalar(l, name, "BOOLEAN", "(uint64_t)(bool)", expression);
        break;
    case FTR_C_SIGNED:
        add_scalar(l, name, "INTEGER", "(uint64_t)(int64_t)", expression);
        break;
    case FTR_C_UNSIGNED:
        add_scalar(l, name, "UNSIGNED", "(uint64_t)", expression);
        break;
    case FTR_C_FLOAT:
        add_word(l, name, "FLOATING_POINT",
                 ftr_arena_print(l->arena, "ftr_call_real((double)%s)", expression));
        break;
    case FTR_C_COMPLEX:
        add_part(l, ftr_arena_print(l->arena, "%s.re", name), "__real__", expression);
        add_part(l, ftr_arena_print(l->arena, "%s.im", name), "__imag__", expression);
        break;
    case FTR_C_VECTOR:
        add_elements(l, name, bare, expression);
        break;
    case FTR_C_POINTER:
        add_pointer(l, name, bare, expression);
        break;
    case FTR_C_ENUM:
        add_enumeration(l, name, bare, expression);
        break;
    case FTR_C_ARRAY:
        add_array(l, name, bare, expression);
        break;
    case FTR_C_STRUCT:
        if (bare->member_count && leaves_of(bare) <= LEAVES_LIMIT) {
            add_members(l, name, bare, expression);
            break;
        }
        add_bytes(l, name, expression);
        break;
    default:
        add_bytes(l, name, expression);
    }
}

static bool is_void(const ftr_c_type *type)
{
    return ftr_c_type_bare(type)->kind == FTR_C_VOID;
}

static const char *entry_text(const leaves *l, size_t index)
{
    if (!l->word_count)
        return ftr_arena_print(l->arena, "ftr_call_begin(&call, &ftr_unit, %zu, NULL, 0);\n%s",
                               index, l->puts);
    return ftr_arena_print(l->arena,
                           "const uint64_t ftr_words[] = {%s};\n"
                           "    ftr_call_begin(&call, &ftr_unit, %zu, ftr_words, %u);\n%s",
                           l->words, index, l->word_count, l->puts);
}

static const char *exit_text(const leaves *l)
{
    if (!l->count)
        return "ftr_call_end(&call);";
    if (l->count == 1 && l->last_word != NULL)
        return ftr_arena_print(l->arena, "ftr_call_end_word(&call, %s);", l->last_word);
    return ftr_arena_print(l->arena, "ftr_call_return(&call);\n%s    ftr_call_close(&call);",
                           l->puts);
}

void ftr_record_function_plan(ftr_link_arena *arena, const ftr_c_signature *signature, size_t index,
                              unsigned string_limit, ftr_record_tables *tables,
                              ftr_record_function *plan)
{
    leaves l = {.arena = arena,
                .plan = plan,
                .tables = tables,
                .string_limit = string_limit,
                .class_ = "BEGIN",
                .words = "",
                .puts = ""};
    plan->attributes = "";
    for (size_t i = 0; i < signature->count; i++) {
        const char *name = signature->parameters[i].name;
        add_value(&l, name != NULL ? name : ftr_arena_print(arena, "a%zu", i + 1),
                  signature->parameters[i].type, ftr_arena_print(arena, "a%zu", i + 1));
    }
    plan->entry = entry_text(&l, index);
    /* The result is never among the words that are passed together, because these are passed at the
     * begin of the call. */
    l.word_count = UINT_MAX;
    l.class_ = "END";
    l.puts = "";
    l.count = 0;
    if (!is_void(signature->result))
        add_value(&l, "return", signature->result, "ret");
    plan->exit = exit_text(&l);
}

void ftr_record_tables_write(FILE *out, const ftr_record_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        const ftr_c_type *type = tables->enumerations[i];
        fprintf(out, "static ftr_traced_enumerator ftr_enumerators_%zu[] = {\n", i);
        for (size_t k = 0; k < type->enumerator_count; k++)
            fprintf(out, "    {\"%s\", INT64_C(%lld), 0},\n", type->enumerators[k].name,
                    (long long)type->enumerators[k].value);
        fprintf(out, "    {NULL, 0, 0}};\n");
        fprintf(out,
                "static ftr_traced_enumeration ftr_enumeration_%zu = {ftr_enumerators_%zu, %zu};\n",
                i, i, type->enumerator_count);
    }
}
