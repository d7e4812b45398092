/* The differences of two traces in a report (docs/report-format.md, "Manifest of a difference"). */
#ifndef FTR_DIFF_MANIFEST_H
#define FTR_DIFF_MANIFEST_H

#include "name_table.h"
#include "data_block.h"
#include "trace_differences.h"

/* Maximum number of differences in the report, and of differences of relations. */
#define FTR_DIFF_LIST_MAX 100000u

typedef struct ftr_listed_difference {
    uint64_t time, delta;
    uint64_t id[2], begin[2];
    uint32_t generator, stream;
    uint8_t kind, follows, exists;
} ftr_listed_difference;

typedef struct ftr_listed_relation {
    uint64_t from[2], to[2]; /* ids */
    uint32_t name;           /* number in `names` of the list */
    uint8_t exists;
} ftr_listed_relation;

/* `{0}` is an empty list. */
typedef struct ftr_difference_list {
    ftr_listed_difference *of;
    size_t count, capacity;
    ftr_listed_relation *relations;
    size_t relation_count, relation_capacity;
    ftr_names names; /* names of the relations */
    /* number of differences, and of differences of relations, beyond FTR_DIFF_LIST_MAX */
    uint64_t omitted, relations_omitted;
    bool failed; /* out of memory */
} ftr_difference_list;

void ftr_difference_list_add(ftr_difference_list *list, const ftr_difference *difference);
void ftr_difference_list_add_relation(ftr_difference_list *list,
                                      const ftr_relation_difference *difference);

/* Writes the member `diff` of the open object.
 * @param index_of returns the index of a stream in the manifest of a side; UINT32_MAX: not in it
 * @return false if out of memory */
bool ftr_diff_manifest_print(ftr_trace_diff *diff, bool is_equal, ftr_difference_list *list,
                             uint32_t (*index_of)(void *user, unsigned side, ftr_view stream),
                             void *user, ftr_data_block *block, ftr_json *json);

void ftr_difference_list_release(ftr_difference_list *list);

#endif
