/** @file
 *  Converts the dump of a trace buffer to an FTR file. The code of the generator
 *  trace-buffer-generator fills this buffer. */
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
    uint64_t exits_without_entry; /**< exits whose entry record was overwritten (ring only) */
    uint64_t abandoned;           /**< calls without an exit record, inside a call that has one */
    uint64_t unfinished;          /**< calls that had not returned when the buffer was dumped */
    /** the FTR file was closed without an error; it contains the records before the first damaged
     * one */
    bool written;
    bool rounded; /**< some floats were rounded to single precision */
} ftr_trace_buffer_counts;

/** The dump of a buffer. */
typedef struct ftr_trace_buffer_dump {
    const char *path; /**< path for messages; borrowed */
    char *bytes;
    size_t size;
} ftr_trace_buffer_dump;

/** Reads a dump: the output of ftr_trace_buffer_dump(), or the bytes of __rtld_tbg_buffer.
 *  @param path "-" is the standard input
 *  @param[out] dump the caller must free() dump->bytes
 *  @return false after an error message */
bool ftr_trace_buffer_read(ftr_link_report *report, const char *path, ftr_trace_buffer_dump *dump);

/** Converts a dump to an FTR file.
 *  @param program the ELF file of the program that filled the buffer; contains the names and types
 *  @param output the FTR file, which is replaced if it exists; if recorder->sink is set, only a
 *  name for messages
 *  @param recorder only the members `floats` and `sink` are used, and no journal is written; NULL:
 *  defaults
 *  @return false after an error message; if counts->written is true, the file contains the
 *  transactions before the error */
bool ftr_trace_buffer_convert(ftr_link_report *report, const char *program,
                              const ftr_trace_buffer_dump *dump, const char *output,
                              const ftr_recorder_options *recorder,
                              ftr_trace_buffer_counts *counts);

#endif
