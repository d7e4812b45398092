/* The names of attribute types, as viewers and SCV write them. */
#ifndef FTR_TYPE_NAMES_H
#define FTR_TYPE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* With NONE, which stands for what is no type, as the last. */
#define FTR_TYPE_NAMES 13

/* By ftr_type. */
extern const char *const ftr_type_names[FTR_TYPE_NAMES];

const char *ftr_type_name(unsigned type);

/* The type that is called so; false: none is. */
bool ftr_type_of_name(const char *name, size_t size, unsigned *type);

#endif
