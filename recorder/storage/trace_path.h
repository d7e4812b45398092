/* Names made from a trace's: those of other processes at its path, and of its further files. */
#ifndef FTR_TRACE_PATH_H
#define FTR_TRACE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

/* @p path with what @p format makes before its suffix. malloc'ed, or NULL. */
char *ftr_trace_path_add(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The path of a trace's file number @p number: the first has the trace's name, the next has
 * `_file0002` before its suffix. No process suffix has this form. malloc'ed, or NULL. */
char *ftr_trace_path_of_file(const char *path, uint32_t number);

/* The name for a process beside @p path, which another process has: `-PID` before its suffix, and
 * `-PID-2` and so on for further tries. malloc'ed, or NULL. */
char *ftr_trace_path_of_process(const char *path, long pid, unsigned try);

/* The numbers above 1 of the files of the trace at @p path that exist, in no order, malloc'ed.
 * Returns NULL if there are none, or without memory. */
uint32_t *ftr_trace_path_list_files(const char *path, size_t *count);

/* Where a file opened at @p path is or would be created: absolute, without symbolic links.
 * @param[out] resolved malloc'ed; a copy of @p path if its directory does not exist
 * @param[out] is_descriptor @p path names an open descriptor, as /dev/stdout does: its file must
 *             not be replaced. May be NULL
 * @return FTR_OK; FTR_ERR_ARGUMENT if the last part of @p path is a symbolic link that another
 *         user placed in a directory that everybody may write; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_trace_path_resolve(const char *path, char **resolved,
                                               bool *is_descriptor);

#endif
