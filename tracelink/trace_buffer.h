/** @file
 *  Converts the dump of a trace buffer, as filled by trace-buffer-generator, to an FTR file. */
#ifndef FTR_TRACE_BUFFER_H
#define FTR_TRACE_BUFFER_H

#include "report.h"

#include <ftr/recorder.h>

#include <stdbool.h>
#include <stdint.h>

/** Counts of a conversion. */
typedef struct ftr_trace_buffer_counts {
    uint64_t records;
    uint64_t calls;
    uint64_t exits_without_entry; /**< ring only: the entry was overwritten */
    uint64_t abandoned;           /**< calls that ended after their caller */
    uint64_t unfinished;          /**< calls that had not returned */
    bool written;                 /**< the FTR file is complete, as far as the dump could be read */
    bool rounded;                 /**< some floats were rounded to single precision */
} ftr_trace_buffer_counts;

/** @param program the ELF file that filled the buffer, for names and types
 *  @param dump the output of ftr_trace_buffer_dump(), or the bytes of __rtld_tbg_buffer
 *  @param output the FTR file, replaced; with recorder->sink its name in messages
 *  @param recorder form of floats, and the sink; NULL: defaults
 *  @return false after an error message; transactions converted before the error are kept */
bool ftr_trace_buffer_convert(ftr_link_report *report, const char *program, const char *dump,
                              const char *output, const ftr_recorder_options *recorder,
                              ftr_trace_buffer_counts *counts);

#endif
