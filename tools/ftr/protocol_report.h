/* Prints the violations of the TLM-2.0 base protocol in a trace, for `ftr check --protocol`. */
#ifndef FTR_PROTOCOL_REPORT_H
#define FTR_PROTOCOL_REPORT_H

#include "input_file.h"

typedef struct ftr_protocol_report_options {
    const ftr_input_options *input;
    bool json;
    bool strict; /* warnings change the exit status, too */
    bool all;    /* prints all violations instead of the first ones of each rule */
} ftr_protocol_report_options;

/* @return an exit status of the command */
int ftr_protocol_report(const ftr_protocol_report_options *options, const char *path);

#endif
