/* Text in the form in which a search compares it: UTF-8, with lower-case letters. The page does the
 * same (tools/report/page/data/folded_text.js). */
#ifndef FTR_FOLDED_TEXT_H
#define FTR_FOLDED_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces upper-case Latin, Greek and Cyrillic letters by lower-case letters. These letters are
 * U+0041 to U+005A, U+00C0 to U+017E, U+0386 to U+03AB and U+0400 to U+052E; both letters of a pair
 * have equally many bytes. Other characters do not change.
 * @param text valid UTF-8 */
void ftr_fold_text(char *text, size_t size);

/* Returns true if @p text contains @p part. */
bool ftr_text_contains(const char *text, size_t size, const char *part, size_t part_size);

#endif
