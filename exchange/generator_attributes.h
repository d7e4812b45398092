/* The attributes of each generator. FTR does not declare attributes with their generator, but flux
 * and SCV text do: they are found by reading all transactions. */
#ifndef FTR_GENERATOR_ATTRIBUTES_H
#define FTR_GENERATOR_ATTRIBUTES_H

#include <ftr/reader.h>

typedef struct ftr_found_attribute {
    char *name; /* NUL-terminated */
    size_t name_size;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form;    /* NUMBER also for INTEGER, TEXT for all vectors */
    uint64_t present; /* number of transactions that have it */
    uint64_t visit;   /* the last visit in which it was used */
    bool is_repeated; /* an earlier attribute of the generator has the same name, class and type */
} ftr_found_attribute;

typedef struct ftr_generator_attributes {
    ftr_found_attribute *attributes; /* in the order in which they were found */
    size_t count, capacity;
    uint64_t transactions;
    uint64_t visit; /* number of transactions that were visited, in all passes */
    size_t next;    /* index of the attribute that is expected next */
} ftr_generator_attributes;

typedef struct ftr_attribute_tables {
    ftr_generator_attributes *generators; /* by index */
    size_t count;
    size_t largest; /* maximum size of a transaction's values in a file */
    uint64_t transactions;
} ftr_attribute_tables;

/* Reads all transactions. @return FTR_OK, or an error of ftr_cursor_next() */
ftr_status ftr_attribute_tables_find(ftr_attribute_tables *tables, ftr_reader *reader);
void ftr_attribute_tables_release(ftr_attribute_tables *tables);

/* Begins the visit of a transaction. Afterwards, ftr_attribute_visit() is called with each of its
 * attributes that has a value, in their order. */
void ftr_attribute_visit_begin(ftr_generator_attributes *generator);

/* Returns the table's entry for an attribute; NULL if it was not found. A transaction can have two
 * attributes of the same name, which have different entries. */
ftr_found_attribute *ftr_attribute_visit(ftr_generator_attributes *generator,
                                         const ftr_attribute_value *attribute);

#endif
