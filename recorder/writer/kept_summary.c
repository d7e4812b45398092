/* Owns the file of the summary. Does not know its content. */
#define _GNU_SOURCE
#include "kept_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "run_observer.h"
#include "summary_file.h"

#define LOOK_EVERY_NS UINT64_C(2000000000)

struct ftr_kept_summary {
    ftr_run_observer observer;
    char *path;
    uint64_t written;    /* transactions in the file */
    uint64_t written_at; /* ns */
    bool has_failed;     /* said once */
};

ftr_status ftr_kept_summary_open(ftr_recorder *rec)
{
    const char *path = rec->options.summary;
    rec->options.summary = NULL;
    if (path == NULL || path[0] == '\0')
        return FTR_OK;
    struct ftr_kept_summary *summary = calloc(1, sizeof *summary);
    if (summary == NULL)
        return FTR_ERR_MEMORY;
    summary->path = strdup(path);
    summary->written_at = ftr_recorder_now(rec);
    ftr_status status = summary->path == NULL
                            ? FTR_ERR_MEMORY
                            : ftr_run_observer_init(&summary->observer, &rec->definitions);
    rec->summary = summary;
    if (status == FTR_OK)
        rec->encoder.observer = &summary->observer;
    return status;
}

void ftr_kept_summary_release(ftr_recorder *rec)
{
    if (rec->summary == NULL)
        return;
    rec->encoder.observer = NULL;
    ftr_run_observer_release(&rec->summary->observer);
    free(rec->summary->path);
    free(rec->summary);
    rec->summary = NULL;
}

static ftr_status make_record(ftr_recorder *rec, ftr_run_state state, ftr_run_record *run)
{
    ftr_run_observer *observer = &rec->summary->observer;
    const int scale = rec->options.time_scale;
    /* The trace has the name, if there is one: a summary of the trace is the same. */
    const char *file = rec->output.path != NULL ? rec->output.path : rec->summary->path;
    uint64_t losses = 0;
    for (uint32_t i = 0; i < FTR_LOSSES_MAX; i++)
        losses += ftr_losses_total(&rec->losses, i / FTR_LOSS_CAUSES,
                                   (ftr_loss_cause)(i % FTR_LOSS_CAUSES))
                      .count;
    ftr_status status = ftr_run_observer_add_streams(observer);
    if (status == FTR_OK && state == FTR_RUN_SOUND)
        status = ftr_run_collector_settle(observer->collector);
    ftr_run_collector_count_losses(observer->collector, losses);
    if (status == FTR_OK)
        status = ftr_run_collector_record(observer->collector, file, 1, state,
                                          scale == FTR_TIME_SCALE_SECOND ? 0 : scale, run);
    return status;
}

static ftr_status write_index(ftr_summary_index *index, const char *path)
{
    ftr_atomic_file file;
    (void)ftr_summary_index_settle(index);
    ftr_status status = ftr_atomic_file_create(&file, path, FTR_ATOMIC_FILE_MODE);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_write(index, ftr_atomic_file_write, &file);
    if (status == FTR_OK)
        return ftr_atomic_file_commit(&file, true);
    ftr_atomic_file_discard(&file);
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
    if (status == FTR_OK)
        status = write_index(index, summary->path);
    const int error = errno;
    ftr_summary_index_destroy(index);
    summary->written = summary->observer.transactions;
    summary->written_at = ftr_recorder_now(rec);
    if (status != FTR_OK && !summary->has_failed)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%.300s: the summary cannot be written: %s",
                            summary->path,
                            status == FTR_ERR_IO ? strerror(error) : ftr_status_text(status));
    summary->has_failed |= status != FTR_OK;
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
