/** @file
 *  C types and function signatures as debug information describes them: their spelling, whether two
 *  are the same, what they are made of. */
#ifndef TRACELINK_C_TYPE_H
#define TRACELINK_C_TYPE_H

#include "command_arena.h"
#include "name_list.h"

#include <stdbool.h>
#include <stdint.h>

enum c_kind {
    C_VOID,
    C_BOOL,
    C_SIGNED,
    C_UNSIGNED,
    C_FLOAT,
    C_COMPLEX, /**< of floating point */
    C_VECTOR,  /**< `vector_size`: `target` repeated */
    C_POINTER,
    C_ENUM,
    C_STRUCT,
    C_UNION,
    C_ARRAY,
    C_FUNCTION,
    C_TYPEDEF,
    C_CONST,
    C_VOLATILE,
    C_OTHER /**< only the size and the name are known */
};

struct c_enumerator {
    const char *name;
    int64_t value;
};

struct c_member {
    const char *name; /**< NULL: an anonymous struct or union */
    struct c_type *type;
    uint64_t offset;    /**< in bytes; of a bit field in bits, or C_BIT_UNKNOWN */
    unsigned bits;      /**< of a bit field, else 0 */
    uint64_t alignment; /**< asked for in the source, in bytes; 0: none */
};

#define C_BIT_UNKNOWN UINT64_MAX

/** Behind a pointer, structs have no members here: nothing looks through pointers. */
struct c_type {
    enum c_kind kind;
    const char *name;   /**< of a base type, typedef or tag; NULL: none */
    uint64_t size;      /**< bytes, 0: unknown */
    uint64_t alignment; /**< asked for in the source, in bytes; 0: none */
    bool is_char;
    bool is_signed; /**< of an enum */
    bool packed;    /**< of a struct or union that c_type_define_values() has defined */
    bool variadic;
    struct c_type *target; /**< pointee, element, return type or what is qualified */
    uint64_t elements;     /**< of an array or vector; 0: unknown */
    struct c_member *members;
    size_t member_count;
    struct c_enumerator *enumerators;
    size_t enumerator_count;
    struct c_type **parameters;
    size_t parameter_count;
    const char *private_name; /**< the tag generated C gives this struct or union */
};

struct c_parameter {
    const char *name; /**< NULL: not known */
    struct c_type *type;
};

struct c_signature {
    const char *function;
    const char *object; /**< whose debug information has it */
    struct c_type *result;
    struct c_parameter *parameters;
    size_t count;
    bool definition;
    bool variadic;
    bool noreturn;
    bool unprototyped;
};

enum c_spelling {
    C_AS_WRITTEN, /**< with typedefs, for people */
    C_CANONICAL   /**< tags and base types only: compiles without the program's headers */
};

/** @p type without typedefs and qualifiers. */
const struct c_type *c_type_bare(const struct c_type *type);

/** A declaration of @p declarator, a name or empty, as @p type. */
const char *c_type_declare(struct arena *arena, const struct c_type *type, const char *declarator,
                           enum c_spelling spelling);

/** `int f(char *name, size_t size)`. */
const char *c_signature_text(struct arena *arena, const struct c_signature *signature);

/** Whether a call through @p a passes what @p b expects. Qualifiers, typedefs and void pointers are
 * no difference. */
bool c_type_same(const struct c_type *a, const struct c_type *b);
bool c_signature_same(const struct c_signature *a, const struct c_signature *b);

/** Adds the tags a canonical declaration of @p type needs declared before it: "struct x". */
void c_type_collect_tags(struct arena *arena, const struct c_type *type, struct name_list *tags);

/** Appends definitions of the structs and unions that @p type passes by value, under private tags
 * @p prefix followed by a number, and checks of their layout. */
const char *c_type_define_values(struct arena *arena, struct c_type *type, const char *prefix,
                                 unsigned *number);

#endif
