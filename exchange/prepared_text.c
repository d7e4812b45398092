/* Owns the connection of printers to prepared bytes. Does not know the text. */
#include "prepared_text.h"

#include <string.h>

static bool append(void *prepared, const char *bytes, size_t size)
{
    void *room = ftr_prepared_append(prepared, size);
    if (room != NULL)
        memcpy(room, bytes, size);
    return room != NULL;
}

void ftr_printer_prepare(ftr_printer *text, ftr_prepared *prepared)
{
    text->take = append;
    text->user = prepared;
    /* An earlier failure concerns other bytes, and their query reports the failure. */
    text->failed = false;
}
