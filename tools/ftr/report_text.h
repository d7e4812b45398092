/* A run in at most 40 lines of text, for a terminal. */
#ifndef FTR_REPORT_TEXT_H
#define FTR_REPORT_TEXT_H

#include "report_file.h"

/* Prints the trace at @p path to stdout. @return an exit status */
int ftr_report_text(const ftr_report_arguments *arguments, const char *path);

#endif
