/* Structs of a program that was compiled with a shorter or longer version of them. */
#ifndef FTR_STRUCT_SIZE_H
#define FTR_STRUCT_SIZE_H

#include <stddef.h>
#include <string.h>

/* Copies a struct into another version of itself: members beyond @p from_size become 0, members
 * beyond @p to_size are not copied. */
static inline void ftr_struct_copy(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t size = to_size < from_size ? to_size : from_size;
    memcpy(to, from, size);
    memset((char *)to + size, 0, to_size - size);
}

/* Copies a caller's options. The struct begins with its size; 0 stands for @p compiled, the size in
 * the headers that the caller was compiled with. Bytes beyond @p compiled are not read. */
static inline void ftr_struct_take(void *to, size_t to_size, const void *options, size_t compiled)
{
    size_t given = 0;
    ftr_struct_copy(&given, sizeof given, options, compiled);
    ftr_struct_copy(to, to_size, options, given > 0 && given < compiled ? given : compiled);
    memcpy(to, &to_size, sizeof to_size);
}

#endif
