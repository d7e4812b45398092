/** @file
 *  Definitions of structs and unions in generated C. */
#ifndef FTR_C_DEFINITION_H
#define FTR_C_DEFINITION_H

#include "c_type.h"

/** Adds the tags (for example "struct x") that must be declared before a canonical declaration of
 * @p type. */
void ftr_c_type_collect_tags(ftr_link_arena *arena, const ftr_c_type *type, ftr_name_list *tags);

/** Returns definitions of the structs and unions that @p type passes by value, and static checks of
 * their layout. The definitions have private tags, @p prefix and a number; @p number is the next
 * one. */
const char *ftr_c_type_define_values(ftr_link_arena *arena, ftr_c_type *type, const char *prefix,
                                     unsigned *number);

#endif
