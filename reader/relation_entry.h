/* An entry of a chunk of relations. */
#ifndef FTR_RELATION_ENTRY_H
#define FTR_RELATION_ENTRY_H

#include "cbor_reader.h"

/* First byte of a relation in the usual form: a definite array of 5 numbers. */
#define FTR_RELATION_USUAL (FTR_CBOR_MAJOR_ARRAY << 5 | 5)

/* Reads one entry of a relation chunk at @p r: 5 or 3 numbers. Returns FTR_OK; FTR_ERR_ARGUMENT if
 * the item is not a relation (it was skipped); FTR_ERR_FORMAT or FTR_ERR_TRUNCATED if the entries
 * that follow cannot be read. */
ftr_status ftr_relation_parse(ftr_cbor_reader *r, uint64_t field[5], unsigned *count);

#endif
