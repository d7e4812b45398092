/* The members that transactions of each generator need, found by reading all of them. */
#ifndef FTR_GENERATOR_LAYOUT_H
#define FTR_GENERATOR_LAYOUT_H

#include <ftr/reader.h>

typedef struct ftr_layout_member {
    char *name;
    size_t name_size;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form;
    uint64_t last; /* number of the last transaction that used it: one may have two of a name */
} ftr_layout_member;

typedef struct ftr_generator_layout {
    ftr_layout_member *members;
    size_t count, capacity;
    uint64_t transactions;
} ftr_generator_layout;

typedef struct ftr_layouts {
    ftr_generator_layout *generators; /* by index */
    size_t count;
    size_t largest; /* bytes that an entry of a transaction may take */
    uint64_t transactions;
} ftr_layouts;

/* Reads all transactions. @return FTR_OK; as ftr_cursor_next() */
ftr_status ftr_layouts_find(ftr_layouts *layouts, ftr_reader *reader);
void ftr_layouts_release(ftr_layouts *layouts);

/* Which member an attribute is; those of one transaction are asked for in their order.
 * @param number of the transaction in this pass, not 0 */
ftr_layout_member *ftr_layout_take(ftr_generator_layout *layout,
                                   const ftr_attribute_value *attribute, uint64_t number,
                                   size_t hint);

#endif
