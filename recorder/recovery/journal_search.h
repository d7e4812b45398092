/* Where the journals of a trace are, those of earlier runs included. */
#ifndef FTR_JOURNAL_SEARCH_H
#define FTR_JOURNAL_SEARCH_H

#include "journal.h"

/* Bytes at the start of a journal that say whose it is. */
typedef struct ftr_journal_owner {
    uint32_t pid;
    uint32_t file;      /* the number of the trace's file that was written */
    uint32_t moved_try; /* see ftr_journal_header; 0 in journals of other versions */
    bool is_readable;   /* it is a journal of this version */
} ftr_journal_owner;

/* Reads whose journal is open at @p fd. */
void ftr_journal_read_owner(int fd, ftr_journal_owner *owner);

/* Writes the choice of ftr_journal_header.moved_try into the journal open at @p fd. */
FTR_MUST_USE ftr_status ftr_journal_write_try(int fd, uint32_t moved_try);

/* The journals that may hold transactions of the trace at @p trace, which is resolved, and are not
 * at the path that ftr_journal_path() gives: beside the trace, if @p directory is another one; in
 * @p directory those whose names were made by other rules or for another path of the trace: known
 * by its file's number, or, if there is none of these, by what it begins with. malloc'ed paths in a
 * malloc'ed list that ends with NULL; NULL if there are none. */
char **ftr_journal_search(const char *trace, const char *directory);
void ftr_journal_search_free(char **found);

#endif
