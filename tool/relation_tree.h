/* A transaction and its related transactions, printed as a tree. */
#ifndef FTR_RELATION_TREE_H
#define FTR_RELATION_TREE_H

#include "input_file.h"
#include "printer.h"

#define FTR_TREE_DEPTH_MAX 32
/* Maximum number of relations shown for one transaction: a transaction may be the parent of
 * millions. */
#define FTR_TREE_RELATIONS_MAX 1000

typedef struct ftr_relation_tree {
    ftr_input *input;
    ftr_printer *out;
    int time_scale;
    unsigned depth; /* maximum distance from the transaction, in relations */
    uint64_t path[FTR_TREE_DEPTH_MAX + 1];
    bool failed;
} ftr_relation_tree;

/* A copy of a relation. It stays valid while other relations are read. */
typedef struct ftr_relation_copy {
    char *name;
    uint64_t other;
    bool outgoing;
} ftr_relation_copy;

/* Prints transaction @p id, as JSON or text. @return false if the file does not contain it */
bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json);

/* @param copies room for FTR_TREE_RELATIONS_MAX copies; the caller must free() the name of each
 * copy
 * @return number of copies, at most FTR_TREE_RELATIONS_MAX */
size_t ftr_tree_collect_relations(ftr_relation_tree *t, uint64_t id, ftr_relation_copy *copies);

/* Prints a line for each transaction to which @p id is related, directly or over other
 * transactions, up to the distance t->depth. Of each transaction, at most FTR_TREE_RELATIONS_MAX
 * relations are followed. */
void ftr_tree_print_relations(ftr_relation_tree *t, uint64_t id);

#endif
