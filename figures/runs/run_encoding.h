/* Writes, reads and hashes the bytes of a run's record. docs/summary-format.md describes these
 * bytes. */
#ifndef FTR_RUN_ENCODING_H
#define FTR_RUN_ENCODING_H

#include "run_record.h"

#include "cbor_writer.h"
#include "content_hash.h"

#include <stddef.h>
#include <stdint.h>

/* The sections of the generators of a record. In a set of sections, the bit 1 << section stands for
 * each section. */
typedef enum ftr_run_section {
    FTR_SECTION_LATENCY, /* latencies and the slowest transactions */
    FTR_SECTION_SERIES,  /* counts in time slots */
    FTR_SECTION_TIMES,   /* distributions of attributes of type TIME */
    FTR_SECTIONS
} ftr_run_section;

const char *ftr_run_section_name(ftr_run_section section);

/* Returns the set of the sections that the record needs. */
unsigned ftr_run_sections(const ftr_run_record *run);

/* Writes the record; errors latch in the writer. The bins of all generators must be sorted.
 * @param[out] memory number of bytes that a reader allocates for the record */
void ftr_run_encode(const ftr_run_record *run, ftr_cbor_writer *w, uint64_t *memory);

/* Reads a record. The bytes contain neither identity nor state nor the number of transactions: the
 * caller sets these members after this call.
 * @param sections set of the sections that the bytes contain
 * @param memory greatest number of bytes to allocate, so that damaged bytes cannot require more
 * @param[out] run owned by the caller until ftr_run_record_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, FTR_ERR_TRUNCATED or FTR_ERR_LIMIT if the bytes are not a record;
 *         FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_decode(const uint8_t *bytes, size_t size, unsigned sections,
                                       uint64_t memory, ftr_run_record *run);

#endif
