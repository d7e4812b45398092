/* The parent of each transaction, by the PARENT_CHILD relations of the trace. The table is made
 * before the transactions are read. Ids that are close together take 4 bytes each. */
#ifndef FTR_FAMILY_TABLE_H
#define FTR_FAMILY_TABLE_H

#include "id_index.h"

#include <stdbool.h>

typedef struct ftr_family_page ftr_family_page;

/* The page of the table that a thread used last. `{0}` is none. */
typedef struct ftr_family_spot {
    uint64_t number;
    ftr_family_page *page;
} ftr_family_spot;

/* `{.budget.limit = BYTES}` is an empty table. */
typedef struct ftr_family_table {
    ftr_budget budget;
    ftr_id_index page_of; /* by id / page size */
    ftr_id_index far;     /* parents whose id is far from that of the child */
    ftr_family_page **pages;
    size_t page_count, page_capacity;
    ftr_family_spot latest;      /* of the relation added last */
    uint64_t relations, omitted; /* omitted: did not fit into the budget */
} ftr_family_table;

/* The relations of a transaction. */
typedef struct ftr_family_entry {
    bool has_parent, has_children;
    uint64_t parent;
} ftr_family_entry;

/* Adds a relation. Of several parents of a child, the first one counts. A relation of a transaction
 * to itself is ignored.
 * @param[out] is_added false if the relation was omitted or ignored
 * @return FTR_OK, also if the relation was omitted; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_family_table_add(ftr_family_table *table, uint64_t parent,
                                             uint64_t child, bool *is_added);

/* The relations of a transaction. When the table is complete, several threads may use it, each with
 * its own @p spot. */
ftr_family_entry ftr_family_table_get(const ftr_family_table *table, ftr_family_spot *spot,
                                      uint64_t id);

void ftr_family_table_release(ftr_family_table *table);

#endif
