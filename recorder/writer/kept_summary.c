/* Writes the file of the summary, and the state of the summary in the journal. Other source files
 * compute the figures. */
#define _GNU_SOURCE
#include "kept_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "cbor_reader.h"
#include "run_collector.h"
#include "encoder.h"
#include "output_path.h"
#include "journal_state.h"
#include "retained_blocks.h"
#include "run_observer.h"
#include "summary_file.h"
#include "trace_path.h"

/* Maximum number of further names that are tried for the file if other runs already have files with
 * these names. */
#define NAMES_MAX 1000u
#define LOOK_EVERY_NS UINT64_C(2000000000)

struct ftr_kept_summary {
    ftr_run_observer observer;
    char *path;
    uint64_t written;    /* number of transactions in the file */
    uint64_t written_at; /* ns */
    bool has_failed;     /* a failure was reported; later failures are not reported */
    bool is_in_file;     /* the last attempt to write the file succeeded */
    bool is_only_file;   /* the trace goes to a callback */
    bool includes_open;  /* the figures contain the open transactions */
    ftr_cbor_writer state;
    /* with several threads: the time up to which the previous pass has read all records */
    uint64_t until;
};

/* ---- the file -------------------------------------------------------------------------------- */

static void report_failure(ftr_recorder *rec, ftr_status status, int error)
{
    if (status != FTR_OK && !rec->summary->has_failed)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%.300s: the summary cannot be written: %s",
                            rec->summary->path,
                            status != FTR_ERR_IO ? ftr_status_text(status)
                            : error == ELOOP ? "a symbolic link on the way belongs to another user"
                                             : strerror(error));
    rec->summary->has_failed |= status != FTR_OK;
}

/* Returns the first unused name for this process, for a @p path that is the link of another user,
 * and reports this name. malloc'ed, or NULL. */
static char *other_name(const ftr_recorder *rec, const char *path)
{
    struct stat about;
    char *name = ftr_trace_path_with_real_folder(path);
    char *other = NULL;
    for (unsigned try = 1; name != NULL && (other == NULL || lstat(other, &about) == 0); try++) {
        free(other);
        other = ftr_trace_path_of_process(name, (long)getpid(), try);
        if (other == NULL)
            break;
    }
    free(name);
    if (other != NULL)
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s is a symbolic link of another user: the summary is %.300s",
                            path, other);
    return other;
}

/* Returns the path of the summary, malloc'ed or NULL. The path is absolute, because the program may
 * change its working directory later. A link of this user or of root is followed. If another user's
 * link is a folder on the way, writing the file fails. */
static char *path_of(const ftr_recorder *rec, const char *summary, const char *path)
{
    char *resolved = NULL;
    if (path != NULL && rec->output.has_sink && rec->output.path != NULL &&
        strcmp(summary, path) == 0)
        return strdup(rec->output.path);
    char *link = ftr_foreign_link_find(summary);
    if (link != NULL)
        resolved = strcmp(link, summary) == 0 ? other_name(rec, summary) : strdup(summary);
    else if (ftr_trace_path_resolve(summary, &resolved, NULL) != FTR_OK)
        resolved = NULL;
    free(link);
    return resolved;
}

static bool set_text(ftr_figure_text *text, const char *value)
{
    return value == NULL || ftr_figure_text_set(text, value, strlen(value));
}

/* Returns the name of the run. If there is a trace, this is the name of the trace, as in a summary
 * that is made from the trace. */
static const char *name_of_run(const ftr_recorder *rec)
{
    const bool has_trace = !rec->output.has_sink && rec->output.path != NULL;
    return has_trace ? rec->output.path : rec->summary->path;
}

/* Stores the paths of the run's files, for the case that the process is killed. */
static bool set_places(const ftr_recorder *rec, ftr_run_record *run)
{
    return set_text(&run->places.journal, rec->journal.header != NULL ? rec->journal.path : NULL) &&
           set_text(&run->places.trace, rec->output.has_sink ? NULL : rec->output.path) &&
           set_text(&run->places.summary, rec->summary->path);
}

/* Makes the record of a run that has not recorded anything yet. */
static ftr_status make_first_record(const ftr_recorder *rec, ftr_run_record *run)
{
    ftr_run_attribute *id = calloc(1, sizeof *id);
    ftr_status status =
        id != NULL ? ftr_run_record_of_missing(name_of_run(rec), FTR_RUN_UNFINISHED, "", run)
                   : FTR_ERR_MEMORY;
    if (status != FTR_OK) {
        free(id);
        return status;
    }
    run->attributes = id;
    run->attribute_count = rec->run.id[0] != '\0' ? 1 : 0;
    if (set_text(&id->name, "id") && set_text(&id->value, rec->run.id) && set_places(rec, run) &&
        ftr_run_record_identify(run, 1)) {
        if (run->attribute_count == 0) {
            free(id->name.bytes);
            free(id->value.bytes);
        }
        return FTR_OK;
    }
    run->attribute_count = 1;
    ftr_run_record_release(run);
    return FTR_ERR_MEMORY;
}

/* Returns whether the file at @p path may be replaced, because it is the summary of a killed run
 * that this run has recovered into another file. Both runs have the same journal. */
static bool is_recovered(const ftr_recorder *rec, const char *path)
{
    return rec->has_recovered_run && rec->journal.path != NULL &&
           ftr_summary_is_of_journal(path, rec->journal.path);
}

/* Creates the file of the summary under the requested name. If another run has a file with this
 * name, uses a further name. */
static ftr_status create_file(ftr_recorder *rec, const ftr_run_record *first, unsigned try)
{
    struct ftr_kept_summary *summary = rec->summary;
    ftr_journal_header *header = rec->journal.header;
    if (header != NULL && strlen(summary->path) < sizeof header->summary)
        memcpy(header->summary, summary->path, strlen(summary->path) + 1);
    return ftr_summary_write_run(first, summary->path, FTR_ATOMIC_FILE_MODE,
                                 try == 0 && is_recovered(rec, summary->path));
}

/* Writes the record of a run that has recorded nothing yet to the file, and the path of the summary
 * to the journal, so that recovery finds the summary of a killed run. Never replaces the summary of
 * another run. A file that cannot be written is reported, and is no error of this function. */
static ftr_status begin_file(ftr_recorder *rec)
{
    struct ftr_kept_summary *summary = rec->summary;
    char *asked = summary->path;
    ftr_status status = FTR_ERR_IO;
    if (rec->journal.header != NULL)
        ftr_journal_state_reserve(&rec->journal);
    errno = EEXIST;
    for (unsigned try = 0; try <= NAMES_MAX && status == FTR_ERR_IO && errno == EEXIST; try++) {
        ftr_run_record first;
        char *path = try > 0 ? ftr_trace_path_of_process(asked, (long)getpid(), try) : asked;
        if (summary->path != asked)
            free(summary->path);
        summary->path = path;
        status = path != NULL ? make_first_record(rec, &first) : FTR_ERR_MEMORY;
        if (status != FTR_OK)
            break;
        errno = 0;
        status = create_file(rec, &first, try);
        const int error = errno;
        ftr_run_record_release(&first);
        errno = error;
    }
    if (summary->path == NULL) {
        summary->path = asked;
        return FTR_ERR_MEMORY;
    }
    report_failure(rec, status, errno);
    if (summary->path != asked) {
        if (status == FTR_OK)
            ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                                "%.300s is the file of another run and stays: the summary of this "
                                "run is written to %.300s; '%%h-%%p-%%t' in FTR_SUMMARY gives each "
                                "run a name of its own",
                                asked, summary->path);
        free(asked);
    }
    return FTR_OK;
}

ftr_status ftr_kept_summary_open(ftr_recorder *rec, const char *path)
{
    const char *asked = rec->options.summary;
    rec->options.summary = NULL;
    if (asked == NULL || asked[0] == '\0')
        return FTR_OK;
    struct ftr_kept_summary *summary = calloc(1, sizeof *summary);
    if (summary == NULL)
        return FTR_ERR_MEMORY;
    rec->summary = summary;
    ftr_cbor_writer_init_growing(&summary->state, 0);
    summary->path = path_of(rec, asked, path);
    summary->is_only_file = rec->output.has_sink;
    summary->written_at = ftr_recorder_now(rec);
    ftr_status status = summary->path == NULL
                            ? FTR_ERR_MEMORY
                            : ftr_run_observer_init(&summary->observer, &rec->definitions);
    if (status == FTR_OK)
        rec->encoder.observer = &summary->observer;
    return status == FTR_OK ? begin_file(rec) : status;
}

void ftr_kept_summary_release(ftr_recorder *rec)
{
    if (rec->summary == NULL)
        return;
    rec->encoder.observer = NULL;
    ftr_run_observer_release(&rec->summary->observer);
    ftr_cbor_writer_free(&rec->summary->state);
    free(rec->summary->path);
    free(rec->summary);
    rec->summary = NULL;
}

/* Makes a settled copy of @p of. In the copy, no transaction waits for later transactions. The
 * caller owns @p copy, also after an error, if it is not NULL. */
static ftr_status settled_copy(const ftr_run_collector *of, ftr_run_collector **copy)
{
    ftr_cbor_writer w;
    ftr_cbor_reader r;
    ftr_status status = ftr_run_collector_create(FTR_COLLECT_AS_RECORDED, copy);
    if (status != FTR_OK)
        return status;
    ftr_cbor_writer_init_growing(&w, 0);
    ftr_collector_state_put(of, &w);
    status = w.status;
    if (status == FTR_OK) {
        ftr_cbor_reader_init(&r, w.begin, ftr_cbor_writer_size(&w));
        status = ftr_collector_state_get(*copy, &r);
    }
    ftr_cbor_writer_free(&w);
    if (status == FTR_OK)
        status = ftr_run_collector_settle(*copy);
    return status;
}

static uint64_t losses_of(ftr_recorder *rec)
{
    uint64_t losses = 0;
    for (uint32_t i = 0; i < FTR_LOSSES_MAX; i++)
        losses += ftr_losses_total(&rec->losses, i / FTR_LOSS_CAUSES,
                                   (ftr_loss_cause)(i % FTR_LOSS_CAUSES))
                      .count;
    return losses;
}

/* @param is_end the observer is not needed any more */
static ftr_status make_record(ftr_recorder *rec, ftr_run_state state, bool is_end,
                              ftr_run_record *run)
{
    ftr_run_observer *observer = &rec->summary->observer;
    ftr_run_collector *settled = NULL;
    const int scale = rec->options.time_scale;
    const ftr_run_source source = {.file = name_of_run(rec),
                                   .part = 1,
                                   .state = state,
                                   .time_scale = scale == FTR_TIME_SCALE_SECOND ? 0 : scale};
    ftr_status status = ftr_run_observer_add_streams(observer);
    if (status == FTR_OK && is_end) {
        settled = observer->collector;
        observer->collector = NULL;
        status = ftr_run_collector_settle(settled);
    } else if (status == FTR_OK) {
        status = settled_copy(observer->collector, &settled);
    }
    if (status == FTR_OK) {
        ftr_run_collector_count_losses(settled, losses_of(rec));
        status = ftr_run_collector_record(settled, &source, run);
    }
    ftr_run_collector_destroy(settled);
    if (status == FTR_OK && state == FTR_RUN_UNFINISHED && !set_places(rec, run)) {
        ftr_run_record_release(run);
        status = FTR_ERR_MEMORY;
    }
    return status;
}

static void write_summary(ftr_recorder *rec, ftr_run_state state, bool is_end)
{
    struct ftr_kept_summary *summary = rec->summary;
    ftr_run_record run;
    errno = 0;
    ftr_status status = make_record(rec, state, is_end, &run);
    int error = errno;
    if (status == FTR_OK) {
        status = ftr_summary_write_run(&run, summary->path, FTR_ATOMIC_FILE_MODE, true);
        error = errno;
        ftr_run_record_release(&run);
    }
    summary->written = summary->observer.transactions;
    summary->written_at = ftr_recorder_now(rec);
    summary->is_in_file = status == FTR_OK;
    report_failure(rec, status, error);
}

void ftr_kept_summary_look(ftr_recorder *rec)
{
    const struct ftr_kept_summary *summary = rec->summary;
    if (summary == NULL || !atomic_load(&rec->window.scale_known) ||
        summary->observer.transactions == summary->written ||
        ftr_recorder_now(rec) - summary->written_at < LOOK_EVERY_NS)
        return;
    write_summary(rec, FTR_RUN_UNFINISHED, false);
}

void ftr_kept_summary_end(ftr_recorder *rec)
{
    if (rec->summary != NULL)
        write_summary(
            rec, rec->ending.failure.status == FTR_OK ? FTR_RUN_SOUND : FTR_RUN_UNFINISHED, true);
}

bool ftr_kept_summary_needs_journal(const ftr_recorder *rec)
{
    return rec->summary != NULL && !rec->summary->is_in_file && rec->summary->is_only_file &&
           rec->journal.header != NULL && rec->journal.header->state != FTR_JOURNAL_STATE_LOST;
}

/* ---- several threads ------------------------------------------------------------------------- */

void ftr_kept_summary_begin_pass(ftr_recorder *rec)
{
    if (rec->summary != NULL)
        ftr_run_collector_hold(rec->summary->observer.collector);
}

void ftr_kept_summary_end_pass(ftr_recorder *rec, uint64_t until)
{
    if (rec->summary == NULL)
        return;
    ftr_run_observer *observer = &rec->summary->observer;
    /* In the previous pass, a thread may have recorded between the reading of its records and the
     * reading of the records of another thread. Only after this pass, all transactions up to the
     * time of the previous pass have been read. */
    const ftr_status status = ftr_run_collector_let_go(observer->collector, rec->summary->until);
    if (until != UINT64_MAX)
        rec->summary->until = until;
    if (observer->status == FTR_OK)
        observer->status = status;
}

/* ---- the state in the journal ---------------------------------------------------------------- */

static ftr_status save(ftr_recorder *rec)
{
    struct ftr_kept_summary *summary = rec->summary;
    ftr_cbor_writer *w = &summary->state;
    ftr_cbor_writer_reset(w);
    ftr_cbor_put_bool(w, summary->includes_open);
    ftr_cbor_put_uint(w, rec->encoder.latest);
    ftr_read_positions_put(rec, w);
    ftr_collector_state_put(summary->observer.collector, w);
    if (w->status != FTR_OK)
        return w->status;
    const size_t size = ftr_cbor_writer_size(w);
    const ftr_status status = ftr_recorder_make_state_room(rec, size);
    return status == FTR_OK ? ftr_journal_state_write(&rec->journal, w->begin, size) : status;
}

/* Stores the number of transactions that are no longer in the journal, for a journal that has no
 * state of the summary. */
static void count_lost(ftr_recorder *rec)
{
    rec->journal.header->summary_lost =
        rec->summary->observer.transactions -
        ftr_read_positions_count(rec, ftr_encoder_oldest_ticket(&rec->encoder));
}

/* Saves the state of the summary in the journal. If this fails, no state is saved any more, and
 * lost transactions are only counted. Has no effect without a summary or a journal, or after a
 * failure of the recorder. */
static void save_if_kept(ftr_recorder *rec)
{
    const ftr_journal_header *header = rec->journal.header;
    /* After a failure, no block is released, so all records that were not written stay in the
     * journal. */
    if (rec->summary == NULL || header == NULL || (ftr_recorder_valve(rec) & FTR_VALVE_FAILED))
        return;
    if (header->state == FTR_JOURNAL_STATE_LOST) {
        count_lost(rec);
        return;
    }
    errno = 0;
    const ftr_status status = save(rec);
    if (status == FTR_OK)
        return;
    const char *why = status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status);
    count_lost(rec);
    ftr_journal_state_give_up(&rec->journal);
    ftr_recorder_report(
        rec, FTR_SEVERITY_WARNING,
        "%.300s: the figures of transactions are lost, only their number is kept, if "
        "the process is killed: its journal cannot be written: %s",
        rec->summary->path, why);
}

void ftr_kept_summary_release_blocks(ftr_recorder *rec)
{
    if (ftr_retained_can_release(rec))
        save_if_kept(rec);
    ftr_retained_release(rec);
}

void ftr_kept_summary_save_open(ftr_recorder *rec)
{
    if (rec->summary == NULL)
        return;
    rec->summary->includes_open = true;
    save_if_kept(rec);
}
