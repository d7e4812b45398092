/* The options of `ftr convert`, and the output file that they name. */
#ifndef FTR_CONVERT_OPTIONS_H
#define FTR_CONVERT_OPTIONS_H

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

#endif
