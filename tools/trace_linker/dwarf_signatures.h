/** @file Reads function signatures and calls from debug information. Unlike relocations, debug
 * information contains also the calls that the compiler has inlined, and those that the assembler
 * has resolved. */
#ifndef FTR_DWARF_SIGNATURES_H
#define FTR_DWARF_SIGNATURES_H

#include "c_type.h"

#include <gelf.h>

/** The debug information of one object. */
typedef struct ftr_dwarf_facts {
    bool present;       /**< the object has debug information */
    const char *damage; /**< description of damage; NULL: none was found */
    ftr_c_signature **signatures;
    size_t count;
    struct ftr_dwarf_call *calls;
    size_t call_count;
} ftr_dwarf_facts;

/** A call of a wanted function, according to the debug information. */
typedef struct ftr_dwarf_call {
    const char *function;
    const char *caller;
    bool inlined; /**< the body was inlined, so there is no call instruction */
} ftr_dwarf_call;

/** Reads the debug information of an object from @p fd, and closes @p fd. Only signatures and calls
 * of functions whose names @p wanted accepts are stored.
 *  @param object name of the object, for messages; must exist as long as @p facts */
void ftr_dwarf_facts_read(ftr_link_arena *arena, const char *object, int fd,
                          bool (*wanted)(void *user, const char *function), void *user,
                          ftr_dwarf_facts *facts);

/** Returns true if an object has a section that @p is_wanted accepts. */
bool ftr_elf_has_section(Elf *elf, bool (*is_wanted)(const char *name, const GElf_Shdr *header));

#endif
