/* Converts a dump of the trace linker's buffer. A program of its own converts it, so that other
 * commands do not load libdw. */
#ifndef FTR_TRACE_BUFFER_IMPORT_H
#define FTR_TRACE_BUFFER_IMPORT_H

#include "convert_options.h"

/* @return an exit status */
int ftr_trace_buffer_import(ftr_convert_options *options);

#endif
