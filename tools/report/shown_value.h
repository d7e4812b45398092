/* The text of an attribute's value, exactly as the page of a report shows and searches it
 * (tools/report/page/data/attributes.js, `text`). */
#ifndef FTR_SHOWN_VALUE_H
#define FTR_SHOWN_VALUE_H

#include <ftr/reader.h>

/* Size of a buffer for any value that is not a text, in bytes. */
#define FTR_SHOWN_VALUE_MAX ((size_t)400)

/* Writes the text of a value that is not a text. @param scale a tick is 10^scale seconds
 * @return the number of bytes */
size_t ftr_shown_value(const ftr_attribute_value *attribute, int scale,
                       char text[FTR_SHOWN_VALUE_MAX]);

#endif
