/* Reads arrays of unsigned numbers, the most frequent structure in an FTR file. */
#ifndef FTR_CBOR_FIELDS_H
#define FTR_CBOR_FIELDS_H

#include "cbor_reader.h"

/* Reads an array, definite or not, of exactly @p count unsigned numbers. Latches FTR_ERR_FORMAT for
 * any other item. */
static inline ftr_status ftr_get_fields(ftr_cbor_reader *r, unsigned count, uint64_t *field)
{
    uint64_t found = 0;
    (void)ftr_cbor_get_array(r, &found);
    if (found != count && found != FTR_CBOR_INDEFINITE)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    for (unsigned i = 0; i < count; i++)
        (void)ftr_cbor_get_uint(r, &field[i]);
    return found == FTR_CBOR_INDEFINITE ? ftr_cbor_get_break(r) : r->status;
}

#endif
