/* The runs of opened summaries. A run is read when a query needs it; the set keeps the runs that
 * cursors use, and a few more. The memory for a run that is not read is about 90 bytes. */
#ifndef FTR_SUMMARY_SET_H
#define FTR_SUMMARY_SET_H

#include "sql_value.h"

#include "summary_file.h"

/* A run in memory. Names of streams, generators and attributes of type TIME are UTF-8 and sorted as
 * SQLite sorts them. */
typedef struct ftr_sql_run {
    ftr_run_record record;
    size_t number;       /* in the order of the set, from 0 */
    const char *summary; /* path of the summary; lives as long as the set */
    ftr_link_names links;
    unsigned users;
    uint64_t idle_since; /* the set's `moment` when the last user released the run */
} ftr_sql_run;

typedef struct ftr_sql_summaries {
    unsigned references;
    ftr_summary_index *index;
    size_t count; /* number of runs */
    ftr_sql_run **kept;
    size_t kept_count, kept_capacity;
    uint64_t moment; /* counts how often the last user released a run */
    uint64_t reads;  /* number of runs that were read from files */
    bool knows_scale, has_mixed_scales;
    int scale, other_scale; /* time scales of the runs, if `knows_scale`; two if they are mixed */
} ftr_sql_summaries;

/* Returns an empty set with one reference; NULL if out of memory. */
ftr_sql_summaries *ftr_sql_summaries_create(void);
void ftr_sql_summaries_release(ftr_sql_summaries *set);

/* Adds the runs of the summary at @p path. Call ftr_sql_summaries_settle() after the last one.
 * @return SQLITE_OK; SQLITE_CANTOPEN or SQLITE_NOMEM and a message in @p error (sqlite3_malloc) */
int ftr_sql_summaries_add(ftr_sql_summaries *set, const char *path, char **error);

/* Sorts the runs by identity, and removes duplicates. No run may be in use. */
void ftr_sql_summaries_settle(ftr_sql_summaries *set);

/* Adds a user of run @p number, which is read if it is not in memory.
 * @return SQLITE_OK; SQLITE_CORRUPT, SQLITE_IOERR or SQLITE_NOMEM and a message in @p error */
int ftr_sql_run_acquire(ftr_sql_summaries *set, size_t number, ftr_sql_run **run, char **error);
void ftr_sql_run_release(ftr_sql_summaries *set, ftr_sql_run *run);

/* Gets the common time scale of all runs that have streams. The first call reads all runs.
 * @return SQLITE_OK; SQLITE_ERROR and a message if the time scales differ or if no run has a
 * stream; another error */
int ftr_sql_summaries_scale(ftr_sql_summaries *set, int *scale, char **error);

#endif
