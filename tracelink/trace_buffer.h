/** @file
 *  Turns the dump of a trace buffer, as trace-buffer-generator fills it, into an FTR file. */
#ifndef FTR_TRACE_BUFFER_H
#define FTR_TRACE_BUFFER_H

#include "report.h"

#include <ftr/recorder.h>

#include <stdbool.h>
#include <stdint.h>

/** What a conversion met. */
typedef struct ftr_trace_buffer_counts {
    uint64_t records;
    uint64_t calls;
    uint64_t exits_without_entry; /**< of a ring: its entry was overwritten */
    uint64_t abandoned;           /**< calls whose caller returned before them */
    uint64_t unfinished;          /**< calls that had not returned */
    bool written;                 /**< the FTR file is complete, as far as the dump could be read */
    bool rounded;                 /**< single precision does not keep some floats */
} ftr_trace_buffer_counts;

/** @param program the ELF file that filled the buffer: it has the names and types
 *  @param dump what ftr_trace_buffer_dump() handed out, or the bytes of __rtld_tbg_buffer
 *  @param output the FTR file, replaced; with recorder->sink its name in messages
 *  @param recorder how floats are written, and the sink; NULL: defaults
 *  @return false when it failed; the report was told, and what was converted before is kept */
bool ftr_trace_buffer_convert(ftr_link_report *report, const char *program, const char *dump,
                              const char *output, const ftr_recorder_options *recorder,
                              ftr_trace_buffer_counts *counts);

#endif
