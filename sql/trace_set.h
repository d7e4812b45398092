/* The traces that tables are made of, opened when a query needs them. One connection has one
 * collection. */
#ifndef FTR_TRACE_SET_H
#define FTR_TRACE_SET_H

#include "id_positions.h"
#include "interned_names.h"
#include "sqlite_api.h"
#include "table_names.h"

#include <ftr/reader.h>

#include <sys/stat.h>

typedef struct ftr_sql_context ftr_sql_context;

/* One file. Lives as long as the connection. */
typedef struct ftr_sql_trace ftr_sql_trace;
struct ftr_sql_trace {
    char *path;
    ftr_sql_context *context;
    ftr_reader *reader; /* NULL: not open */
    unsigned users;     /* cursors that read it; an open trace without one may be closed */
    uint64_t moves; /* goes up when any cursor of the reader moves: texts of attributes are invalid
                       then */
    uint64_t closed_at; /* moment at which the last user left */
    struct stat opened; /* the file, when it was opened */
    int time_scale;
    double ticks_per_second, seconds_per_tick; /* one of them is exact; the other is 0 */
    const ftr_name **streams, **generators;    /* names by index; NULL: not asked for yet */
    size_t stream_capacity, generator_capacity;
    ftr_id_positions positions;
    uint64_t errors, warnings; /* findings */
    uint64_t reported;         /* findings that were passed on */
};

/* The traces of one table, in order: number 1 is the first. */
typedef struct ftr_sql_set {
    ftr_sql_trace **traces;
    size_t count;
    uint64_t bytes; /* of all files together */
} ftr_sql_set;

struct ftr_sql_context {
    sqlite3 *db;
    unsigned references; /* modules and functions that use it */
    size_t memory;       /* for all readers and indices together, in bytes */
    ftr_reader_numbering numbering;
    ftr_sql_trace **traces;
    size_t count, capacity;
    uint64_t moment;
    ftr_names names;
    ftr_sql_set opened;     /* traces of tables that name none */
    ftr_table_names tables; /* of the generators of these */
    /* Receives each finding of a trace, at most 10 for one file. NULL: sqlite3_log(). */
    void (*finding)(void *user, const char *path, const ftr_finding *finding);
    void *finding_user;
};

/* Adds the traces that @p pattern names: a path, or a glob with `*`, `?` or `[]` if no file has
 * this name.
 * @return SQLITE_OK; SQLITE_CANTOPEN and a message in @p error (sqlite3_malloc) if there is none;
 *         SQLITE_NOMEM */
int ftr_sql_set_add(ftr_sql_context *context, ftr_sql_set *set, const char *pattern, char **error);
/* Adds the traces of another set. SQLITE_OK; SQLITE_NOMEM */
int ftr_sql_set_copy(ftr_sql_set *set, const ftr_sql_set *from);
void ftr_sql_set_release(ftr_sql_set *set);

/* Opens @p trace if it is not open, anew if the file has changed since, and counts a user.
 * @return SQLITE_OK; SQLITE_CANTOPEN or SQLITE_NOMEM and a message in @p error (sqlite3_malloc) */
int ftr_sql_trace_acquire(ftr_sql_trace *trace, char **error);
void ftr_sql_trace_release(ftr_sql_trace *trace);

/* Names for SQLITE_STATIC results. NULL without memory. */
const ftr_name *ftr_sql_stream_name(ftr_sql_trace *trace, const ftr_stream_info *stream);
const ftr_name *ftr_sql_generator_name(ftr_sql_trace *trace, const ftr_generator_info *generator);

/* @p ticks of the trace in seconds. */
static inline double ftr_sql_seconds(const ftr_sql_trace *trace, uint64_t ticks)
{
    return trace->ticks_per_second > 0 ? (double)ticks / trace->ticks_per_second
                                       : (double)ticks * trace->seconds_per_tick;
}

/* The time scale that all traces of the connection share.
 * @return SQLITE_OK; SQLITE_ERROR and a message if they differ, or if there is none */
int ftr_sql_common_scale(ftr_sql_context *context, int *scale, char **error);

ftr_sql_context *ftr_sql_context_create(sqlite3 *db);
/* Gives one reference back, and frees with the last. For SQLite's destructors. */
void ftr_sql_context_release(void *released);

#endif
