/* The state of a run collector as bytes. Another process can restore it and add the remaining
 * transactions; the record is then the same. Only the same build on the same machine can read the
 * bytes; they are not a file format. */
#ifndef FTR_COLLECTOR_STATE_H
#define FTR_COLLECTOR_STATE_H

#include "run_collector.h"

#include "cbor_reader.h"
#include "cbor_writer.h"

/* Writes the state of a collector with the order FTR_COLLECT_AS_RECORDED. Errors latch in the
 * writer. */
void ftr_collector_state_put(const ftr_run_collector *collector, ftr_cbor_writer *w);

/* Restores a state in @p collector, which must be new and have been created with
 * FTR_COLLECT_AS_RECORDED.
 * @return FTR_OK; FTR_ERR_FORMAT or FTR_ERR_TRUNCATED if the bytes are not a state; FTR_ERR_MEMORY
 */
FTR_MUST_USE ftr_status ftr_collector_state_get(ftr_run_collector *collector, ftr_cbor_reader *r);

#endif
