/* The attributes of a transaction in a report, in two forms: copies, which a reading thread makes
 * for the thread that selects whole transactions; and texts, which the page shows and searches. The
 * page computes the same texts (tools/report/page/data/attributes.js, `text`, and
 * folded_text.js). */
#ifndef FTR_REPORT_ATTRIBUTES_H
#define FTR_REPORT_ATTRIBUTES_H

#include <ftr/reader.h>

/* Maximum size of a text that a page contains, in bytes. Longer texts are shortened. */
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

/* Size of a buffer for any value that is not a text, in bytes. */
#define FTR_SHOWN_VALUE_MAX ((size_t)400)

/* Writes the text of a value that is not a text. @param scale a tick is 10^scale seconds
 * @return the number of bytes */
size_t ftr_shown_value(const ftr_attribute_value *attribute, int scale,
                       char text[FTR_SHOWN_VALUE_MAX]);

/* Replaces upper-case Latin, Greek and Cyrillic letters by lower-case letters, as a search does.
 * These letters are U+0041 to U+005A, U+00C0 to U+017E, U+0386 to U+03AB and U+0400 to U+052E; both
 * letters of a pair have equally many bytes. Other characters do not change.
 * @param text valid UTF-8 */
void ftr_fold_text(char *text, size_t size);

#endif
