/* Writes, reads and hashes the bytes of a run's record. docs/summary-format.md describes these
 * bytes. */
#ifndef FTR_RUN_ENCODING_H
#define FTR_RUN_ENCODING_H

#include "run_record.h"

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

/* The bytes of a record. */
typedef struct ftr_encoded_run {
    uint8_t *bytes;
    size_t size;
    unsigned sections; /* set of the sections in the bytes */
    uint64_t memory;   /* number of bytes that a reader allocates for the record */
} ftr_encoded_run;

/* Writes a record. The bins of all generators must be sorted.
 * @param[out] encoded owned by the caller until ftr_encoded_run_release(); untouched on error
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_encode(const ftr_run_record *run, ftr_encoded_run *encoded);

void ftr_encoded_run_release(ftr_encoded_run *encoded);

/* Reads a record. The bytes contain neither identity nor state nor the number of transactions: the
 * caller sets these members after this call.
 * @param sections set of the sections that the bytes contain
 * @param memory greatest number of bytes to allocate, so that damaged bytes cannot require more
 * @param[out] run owned by the caller until ftr_run_record_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, FTR_ERR_TRUNCATED or FTR_ERR_LIMIT if the bytes are not a record;
 *         FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_decode(const uint8_t *bytes, size_t size, unsigned sections,
                                       uint64_t memory, ftr_run_record *run);

/* ---- writing in parts ------------------------------------------------------------------------ */

/* A record is made of parts, each with some of the streams, so that the figures of all streams need
 * not be in memory together. */

typedef struct ftr_run_writer ftr_run_writer;

FTR_MUST_USE ftr_status ftr_run_writer_create(ftr_run_writer **writer);
void ftr_run_writer_destroy(ftr_run_writer *writer);

/* Adds the streams of @p part, which must be sorted and come after those of all parts before. Their
 * series are ignored. Errors latch. */
void ftr_run_writer_add(ftr_run_writer *writer, const ftr_run_record *part);

/* Returns the approximate number of bytes that the writer has allocated. */
size_t ftr_run_writer_memory(const ftr_run_writer *writer);

/* Writes the record. Nothing may be added afterwards.
 * @param run its members except the streams
 * @param series those of all streams and generators, in the order in which they were added
 * @return as for ftr_run_encode() */
FTR_MUST_USE ftr_status ftr_run_writer_end(ftr_run_writer *writer, const ftr_run_record *run,
                                           const ftr_series_list *series, ftr_encoded_run *encoded);

#endif
