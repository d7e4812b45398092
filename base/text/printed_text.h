/* A text in memory that a printer writes to. */
#ifndef FTR_PRINTED_TEXT_H
#define FTR_PRINTED_TEXT_H

#include "printer.h"

typedef struct ftr_printed_text {
    char *bytes; /* owned by the user of the text: free() */
    size_t size, capacity;
} ftr_printed_text;

/* Initialises @p printer to append to @p text. The text is complete after ftr_printer_flush(),
 * which returns false if out of memory. */
void ftr_printer_init_text(ftr_printer *printer, ftr_printed_text *text);

#endif
