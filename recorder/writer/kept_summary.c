/* Owns the file of the summary, and the state of the summary in the journal. Other files compute
 * the figures. */
#define _GNU_SOURCE
#include "kept_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector_state.h"
#include "journal_state.h"
#include "read_positions.h"
#include "run_observer.h"
#include "summary_file.h"
#include "trace_path.h"

#define LOOK_EVERY_NS UINT64_C(2000000000)

struct ftr_kept_summary {
    ftr_run_observer observer;
    char *path;
    uint64_t written;    /* number of transactions in the file */
    uint64_t written_at; /* ns */
    bool has_failed;     /* a failure was reported; later ones are not */
    bool includes_open;  /* the figures contain the open transactions */
    ftr_cbor_writer state;
    uint64_t until; /* with several threads: the time up to which the previous pass has read */
};

/* ---- the file ---------------------------------------------------------------------------------
 */

static void report_failure(ftr_recorder *rec, ftr_status status, int error)
{
    if (status != FTR_OK && !rec->summary->has_failed)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%.300s: the summary cannot be written: %s",
                            rec->summary->path,
                            status == FTR_ERR_IO ? strerror(error) : ftr_status_text(status));
    rec->summary->has_failed |= status != FTR_OK;
}

/* Returns the path of the summary, malloc'ed. The path is absolute, because the program may change
 * its working directory later. */
static char *path_of(const ftr_recorder *rec, const char *summary, const char *path)
{
    char *resolved = NULL;
    if (path != NULL && rec->output.has_sink && rec->output.path != NULL &&
        strcmp(summary, path) == 0)
        return strdup(rec->output.path);
    return ftr_trace_path_resolve(summary, &resolved, NULL) == FTR_OK ? resolved : strdup(summary);
}

/* Writes an empty summary file, and the path of the summary to the journal, so that a killed run is
 * found. */
static ftr_status begin_file(ftr_recorder *rec)
{
    const char *path = rec->summary->path;
    ftr_summary_index *nothing;
    if (rec->journal.header != NULL && strlen(path) < sizeof rec->journal.header->summary)
        memcpy(rec->journal.header->summary, path, strlen(path) + 1);
    ftr_status status = ftr_summary_index_create(&nothing);
    if (status != FTR_OK)
        return status;
    errno = 0;
    (void)ftr_summary_index_settle(nothing);
    status = ftr_summary_index_replace_file(nothing, path);
    report_failure(rec, status, errno);
    ftr_summary_index_destroy(nothing);
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

/* Makes a settled copy of @p of: in the copy, no transaction waits for later ones. */
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
    if (status != FTR_OK)
        ftr_run_collector_destroy(*copy);
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

static ftr_status make_record(ftr_recorder *rec, ftr_run_state state, ftr_run_record *run)
{
    ftr_run_collector *settled;
    const int scale = rec->options.time_scale;
    /* If there is a trace, the run has the name of the trace, as in a summary that is made from the
     * trace. */
    const char *file = rec->output.path != NULL ? rec->output.path : rec->summary->path;
    ftr_status status = ftr_run_observer_add_streams(&rec->summary->observer);
    if (status == FTR_OK)
        status = settled_copy(rec->summary->observer.collector, &settled);
    if (status != FTR_OK)
        return status;
    ftr_run_collector_count_losses(settled, losses_of(rec));
    status = ftr_run_collector_record(settled, file, 1, state,
                                      scale == FTR_TIME_SCALE_SECOND ? 0 : scale, run);
    ftr_run_collector_destroy(settled);
    return status;
}

static void write_summary(ftr_recorder *rec, ftr_run_state state)
{
    struct ftr_kept_summary *summary = rec->summary;
    ftr_summary_index *index = NULL;
    ftr_run_record run;
    errno = 0;
    ftr_status status = make_record(rec, state, &run);
    if (status == FTR_OK) {
        status = ftr_summary_index_create(&index);
        if (status == FTR_OK)
            status = ftr_summary_index_add_run(index, &run);
        ftr_run_record_release(&run);
    }
    if (status == FTR_OK) {
        (void)ftr_summary_index_settle(index);
        status = ftr_summary_index_replace_file(index, summary->path);
    }
    const int error = errno;
    ftr_summary_index_destroy(index);
    summary->written = summary->observer.transactions;
    summary->written_at = ftr_recorder_now(rec);
    report_failure(rec, status, error);
}

void ftr_kept_summary_look(ftr_recorder *rec)
{
    const struct ftr_kept_summary *summary = rec->summary;
    if (summary == NULL || !atomic_load(&rec->window.scale_known) ||
        summary->observer.transactions == summary->written ||
        ftr_recorder_now(rec) - summary->written_at < LOOK_EVERY_NS)
        return;
    write_summary(rec, FTR_RUN_UNFINISHED);
}

void ftr_kept_summary_end(ftr_recorder *rec)
{
    if (rec->summary != NULL)
        write_summary(rec,
                      rec->ending.failure.status == FTR_OK ? FTR_RUN_SOUND : FTR_RUN_UNFINISHED);
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
    /* A thread may have recorded after its records were read and before those of another thread
     * were read. Only this pass has read all its transactions up to the time of the previous one.
     */
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
    pthread_mutex_lock(&rec->lock);
    const ftr_status status = ftr_journal_state_make_room(&rec->journal, size);
    pthread_mutex_unlock(&rec->lock);
    return status == FTR_OK ? ftr_journal_state_write(&rec->journal, w->begin, size) : status;
}

void ftr_kept_summary_save(ftr_recorder *rec)
{
    const ftr_journal_header *header = rec->journal.header;
    /* After a failure, records that were not written stay in the journal. */
    if (rec->summary == NULL || header == NULL || header->state == FTR_JOURNAL_STATE_LOST ||
        (ftr_recorder_gate(rec) & FTR_GATE_FAILED))
        return;
    errno = 0;
    const ftr_status status = save(rec);
    if (status == FTR_OK)
        return;
    const char *why = status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status);
    ftr_journal_state_give_up(&rec->journal);
    ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                        "%.300s: the summary is incomplete if the process is killed: its journal "
                        "cannot be written: %s",
                        rec->summary->path, why);
}

void ftr_kept_summary_save_open(ftr_recorder *rec)
{
    if (rec->summary == NULL)
        return;
    rec->summary->includes_open = true;
    ftr_kept_summary_save(rec);
}
