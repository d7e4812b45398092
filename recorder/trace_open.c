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

#include "trace_path.h"

#define NAMES_MAX 1000
/* The most that ftr_recorder_options.max_files keeps. */
#define FILES_KEPT_MAX 10000

/* @p path with "-PID", and "-N" for every further try. malloc'ed. */
static char *name_with_pid(const char *path, long pid, int try)
{
    return try == 1 ? ftr_trace_path_add(path, "-%ld", pid)
                    : ftr_trace_path_add(path, "-%ld-%d", pid, try);
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

/* A name for what a process left at @p path, that nothing has yet. malloc'ed, or NULL. */
static char *name_for_left_over(const char *path, uint32_t pid)
{
    char *name = name_with_pid(path, (long)pid, 1);
    for (int try = 2; name && access(name, F_OK) == 0 && try < NAMES_MAX; ++try) {
        free(name);
        name = name_with_pid(path, (long)pid, try);
    }
    return name;
}

/* Gives a trace's file another name. Files may be missing: only the newest are kept. */
static bool rename_file(const char *from, const char *path, uint32_t number)
{
    char *name = ftr_trace_path_of_file(path, number);
    bool done = from && name && (rename(from, name) == 0 || errno == ENOENT);
    free(name);
    return done;
}

/* Moves all that a run left to names with its pid; @p part is the file that was recovered. */
static bool move_left_over(const char *path, const char *part, const char *out, uint32_t file)
{
    bool done = true;
    /* Not from 1: the number may be damaged, and only the newest files are kept. */
    uint32_t oldest = file > FILES_KEPT_MAX ? file - FILES_KEPT_MAX : 1;
    for (uint32_t number = oldest; number < file && done; ++number) {
        char *whole = ftr_trace_path_of_file(path, number);
        done = rename_file(whole, out, number);
        free(whole);
    }
    return done && rename_file(part, out, file);
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
        out = name_for_left_over(path, found.pid);
        if (!out || !move_left_over(path, part, out, found.file)) {
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
    if (!path || !wants_journal(rec, path))
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
