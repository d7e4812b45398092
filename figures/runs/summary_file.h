/* Summary files (`.fts`): the records of any number of runs, each once, in order of identity.
 * docs/summary-format.md describes the bytes.
 *
 * For runs in files, an index contains only the locations of the records. Therefore the memory for
 * merging depends on the number of runs and not on their size. Runs that are added one by one are
 * kept in memory, compressed. Adding files and records in any order, and in any grouping, gives the
 * same bytes. If the same run is added more than once, its most complete record is kept. */
#ifndef FTR_SUMMARY_FILE_H
#define FTR_SUMMARY_FILE_H

#include "run_encoding.h"

#include <ftr/status.h>

#include <sys/types.h>

typedef struct ftr_summary_index ftr_summary_index;

/* The first defect of a file. */
typedef struct ftr_summary_problem {
    uint64_t offset; /* offset in the file, in bytes */
    char message[160];
} ftr_summary_problem;

/* Returns whether the file at @p path begins like a summary. */
bool ftr_is_summary(const char *path);

/* @param[out] index owned by the caller until ftr_summary_index_destroy() */
FTR_MUST_USE ftr_status ftr_summary_index_create(ftr_summary_index **index);
void ftr_summary_index_destroy(ftr_summary_index *index);

/* Adds the runs of the file at @p path, which must not change until the index is destroyed.
 * @param[out] problem the first defect, if the file is not a valid summary
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT; FTR_ERR_MEMORY. After an error, no run
 * of the file is added. */
FTR_MUST_USE ftr_status ftr_summary_index_add_file(ftr_summary_index *index, const char *path,
                                                   ftr_summary_problem *problem);

/* Adds a run. The bins of its generators must be sorted. @return FTR_OK; FTR_ERR_MEMORY;
 * FTR_ERR_LIMIT */
FTR_MUST_USE ftr_status ftr_summary_index_add_run(ftr_summary_index *index,
                                                  const ftr_run_record *run);

/* The same for a run whose record was written before. @param run its members except the streams */
FTR_MUST_USE ftr_status ftr_summary_index_add_encoded(ftr_summary_index *index,
                                                      const ftr_run_record *run,
                                                      const ftr_encoded_run *encoded);

/* Returns the number of runs. Until the index is settled, runs are numbered in the order in which
 * they were added. */
size_t ftr_summary_index_count(const ftr_summary_index *index);

/* Returns true if run number @p at has not ended, as far as its file tells. */
bool ftr_summary_index_is_open(const ftr_summary_index *index, size_t at);

/* Removes run number @p at of an index that is not settled. The last run gets the number @p at. */
void ftr_summary_index_remove(ftr_summary_index *index, size_t at);

/* Returns true if the file at @p path is a summary of exactly one run, which has not ended as far
 * as the file tells, and has the journal @p journal. */
bool ftr_summary_is_of_journal(const char *path, const char *journal);

/* Moves the runs of another index to this one. @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_summary_index_move(ftr_summary_index *to, ftr_summary_index *from);

/* Sorts the runs and removes duplicates. @return number of runs */
size_t ftr_summary_index_settle(ftr_summary_index *index);

/* Reads run number @p at.
 * @param[out] run owned by the caller until ftr_run_record_release()
 * @param[out] path,offset location of the record, if it is in a file; otherwise both are untouched
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_summary_index_read(ftr_summary_index *index, size_t at,
                                               ftr_run_record *run, const char **path,
                                               uint64_t *offset);

/* Writes the next bytes of the file. @return number of written bytes, or a negated errno value */
typedef int64_t ftr_summary_write_function(void *user, const void *bytes, size_t size);

/* Writes a settled index as a file. @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT if an
 * input file (ftr_summary_index_add_file()) was changed after it was added; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_summary_index_write(ftr_summary_index *index,
                                                ftr_summary_write_function *write, void *user);

/* Writes a settled index to the file at @p path. The file appears only when it is complete.
 * @param mode permissions of the file, or (mode_t)-1: the permissions of the replaced file, or the
 * default permissions
 * @param replaces false: if the file exists, it stays, and the result is FTR_ERR_IO with EEXIST
 * @return the same values as ftr_summary_index_write() */
FTR_MUST_USE ftr_status ftr_summary_index_write_file(ftr_summary_index *index, const char *path,
                                                     mode_t mode, bool replaces);

/* Writes one run to a file, as ftr_summary_index_write_file(). */
FTR_MUST_USE ftr_status ftr_summary_write_run(const ftr_run_record *run, const char *path,
                                              mode_t mode, bool replaces);

#endif
