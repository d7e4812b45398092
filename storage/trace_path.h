/* Names derived from the name of a trace: for other processes that have the same path, and for its
 * further files. */
#ifndef FTR_TRACE_PATH_H
#define FTR_TRACE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

/* Returns @p path with the text of @p format inserted before its suffix. malloc'ed, or NULL. */
char *ftr_trace_path_add(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the path of file number @p number of a trace: the first file has the name of the trace;
 * the second one has `_file0002` before its suffix. No process suffix has this form. malloc'ed, or
 * NULL. */
char *ftr_trace_path_of_file(const char *path, uint32_t number);

/* Returns the name for a process when another process uses @p path: `-PID` before its suffix, then
 * `-PID-2` and so on for further attempts. malloc'ed, or NULL. */
char *ftr_trace_path_of_process(const char *path, long pid, unsigned try);

/* Returns the numbers above 1 of the existing files of the trace at @p path, unsorted, malloc'ed.
 * NULL: there are none, or no memory. */
uint32_t *ftr_trace_path_list_files(const char *path, size_t *count);

/* Determines the position of the file at @p path, existing or not: absolute, without symbolic
 * links.
 * @param[out] resolved malloc'ed; a copy of @p path if its directory does not exist
 * @param[out] is_descriptor @p path refers to an open descriptor, like /dev/stdout: its file must
 *                           not be replaced. May be NULL
 * @return FTR_OK; FTR_ERR_ARGUMENT if the last part of @p path is a symbolic link that another user
 *         created in a directory that everybody may write; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_trace_path_resolve(const char *path, char **resolved,
                                               bool *is_descriptor);

#endif
