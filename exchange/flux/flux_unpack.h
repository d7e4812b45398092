/* Unpacks the packed blocks of flux. */
#ifndef FTR_FLUX_UNPACK_H
#define FTR_FLUX_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTR_FLUX_LZ4 = 0, FTR_FLUX_FASTLZ = 1, FTR_FLUX_ZLIB = 2, FTR_FLUX_GZIP = 3 };

/* Unpacks to exactly @p size bytes. @return NULL if successful, otherwise an error message
 * (static) */
const char *ftr_flux_unpack(unsigned mode, const uint8_t *packed, size_t packed_size,
                            uint8_t *bytes, size_t size);

#endif
