/* Prints messages. Depends only on libc and on inline functions, because the library that is
 * preloaded into other programs contains a copy of this file. */
#define _GNU_SOURCE
#include "plain_message.h"

#include <ftr/detail/plain_text.h>

#include <stdlib.h>

void ftr_vprint_message(FILE *to, const char *before, const char *format, va_list arguments,
                        const char *behind)
{
    char *message = NULL;
    const int size = vasprintf(&message, format, arguments);
    char *plain = size >= 0 ? malloc(FTR_PLAIN_ESCAPE_SIZE * (size_t)size + 1) : NULL;
    if (plain != NULL)
        plain[ftr_plain_text(message, (size_t)size, plain)] = '\0';
    (void)fprintf(to, "%s%s%s", before, plain != NULL ? plain : format, behind);
    free(plain);
    if (size >= 0)
        free(message);
}

void ftr_print_message(FILE *to, const char *before, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ftr_vprint_message(to, before, format, arguments, "\n");
    va_end(arguments);
}
