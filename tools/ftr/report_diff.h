/* The report of two traces and their differences. */
#ifndef FTR_REPORT_DIFF_H
#define FTR_REPORT_DIFF_H

#include "report_file.h"

/* Writes the report of the differences between two traces. @return the exit status, as for `ftr
 * diff` */
int ftr_report_diff(const ftr_report_arguments *arguments, char *const paths[2]);

#endif
