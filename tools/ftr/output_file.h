/* A file that a subcommand writes. The file appears under its name, or on stdout, only when it is
 * complete. */
#ifndef FTR_OUTPUT_FILE_H
#define FTR_OUTPUT_FILE_H

#include "atomic_file.h"

#include <ftr/recorder.h>

#include <stdio.h>

/* The inputs of a subcommand. The output must not replace any of them. */
typedef struct ftr_input_paths {
    char *const *paths; /* "-": the standard input */
    size_t count;
    const char *more; /* a further input, for example a journal; or NULL */
} ftr_input_paths;

typedef struct ftr_output_file {
    const char *path; /* the path as the user gave it, for messages; "stdout" instead of "-" */
    ftr_atomic_file file;
    ftr_sink sink; /* passed to a recorder that writes this file */
    bool to_stdout;
    bool replace;
} ftr_output_file;

/* Returns true after an error message if @p path refers to one of the inputs, even under another
 * name. */
bool ftr_output_is_input(const char *path, const ftr_input_paths *inputs);

/* Checks that a file at @p path may be written: inputs and FTR traces are not replaced without @p
 * force, and only regular files are replaced. @return false after an error message */
bool ftr_output_is_allowed(const char *path, bool force, const ftr_input_paths *inputs);

/* Sets the umask so that users without read permission for one of @p inputs cannot access new files
 * of this process.
 * @return the denied permissions */
mode_t ftr_output_restrict_permissions(const ftr_input_paths *inputs);

/* Checks @p path like ftr_output_is_allowed() and creates the output. For the path "-", the
 * complete output is copied to the standard output.
 * @param binary true if the output must not be written to a terminal
 * @return false after an error message */
bool ftr_output_create(ftr_output_file *output, const char *path, bool force, bool binary,
                       const ftr_input_paths *inputs);

/* Truncates the output, so that it can be written again. @return false after an error message */
bool ftr_output_restart(ftr_output_file *output);

/* Completes the output if @p ok is true; otherwise discards it. @return true if it is complete;
 * prints an error message if completion fails */
bool ftr_output_finish(ftr_output_file *output, bool ok);

/* Copies an open file to the standard output. @return false after an error message */
bool ftr_output_send(int fd);

/* Checks that the standard output may receive data. @return false after an error message */
bool ftr_stdout_is_allowed(bool binary, const ftr_input_paths *inputs);

/* Returns the file to which a command prints what it has written: stdout, or stderr if stdout
 * receives the data. */
FILE *ftr_output_messages(const char *path);

#endif
