/* What the formats of `ftr convert` are asked to do. */
#ifndef FTR_CONVERT_FORMAT_H
#define FTR_CONVERT_FORMAT_H

#include "input_file.h"
#include "writing_options.h"

#define FTR_CONVERT_OFFSETS_MAX 256

typedef struct ftr_convert_options {
    ftr_input_options input;
    const char *from, *to; /* one of them */
    ftr_writing_options writing;
    const char *program;                          /* trace-buffer */
    bool packed;                                  /* flux */
    const char *begin, *end;                      /* ctf */
    const char *offsets[FTR_CONVERT_OFFSETS_MAX]; /* ctf: FILE=TIME */
    size_t offset_count;
    char **inputs;
    size_t input_count;
} ftr_convert_options;

typedef struct ftr_convert_format {
    const char *name;
    bool writes; /* named by --to; otherwise by --from */
    bool many;   /* takes more than one input */
    bool needs_program;
    bool directory;                           /* the output is one */
    int (*run)(ftr_convert_options *options); /* answers an exit status */
} ftr_convert_format;

/* @return NULL when there is none of this name that goes this way */
const ftr_convert_format *ftr_convert_find(const char *name, bool writes);

/* Names that are understood, but were left out of this build; with the library that was missing. */
const char *ftr_convert_missing(const char *name);

#endif
