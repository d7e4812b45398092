/* The attributes of a transaction, copied by a reading thread for the thread that selects whole
 * transactions. */
#ifndef FTR_COPIED_ATTRIBUTES_H
#define FTR_COPIED_ATTRIBUTES_H

#include <ftr/reader.h>

/* Maximum size of a kept text in bytes. Longer texts are shortened. */
#define FTR_KEPT_TEXT_MAX ((size_t)16384)
/* Size of a buffer for a text that was cut. */
#define FTR_KEPT_TEXT_ROOM (FTR_KEPT_TEXT_MAX + 4)

/* Returns the part of a text that a page contains: the whole text, or its first characters with a
 * mark behind them. @param cut memory for the latter */
ftr_view ftr_kept_text(ftr_view text, char cut[FTR_KEPT_TEXT_ROOM]);

/* Appends the attributes of a transaction. The number of bytes is a multiple of 8. */
void ftr_copied_attributes_append(ftr_reader *reader, ftr_transaction *tx, ftr_prepared *prepared);

/* Reads the attribute at @p bytes. Its texts point into the same memory.
 * @return the position after the attribute */
const void *ftr_copied_attributes_next(const void *bytes, ftr_attribute_value *attribute);

#endif
