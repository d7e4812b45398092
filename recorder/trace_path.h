/* Names made from a trace's: those of other processes at its path, and of its further files. */
#ifndef FTR_TRACE_PATH_H
#define FTR_TRACE_PATH_H

#include <stdint.h>

/* @p path with what @p format makes before its suffix. malloc'ed, or NULL. */
char *ftr_trace_path_add(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The path of a trace's file number @p number: the first has its name, the next `-2` in it.
 * malloc'ed, or NULL. */
char *ftr_trace_path_of_file(const char *path, uint32_t number);

#endif
