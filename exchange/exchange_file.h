/* Files of other formats: text output and byte input, compressed with gzip if the name ends with
 * ".gz". */
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

/* Writes to @p fd, which the caller must close. @param path its name, for messages; a name that
 * ends with ".gz" enables compression. @return false after an error message */
bool ftr_text_output_open(ftr_text_output *output, int fd, const char *path,
                          const ftr_exchange_report *report);
/* @return false after an error message if any write failed */
bool ftr_text_output_close(ftr_text_output *output);

typedef struct ftr_byte_input {
    const char *path;
    const ftr_exchange_report *report;
    void *file;
    uint64_t read; /* bytes read from the file, before expansion */
    uint64_t size; /* size of the file; 0: unknown */
} ftr_byte_input;

/* Opens an input; recognises gzip by its content. @return false after an error message */
bool ftr_byte_input_open(ftr_byte_input *input, const char *path,
                         const ftr_exchange_report *report);
/* @return number of bytes read, fewer than @p size at the end; -1 after an error message */
int64_t ftr_byte_input_read(ftr_byte_input *input, void *bytes, size_t size);
/* Restarts at the first byte. @return false for a pipe, after an error message */
bool ftr_byte_input_rewind(ftr_byte_input *input);
void ftr_byte_input_close(ftr_byte_input *input);

#endif
