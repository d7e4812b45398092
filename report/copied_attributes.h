/* The attributes of a transaction, copied by a reading thread for the thread that selects whole
 * transactions. */
#ifndef FTR_COPIED_ATTRIBUTES_H
#define FTR_COPIED_ATTRIBUTES_H

#include <ftr/reader.h>

/* A longer text is cut where it is kept. */
#define FTR_KEPT_TEXT_MAX ((size_t)16384)

/* Appends the attributes of a transaction, a multiple of 8 bytes. */
void ftr_copied_attributes_append(ftr_reader *reader, ftr_transaction *tx, ftr_prepared *prepared);

/* The attribute at @p bytes; its texts are in the same memory. @return the bytes behind it */
const void *ftr_copied_attributes_next(const void *bytes, ftr_attribute_value *attribute);

#endif
