/* Types of attributes: the names of the types, as viewers and SCV write them, and the two kinds of
 * values that are shown in a special form, vectors and addresses. */
#ifndef FTR_ATTRIBUTE_TYPES_H
#define FTR_ATTRIBUTE_TYPES_H

#include <ftr/reader.h>

#include <stdbool.h>
#include <stddef.h>

/* The number of names of types. The last name, NONE, stands for the absence of a type. */
#define FTR_TYPE_NAMES 13

/* The names of the types; index: ftr_type. */
extern const char *const ftr_type_names[FTR_TYPE_NAMES];

/* Returns the name of the type with this number. Returns "NONE" if no type has this number. */
const char *ftr_type_name(unsigned type);

/* Finds the type with the given name. @return false if there is none; NONE is not a type */
bool ftr_type_of_name(const char *name, size_t size, unsigned *type);

/* ---- vectors --------------------------------------------------------------------------------- */

/* Files with the published numbering of types store bit and logic vectors as integers. */

#define FTR_VECTOR_DIGITS 64

/* Replaces the integer of a vector by its binary digits, the form in which other files store
 * vectors: the value 5 becomes the text "101". The text has no leading zeros, because the file does
 * not store the width of the vector. Other attributes are not changed.
 * @param digits memory for the attribute's text; must live as long as the attribute */
void ftr_vector_as_text(ftr_attribute_value *attribute, char digits[FTR_VECTOR_DIGITS]);

/* ---- addresses ------------------------------------------------------------------------------- */

/* Returns true if the last word of the name is `address`, `addr` or `adr`, in any case. A word
 * begins at the begin of the name, or behind `_` or `.`: `address`, `start_addr`, `trans.ADDRESS`.
 */
bool ftr_is_address_name(const char *name, size_t size);

#endif
