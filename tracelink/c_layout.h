/** @file
 *  The layout of structs, as far as debug information only implies it. */
#ifndef TRACELINK_C_LAYOUT_H
#define TRACELINK_C_LAYOUT_H

#include "c_type.h"

/** Whether the members of a struct or union lie closer than their types allow: `packed` is no part
 * of debug information. */
bool c_layout_is_packed(const struct c_type *type);

/** The alignment that the source asks for a member, by itself or by a typedef; 0: none. */
uint64_t c_layout_asked(const struct c_member *member);

/** Whether a value of this type is passed in a way that the compiler's options decide: it holds a
 *  vector that is wider than every register of the basic instruction set. */
bool c_layout_needs_options(const struct c_type *type);

#endif
