/* Transactions as lines of text, JSON or columns. */
#ifndef FTR_TRANSACTION_TEXT_H
#define FTR_TRANSACTION_TEXT_H

#include "json_writer.h"

#include <ftr/reader.h>

/* Returns the name of a class: begin, record, end. */
const char *ftr_class_name(ftr_attribute_class class_);

typedef struct ftr_value_style {
    int time_scale;
    bool decimal; /* addresses and pointers are printed in decimal instead of hexadecimal */
} ftr_value_style;

/* Prints the value in a form for people to read: times with a unit, addresses and pointers in
 * hexadecimal. */
void ftr_put_value_plain(ftr_printer *text, const ftr_attribute_value *attribute,
                         ftr_value_style style);

/* Prints one line, without its newline. */
void ftr_put_transaction_json(ftr_printer *text, ftr_reader *reader, ftr_transaction *tx);
void ftr_put_transaction_plain(ftr_printer *text, ftr_reader *reader, ftr_transaction *tx,
                               ftr_value_style style);

#endif
