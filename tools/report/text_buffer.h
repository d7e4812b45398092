/* A text in memory, to which a printer writes (printer.h, `take`). */
#ifndef FTR_TEXT_BUFFER_H
#define FTR_TEXT_BUFFER_H

#include "growing_array.h"
#include "printer.h"

/* `{0}` is an empty buffer. */
typedef struct ftr_text_buffer {
    char *bytes;
    size_t size, capacity;
} ftr_text_buffer;

static inline bool ftr_text_buffer_take(void *user, const char *bytes, size_t size)
{
    ftr_text_buffer *buffer = user;
    if (!ftr_array_fit(&buffer->bytes, &buffer->capacity, buffer->size + size + 1, 1))
        return false;
    if (size > 0)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

/* Makes @p printer write to the buffer. */
static inline void ftr_text_buffer_connect(ftr_text_buffer *buffer, ftr_printer *printer)
{
    ftr_printer_init(printer, -1);
    printer->take = ftr_text_buffer_take;
    printer->user = buffer;
}

static inline void ftr_text_buffer_release(ftr_text_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (ftr_text_buffer){0};
}

#endif
