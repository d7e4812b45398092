/** @file
 *  C types and function signatures from debug information: spelling, comparison, components, and
 *  definitions in generated C. */
#ifndef FTR_C_TYPE_H
#define FTR_C_TYPE_H

#include "command_arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum ftr_c_kind {
    FTR_C_VOID,
    FTR_C_BOOL,
    FTR_C_SIGNED,
    FTR_C_UNSIGNED,
    FTR_C_FLOAT,
    FTR_C_COMPLEX, /**< a complex floating-point number */
    /** a type with the attribute `vector_size`: `elements` values of type `target` */
    FTR_C_VECTOR,
    FTR_C_POINTER,
    FTR_C_ENUM,
    FTR_C_STRUCT,
    FTR_C_UNION,
    FTR_C_ARRAY,
    FTR_C_FUNCTION,
    FTR_C_TYPEDEF,
    FTR_C_CONST,
    FTR_C_VOLATILE,
    FTR_C_OTHER /**< only the size and the name are known */
} ftr_c_kind;

typedef struct ftr_c_enumerator {
    const char *name;
    int64_t value;
} ftr_c_enumerator;

typedef struct ftr_c_member {
    const char *name; /**< NULL: an anonymous struct or union */
    struct ftr_c_type *type;
    /** offset from the start of the struct, in bytes; for a bit field, in bits, or
     * FTR_C_BIT_UNKNOWN */
    uint64_t offset;
    unsigned bits;      /**< number of bits of a bit field; 0: not a bit field */
    uint64_t alignment; /**< alignment that the source requests, in bytes; 0: none */
} ftr_c_member;

#define FTR_C_BIT_UNKNOWN UINT64_MAX

/** A type. A struct that is only the target of a pointer has no members here, because pointers are
 * not followed. */
typedef struct ftr_c_type {
    ftr_c_kind kind;
    const char *name;   /**< name of the base type or typedef, or the tag; NULL: none */
    uint64_t size;      /**< in bytes, 0: unknown */
    uint64_t alignment; /**< alignment that the source requests, in bytes; 0: none */
    bool is_char;
    bool is_signed; /**< for an enum: whether it has negative values */
    /** whether a struct or union is packed; false before ftr_c_type_define_values() */
    bool packed;
    bool variadic;
    /** depending on `kind`: the type of the pointee, of the elements or of the result; or the type
     * to which a typedef or qualifier is applied */
    struct ftr_c_type *target;
    uint64_t elements; /**< number of elements of an array or vector; 0: unknown */
    ftr_c_member *members;
    size_t member_count;
    ftr_c_enumerator *enumerators;
    size_t enumerator_count;
    struct ftr_c_type **parameters;
    size_t parameter_count;
    /** the tag of this struct or union in generated C; NULL: it has no private tag yet */
    const char *private_name;
} ftr_c_type;

typedef struct ftr_c_parameter {
    const char *name; /**< NULL: unknown */
    ftr_c_type *type;
} ftr_c_parameter;

typedef struct ftr_c_signature {
    const char *function;
    /** name of the object with the debug information from which the signature was read */
    const char *object;
    ftr_c_type *result;
    ftr_c_parameter *parameters;
    size_t count;
    bool definition; /**< read from a definition, not only a declaration */
    bool variadic;
    bool noreturn;
    bool unprototyped; /**< declared without types of parameters, as in `int f()` */
} ftr_c_signature;

typedef enum ftr_c_spelling {
    FTR_C_AS_WRITTEN, /**< with the typedefs of the source, for messages */
    /** with tags and base types only, so that it compiles without the headers of the program */
    FTR_C_CANONICAL
} ftr_c_spelling;

/** Returns the type behind all typedefs and qualifiers of @p type. */
const ftr_c_type *ftr_c_type_bare(const ftr_c_type *type);

/** Returns a declaration with type @p type. @p declarator is the declared name, or "" for the type
 * alone. */
const char *ftr_c_type_declare(ftr_link_arena *arena, const ftr_c_type *type,
                               const char *declarator, ftr_c_spelling spelling);

/** Returns the text of a signature, for example `int f(char *name, size_t size)`. */
const char *ftr_c_signature_text(ftr_link_arena *arena, const ftr_c_signature *signature);

/** Returns true if @p a and @p b are the same type. Qualifiers and typedefs are ignored. Also
 * counted as the same are `void *` and any pointer; all pointers to functions; an enumeration and
 * any integer of its size; and a struct or union without a name and any other one. */
bool ftr_c_type_same(const ftr_c_type *a, const ftr_c_type *b);
bool ftr_c_signature_same(const ftr_c_signature *a, const ftr_c_signature *b);

bool ftr_c_type_is_aggregate(const ftr_c_type *type);

/** Returns `struct NAME`, `union NAME` or `enum NAME`. In canonical spelling, NAME is the private
 * tag if there is one. */
const char *ftr_c_type_tag(ftr_link_arena *arena, const ftr_c_type *type, ftr_c_spelling spelling);

/** Adds the tags (for example "struct x") that must be declared before a canonical declaration of
 * @p type. */
void ftr_c_type_collect_tags(ftr_link_arena *arena, const ftr_c_type *type, ftr_name_list *tags);

/** Returns C definitions of the structs and unions in a value of type @p type, and static checks of
 * their layout. Types behind pointers and types that were defined by an earlier call are left out.
 * The definitions have private tags, which consist of @p prefix and a number. *number is the next
 * number to use; it is incremented for each definition. */
const char *ftr_c_type_define_values(ftr_link_arena *arena, ftr_c_type *type, const char *prefix,
                                     unsigned *number);

/** Returns true if a value of type @p type contains a vector of more than 16 bytes, the width of
 *  the registers of the basic instruction set. The registers or memory that pass this value in a
 *  call depend on compiler options. */
bool ftr_c_type_needs_options(const ftr_c_type *type);

#endif
