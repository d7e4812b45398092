/** @file
 *  ELF objects, archives and shared libraries as a linker sees them: symbols and relocations. */
#ifndef TRACELINK_OBJECT_FILE_H
#define TRACELINK_OBJECT_FILE_H

#include "command_arena.h"
#include "dwarf_signatures.h"
#include "report.h"

#include <stdbool.h>
#include <stdint.h>

struct object_symbol {
    const char *name; /**< into the mapped file */
    uint64_t value;
    uint64_t size;
    unsigned section; /**< 0: undefined */
    bool local;
    bool weak;
    bool function; /**< a function or a symbol without type */
    bool is_section;
};

/** One relocation that refers to a symbol or to an address in a section. */
struct object_reference {
    uint64_t offset;  /**< where in `section` */
    int64_t addend;   /**< relative to the symbol, with the bias of the instruction taken out */
    unsigned section; /**< that is relocated */
    unsigned symbol;  /**< index in `symbols` */
    bool call;        /**< a call or jump instruction */
};

struct object {
    const char *name; /**< "lib.a(member.o)" for a member */
    const void *bytes;
    size_t size;
    bool shared;
    bool archive_member;
    bool linked; /**< part of the link; of an archive, members nothing needs are not */
    bool lto;    /**< holds intermediate code for link-time optimisation, no machine code */
    bool fat;    /**< holds intermediate code beside machine code */
    struct object_symbol *symbols;
    size_t symbol_count;
    struct object_reference *references; /**< after object_read_references() */
    size_t reference_count;
    bool references_read;
    bool facts_read;
    struct dwarf_facts facts;
};

struct object_mapping;

struct object_list {
    struct object **objects;
    size_t count;
    struct object_mapping *mappings; /**< of files and members, newest first */
};

enum object_kind {
    OBJECT_RELOCATABLE,
    OBJECT_ARCHIVE,
    OBJECT_SHARED,
    OBJECT_BITCODE, /**< intermediate code of LLVM, which is no ELF file */
    OBJECT_NOT_ELF,
    OBJECT_MISSING
};

/** What lies at @p path. */
enum object_kind object_kind_of(const char *path);

/** Appends the object, the members or the shared library at @p path to @p list.
 *  @return false when it cannot be read; the report was told */
bool object_list_read(struct arena *arena, struct report *report, const char *path,
                      struct object_list *list);

/** Unmaps what the list's objects were read from: their bytes are gone. */
void object_list_release(struct object_list *list);

/** Reads the relocations once. */
void object_read_references(struct arena *arena, struct object *object);

/** Reads debug information once. */
void object_read_facts(struct arena *arena, struct object *object,
                       bool (*wanted)(void *user, const char *function), void *user);

/** The global symbol @p name that @p object defines, or NULL. */
const struct object_symbol *object_definition(const struct object *object, const char *name);

/** Whether @p object leaves @p name to others. */
bool object_needs(const struct object *object, const char *name);

/** The function around an offset, or NULL. */
const struct object_symbol *object_function_at(const struct object *object, unsigned section,
                                               uint64_t offset);

#endif
