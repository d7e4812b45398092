/* The destination of the bytes: a file or the user's sink. Appends complete pieces. After a failed
 * append, the file is truncated to the last complete piece. */
#ifndef FTR_OUTPUT_H
#define FTR_OUTPUT_H

#include <stdbool.h>

#include <ftr/recorder.h>

#include "journal.h"

typedef struct ftr_output {
    int fd;          /* -1: a sink, or closed */
    uint64_t device; /* identity of the file, because the program may close the descriptor */
    uint64_t inode;
    bool is_regular;
    bool can_allocate;
    bool has_sink;
    bool is_torn; /* ends with an incomplete piece: no append is possible */
    ftr_sink sink;
    char *path;         /* for messages; owned */
    uint64_t offset;    /* bytes of complete appends */
    uint64_t allocated; /* bytes of disk space allocated for the file, whether written or not */
                        /* of `allocated`, bytes that appends leave free for the end of the file */
    uint64_t reserve;
    ftr_journal *journal; /* updated after each append; may be NULL */
} ftr_output;

/* Writes to @p sink. Messages use @p name for it, which may be NULL. */
void ftr_output_take_sink(ftr_output *output, const char *name, const ftr_sink *sink);

/* Writes to the empty file open at @p fd. Closing the output closes @p fd; so does an error
 * here. */
FTR_MUST_USE ftr_status ftr_output_take(ftr_output *output, const char *path, int fd);

/* Opens a @p path that is not replaced by a new file: a pipe, a terminal, a descriptor of this
 * process. Fills @p failure on error. */
FTR_MUST_USE ftr_status ftr_output_open_special(ftr_output *output, const char *path,
                                                ftr_failure *failure);

/* Creates a new file at @p path that only its owner may read. Replaces an older file of the same
 * owner (ftr_file_replace()). Fills @p failure on error. */
FTR_MUST_USE ftr_status ftr_output_replace(ftr_output *output, const char *path,
                                           ftr_failure *failure);

/* Fills @p failure with the reason why @p path could not be opened, from errno and @p status of
 * ftr_file_claim() or a similar function. Returns the status of the failure. */
ftr_status ftr_output_refuse(const char *path, ftr_status status, ftr_failure *failure);

/* In a forked child: closes the file without releasing the parent's lock. */
void ftr_output_abandon(ftr_output *output);

/* Appends @p size bytes, with one write unless the system accepts fewer bytes. */
FTR_MUST_USE ftr_status ftr_output_append(ftr_output *output, const void *data, size_t size,
                                          ftr_failure *failure);

/* Removes a file without contents. */
void ftr_output_discard(ftr_output *output);

/* Releases the disk space that was allocated and is not used, once the file is complete. If this
 * fails, ftr_output_close() tries again. */
void ftr_output_trim(ftr_output *output);

/* Closes the file and frees the memory, also after errors. */
FTR_MUST_USE ftr_status ftr_output_close(ftr_output *output, ftr_failure *failure);

#endif
