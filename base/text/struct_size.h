/* Copies options. A struct of options begins with its size. */
#ifndef FTR_STRUCT_SIZE_H
#define FTR_STRUCT_SIZE_H

#include <stddef.h>
#include <string.h>

/* Copies options to a struct of @p to_size bytes. Reads only the bytes up to the size that the
 * caller has set; in the copy, all other options have their default, 0. If the caller has set no
 * size (0), the caller uses the struct of this soname, so that @p to_size bytes are read. In the
 * copy, the size is @p to_size. */
static inline void ftr_struct_take(void *to, size_t to_size, const void *options)
{
    size_t given;
    memcpy(&given, options, sizeof given);
    const size_t size = given > 0 && given < to_size ? given : to_size;
    memcpy(to, options, size);
    memset((char *)to + size, 0, to_size - size);
    memcpy(to, &to_size, sizeof to_size);
}

#endif
