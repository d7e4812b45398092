/* All relations of a run, read once: the PARENT_CHILD relations in a table of parents, the other
 * relations in a list if they are few. */
#ifndef FTR_RUN_RELATIONS_H
#define FTR_RUN_RELATIONS_H

#include "family_table.h"
#include "name_table.h"
#include "stream_name_rules.h"

#include <ftr/reader.h>

/* A relation that is not in the table of parents. */
typedef struct ftr_other_relation {
    uint64_t from, to;
    const ftr_name *name;
} ftr_other_relation;

/* `{.families.budget.limit = BYTES}` is empty. */
typedef struct ftr_run_relations {
    ftr_family_table families;
    ftr_names names; /* names of the other relations */
    ftr_other_relation *others;
    size_t other_count, other_capacity;
    bool is_complete; /* every relation is in the table or in the list */
} ftr_run_relations;

/* Reads the relations. Marks an access as a hop (ftr_family_entry) if its parent is an access of a
 * stream that the query chooses. @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading */
FTR_MUST_USE ftr_status ftr_run_relations_read(ftr_run_relations *relations, ftr_reader *reader,
                                               const ftr_query *query);

void ftr_run_relations_release(ftr_run_relations *relations);

#endif
