/* Reads files of unknown size, for example pipes. */
#include "whole_file.h"

#include "growing_array.h"

#include <errno.h>
#include <string.h>

/* Frees the text without changing errno. */
static char *fail(char *text)
{
    const int error = errno;
    free(text);
    errno = error;
    return NULL;
}

char *ftr_read_whole(FILE *file, size_t limit, size_t *size)
{
    char *text = NULL;
    size_t capacity = 0;
    size_t count = 0;
    size_t got;
    do {
        if (!ftr_array_fit(&text, &capacity, count + 4096, 1))
            return fail(text);
        got = fread(text + count, 1, capacity - count - 1, file);
        count += got;
        if (count > limit)
            errno = EFBIG;
        if (count > limit || (got == 0 && ferror(file) != 0))
            return fail(text);
    } while (got > 0);
    text[count] = '\0';
    *size = count;
    return text;
}

char *ftr_read_whole_file(const char *path, size_t limit, size_t *size)
{
    if (strcmp(path, "-") == 0)
        return ftr_read_whole(stdin, limit, size);
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return NULL;
    char *text = ftr_read_whole(file, limit, size);
    const int error = errno;
    (void)fclose(file);
    errno = error;
    return text;
}
