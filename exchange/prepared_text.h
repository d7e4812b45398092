/* Text that a reading thread prints, as prepared bytes of a query (ftr_query.prepare). */
#ifndef FTR_PREPARED_TEXT_H
#define FTR_PREPARED_TEXT_H

#include "printer.h"

#include <ftr/reader.h>

/* From now on, @p text prints to @p prepared. The caller must flush it after the last text. */
void ftr_printer_prepare(ftr_printer *text, ftr_prepared *prepared);

#endif
