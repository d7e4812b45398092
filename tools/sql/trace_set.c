/* The open files of a connection: the files that cursors use, and a few more that stay open for the
 * next query. */
#include "trace_set.h"

#include "growing_array.h"
#include "sql_value.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDLE_TRACES = 2,       /* maximum number of traces that stay open without users */
    FINDINGS_REPORTED = 10 /* maximum number of findings that are reported for a file */
};
#define DEFAULT_MEMORY ((size_t)96 << 20)

/* ---- the collection -------------------------------------------------------------------------- */

ftr_sql_context *ftr_sql_context_create(sqlite3 *db)
{
    ftr_sql_context *context = calloc(1, sizeof *context);
    if (context != NULL) {
        context->db = db;
        context->references = 1;
        context->memory = DEFAULT_MEMORY;
    }
    return context;
}

static void close_trace(ftr_sql_trace *trace)
{
    ftr_reader_close(trace->reader);
    trace->reader = NULL;
    ftr_link_names_release(&trace->links);
    trace->knows_links = false;
    ftr_id_positions_release(&trace->positions);
    ftr_relation_index_release(&trace->relations);
    trace->knows_undefined = false;
    free(trace->streams);
    free(trace->generators);
    trace->streams = trace->generators = NULL;
    trace->stream_capacity = trace->generator_capacity = 0;
}

void ftr_sql_context_release(void *released)
{
    ftr_sql_context *context = released;
    if (--context->references > 0)
        return;
    for (size_t i = 0; i < context->count; i++) {
        close_trace(context->traces[i]);
        free(context->traces[i]->path);
        free(context->traces[i]);
    }
    free(context->traces);
    ftr_sql_set_release(&context->opened);
    ftr_sql_summaries_release(context->summaries);
    ftr_table_names_release(&context->tables);
    ftr_names_release(&context->names);
    free(context);
}

static ftr_sql_trace *trace_of_path(ftr_sql_context *context, const char *path)
{
    for (size_t i = 0; i < context->count; i++)
        if (strcmp(context->traces[i]->path, path) == 0)
            return context->traces[i];
    if (!ftr_array_grow(&context->traces, &context->capacity, context->count,
                        sizeof(ftr_sql_trace *)))
        return NULL;
    ftr_sql_trace *trace = calloc(1, sizeof *trace);
    char *copy = strdup(path);
    if (trace == NULL || copy == NULL) {
        free(trace);
        free(copy);
        return NULL;
    }
    trace->path = copy;
    trace->context = context;
    context->traces[context->count++] = trace;
    return trace;
}

/* ---- sets ------------------------------------------------------------------------------------ */

int ftr_sql_set_add_file(ftr_sql_context *context, ftr_sql_set *set, const char *path)
{
    ftr_sql_trace *trace = trace_of_path(context, path);
    if (trace == NULL ||
        !ftr_array_grow(&set->traces, &set->capacity, set->count, sizeof(ftr_sql_trace *)))
        return SQLITE_NOMEM;
    struct stat status;
    if (stat(path, &status) == 0)
        set->bytes += (uint64_t)status.st_size;
    set->traces[set->count++] = trace;
    return SQLITE_OK;
}

/* A set to which files are added. */
typedef struct growing_set {
    ftr_sql_context *context;
    ftr_sql_set *set;
} growing_set;

static int add_path(void *user, const char *path, char **error)
{
    const growing_set *to = user;
    (void)error;
    return ftr_sql_set_add_file(to->context, to->set, path);
}

int ftr_sql_expand(const char *pattern, ftr_sql_take_path *take, void *user, char **error)
{
    struct stat status;
    if (stat(pattern, &status) == 0)
        return take(user, pattern, error);
    const int cause = errno;
    if (strpbrk(pattern, "*?[") == NULL) {
        *error = sqlite3_mprintf("ftr: %s: %s", pattern, strerror(cause));
        return SQLITE_CANTOPEN;
    }
    glob_t found;
    const int outcome = glob(pattern, GLOB_TILDE, NULL, &found);
    if (outcome == GLOB_NOSPACE)
        return SQLITE_NOMEM;
    if (outcome != 0) {
        *error = sqlite3_mprintf("ftr: no file matches '%s'", pattern);
        return SQLITE_CANTOPEN;
    }
    int result = SQLITE_OK;
    for (size_t i = 0; i < found.gl_pathc && result == SQLITE_OK; i++)
        result = take(user, found.gl_pathv[i], error);
    globfree(&found);
    return result;
}

int ftr_sql_set_add(ftr_sql_context *context, ftr_sql_set *set, const char *pattern, char **error)
{
    growing_set to = {context, set};
    return ftr_sql_expand(pattern, add_path, &to, error);
}

int ftr_sql_set_copy(ftr_sql_set *set, const ftr_sql_set *from)
{
    if (from->count == 0)
        return SQLITE_OK;
    if (!ftr_array_fit(&set->traces, &set->capacity, set->count + from->count,
                       sizeof(ftr_sql_trace *)))
        return SQLITE_NOMEM;
    memcpy(set->traces + set->count, from->traces, from->count * sizeof(ftr_sql_trace *));
    set->count += from->count;
    set->bytes += from->bytes;
    return SQLITE_OK;
}

void ftr_sql_set_release(ftr_sql_set *set)
{
    free(set->traces);
    *set = (ftr_sql_set){0};
}

/* ---- opening --------------------------------------------------------------------------------- */

static void report(void *user, const ftr_finding *finding)
{
    ftr_sql_trace *trace = user;
    if (finding->concerns != FTR_FOR_ALL)
        return; /* the finding concerns only viewers; `ftr check` reports such findings */
    if (finding->severity == FTR_SEVERITY_ERROR)
        trace->errors++;
    else
        trace->warnings++;
    if (trace->reported >= FINDINGS_REPORTED)
        return;
    trace->reported++;
    ftr_sql_context *context = trace->context;
    if (context->finding != NULL)
        context->finding(context->finding_user, trace->path, finding);
    else
        sqlite3_log(SQLITE_WARNING, "ftr: %s: byte %llu: %s", trace->path,
                    (unsigned long long)finding->offset, finding->message);
}

static bool is_changed(const ftr_sql_trace *trace)
{
    struct stat now;
    const struct stat *then = &trace->opened;
    return stat(trace->path, &now) != 0 || now.st_dev != then->st_dev ||
           now.st_ino != then->st_ino || now.st_size != then->st_size ||
           now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
}

static void measure(ftr_sql_trace *trace)
{
    ftr_chunk_info chunk;
    trace->volume = (ftr_sql_volume){.file = (double)trace->opened.st_size};
    for (size_t i = 0; ftr_reader_get_chunk(trace->reader, i, &chunk); i++)
        if (chunk.kind == FTR_CHUNK_TRANSACTIONS)
            trace->volume.transactions += (double)chunk.bytes_expanded;
        else if (chunk.kind == FTR_CHUNK_RELATIONS)
            trace->volume.relations += (double)chunk.bytes_expanded;
}

static int open_trace(ftr_sql_trace *trace, char **error)
{
    const ftr_reader_options options = {
        .size = sizeof options,
        .memory = trace->context->memory / 3,
        .numbering = trace->context->numbering,
        .finding = report,
        .finding_user = trace,
    };
    trace->errors = trace->warnings = 0;
    if (stat(trace->path, &trace->opened) != 0) {
        *error = sqlite3_mprintf("ftr: %s: %s", trace->path, strerror(errno));
        return SQLITE_CANTOPEN;
    }
    if (!S_ISREG(trace->opened.st_mode)) {
        *error = sqlite3_mprintf("ftr: %s: not a regular file", trace->path);
        return SQLITE_CANTOPEN;
    }
    errno = 0;
    const ftr_status status = ftr_reader_open(trace->path, &options, &trace->reader);
    if (status != FTR_OK) {
        const char *cause = status == FTR_ERR_IO       ? strerror(errno)
                            : status == FTR_ERR_FORMAT ? "not an FTR file"
                            : status == FTR_ERR_LIMIT
                                ? "its index exceeds the memory budget; raise --memory"
                                : ftr_status_text(status);
        *error = sqlite3_mprintf("ftr: %s: %s", trace->path, cause);
        return status == FTR_ERR_MEMORY ? SQLITE_NOMEM : SQLITE_CANTOPEN;
    }
    ftr_file_info info;
    ftr_reader_get_info(trace->reader, &info);
    trace->time_scale = info.time_scale;
    trace->ticks_per_second = info.time_scale < 0 ? pow(10, -info.time_scale) : 0;
    trace->seconds_per_tick = info.time_scale < 0 ? 0 : pow(10, info.time_scale);
    measure(trace);
    return SQLITE_OK;
}

int ftr_sql_trace_acquire(ftr_sql_trace *trace, char **error)
{
    if (trace->reader != NULL && trace->users == 0 && is_changed(trace))
        close_trace(trace);
    if (trace->reader == NULL) {
        const int result = open_trace(trace, error);
        if (result != SQLITE_OK)
            return result;
    }
    trace->users++;
    return SQLITE_OK;
}

void ftr_sql_trace_release(ftr_sql_trace *trace)
{
    ftr_sql_context *context = trace->context;
    if (--trace->users > 0)
        return;
    trace->idle_since = ++context->moment;
    size_t idle = 0;
    ftr_sql_trace *oldest = trace;
    for (size_t i = 0; i < context->count; i++) {
        ftr_sql_trace *other = context->traces[i];
        if (other->reader == NULL || other->users > 0)
            continue;
        idle++;
        if (other->idle_since < oldest->idle_since)
            oldest = other;
    }
    if (idle > IDLE_TRACES)
        close_trace(oldest);
}

ftr_sql_volume ftr_sql_set_volume(const ftr_sql_set *set)
{
    ftr_sql_volume sum = {0};
    char *error = NULL;
    if (set->count > 0 && set->traces[0]->volume.file == 0) {
        if (ftr_sql_trace_acquire(set->traces[0], &error) == SQLITE_OK)
            ftr_sql_trace_release(set->traces[0]);
        sqlite3_free(error); /* ignored here: reading the table reports the error again */
    }
    for (size_t i = 0; i < set->count; i++) {
        sum.file += set->traces[i]->volume.file;
        sum.transactions += set->traces[i]->volume.transactions;
        sum.relations += set->traces[i]->volume.relations;
    }
    if (sum.file == 0) /* nothing is known: the volume of a trace of about 1 MB is assumed */
        return (ftr_sql_volume){1e6, 2e6, 2e5};
    const double factor = (double)set->bytes / sum.file;
    return (ftr_sql_volume){(double)set->bytes, sum.transactions * factor, sum.relations * factor};
}

/* ---- properties of a trace ------------------------------------------------------------------- */

static const ftr_name *keep_name(ftr_sql_trace *trace, const ftr_name ***known, size_t *capacity,
                                 uint32_t index, ftr_view view)
{
    if (!ftr_array_reach(known, capacity, index, sizeof(ftr_name *)))
        return NULL;
    if ((*known)[index] == NULL)
        (*known)[index] = ftr_sql_intern(&trace->context->names, view);
    return (*known)[index];
}

const ftr_name *ftr_sql_stream_name(ftr_sql_trace *trace, const ftr_stream_info *stream)
{
    if (stream->index < trace->stream_capacity && trace->streams[stream->index] != NULL)
        return trace->streams[stream->index];
    return keep_name(trace, &trace->streams, &trace->stream_capacity, stream->index, stream->name);
}

const ftr_name *ftr_sql_generator_name(ftr_sql_trace *trace, const ftr_generator_info *generator)
{
    if (generator->index < trace->generator_capacity && trace->generators[generator->index] != NULL)
        return trace->generators[generator->index];
    return keep_name(trace, &trace->generators, &trace->generator_capacity, generator->index,
                     generator->name);
}

int ftr_sql_result_link(ftr_sql_trace *trace, sqlite3_context *result, ftr_sql_link_part part,
                        const ftr_stream_info *stream)
{
    if (!trace->knows_links) {
        trace->moves++;
        if (ftr_run_links_read(trace->reader, &trace->links) != FTR_OK)
            return SQLITE_NOMEM;
        trace->knows_links = true;
    }
    const ftr_view text = part == FTR_SQL_LABEL ? ftr_link_label(&trace->links, stream->name)
                          : part == FTR_SQL_TARGET
                              ? ftr_link_target(&trace->links, stream->name)
                              : ftr_link_initiator(&trace->links, stream->name);
    if (text.size > 0)
        ftr_sql_result_view(result, text);
    return SQLITE_OK;
}

int ftr_sql_common_scale(ftr_sql_context *context, int *scale, char **error)
{
    if (context->summaries != NULL)
        return ftr_sql_summaries_scale(context->summaries, scale, error);
    for (size_t i = 0; i < context->count; i++) {
        ftr_sql_trace *trace = context->traces[i];
        const int result = ftr_sql_trace_acquire(trace, error);
        if (result != SQLITE_OK)
            return result;
        ftr_sql_trace_release(trace);
        if (i > 0 && trace->time_scale != *scale) {
            *error = sqlite3_mprintf("the traces have different time scales (%d and %d): give one "
                                     "as second argument, or use the columns in seconds",
                                     *scale, trace->time_scale);
            return SQLITE_ERROR;
        }
        *scale = trace->time_scale;
    }
    if (context->count > 0)
        return SQLITE_OK;
    *error = sqlite3_mprintf("no trace is open: give the time scale as second argument");
    return SQLITE_ERROR;
}
