/* Writes and reads the packed bytes of a run's record. docs/summary-format.md describes them. */
#ifndef FTR_RUN_PACKING_H
#define FTR_RUN_PACKING_H

#include "run_record.h"

#include "cbor_writer.h"

/* Appends the packed record; errors latch in the writer. The bins of all generators must be
 * sorted. */
void ftr_run_pack(const ftr_run_record *run, ftr_cbor_writer *w);

/* Reads a packed record. The caller sets identity, state and the number of transactions.
 * @param[out] run owned by the caller until ftr_run_record_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT if the bytes are not a record; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_unpack(const uint8_t *bytes, size_t size, ftr_run_record *run);

#endif
