/* The options and formats of `ftr convert`. */
#ifndef FTR_CONVERT_FORMAT_H
#define FTR_CONVERT_FORMAT_H

#include "input_file.h"
#include "output_file.h"
#include "writing_options.h"

#define FTR_CONVERT_OFFSETS_MAX 256

typedef struct ftr_convert_options {
    ftr_input_options input;
    const char *input_format, *output_format; /* exactly one of the two is not NULL */
    ftr_writing_options writing;
    const char *program;   /* only for trace-buffer: path of the program that filled the buffer */
    bool packed;           /* only for flux: writes compressed blocks */
    const char *from, *to; /* only for ctf: limits of the time window; NULL: none */
    const char *offsets[FTR_CONVERT_OFFSETS_MAX]; /* only for ctf: FILE=TIME */
    size_t offset_count;
    char **inputs;
    size_t input_count;
} ftr_convert_options;

/* Creates the output of a conversion. @return false after an error message */
bool ftr_convert_create_output(const ftr_convert_options *options, bool binary,
                               ftr_output_file *file);

typedef struct ftr_convert_format {
    const char *name;
    bool writes; /* true: an output format (--output-format); false: an input format
                    (--input-format) */
    bool many;   /* accepts several inputs */
    bool needs_program;
    bool directory;                           /* the output is a directory */
    bool windowed;                            /* --from and --to select transactions */
    int (*run)(ftr_convert_options *options); /* returns an exit status */
} ftr_convert_format;

/* Finds the output format (@p writes) or input format called @p name. @return NULL if there is
 * none */
const ftr_convert_format *ftr_convert_find(const char *name, bool writes);

/* Writes the names of the output formats (@p writes) or input formats to @p text, for example
 * "flux, scv". */
void ftr_convert_list(bool writes, char *text, size_t size);

/* Returns the name of the library that is missing for the format @p name, if ftr was built without
 * this format. */
const char *ftr_convert_missing(const char *name);

/* Converts a dump of the trace linker's buffer. This function is in a separate program, so that
 * other commands do not load libdw. @return an exit status */
int ftr_trace_buffer_import(ftr_convert_options *options);

#endif
