/* The destination of the encoded bytes: a file or the user's sink. Appends pieces. If an append
 * fails, the file is truncated to the end of the last complete piece. */
#ifndef FTR_OUTPUT_H
#define FTR_OUTPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include <ftr/recorder.h>

#include "journal.h"

typedef struct ftr_output {
    int fd; /* -1: the output is a sink or closed */
    /* `device` and `inode` identify the file, because the program may close `fd` and the number may
     * then refer to another file */
    uint64_t device;
    uint64_t inode;
    bool is_regular;
    bool is_named; /* the output is a regular file that had the name `path` when it was opened */
    bool can_allocate;
    bool has_sink;
    bool is_torn; /* the output ends with an incomplete piece, so nothing can be appended */
    ftr_sink sink;
    char *path;      /* for messages; owned */
    uint64_t offset; /* bytes that were appended completely */
    /* bytes of disk space allocated for the file, including the written bytes */
    uint64_t allocated;
    /* number of allocated bytes that an append leaves free behind its data, for the end of the
     * file. The first append and the appends while `is_ending` is true need not leave them */
    uint64_t reserve;
    bool is_ending; /* the last data and the end of the file follow */
    /* while `is_ending` is true: `fd` has been compared with the file */
    bool is_checked;
    /* stores the length of the file after each append; borrowed; may be NULL */
    ftr_journal *journal;
} ftr_output;

/* Initialises the output for writing to @p sink. @p name is the name of the sink in messages; NULL:
 * "sink". */
void ftr_output_use_sink(ftr_output *output, const char *name, const ftr_sink *sink);

/* Initialises the output for writing to @p fd, which refers to the empty file, or to the pipe or
 * terminal, at @p path. Takes ownership of @p fd, also on error. */
FTR_MUST_USE ftr_status ftr_output_use_file(ftr_output *output, const char *path, int fd);

/* The same for a new, locked file at @p path, for which fstat() has set @p about. */
FTR_MUST_USE ftr_status ftr_output_use_new_file(ftr_output *output, const char *path, int fd,
                                                const struct stat *about);

/* Creates a new file at @p path that only its owner may read. Replaces an older file of the same
 * owner (ftr_file_replace()). Fills @p failure on error. */
FTR_MUST_USE ftr_status ftr_output_replace(ftr_output *output, const char *path,
                                           ftr_failure *failure);

/* Fills @p failure with the reason why @p path could not be opened. @p status is the status of the
 * function of file_claim.h that failed; errno must still have the value that this function left.
 * Returns the status of the failure. */
ftr_status ftr_output_refuse(const char *path, ftr_status status, ftr_failure *failure);

/* In a forked child: closes the file without releasing the parent's lock. */
void ftr_output_abandon(ftr_output *output);

/* Appends @p size bytes, with one write unless the system accepts fewer bytes. */
FTR_MUST_USE ftr_status ftr_output_append(ftr_output *output, const void *data, size_t size,
                                          ftr_failure *failure);

/* Removes the file if it is empty. */
void ftr_output_discard(ftr_output *output);

/* Releases the disk space that was allocated but not used. Called when the file is complete. If
 * this fails, ftr_output_close() tries again. */
void ftr_output_trim(ftr_output *output);

/* Returns whether the file still exists, but no longer at its path. */
bool ftr_output_is_moved(const ftr_output *output);

/* Closes the file and frees the memory, also after errors. Fails if the file was deleted although
 * data was appended to it. */
FTR_MUST_USE ftr_status ftr_output_close(ftr_output *output, ftr_failure *failure);

#endif
