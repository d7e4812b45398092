/* The attributes of each generator. Files in flux and SCV text declare the attributes of a
 * generator; FTR files do not. Therefore all transactions are read to find the attributes. */
#ifndef FTR_GENERATOR_ATTRIBUTES_H
#define FTR_GENERATOR_ATTRIBUTES_H

#include <ftr/reader.h>

typedef struct ftr_found_attribute {
    char *name; /* NUL-terminated */
    size_t name_size;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form;    /* NUMBER also stands for INTEGER, TEXT for all vectors */
    uint64_t present; /* number of transactions that have the attribute */
    uint64_t visit;   /* number of the last visit that found the attribute */
    bool is_repeated; /* an earlier attribute of the generator has the same name, class and type */
} ftr_found_attribute;

typedef struct ftr_generator_attributes {
    ftr_found_attribute *attributes; /* in the order in which they were found first */
    size_t count, capacity;
    uint64_t transactions;
    uint64_t visit; /* number of visits of transactions so far */
    size_t next;    /* index of the attribute that probably comes next, tried first */
} ftr_generator_attributes;

typedef struct ftr_attribute_tables {
    ftr_generator_attributes *generators; /* index: number of the generator */
    size_t count;
    size_t largest; /* upper bound for the size of a transaction in an output file */
    uint64_t transactions;
    bool is_copy; /* the names belong to other tables */
} ftr_attribute_tables;

/* Reads all transactions (attribute_search.c).
 * @param threads maximum number of reading threads; 0: one
 * @return FTR_OK, or an error of ftr_cursor_next() */
ftr_status ftr_attribute_tables_find(ftr_attribute_tables *tables, ftr_reader *reader,
                                     unsigned threads);
void ftr_attribute_tables_release(ftr_attribute_tables *tables);

/* Copies the tables, for visits on another thread. The copy uses the names of @p tables.
 * @return false if out of memory; the copy must be released in both cases */
bool ftr_attribute_tables_copy(const ftr_attribute_tables *tables, ftr_attribute_tables *copy);

/* Begins the visit of a transaction of @p generator. The caller then calls ftr_attribute_visit()
 * for each attribute with a value, in stored order. */
void ftr_attribute_visit_begin(ftr_generator_attributes *generator);

/* Returns the entry of an attribute of the visited transaction; NULL if the table does not contain
 * it. If a transaction has two attributes of the same name, they have different entries. */
ftr_found_attribute *ftr_attribute_visit(ftr_generator_attributes *generator,
                                         const ftr_attribute_value *attribute);

#endif
