/* The relations of a file, sorted by their first transaction. */
#ifndef FTR_RELATION_LIST_H
#define FTR_RELATION_LIST_H

#include "name_table.h"

#include <ftr/reader.h>

typedef struct ftr_listed_relation {
    uint64_t from, to;
    uint32_t name;  /* number of the name in `names`, from 1 */
    uint32_t order; /* position of the relation in the order of the file */
} ftr_listed_relation;

typedef struct ftr_relation_list {
    ftr_listed_relation *relations;
    size_t count, capacity;
    ftr_names names;
} ftr_relation_list;

/* Reads all relations of a file. @return FTR_OK, or an error of ftr_relation_cursor_next() */
ftr_status ftr_relation_list_read(ftr_relation_list *list, ftr_reader *reader);
void ftr_relation_list_release(ftr_relation_list *list);

/* Finds the relations that begin at the transaction @p id. @param[out] count number of these
 * relations
 * @return the first of these relations; the other ones follow it. NULL if there are none */
const ftr_listed_relation *ftr_relation_list_from(const ftr_relation_list *list, uint64_t id,
                                                  size_t *count);

#endif
