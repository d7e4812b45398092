/** @file
 *  The layout of structs, as far as debug information only implies it. */
#ifndef FTR_C_LAYOUT_H
#define FTR_C_LAYOUT_H

#include "c_type.h"

/** Whether the members of a struct or union lie closer than their types allow: `packed` is no part
 * of debug information. */
bool ftr_c_layout_is_packed(const ftr_c_type *type);

/** The alignment that the source asks for a member, by itself or by a typedef; 0: none. */
uint64_t ftr_c_layout_asked(const ftr_c_member *member);

/** Whether a value of this type is passed in a way that the compiler's options decide: it holds a
 *  vector that is wider than every register of the basic instruction set. */
bool ftr_c_layout_needs_options(const ftr_c_type *type);

#endif
