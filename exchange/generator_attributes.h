/* The attributes of each generator. Files in flux and SCV text declare the attributes of a
 * generator, but FTR files do not. Therefore all transactions are read to find the attributes. */
#ifndef FTR_GENERATOR_ATTRIBUTES_H
#define FTR_GENERATOR_ATTRIBUTES_H

#include <ftr/reader.h>

typedef struct ftr_found_attribute {
    char *name; /* NUL-terminated */
    size_t name_size;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form;    /* NUMBER also stands for INTEGER, and TEXT also stands for all vectors */
    uint64_t present; /* number of transactions that have the attribute */
    uint64_t visit;   /* number of the last visit that found the attribute */
    bool is_repeated; /* an earlier attribute of the generator has the same name, class and type */
    /* Numbers (index + 1) of the previous and next attribute with the same name, class, type and
     * form; 0: none */
    uint32_t previous, following;
} ftr_found_attribute;

/* The attributes of a generator with the same name, class, type and form. */
typedef struct ftr_same_attributes {
    uint64_t hash;
    /* numbers (index + 1) of the first and last attribute; `first` 0: the slot is free */
    uint32_t first, last;
    /* number (index + 1) of the attribute at which the visit `visit` continues its search; 0: this
     * visit has found all attributes */
    uint32_t candidate;
    uint64_t visit;
} ftr_same_attributes;

typedef struct ftr_generator_attributes {
    ftr_found_attribute *attributes; /* in the order in which they were first found */
    size_t count, capacity;
    uint64_t transactions;
    uint64_t visit; /* number of visits of transactions so far */
    /* index of the attribute that probably comes next, and is tried first */
    size_t next;
    ftr_same_attributes *same; /* hash table with open addressing */
    size_t same_count, same_capacity;
} ftr_generator_attributes;

typedef struct ftr_attribute_tables {
    ftr_generator_attributes *generators; /* index: number of the generator */
    size_t count;
    size_t largest; /* upper bound for the size of a transaction in an output file */
    uint64_t transactions;
    bool is_copy; /* the names belong to other tables */
} ftr_attribute_tables;

/* Reads all transactions and fills @p tables with their attributes (attribute_search.c). The tables
 * must be released, also after an error.
 * @param threads maximum number of reading threads; 0: one
 * @return FTR_OK; an error of ftr_cursor_open() or ftr_cursor_next_prepared(); FTR_ERR_MEMORY */
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
 * it. If a transaction has several attributes of the same name, class, type and form, these
 * attributes get different entries, in the order in which the entries were added. */
ftr_found_attribute *ftr_attribute_visit(ftr_generator_attributes *generator,
                                         const ftr_attribute_value *attribute);

/* ---- for the pass that fills the tables (attribute_search.c) --------------------------------- */

/* Does the same as ftr_attribute_visit(), for an attribute with the name, class, type and form of
 * @p like. */
ftr_found_attribute *ftr_attribute_visit_like(ftr_generator_attributes *generator,
                                              const ftr_found_attribute *like);
/* Returns true if the attribute at the index `next` can be the next one: it was not visited yet,
 * but the previous attribute with the same name, class, type and form was visited. */
static inline bool ftr_attribute_is_next(const ftr_generator_attributes *generator)
{
    if (generator->next >= generator->count)
        return false;
    const ftr_found_attribute *next = &generator->attributes[generator->next];
    return next->visit != generator->visit &&
           (next->previous == 0 ||
            generator->attributes[next->previous - 1].visit == generator->visit);
}
/* Adds an attribute that the current visit has not found, and visits it. Sets `visit`,
 * `is_repeated`, `previous` and `following`. The table becomes the owner of the name.
 * @return false if out of memory, or beyond 2^32 - 1 attributes: the caller then stays the owner of
 * the name */
bool ftr_attribute_add(ftr_generator_attributes *generator, ftr_found_attribute added);

#endif
