/* Finds the journals of a trace, including those of earlier runs. */
#ifndef FTR_JOURNAL_SEARCH_H
#define FTR_JOURNAL_SEARCH_H

#include "journal.h"

/* The bytes at the start of a journal that identify its trace. */
typedef struct ftr_journal_owner {
    uint32_t pid;
    uint32_t file;      /* the number of the trace file that the process was writing */
    uint32_t moved_try; /* see ftr_journal_header; 0 if the journal is of another version */
    bool is_readable;   /* the file is a journal of this version */
} ftr_journal_owner;

/* Reads the owner of the journal open at @p fd. If the file is not a journal of this version, sets
 * `is_readable` to false, and `file` to 1. */
void ftr_journal_read_owner(int fd, ftr_journal_owner *owner);

/* Stores @p moved_try as ftr_journal_header.moved_try in the journal open at @p fd.
 * @return FTR_OK; FTR_ERR_IO */
FTR_MUST_USE ftr_status ftr_journal_write_try(int fd, uint32_t moved_try);

/* Returns the journals that may contain transactions of the trace at @p trace, a path of
 * ftr_trace_path_resolve(), except the journal at the path of ftr_journal_path(). These are
 * - the journal beside the trace, if @p directory is not NULL;
 * - journals in $TMPDIR and /dev/shm (ftr_journal_path_elsewhere());
 * - journals in @p directory that were made for another path of the trace. These journals are
 *   recognised by the inode number of the trace or, if no journal contains this number, by the
 *   content of the trace.
 * @return malloc'ed list of malloc'ed paths that ends with NULL; NULL: there are none */
char **ftr_journal_search(const char *trace, const char *directory);
void ftr_journal_search_free(char **found);

#endif
