/** @file
 *  Function signatures, and calls the compiler resolved by itself, out of debug information. */
#ifndef FTR_DWARF_SIGNATURES_H
#define FTR_DWARF_SIGNATURES_H

#include "c_type.h"

/** What debug information of one object says. */
typedef struct ftr_dwarf_facts {
    bool present;       /**< the object has debug information */
    const char *damage; /**< what is wrong with it; NULL: nothing that was noticed */
    ftr_c_signature **signatures;
    size_t count;
    struct ftr_dwarf_call *calls;
    size_t call_count;
} ftr_dwarf_facts;

/** A call of a wanted function as the compiler recorded it. */
typedef struct ftr_dwarf_call {
    const char *function;
    const char *caller;
    bool inlined; /**< the body was inlined: there is no call left */
} ftr_dwarf_call;

/** Reads the object in @p fd, which is closed. @p wanted chooses functions by name.
 *  @param object its name, for messages; borrowed as long as the facts live */
void ftr_dwarf_facts_read(ftr_link_arena *arena, const char *object, int fd,
                          bool (*wanted)(void *user, const char *function), void *user,
                          ftr_dwarf_facts *facts);

#endif
