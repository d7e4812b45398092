/* Writes and reads the bytes of a run's record of version 1. docs/summary-format.md describes them.
 */
#ifndef FTR_RUN_ENCODING_H
#define FTR_RUN_ENCODING_H

#include "run_record.h"

#include "cbor_reader.h"
#include "cbor_writer.h"

/* Writes the record; errors latch in the writer. The bins of all generators must be sorted. */
void ftr_run_encode(const ftr_run_record *run, ftr_cbor_writer *w);

/* Returns the size of all series of a run in bytes; 0 if out of memory. */
size_t ftr_run_series_size(const ftr_run_record *run);

/* Reads a record. The bytes contain neither identity nor state nor the number of transactions: the
 * caller sets these members after this call.
 * @param[out] run owned by the caller until ftr_run_record_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, FTR_ERR_TRUNCATED or FTR_ERR_LIMIT if the bytes are not a record;
 *         FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_decode(const uint8_t *bytes, size_t size, ftr_run_record *run);

#endif
