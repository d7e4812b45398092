/* Bit and logic vectors as the published numbering stores them: as integers. */
#ifndef FTR_VECTOR_TEXT_H
#define FTR_VECTOR_TEXT_H

#include <ftr/reader.h>

#define FTR_VECTOR_DIGITS 64

/* Gives a vector that is stored as an integer its digits, as other vectors have them: the value 5
 * becomes the text "101". The width is not stored, so there are no leading zeros. Other attributes
 * stay as they are.
 * @param digits the text of the attribute from now on */
void ftr_vector_as_text(ftr_attribute_value *attribute, char digits[FTR_VECTOR_DIGITS]);

#endif
