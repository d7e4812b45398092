/* Owns the growth of a text that a printer writes to. */
#include "printed_text.h"

#include "growing_array.h"

static bool append(void *user, const char *bytes, size_t size)
{
    ftr_printed_text *text = user;
    if (!ftr_array_fit(&text->bytes, &text->capacity, text->size + size, 1))
        return false;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    return true;
}

void ftr_printer_init_text(ftr_printer *printer, ftr_printed_text *text)
{
    ftr_printer_init(printer, -1);
    printer->take = append;
    printer->user = text;
}
