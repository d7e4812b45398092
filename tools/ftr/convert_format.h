/* The formats of `ftr convert`. */
#ifndef FTR_CONVERT_FORMAT_H
#define FTR_CONVERT_FORMAT_H

#include "convert_options.h"

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

#endif
