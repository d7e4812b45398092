/* The attributes of a transaction, copied by a reading thread for the thread that selects whole
 * transactions. */
#ifndef FTR_COPIED_ATTRIBUTES_H
#define FTR_COPIED_ATTRIBUTES_H

#include <ftr/reader.h>

/* Maximum size of a kept text in bytes. Longer texts are shortened. */
#define FTR_KEPT_TEXT_MAX ((size_t)16384)

/* Appends the attributes of a transaction. The number of bytes is a multiple of 8. */
void ftr_copied_attributes_append(ftr_reader *reader, ftr_transaction *tx, ftr_prepared *prepared);

/* Reads the attribute at @p bytes. Its texts point into the same memory.
 * @return the position after the attribute */
const void *ftr_copied_attributes_next(const void *bytes, ftr_attribute_value *attribute);

#endif
