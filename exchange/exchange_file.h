/* Files of other formats: text out, bytes in, compressed with gzip when the name ends with ".gz".
 */
#ifndef FTR_EXCHANGE_FILE_H
#define FTR_EXCHANGE_FILE_H

#include "exchange_report.h"
#include "printer.h"

#include <ftr/status.h>

typedef struct ftr_text_output {
    const char *path;
    const ftr_exchange_report *report;
    int fd;
    void *gz;
    ftr_printer text;
} ftr_text_output;

/* Writes to @p fd, which stays the caller's. @param path its name: for messages, and ".gz" at its
 * end compresses. @return false after saying why */
bool ftr_text_output_open(ftr_text_output *output, int fd, const char *path,
                          const ftr_exchange_report *report);
/* @return false after saying why, when any of it could not be written */
bool ftr_text_output_close(ftr_text_output *output);

typedef struct ftr_byte_input {
    const char *path;
    const ftr_exchange_report *report;
    void *file;
    uint64_t read; /* bytes of the file, before they are expanded */
    uint64_t size; /* of the file; 0: not known */
} ftr_byte_input;

/* Expands gzip whatever the name. @return false after saying why */
bool ftr_byte_input_open(ftr_byte_input *input, const char *path,
                         const ftr_exchange_report *report);
/* @return how many bytes there were, fewer than @p size at the end; -1 after saying why */
int64_t ftr_byte_input_read(ftr_byte_input *input, void *bytes, size_t size);
/* Begins again. @return false for a pipe, after saying so */
bool ftr_byte_input_rewind(ftr_byte_input *input);
void ftr_byte_input_close(ftr_byte_input *input);

#endif
