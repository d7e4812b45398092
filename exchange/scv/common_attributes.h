/* Finds the attributes that all transactions of a generator have: SCV declares these with the
 * generator. */
#ifndef FTR_COMMON_ATTRIBUTES_H
#define FTR_COMMON_ATTRIBUTES_H

#include <ftr/reader.h>

typedef struct ftr_common_attribute {
    char *name;
    size_t name_size;
    ftr_type type;
    uint64_t present; /* number of transactions that have it */
    /* number of the last of these transactions: a second attribute of the same name does not count
     */
    uint64_t last;
} ftr_common_attribute;

/* Attributes of one generator by class, FTR_CLASS_BEGIN and FTR_CLASS_END; those of the third class
 * are not declared. */
typedef struct ftr_common_list {
    ftr_common_attribute *attributes;
    size_t count, capacity;
} ftr_common_list;

typedef struct ftr_common_generator {
    uint64_t transactions;
    ftr_common_list lists[3];
} ftr_common_generator;

typedef struct ftr_common_attributes {
    ftr_common_generator *generators; /* by index */
    size_t count;
} ftr_common_attributes;

/* Reads all transactions. Afterwards the lists contain only attributes that all transactions of a
 * generator have.
 * @return FTR_OK, or an error of ftr_cursor_next() */
ftr_status ftr_common_attributes_find(ftr_common_attributes *declarations, ftr_reader *reader);
void ftr_common_attributes_release(ftr_common_attributes *declarations);

/* Returns the number of @p attribute in the list of its class, trying @p hint first; SIZE_MAX if it
 * is not declared. */
size_t ftr_common_number(const ftr_common_generator *generator,
                         const ftr_attribute_value *attribute, size_t hint);

#endif
