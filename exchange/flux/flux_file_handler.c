/* The handler that writes flux to a FILE. It is in a separate object file, so that the rest of the
 * emitter needs no stdio. */
#include <ftr/flux.h>

#include <stdio.h>

size_t ftr_flux_write_file(void *file, const void *bytes, size_t size)
{
    const size_t written = fwrite(bytes, 1, size, file);
    return fflush(file) == 0 ? written : 0;
}
