/* The relations of a trace in memory, in the orders of their source and target transactions. Joins
 * use it, because they look up the relations of one transaction after another, and a file has no
 * index of relations. */
#ifndef FTR_RELATION_INDEX_H
#define FTR_RELATION_INDEX_H

#include "sql_value.h"

#include <ftr/reader.h>

typedef enum ftr_relation_side {
    FTR_RELATION_FROM,
    FTR_RELATION_TO,
    FTR_RELATION_SIDES
} ftr_relation_side;

typedef struct ftr_indexed_relation {
    /* relation.name.data only shows whether the relation has a name; it must not be read */
    ftr_relation_info relation;
    const ftr_name *name; /* interned */
} ftr_indexed_relation;

typedef struct ftr_relation_key {
    uint64_t id;       /* id of the source or of the target */
    uint64_t relation; /* index in `relations` */
} ftr_relation_key;

typedef struct ftr_relation_index {
    ftr_indexed_relation *relations; /* in stored order */
    size_t count, capacity;
    ftr_relation_key *keys[FTR_RELATION_SIDES]; /* sorted by id, then in stored order */
    unsigned asked;                             /* number of look-ups before the index was built */
    bool is_built;
    bool is_too_large; /* the index exceeds the budget: it is not used */
} ftr_relation_index;

/* Returns the greatest number of relations whose index takes at most @p budget bytes. */
size_t ftr_relation_index_limit(size_t budget);

/* Prepares a look-up and sets @p usable to whether the index can be used. The third look-up builds
 * the index if the index takes at most @p budget bytes.
 * @param[in,out] moves counter of the reader; incremented if this call invalidates texts of the
 * reader
 * @return FTR_OK; the error that occurred while the index was built */
ftr_status ftr_relation_index_ask(ftr_relation_index *index, ftr_reader *reader, ftr_names *names,
                                  size_t budget, uint64_t *moves, bool *usable);

/* Finds the keys with @p id, which follow one another, and sets @p count to their number. Returns
 * the first key; NULL if there is none. */
const ftr_relation_key *ftr_relation_index_find(const ftr_relation_index *index,
                                                ftr_relation_side side, uint64_t id, size_t *count);

void ftr_relation_index_release(ftr_relation_index *index);

#endif
