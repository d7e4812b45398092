/* Transactions as lines of text or JSON, alone or as a tree with related transactions. */
#ifndef FTR_TRANSACTION_TEXT_H
#define FTR_TRANSACTION_TEXT_H

#include "input_file.h"
#include "json_writer.h"
#include "run_links.h"

#include <ftr/reader.h>

/* Returns the name of a class: begin, record, end. */
const char *ftr_class_name(ftr_attribute_class class_);

typedef struct ftr_value_style {
    int time_scale;
    bool decimal; /* addresses and pointers are printed in decimal instead of hexadecimal */
    const ftr_link_names *links; /* labels of streams; NULL: none */
} ftr_value_style;

/* Prints the value in a form for people to read: times with a unit, addresses and pointers in
 * hexadecimal. */
void ftr_put_value_plain(ftr_printer *text, const ftr_attribute_value *attribute,
                         ftr_value_style style);

/* The transaction is not an event, or its parent is not known. */
#define FTR_NO_PARENT UINT64_MAX

/* Print one line, without its newline. The line for people has the label of the stream instead of
 * its name, if there is a label; the JSON object has the name, and the label as `link`.
 * @param parent the id of the parent of an event, or FTR_NO_PARENT */
void ftr_put_transaction_json(ftr_printer *text, ftr_reader *reader, ftr_transaction *tx,
                              uint64_t parent, const ftr_link_names *links);
void ftr_put_transaction_plain(ftr_printer *text, ftr_reader *reader, ftr_transaction *tx,
                               uint64_t parent, ftr_value_style style);

/* ---- trees ----------------------------------------------------------------------------------- */

#define FTR_TREE_DEPTH_MAX 32
/* Number of relations kept for one transaction: a transaction may be the parent of millions. */
#define FTR_RELATIONS_KEPT_MAX 1000

typedef struct ftr_relation_tree {
    ftr_input *input;
    ftr_printer *out;
    int time_scale;
    const ftr_link_names *links;
    unsigned depth; /* maximum distance from the transaction, in relations */
    bool failed;
} ftr_relation_tree;

/* Prints transaction @p id, as JSON or text. @return false if the file does not contain it */
bool ftr_tree_print_transaction(ftr_relation_tree *t, uint64_t id, bool json);

/* Prints a line for each transaction to which @p id is related, directly or through other
 * transactions, up to the distance t->depth. Of each transaction, at most FTR_RELATIONS_KEPT_MAX
 * relations are followed; the number of the others is printed. */
void ftr_tree_print_relations(ftr_relation_tree *t, uint64_t id);

#endif
