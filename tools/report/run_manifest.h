/* The manifest of a run, without its whole transactions (docs/report-format.md). */
#ifndef FTR_RUN_MANIFEST_H
#define FTR_RUN_MANIFEST_H

#include "data_block.h"
#include "run_report.h"

/* Indices of streams and generators in the manifest; index: number in the report. */
typedef struct ftr_manifest_numbers {
    uint32_t *streams, *generators;
} ftr_manifest_numbers;

/* @param[out] numbers owned by the caller until ftr_manifest_numbers_release()
 * @return false if out of memory */
bool ftr_manifest_numbers_init(ftr_manifest_numbers *numbers, const ftr_run_report *report);
void ftr_manifest_numbers_release(ftr_manifest_numbers *numbers);

/* Writes the manifest as members of the open object, and the columns to @p block.
 * @return false if out of memory */
bool ftr_run_manifest_print(ftr_run_report *report, const ftr_manifest_numbers *numbers,
                            ftr_data_block *block, ftr_json *json);

/* Returns the index of a stream in the manifest of its run; UINT32_MAX if there is none. */
uint32_t ftr_manifest_find_stream(const ftr_run_record *run, ftr_view name);

/* Returns the index of a generator in the manifest of its run; UINT32_MAX if there is none. */
uint32_t ftr_manifest_find_generator(const ftr_run_record *run, ftr_view stream, ftr_view name);

/* Writes the member `histogram`. A bucket contains the values with the same four leading bits.
 * @return false if out of memory */
bool ftr_histogram_print(ftr_latency_bins *latency, ftr_data_block *block, ftr_json *json);

/* Writes the member `attributes` of a run. */
void ftr_run_attributes_print(const ftr_run_record *run, ftr_json *json);

/* Writes `min`, `mean`, `p50`, `p90`, `p99`, `max` and `exact`. */
void ftr_latency_print(ftr_latency_bins *latency, ftr_json *json);

#endif
