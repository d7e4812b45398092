/** @file
 *  Properties of the layout of structs that debug information does not state, but that follow from
 *  it. */
#ifndef FTR_C_LAYOUT_H
#define FTR_C_LAYOUT_H

#include "c_type.h"

/** Returns true if the members of a struct or union are closer together than the usual alignments
 * of their types allow (see c_layout.c). The generated C then declares it as packed, because debug
 * information does not contain the attribute `packed`. */
bool ftr_c_layout_is_packed(const ftr_c_type *type);

/** Returns the alignment in bytes that the source requests for a member, directly or in a typedef;
 * 0: it requests none. */
uint64_t ftr_c_layout_requested(const ftr_c_member *member);

/** Returns true if the value contains a vector that is wider than the registers of the basic
 *  instruction set. The registers or memory that pass this value in a call depend on compiler
 *  options. */
bool ftr_c_layout_needs_options(const ftr_c_type *type);

#endif
