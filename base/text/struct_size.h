/* Copies structs of a program that was compiled with another version of this library, in which the
 * structs are shorter or longer. */
#ifndef FTR_STRUCT_SIZE_H
#define FTR_STRUCT_SIZE_H

#include <stddef.h>
#include <string.h>

/* Copies a struct of @p from_size bytes to a version of the struct with @p to_size bytes. Members
 * that only the target has become 0; members that only the source has are not copied. */
static inline void ftr_struct_copy(void *to, size_t to_size, const void *from, size_t from_size)
{
    const size_t size = to_size < from_size ? to_size : from_size;
    memcpy(to, from, size);
    memset((char *)to + size, 0, to_size - size);
}

/* Copies a caller's options. The struct begins with a size that the caller may set; 0 stands for @p
 * compiled. @p compiled is the size of the struct in the headers with which the caller was
 * compiled; bytes beyond it are not read. In the copy, the size is @p to_size. */
static inline void ftr_struct_take(void *to, size_t to_size, const void *options, size_t compiled)
{
    size_t given = 0;
    ftr_struct_copy(&given, sizeof given, options, compiled);
    ftr_struct_copy(to, to_size, options, given > 0 && given < compiled ? given : compiled);
    memcpy(to, &to_size, sizeof to_size);
}

#endif
