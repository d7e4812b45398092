/* Reads runs of summaries, and keeps those that were read last. A join of several tables by run
 * reads each run once. */
#include "summary_set.h"

#include "growing_array.h"
#include "utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of runs that stay in memory without users. */
#define IDLE_RUNS 4u

ftr_sql_summaries *ftr_sql_summaries_create(void)
{
    ftr_sql_summaries *set = calloc(1, sizeof *set);
    if (set != NULL && ftr_summary_index_create(&set->index) != FTR_OK) {
        free(set);
        return NULL;
    }
    if (set != NULL)
        set->references = 1;
    return set;
}

static void forget(ftr_sql_summaries *set, size_t at)
{
    ftr_sql_run *run = set->kept[at];
    set->kept[at] = set->kept[--set->kept_count];
    ftr_run_record_release(&run->record);
    ftr_link_names_release(&run->links);
    free(run);
}

static void forget_all(ftr_sql_summaries *set)
{
    while (set->kept_count > 0)
        forget(set, set->kept_count - 1);
}

void ftr_sql_summaries_release(ftr_sql_summaries *set)
{
    if (set == NULL || --set->references > 0)
        return;
    forget_all(set);
    free(set->kept);
    ftr_summary_index_destroy(set->index);
    free(set);
}

int ftr_sql_summaries_add(ftr_sql_summaries *set, const char *path, char **error)
{
    ftr_summary_problem problem;
    errno = 0;
    const ftr_status status = ftr_summary_index_add_file(set->index, path, &problem);
    if (status == FTR_OK)
        return SQLITE_OK;
    if (status == FTR_ERR_FORMAT)
        *error = sqlite3_mprintf("ftr: %s: byte %llu: %s", path, (unsigned long long)problem.offset,
                                 problem.message);
    else
        *error = sqlite3_mprintf("ftr: %s: %s", path,
                                 status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return status == FTR_ERR_MEMORY ? SQLITE_NOMEM : SQLITE_CANTOPEN;
}

void ftr_sql_summaries_settle(ftr_sql_summaries *set)
{
    forget_all(set);
    set->knows_scale = false;
    set->count = ftr_summary_index_settle(set->index);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Replaces bytes that are not UTF-8 by U+FFFD.
 * @param[out] is_changed set if the text was changed
 * @return false if out of memory */
static bool repair(ftr_figure_text *text, bool *is_changed)
{
    if (ftr_utf8_is_valid((const uint8_t *)text->bytes, text->size))
        return true;
    uint8_t *repaired = malloc(text->size * 3 + 1);
    if (repaired == NULL)
        return false;
    text->size = ftr_utf8_repair((const uint8_t *)text->bytes, text->size, repaired);
    repaired[text->size] = '\0';
    free(text->bytes);
    text->bytes = (char *)repaired;
    *is_changed = true;
    return true;
}

static int compare_generators(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_generator_figures *)a)->name,
                                   &((const ftr_generator_figures *)b)->name);
}

static int compare_streams(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_stream_figures *)a)->name,
                                   &((const ftr_stream_figures *)b)->name);
}

static bool repair_generators(ftr_stream_figures *stream)
{
    bool is_changed = false;
    bool ignored = false;
    bool ok = repair(&stream->kind, &ignored);
    for (size_t i = 0; i < stream->generator_count && ok; i++) {
        ftr_generator_figures *generator = &stream->generators[i];
        ok = repair(&generator->name, &is_changed);
        for (unsigned k = 0; k < generator->time_count && ok; k++)
            ok = repair(&generator->times[k].name, &ignored);
    }
    if (is_changed && ok)
        qsort(stream->generators, stream->generator_count, sizeof *stream->generators,
              compare_generators);
    return ok;
}

/* Makes all names UTF-8, so that the order of the names in the record is the order of the texts
 * that SQLite receives. @return false if out of memory */
static bool repair_names(ftr_run_record *run)
{
    bool is_changed = false;
    bool ok = true;
    for (size_t i = 0; i < run->stream_count && ok; i++)
        ok = repair(&run->streams[i].name, &is_changed) && repair_generators(&run->streams[i]);
    if (is_changed && ok)
        qsort(run->streams, run->stream_count, sizeof *run->streams, compare_streams);
    return ok;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int fail_reading(ftr_status status, const char *path, uint64_t offset, char **error)
{
    if (status == FTR_ERR_MEMORY)
        return SQLITE_NOMEM;
    if (status == FTR_ERR_IO) {
        *error = sqlite3_mprintf("ftr: %s: %s", path, strerror(errno));
        return SQLITE_IOERR;
    }
    *error = sqlite3_mprintf("ftr: %s: byte %llu: the record of a run is damaged, or the file was "
                             "changed after it was opened",
                             path, (unsigned long long)offset);
    return SQLITE_CORRUPT;
}

static int read_run(ftr_sql_summaries *set, size_t number, ftr_sql_run **read, char **error)
{
    const char *path = "the summary";
    uint64_t offset = 0;
    if (!ftr_array_grow(&set->kept, &set->kept_capacity, set->kept_count, sizeof(ftr_sql_run *)))
        return SQLITE_NOMEM;
    ftr_sql_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return SQLITE_NOMEM;
    errno = 0;
    const ftr_status status =
        ftr_summary_index_read(set->index, number, &run->record, &path, &offset);
    if (status != FTR_OK) {
        free(run);
        return fail_reading(status, path, offset, error);
    }
    run->number = number;
    run->summary = path;
    set->reads++;
    set->kept[set->kept_count++] = run;
    if (!repair_names(&run->record) || !ftr_run_record_links(&run->record, &run->links)) {
        forget(set, set->kept_count - 1);
        return SQLITE_NOMEM;
    }
    *read = run;
    return SQLITE_OK;
}

int ftr_sql_run_acquire(ftr_sql_summaries *set, size_t number, ftr_sql_run **run, char **error)
{
    int result = SQLITE_OK;
    ftr_sql_run *found = NULL;
    for (size_t i = 0; i < set->kept_count && found == NULL; i++)
        if (set->kept[i]->number == number)
            found = set->kept[i];
    if (found == NULL)
        result = read_run(set, number, &found, error);
    if (result != SQLITE_OK)
        return result;
    found->users++;
    *run = found;
    return SQLITE_OK;
}

void ftr_sql_run_release(ftr_sql_summaries *set, ftr_sql_run *run)
{
    if (--run->users > 0)
        return;
    run->idle_since = ++set->moment;
    size_t idle = 0;
    size_t oldest = set->kept_count;
    for (size_t i = 0; i < set->kept_count; i++) {
        if (set->kept[i]->users > 0)
            continue;
        idle++;
        if (oldest == set->kept_count || set->kept[i]->idle_since < set->kept[oldest]->idle_since)
            oldest = i;
    }
    if (idle > IDLE_RUNS)
        forget(set, oldest);
}

/* ---- time scales ----------------------------------------------------------------------------- */

static int read_scales(ftr_sql_summaries *set, bool *is_known, char **error)
{
    *is_known = false;
    set->has_mixed_scales = false;
    for (size_t i = 0; i < set->count && !set->has_mixed_scales; i++) {
        ftr_sql_run *run;
        const int result = ftr_sql_run_acquire(set, i, &run, error);
        if (result != SQLITE_OK)
            return result;
        if (run->record.stream_count > 0) { /* a run without a file has no time scale */
            set->has_mixed_scales = *is_known && run->record.time_scale != set->scale;
            if (set->has_mixed_scales)
                set->other_scale = run->record.time_scale;
            else
                set->scale = run->record.time_scale;
            *is_known = true;
        }
        ftr_sql_run_release(set, run);
    }
    return SQLITE_OK;
}

int ftr_sql_summaries_scale(ftr_sql_summaries *set, int *scale, char **error)
{
    bool is_known = true;
    if (!set->knows_scale) {
        const int result = read_scales(set, &is_known, error);
        if (result != SQLITE_OK)
            return result;
        set->knows_scale = is_known;
    }
    if (!is_known) {
        *error = sqlite3_mprintf("no run has a stream: give the time scale as second argument");
        return SQLITE_ERROR;
    }
    if (set->has_mixed_scales) {
        *error = sqlite3_mprintf("the runs have different time scales (%d and %d): give one as "
                                 "second argument, or use the columns in seconds",
                                 set->scale, set->other_scale);
        return SQLITE_ERROR;
    }
    *scale = set->scale;
    return SQLITE_OK;
}
