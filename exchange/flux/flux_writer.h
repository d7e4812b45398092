/* Writes FTR files as flux, version 4, with the emitter that is also used on targets
 * (ftr/flux.h). */
#ifndef FTR_FLUX_WRITER_H
#define FTR_FLUX_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

typedef struct ftr_flux_input {
    const char *name; /* name of the trace */
    ftr_reader *reader;
    unsigned threads; /* number of threads of the reader */
} ftr_flux_input;

/* Writes a trace for each input to @p fd, which the caller must close. @p path is the name of the
 * output, for messages.
 * @param packed writes everything except the heads in LZ4 blocks
 * @return false after an error message */
bool ftr_flux_write(const ftr_flux_input *inputs, size_t count, int fd, const char *path,
                    bool packed, const ftr_exchange_report *report);

#endif
