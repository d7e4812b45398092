/* A transaction and what it is related to, as a tree. */
#ifndef FTR_RELATION_TREE_H
#define FTR_RELATION_TREE_H

#include "input_file.h"
#include "printer.h"

#define FTR_TREE_DEPTH_MAX 32
/* Of one transaction; a bus may be the parent of millions. */
#define FTR_TREE_RELATIONS_MAX 1000

typedef struct ftr_relation_tree {
    ftr_input *input;
    ftr_printer *out;
    int time_scale;
    unsigned depth; /* how many relations away from the transaction to go */
    uint64_t path[FTR_TREE_DEPTH_MAX + 1];
    bool failed;
} ftr_relation_tree;

/* A relation as it is held while others are read. */
typedef struct ftr_held_relation {
    char *name;
    uint64_t other;
    bool outgoing;
} ftr_held_relation;

/* Prints transaction @p id, JSON or text. @return false when the file has none such */
bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json);

/* @param held has room for FTR_TREE_RELATIONS_MAX; their names are the caller's to free
 * @return how many relations the transaction has */
size_t ftr_tree_collect_relations(ftr_relation_tree *t, uint64_t id, ftr_held_relation *held);

/* Prints a line for each transaction that @p id is related to, and so on. */
void ftr_tree_print_relations(ftr_relation_tree *t, uint64_t id);

#endif
