/* Derives file names from the path of a trace: the names for further processes that record to the
 * same path, and the names of the further files of a trace. */
#ifndef FTR_TRACE_PATH_H
#define FTR_TRACE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

/* Returns @p path with the text of @p format inserted before the suffix of @p path. malloc'ed, or
 * NULL without memory. */
char *ftr_trace_path_add(const char *path, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the path of file number @p number of a trace. File 1 has the path of the trace; file 2
 * has `_file0002` before the suffix of the path. ftr_trace_path_of_process() returns no path of
 * this form. malloc'ed, or NULL without memory. */
char *ftr_trace_path_of_file(const char *path, uint32_t number);

/* Returns the path for a process if another process uses @p path. The path has `-PID` before the
 * suffix of @p path. @p try is 1 in the first call. If the returned path is also used, the caller
 * increments @p try: the path then contains `-PID-2` and so on. malloc'ed, or NULL without
 * memory. */
char *ftr_trace_path_of_process(const char *path, long pid, unsigned try);

/* Returns the numbers of the existing files of the trace at @p path, except file 1, in any order;
 * malloc'ed. NULL: there are no further files, or there is no memory. Sets @p count to the number
 * of these files. */
uint32_t *ftr_trace_path_list_files(const char *path, size_t *count);

/* Returns the absolute path, without symbolic links, of the file at @p path, which need not exist.
 * Follows the links of every user. Before a file is written at this path, ftr_foreign_link_find()
 * must therefore have found no link.
 * @param[out] resolved malloc'ed; if the directory does not exist, @p path itself, with its links
 *                      followed
 * @param[out] is_descriptor whether @p path refers to an open descriptor, like /dev/stdout: the
 *                           file must then not be replaced. May be NULL
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_trace_path_resolve(const char *path, char **resolved,
                                               bool *is_descriptor);

/* Like ftr_trace_path_resolve(), but does not follow a link that is the last part of @p path.
 * malloc'ed, or NULL without memory. */
char *ftr_trace_path_with_real_folder(const char *path);

#endif
