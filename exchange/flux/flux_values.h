/* Records values of flux samples as attributes of a transaction. */
#ifndef FTR_FLUX_VALUES_H
#define FTR_FLUX_VALUES_H

#include "flux_items.h"
#include "import_target.h"

/* The destination of attributes. `wrong` is the number of values that do not fit their type. */
typedef struct ftr_flux_values {
    ftr_import_target *target;
    ftr_tx tx;
    char *text; /* buffer in which texts are composed */
    size_t text_capacity;
    uint64_t wrong;
} ftr_flux_values;

/* Puts the value of a sample of @p item. */
void ftr_flux_put_sample_value(ftr_flux_values *values, const ftr_flux_legend_item *item,
                               const ftr_flux_entry *entry);

/* Facts about the values of a signal without a type. They decide between types that have the same
 * format. */
enum { FTR_FLUX_SEEN = 1, FTR_FLUX_NOT_INTEGER = 2, FTR_FLUX_NOT_TEXT = 4 };
uint8_t ftr_flux_contents_of(const ftr_flux_entry *entry);

/* One member of a struct. */
typedef struct ftr_flux_struct_member {
    uint64_t id;
    uint8_t type;
    ftr_view bytes;
} ftr_flux_struct_member;

/* Gets the next member of a struct value. @return false at the end, or if the bytes are not a
 * member */
bool ftr_flux_next_member(ftr_flux_bytes *from, ftr_flux_struct_member *member);

/* Puts a member of a transaction in a file of `ftr convert` as an attribute, with the class and
 * type in @p legend. A member that does not have the form of this type is not put, and is counted
 * in `wrong`. */
void ftr_flux_put_own_member(ftr_flux_values *values, const ftr_flux_legend_member *legend,
                             const ftr_flux_struct_member *member);

#endif
