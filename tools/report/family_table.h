/* The parent of each transaction, from the PARENT_CHILD relations of the trace. The table is filled
 * before the transactions are read. A table of dense ids needs about 4 bytes for each id. */
#ifndef FTR_FAMILY_TABLE_H
#define FTR_FAMILY_TABLE_H

#include "id_index.h"

#include <stdbool.h>

typedef struct ftr_family_page ftr_family_page;

/* The page of the table that a thread used last. `{0}`: none. */
typedef struct ftr_family_spot {
    uint64_t number;
    ftr_family_page *page;
} ftr_family_spot;

/* `{.budget.limit = BYTES}` is an empty table. */
typedef struct ftr_family_table {
    ftr_budget budget;
    ftr_id_index page_of; /* maps id / page size to an index in `pages` */
    ftr_id_index far;     /* maps a child to its parent if their ids are too far apart for a page */
    ftr_family_page **pages;
    size_t page_count, page_capacity;
    ftr_family_spot latest;      /* page of the relation added last */
    uint64_t relations, omitted; /* omitted: number of relations that did not fit into the budget */
} ftr_family_table;

/* The relations of a transaction. */
typedef struct ftr_family_entry {
    bool has_parent, has_children;
    bool is_hop; /* an access that continues the access of its parent on the next link */
    uint64_t parent;
} ftr_family_entry;

/* Adds a relation. If a child has several parents, the first one counts. A relation from a
 * transaction to itself is ignored.
 * @param[out] is_added false if the relation was omitted or ignored
 * @return FTR_OK, also if the relation was omitted; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_family_table_add(ftr_family_table *table, uint64_t parent,
                                             uint64_t child, bool *is_added);

/* Marks the child of an added relation as a hop: it continues the access of its parent. */
void ftr_family_table_mark_hop(ftr_family_table *table, uint64_t child);

/* Returns the relations of a transaction. After the table is complete, several threads may call
 * this function, each with a @p spot of its own. */
ftr_family_entry ftr_family_table_get(const ftr_family_table *table, ftr_family_spot *spot,
                                      uint64_t id);

void ftr_family_table_release(ftr_family_table *table);

#endif
