/* FTR files as Common Trace Format, through babeltrace's own graph. */
#ifndef FTR_CTF_WRITER_H
#define FTR_CTF_WRITER_H

#include "exchange_report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_ctf_input {
    const char *path;
    int64_t offset_s; /* added to its clock */
    int64_t offset_ns;
} ftr_ctf_input;

typedef struct ftr_ctf_options {
    const char *begin, *end; /* simulated times; NULL: all */
} ftr_ctf_options;

/* Writes one trace for each input: of a single one into @p directory itself, of several into
 * folders of it named after the files. What is there already is refused.
 * @param[out] errors what is wrong with the inputs, and was left out; the first few are told
 * @return false after saying why */
bool ftr_ctf_write(const ftr_ctf_input *inputs, size_t count, const char *directory,
                   const ftr_ctf_options *options, const ftr_exchange_report *report,
                   uint64_t *errors);

#endif
