/* The names of attribute types, as viewers and SCV write them. */
#ifndef FTR_TYPE_NAMES_H
#define FTR_TYPE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The number of names. The last one, NONE, stands for the absence of a type. */
#define FTR_TYPE_NAMES 13

/* Index: ftr_type. */
extern const char *const ftr_type_names[FTR_TYPE_NAMES];

const char *ftr_type_name(unsigned type);

/* Finds the type with the given name. @return false if there is none; NONE is not a type */
bool ftr_type_of_name(const char *name, size_t size, unsigned *type);

#endif
