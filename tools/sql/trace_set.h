/* The traces from which the tables read. A trace is opened when a query needs it. Each connection
 * has one collection of traces (ftr_sql_context). */
#ifndef FTR_TRACE_SET_H
#define FTR_TRACE_SET_H

#include "id_positions.h"
#include "name_table.h"
#include "relation_index.h"
#include "run_links.h"
#include "sql_value.h"
#include "summary_set.h"
#include "table_names.h"

#include <ftr/reader.h>

#include <sys/stat.h>

/* Each index of a trace may use 1/FTR_SQL_INDEX_SHARE of the memory. */
#define FTR_SQL_INDEX_SHARE 4

typedef struct ftr_sql_context ftr_sql_context;

/* The sizes of the parts of a file, in bytes. The sizes of chunks are those after expansion. */
typedef struct ftr_sql_volume {
    double file, transactions, relations;
} ftr_sql_volume;

/* One file. Lives as long as the connection. */
typedef struct ftr_sql_trace ftr_sql_trace;
struct ftr_sql_trace {
    char *path;
    ftr_sql_context *context;
    ftr_reader *reader; /* NULL: not open */
    /* number of cursors that read the trace; an open trace without users may be closed */
    unsigned users;
    /* incremented when a cursor of the reader moves, because the move invalidates the texts of
     * attributes that other cursors have read */
    uint64_t moves;
    /* the context's `moment` when the last user released the trace; the trace with the lowest value
     * is closed first */
    uint64_t idle_since;
    struct stat opened; /* the status of the file when it was opened, to detect changes */
    int time_scale;
    double ticks_per_second, seconds_per_tick; /* one of them is exact; the other is 0 */
    const ftr_name **streams,
        **generators; /* index: number of the stream or generator; NULL: name not interned yet */
    size_t stream_capacity, generator_capacity;
    ftr_link_names links; /* names of the links of the run */
    bool knows_links;     /* `links` was read */
    ftr_id_positions positions;
    ftr_relation_index relations;
    ftr_sql_volume volume;     /* of the file when it was opened last; all 0: it was never opened */
    bool knows_undefined;      /* the reader knows all generators that are used but not defined */
    uint64_t errors, warnings; /* number of findings that concern all programs */
    uint64_t reported;         /* number of findings passed to the callback */
};

/* The traces of one table. The number of a run is 1 + its index in `traces`. */
typedef struct ftr_sql_set {
    ftr_sql_trace **traces;
    size_t count, capacity;
    uint64_t bytes; /* total size of all files */
} ftr_sql_set;

struct ftr_sql_context {
    sqlite3 *db;
    unsigned references; /* number of modules and functions that use this context */
    size_t memory; /* limit in bytes. For each trace, the reader may use a third of the limit, the
                      index of ids a quarter, and the index of relations another quarter */
    ftr_reader_numbering numbering;
    ftr_sql_trace **traces;
    size_t count, capacity;
    uint64_t moment; /* counts how often the last user released a trace */
    ftr_names names;
    /* Some versions of SQLite (3.40 is one) pass a condition with LIKE or GLOB in the ON clause of
     * a LEFT JOIN to the left table, which must ignore this condition. For such a version,
     * found_misplaced_pattern is set, and a scan uses conditions with LIKE or GLOB only if
     * has_no_outer_join is set. The user of the context sets this member while it knows that no
     * statement contains an outer join. */
    bool seeks_misplaced_pattern, found_misplaced_pattern, has_no_outer_join;
    ftr_sql_set opened;     /* traces that tables without a file argument read */
    ftr_table_names tables; /* names of the tables of the generators in `opened` */
    /* the runs of the opened summaries; NULL: no summary is open. There are never both opened
     * summaries and opened traces. */
    ftr_sql_summaries *summaries;
    /* Called for the first 10 findings of each file that concern all programs. NULL: sqlite3_log().
     */
    void (*finding)(void *user, const char *path, const ftr_finding *finding);
    void *finding_user;
};

/* Adds the traces that match @p pattern: a path, or, if no file has this name, a glob with `*`, `?`
 * or `[]`.
 * @return SQLITE_OK; SQLITE_CANTOPEN and a message in @p error (sqlite3_malloc) if nothing matches;
 *         SQLITE_NOMEM */
int ftr_sql_set_add(ftr_sql_context *context, ftr_sql_set *set, const char *pattern, char **error);

/* Adds the trace at @p path. @return SQLITE_OK; SQLITE_NOMEM */
int ftr_sql_set_add_file(ftr_sql_context *context, ftr_sql_set *set, const char *path);

/* Receives the path of a file. @return a result code of SQLite; on error, a message in @p error */
typedef int ftr_sql_take_path(void *user, const char *path, char **error);

/* Calls @p take with each file that matches @p pattern, as ftr_sql_set_add() understands it. */
int ftr_sql_expand(const char *pattern, ftr_sql_take_path *take, void *user, char **error);
/* Adds the traces of another set. @return SQLITE_OK; SQLITE_NOMEM */
int ftr_sql_set_copy(ftr_sql_set *set, const ftr_sql_set *from);
void ftr_sql_set_release(ftr_sql_set *set);

/* Adds a user of @p trace. Before that, opens the trace if it is not open. Opens it again if the
 * file has changed and the trace has no user.
 * @return SQLITE_OK; SQLITE_CANTOPEN or SQLITE_NOMEM and a message in @p error (sqlite3_malloc) */
int ftr_sql_trace_acquire(ftr_sql_trace *trace, char **error);
void ftr_sql_trace_release(ftr_sql_trace *trace);

/* Returns the volume of all traces of @p set. Opens the first trace if it was never opened. All
 * other traces that were never opened are assumed to have parts in the same proportions as the
 * opened ones. */
ftr_sql_volume ftr_sql_set_volume(const ftr_sql_set *set);

/* Return interned names, which can be SQLITE_STATIC results; NULL if out of memory. */
const ftr_name *ftr_sql_stream_name(ftr_sql_trace *trace, const ftr_stream_info *stream);
const ftr_name *ftr_sql_generator_name(ftr_sql_trace *trace, const ftr_generator_info *generator);

/* What a column states about the TLM link of a stream. */
typedef enum ftr_sql_link_part {
    FTR_SQL_LABEL,
    FTR_SQL_INITIATOR,
    FTR_SQL_TARGET
} ftr_sql_link_part;

/* Sets the result to the label of a stream (link_names.h), which is its name if it has no other
 * one, or to the module at an end of its link; NULL if the module is not known.
 * @return SQLITE_OK; SQLITE_NOMEM */
int ftr_sql_result_link(ftr_sql_trace *trace, sqlite3_context *result, ftr_sql_link_part part,
                        const ftr_stream_info *stream);

/* Converts @p ticks of the trace to seconds. */
static inline double ftr_sql_seconds(const ftr_sql_trace *trace, uint64_t ticks)
{
    return trace->ticks_per_second > 0 ? (double)ticks / trace->ticks_per_second
                                       : (double)ticks * trace->seconds_per_tick;
}

/* Gets the common time scale of all traces that the connection has used so far, or of all runs of
 * the opened summaries.
 * @return SQLITE_OK; SQLITE_ERROR and a message if the time scales differ, or if there are no
 * traces and no runs */
int ftr_sql_common_scale(ftr_sql_context *context, int *scale, char **error);

ftr_sql_context *ftr_sql_context_create(sqlite3 *db);
/* Releases one reference; the last release frees the context. Has the type of SQLite's
 * destructors. */
void ftr_sql_context_release(void *released);

/* Register the parts of the extension with the connection of @p context.
 * @return a result code of SQLite */
/* Registers the module `ftr` and the table-valued functions, and tests how SQLite passes patterns.
 */
int ftr_sql_register_tables(ftr_sql_context *context);
int ftr_sql_register_functions(ftr_sql_context *context);
int ftr_sql_register_percentiles(ftr_sql_context *context);

#endif
