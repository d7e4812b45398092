/* Writes FTR files as Common Trace Format. */
#ifndef FTR_CTF_WRITER_H
#define FTR_CTF_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

typedef struct ftr_ctf_input {
    const char *path; /* name of the input in messages */
    const char *name; /* name of the trace, used if there are several inputs */
    ftr_reader *reader;
    int64_t offset_s; /* this and offset_ns: added to the clock of the trace */
    int64_t offset_ns;
    unsigned threads; /* number of threads of the reader */
} ftr_ctf_input;

typedef struct ftr_ctf_options {
    const char *begin, *end; /* window of simulated time; NULL: no limit */
} ftr_ctf_options;

/* Writes one trace for each input. The trace of a single input is written to @p directory itself,
 * several traces to subdirectories. @p directory must not exist; it appears when all traces are
 * complete.
 * @return false after an error message */
bool ftr_ctf_write(const ftr_ctf_input *inputs, size_t count, const char *directory,
                   const ftr_ctf_options *options, const ftr_exchange_report *report);

#endif
