/* Serves the report of a run over HTTP on the loopback interface. Details are read from the trace
 * on demand. */
#ifndef FTR_REPORT_SERVE_H
#define FTR_REPORT_SERVE_H

#include "report_file.h"

/* Serves the trace at @p path until SIGINT or SIGTERM. @return an exit status */
int ftr_report_serve(const ftr_report_arguments *arguments, const char *path);

#endif
