/* Files in formats other than FTR: text output, compressed with gzip if the name ends with ".gz",
 * and byte input, compressed or not. Reading threads can also prepare the text of such files. */
#ifndef FTR_EXCHANGE_FILE_H
#define FTR_EXCHANGE_FILE_H

#include "exchange_report.h"
#include "printer.h"

#include <ftr/reader.h>
#include <ftr/status.h>

typedef struct ftr_text_output {
    const char *path;
    const ftr_exchange_report *report;
    int fd;
    void *gz;
    ftr_printer text;
} ftr_text_output;

/* Initialises an output to @p fd, which the caller must close. @param path the name of the file,
 * for messages; if it ends with ".gz", the output is compressed. @return false after an error
 * message */
bool ftr_text_output_open(ftr_text_output *output, int fd, const char *path,
                          const ftr_exchange_report *report);
/* Writes the rest of the text, and releases the output. @return false after an error message if any
 * write failed */
bool ftr_text_output_close(ftr_text_output *output);

typedef struct ftr_byte_input {
    const char *path;
    const ftr_exchange_report *report;
    void *file;
    uint64_t read; /* number of bytes read from the file, before decompression */
    uint64_t size; /* size of the file */
} ftr_byte_input;

/* Opens an input; "-" is stdin. If its content is gzip data, reads return the decompressed bytes. A
 * pipe is first copied to a temporary file, which is read if the same pipe is opened again. Only
 * one thread at a time may call this function. @return false after an error message */
bool ftr_byte_input_open(ftr_byte_input *input, const char *path,
                         const ftr_exchange_report *report);
/* @return number of bytes read, fewer than @p size only at the end of the input; -1 after an error
 * message */
int64_t ftr_byte_input_read(ftr_byte_input *input, void *bytes, size_t size);
/* Continues at the first byte. @return false after an error message */
bool ftr_byte_input_rewind(ftr_byte_input *input);
void ftr_byte_input_close(ftr_byte_input *input);

/* ---- text as prepared bytes ------------------------------------------------------------------ */

/* From now on, @p text prints to @p prepared. The caller must flush @p text after the last text. */
void ftr_printer_prepare(ftr_printer *text, ftr_prepared *prepared);

#endif
