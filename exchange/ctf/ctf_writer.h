/* FTR files as Common Trace Format. */
#ifndef FTR_CTF_WRITER_H
#define FTR_CTF_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

typedef struct ftr_ctf_input {
    const char *path; /* what reports call it */
    const char *name; /* of its trace among several */
    ftr_reader *reader;
    int64_t offset_s; /* added to its clock */
    int64_t offset_ns;
} ftr_ctf_input;

typedef struct ftr_ctf_options {
    const char *begin, *end; /* simulated times; NULL: all */
} ftr_ctf_options;

/* Writes one trace for each input: of a single one into @p directory itself, of several into
 * folders of it. The directory appears when it is complete; one that exists is refused.
 * @return false after saying why */
bool ftr_ctf_write(const ftr_ctf_input *inputs, size_t count, const char *directory,
                   const ftr_ctf_options *options, const ftr_exchange_report *report);

#endif
