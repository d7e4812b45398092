/** @file
 *  Function signatures, and calls the compiler resolved by itself, out of debug information. */
#ifndef TRACELINK_DWARF_SIGNATURES_H
#define TRACELINK_DWARF_SIGNATURES_H

#include "c_type.h"

/** What debug information of one object says. */
struct dwarf_facts {
    bool present;       /**< the object has debug information */
    const char *damage; /**< what is wrong with it; NULL: nothing that was noticed */
    struct c_signature **signatures;
    size_t count;
    struct dwarf_call *calls;
    size_t call_count;
};

/** A call of a wanted function as the compiler recorded it. */
struct dwarf_call {
    const char *function;
    const char *caller;
    bool inlined; /**< the body was inlined: there is no call left */
};

/** Reads the object in @p fd, which is closed. @p wanted chooses functions by name.
 *  @param object its name, for messages; borrowed as long as the facts live */
void dwarf_facts_read(struct arena *arena, const char *object, int fd,
                      bool (*wanted)(void *user, const char *function), void *user,
                      struct dwarf_facts *facts);

#endif
