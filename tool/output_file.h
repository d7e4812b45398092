/* A file that a subcommand writes: it appears under its name when it is complete. */
#ifndef FTR_OUTPUT_FILE_H
#define FTR_OUTPUT_FILE_H

#include "atomic_file.h"

#include <ftr/recorder.h>

#include <stdio.h>

/* The inputs of a subcommand, none of which its output may replace. */
typedef struct ftr_input_paths {
    char *const *paths; /* "-": the standard input */
    size_t count;
    const char *more; /* one more: a journal, a program; or NULL */
} ftr_input_paths;

typedef struct ftr_output_file {
    const char *path; /* as given, for messages; "stdout" for "-" */
    ftr_atomic_file file;
    ftr_sink sink; /* of a recorder that writes this file */
    bool to_stdout;
    bool replace;
} ftr_output_file;

/* Whether @p path is one of the inputs, also by another name; says so if it is. */
bool ftr_output_is_input(const char *path, const ftr_input_paths *inputs);

/* Checks that a file at @p path may be written: no input and no FTR trace is replaced without
 * @p force, and nothing but a regular file with it. @return false after saying why not */
bool ftr_output_is_allowed(const char *path, bool force, const ftr_input_paths *inputs);

/* Checks @p path as ftr_output_is_allowed() does and creates the output. With the path "-" it is
 * sent to the standard output when it is complete.
 * @param binary whether a terminal cannot show it
 * @return false after saying why not */
bool ftr_output_create(ftr_output_file *output, const char *path, bool force, bool binary,
                       const ftr_input_paths *inputs);

/* Empties the output, to be written again. @return false after saying why not */
bool ftr_output_restart(ftr_output_file *output);

/* Completes the output, or discards it unless @p well. @return whether it is complete; says why if
 * it should be and is not */
bool ftr_output_finish(ftr_output_file *output, bool well);

/* Sends all of an open file to the standard output. @return false after saying why not */
bool ftr_output_send(int fd);

/* Checks that the standard output can take data. @return false after saying why not */
bool ftr_stdout_is_allowed(bool binary, const ftr_input_paths *inputs);

/* Where summaries go: stdout, unless the data goes there. */
FILE *ftr_output_messages(const char *path);

#endif
