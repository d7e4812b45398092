/* The formats of `ftr convert`. */
#ifndef FTR_CONVERT_FORMAT_H
#define FTR_CONVERT_FORMAT_H

#include "input_file.h"
#include "writing_options.h"

#define FTR_CONVERT_OFFSETS_MAX 256

typedef struct ftr_convert_options {
    ftr_input_options input;
    const char *input_format, *output_format; /* one of them is set */
    ftr_writing_options writing;
    const char *program;                          /* trace-buffer */
    bool packed;                                  /* flux */
    const char *from, *to;                        /* ctf */
    const char *offsets[FTR_CONVERT_OFFSETS_MAX]; /* ctf: FILE=TIME */
    size_t offset_count;
    char **inputs;
    size_t input_count;
} ftr_convert_options;

typedef struct ftr_convert_format {
    const char *name;
    bool writes; /* named by --output-format; otherwise by --input-format */
    bool many;   /* accepts several inputs */
    bool needs_program;
    bool directory;                           /* the output is a directory */
    bool windowed;                            /* --from and --to select transactions */
    int (*run)(ftr_convert_options *options); /* returns an exit status */
} ftr_convert_format;

/* @return NULL if there is no format of this name for this direction */
const ftr_convert_format *ftr_convert_find(const char *name, bool writes);

/* For a format that was not built: returns the name of the missing library. */
const char *ftr_convert_missing(const char *name);

#endif
