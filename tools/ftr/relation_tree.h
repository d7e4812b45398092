/* A transaction and its related transactions, printed as a tree. */
#ifndef FTR_RELATION_TREE_H
#define FTR_RELATION_TREE_H

#include "input_file.h"
#include "printer.h"

#define FTR_TREE_DEPTH_MAX 32
typedef struct ftr_relation_tree {
    ftr_input *input;
    ftr_printer *out;
    int time_scale;
    unsigned depth; /* maximum distance from the transaction, in relations */
    bool failed;
} ftr_relation_tree;

/* Prints transaction @p id, as JSON or text. @return false if the file does not contain it */
bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json);

/* Prints a line for each transaction to which @p id is related, directly or over other
 * transactions, up to the distance t->depth. Of each transaction, at most
 * FTR_RELATIONS_KEPT_MAX relations are followed; the number of the others is printed. */
void ftr_tree_print_relations(ftr_relation_tree *t, uint64_t id);

#endif
