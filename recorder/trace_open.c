/* Where a trace goes: other processes at the same path, crashed runs, and places that can have no
 * journal. */
#define _GNU_SOURCE
#include "trace_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ftr/recovery.h>

#define NAMES_MAX 1000

/* @p path with "-PID", and "-N" for every further try, before its suffix. malloc'ed. */
static char *name_with_pid(const char *path, long pid, int try)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    int stem = dot && dot != name ? (int)(dot - path) : (int)strlen(path);
    char *made = NULL;
    int length = try == 1 ? asprintf(&made, "%.*s-%ld%s", stem, path, pid, path + stem)
                          : asprintf(&made, "%.*s-%ld-%d%s", stem, path, pid, try, path + stem);
    return length < 0 ? NULL : made;
}

static bool wants_journal(const ftr_recorder *rec, const char *path)
{
    struct stat about;
    if (rec->options.journal_directory && strcmp(rec->options.journal_directory, "none") == 0)
        return false;
    /* What is no file has nothing that a journal could complete. */
    return stat(path, &about) != 0 || S_ISREG(about.st_mode);
}

static void tell_no_journal(ftr_recorder *rec, const char *journal, int error)
{
    char cause[128];
    ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                        "no journal at %.300s: %s; what is recorded last is lost if the process is "
                        "killed",
                        journal, strerror_r(error, cause, sizeof cause));
}

void ftr_trace_give_up_journal(ftr_recorder *rec)
{
    if (rec->journal.fd < 0)
        return;
    tell_no_journal(rec, rec->journal.path, errno);
    ftr_journal_close(&rec->journal, false);
}

/* A run ended there without closing. Returns whether the path is free now. */
static bool recover_left_over(ftr_recorder *rec, const char *path, const char *journal)
{
    ftr_recovery found;
    char *part = NULL;
    char *out = NULL;
    /* The name has the pid of the run, which only the journal knows. */
    if (asprintf(&part, "%s.recovering", path) < 0)
        return false;
    ftr_status status = ftr_recovery_run(journal, path, part, &found);
    if (status == FTR_OK) {
        out = name_with_pid(path, (long)found.pid, 1);
        for (int try = 2; out && access(out, F_OK) == 0 && try < NAMES_MAX; ++try) {
            free(out);
            out = name_with_pid(path, (long)found.pid, try);
        }
        if (!out || rename(part, out) != 0) {
            status = FTR_ERR_IO;
            snprintf(found.message, sizeof found.message, "%.300s cannot be renamed", part);
            unlink(part);
        }
    }
    if (status == FTR_OK)
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "process %u left %.300s unfinished: recovered to %.300s (%llu "
                            "transactions from its journal, %llu of them still open)",
                            (unsigned)found.pid, path, out, (unsigned long long)found.transactions,
                            (unsigned long long)found.unfinished);
    else
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s is left over from a run that did not end, and could not be "
                            "recovered: %s",
                            journal, found.message);
    free(part);
    free(out);
    return status == FTR_OK;
}

typedef enum place { PLACE_OURS, PLACE_TAKEN, PLACE_HAS_NO_JOURNAL } place;

/* Locks the journal of @p path. PLACE_TAKEN: somebody records there, or what was left over there
 * must stay. */
static place take_place(ftr_recorder *rec, const char *path)
{
    char *journal = ftr_journal_path(path, rec->options.journal_directory);
    if (!journal)
        return PLACE_HAS_NO_JOURNAL;
    place found = PLACE_OURS;
    ftr_status status = ftr_journal_lock(&rec->journal, journal);
    if (status == FTR_ERR_STATE) {
        found = PLACE_TAKEN;
    } else if (status != FTR_OK) {
        /* A directory that cannot be written is told when the trace is opened. */
        if (access(path, W_OK) == 0)
            tell_no_journal(rec, journal, errno);
        found = PLACE_HAS_NO_JOURNAL;
    } else if (ftr_journal_is_left_over(&rec->journal)) {
        /* Recovery takes a lock of its own to see that nobody records. */
        ftr_journal_close(&rec->journal, true);
        bool is_recovered = recover_left_over(rec, path, journal);
        if (is_recovered && (unlink(journal) == 0 || errno == ENOENT))
            found = take_place(rec, path);
        else
            found = PLACE_TAKEN;
    }
    free(journal);
    return found;
}

static ftr_status open_at(ftr_recorder *rec, const char *path, bool with_journal)
{
    ftr_failure failure = {0};
    ftr_status status =
        ftr_output_open(&rec->encoder.chunks.output, path, rec->options.sink, &failure);
    if (status == FTR_ERR_IO)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s", failure.message);
    if (status != FTR_OK || !with_journal)
        return status;
    char *absolute = realpath(path, NULL);
    ftr_status started =
        ftr_journal_start(&rec->journal, absolute ? absolute : path, &rec->options);
    free(absolute);
    if (started != FTR_OK)
        ftr_trace_give_up_journal(rec);
    return FTR_OK;
}

ftr_status ftr_trace_open(ftr_recorder *rec, const char *path)
{
    rec->journal.fd = -1;
    if (rec->options.sink || !wants_journal(rec, path))
        return open_at(rec, path, false);
    place found = take_place(rec, path);
    char *other = NULL;
    for (int try = 1; found == PLACE_TAKEN && try < NAMES_MAX; ++try) {
        free(other);
        other = name_with_pid(path, (long)getpid(), try);
        if (!other)
            return FTR_ERR_MEMORY;
        found = take_place(rec, other);
    }
    if (other)
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE, "%.300s is another run's: recording to %.300s",
                            path, other);
    ftr_status status = open_at(rec, other ? other : path, found == PLACE_OURS);
    if (status != FTR_OK && found == PLACE_OURS)
        ftr_journal_close(&rec->journal, false);
    free(other);
    return status;
}
