/* The members that transactions of each generator need, found by reading all transactions. */
#ifndef FTR_GENERATOR_LAYOUT_H
#define FTR_GENERATOR_LAYOUT_H

#include <ftr/reader.h>

typedef struct ftr_layout_member {
    char *name;
    size_t name_size;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form;
    /* number of the last transaction that used it, because a transaction may have two attributes of
     * a name */
    uint64_t last;
} ftr_layout_member;

typedef struct ftr_generator_layout {
    ftr_layout_member *members;
    size_t count, capacity;
    uint64_t transactions;
} ftr_generator_layout;

typedef struct ftr_layouts {
    ftr_generator_layout *generators; /* by index */
    size_t count;
    size_t largest; /* maximum size of a transaction's entry */
    uint64_t transactions;
} ftr_layouts;

/* Reads all transactions. @return FTR_OK, or an error of ftr_cursor_next() */
ftr_status ftr_layouts_find(ftr_layouts *layouts, ftr_reader *reader);
void ftr_layouts_release(ftr_layouts *layouts);

/* Returns the member for an attribute; the attributes of a transaction must be passed in their
 * order.
 * @param number of the transaction in this pass, not 0 */
ftr_layout_member *ftr_layout_take(ftr_generator_layout *layout,
                                   const ftr_attribute_value *attribute, uint64_t number,
                                   size_t hint);

#endif
