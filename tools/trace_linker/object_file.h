/** @file
 *  Symbols and relocations of ELF objects, archives and shared libraries. */
#ifndef FTR_OBJECT_FILE_H
#define FTR_OBJECT_FILE_H

#include "command_arena.h"
#include "dwarf_signatures.h"
#include "report.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ftr_object_symbol {
    const char *name; /**< a copy of the text in the file; "": none */
    uint64_t value;
    uint64_t size;
    unsigned section; /**< index of the section; 0: undefined */
    bool local;
    bool weak;
    bool function; /**< true if the symbol is a function or has no type */
    bool is_section;
} ftr_object_symbol;

/** One relocation that refers to a symbol or to an address in a section. */
typedef struct ftr_object_reference {
    uint64_t offset;  /**< offset in `section` */
    int64_t addend;   /**< offset from the symbol, without the bias of the instruction */
    unsigned section; /**< index of the relocated section */
    unsigned symbol;  /**< the symbol to which the place refers, as an index in `symbols` */
    bool call;        /**< the relocated place is a call or jump instruction */
} ftr_object_reference;

typedef struct ftr_object_file {
    const char *name; /**< the path; for a member of an archive, for example "lib.a(member.o)" */
    const void *bytes;
    size_t size;
    bool shared;
    bool archive_member;
    bool linked; /**< part of the link; false for an archive member that is not needed */
    bool lto;    /**< contains intermediate code for link-time optimisation, but no machine code */
    bool fat;    /**< contains intermediate code in addition to machine code */
    ftr_object_symbol *symbols;
    size_t symbol_count;
    ftr_object_reference *references; /**< set by ftr_object_read_references() */
    size_t reference_count;
    bool references_read;
    bool facts_read;
    ftr_dwarf_facts facts;
} ftr_object_file;

typedef struct ftr_object_mapping ftr_object_mapping;

typedef struct ftr_object_list {
    ftr_object_file **objects;
    size_t count;
    ftr_object_mapping *mappings; /**< mappings of files and members, newest first */
} ftr_object_list;

typedef enum ftr_object_kind {
    FTR_OBJECT_RELOCATABLE,
    FTR_OBJECT_ARCHIVE,
    FTR_OBJECT_SHARED,  /**< a shared library or a linked program */
    FTR_OBJECT_BITCODE, /**< intermediate code of LLVM, which is not an ELF file */
    FTR_OBJECT_NOT_ELF,
    FTR_OBJECT_MISSING
} ftr_object_kind;

/** Returns the type of the file at @p path. */
ftr_object_kind ftr_object_kind_of(const char *path);

/** Appends the object, the shared library, or all members of the archive at @p path to @p list.
 *  @return false after an error message if it cannot be read */
bool ftr_object_list_read(ftr_link_arena *arena, ftr_link_report *report, const char *path,
                          ftr_object_list *list);

/** Unmaps the files of all objects in the list. The member `bytes` of the objects becomes invalid;
 * names and symbols remain valid. */
void ftr_object_list_release(ftr_object_list *list);

/** Reads the relocations of an object into `references`, if they were not read yet. */
void ftr_object_read_references(ftr_link_arena *arena, ftr_object_file *object);

/** Reads the debug information of an object for the functions that @p wanted accepts. Does nothing
 * if debug information of the object was read before. */
void ftr_object_read_facts(ftr_link_arena *arena, ftr_object_file *object,
                           bool (*wanted)(void *user, const char *function), void *user);

/** Returns the global symbol @p name if it is a function or has no type; NULL if @p object does not
 * define a symbol of this kind. */
const ftr_object_symbol *ftr_object_definition(const ftr_object_file *object, const char *name);

/** Returns true if @p object uses @p name without defining it. */
bool ftr_object_needs(const ftr_object_file *object, const char *name);

/** Returns the function that contains @p offset of @p section; NULL if there is none. */
const ftr_object_symbol *ftr_object_function_at(const ftr_object_file *object, unsigned section,
                                                uint64_t offset);

#endif
