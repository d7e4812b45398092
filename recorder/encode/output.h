/* Where the bytes go: a file or the user's sink. Appends whole pieces; after a failed append the
 * file is cut back to the last whole piece. */
#ifndef FTR_OUTPUT_H
#define FTR_OUTPUT_H

#include <stdbool.h>

#include <ftr/recorder.h>

#include "journal.h"

typedef struct ftr_output {
    int fd;          /* -1: the sink, or closed */
    uint64_t device; /* which file the descriptor is of: a program may close ours */
    uint64_t inode;
    bool is_regular;
    bool can_allocate;
    bool has_sink;
    bool is_torn; /* ends in a part of a piece: nothing can follow */
    ftr_sink sink;
    char *path;           /* for messages; owned */
    uint64_t offset;      /* bytes appended whole */
    uint64_t allocated;   /* bytes of the disk that are the file's, whether written or not */
    uint64_t reserve;     /* of these, what appends leave for the end of the file */
    ftr_journal *journal; /* told after every append; may be NULL */
} ftr_output;

/* Writes to @p sink; @p name is what messages call it, or NULL. */
void ftr_output_take_sink(ftr_output *output, const char *name, const ftr_sink *sink);

/* Writes to the empty file open at @p fd, which is closed with the output, on error at once. */
FTR_MUST_USE ftr_status ftr_output_take(ftr_output *output, const char *path, int fd);

/* Opens @p path as it is: a pipe, a terminal, a descriptor of this process. @p failure is filled
 * on error. */
FTR_MUST_USE ftr_status ftr_output_open_special(ftr_output *output, const char *path,
                                                ftr_failure *failure);

/* Creates a new file at @p path that only its owner may read, in the place of an older one of the
 * same owner (ftr_file_replace()). @p failure is filled on error. */
FTR_MUST_USE ftr_status ftr_output_replace(ftr_output *output, const char *path,
                                           ftr_failure *failure);

/* Fills @p failure with why @p path was not opened: @p status of ftr_file_claim() and its like, and
 * errno. Returns the status of the failure. */
ftr_status ftr_output_refuse(const char *path, ftr_status status, ftr_failure *failure);

/* In a forked child: lets go of the file without releasing the parent's lock. */
void ftr_output_abandon(ftr_output *output);

/* Appends @p size bytes, with one write unless the system takes fewer. */
FTR_MUST_USE ftr_status ftr_output_append(ftr_output *output, const void *data, size_t size,
                                          ftr_failure *failure);

/* Removes a file that nothing was written to. */
void ftr_output_discard(ftr_output *output);

/* Closes and frees, whatever happened before. */
FTR_MUST_USE ftr_status ftr_output_close(ftr_output *output, ftr_failure *failure);

#endif
