/** @file
 *  Definitions of structs and unions in generated C. */
#ifndef FTR_C_DEFINITION_H
#define FTR_C_DEFINITION_H

#include "c_type.h"

/** Adds the tags that must be declared before a canonical declaration of @p type: "struct x". */
void ftr_c_type_collect_tags(ftr_link_arena *arena, const ftr_c_type *type, ftr_name_list *tags);

/** Appends definitions of the structs and unions that @p type passes by value, with private tags
 * (@p prefix and a number), and checks of their layout. */
const char *ftr_c_type_define_values(ftr_link_arena *arena, ftr_c_type *type, const char *prefix,
                                     unsigned *number);

#endif
