/* Bit and logic vectors in files with the published numbering of types, which stores them as
 * integers. */
#ifndef FTR_VECTOR_TEXT_H
#define FTR_VECTOR_TEXT_H

#include <ftr/reader.h>

#define FTR_VECTOR_DIGITS 64

/* Replaces the integer of a vector by its binary digits, as other files store vectors: the value 5
 * becomes the text "101". The file does not store the width, so there are no leading zeros. Other
 * attributes are not changed.
 * @param digits holds the attribute's text; must live as long as the attribute */
void ftr_vector_as_text(ftr_attribute_value *attribute, char digits[FTR_VECTOR_DIGITS]);

#endif
