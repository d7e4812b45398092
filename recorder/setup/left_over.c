/* Frees the path of a trace for a new run: recovers an earlier run that did not end normally, or
 * removes the further files of a run that ended normally. Decides which files belong to a run, and
 * in which order they may be renamed; recovery.c recovers the trace.
 *
 * If a recovery is killed at any step, the next run repeats the recovery. Therefore the new name is
 * written into the journal before a file gets this name, the recovered file is complete before
 * anything else is renamed, and the journal is removed last. */
#define _GNU_SOURCE
#include "found_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_claim.h"
#include "format_tags.h"
#include "index_place.h"
#include "journal_search.h"
#include "recovery_run.h"
#include "summary_file.h"
#include "trace_path.h"

#define TRIES_MAX 1000

/* A run that did not end normally. */
typedef struct left_over {
    ftr_recorder *rec;
    const char *path; /* path of the trace */
    const ftr_journal *journal;
    ftr_journal_owner owner;
    char *name; /* new name of the run's trace */
    ftr_recovery found;
    bool lacks_trace;
    char *other;   /* new name of a file that was at the path of the trace, or NULL */
    char *summary; /* path of the summary of the run, or NULL */
} left_over;

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Returns whether a trace cannot get the name @p name, because a file or a journal already has this
 * name. */
static bool is_taken(const char *name)
{
    size_t files;
    char *journal = ftr_journal_path(name, NULL);
    free(ftr_trace_path_list_files(name, &files));
    bool taken = exists(name) || files > 0 || (journal != NULL && exists(journal));
    free(journal);
    return taken;
}

/* Returns an unused name with the process id, and sets @p try to the number in this name. The
 * search starts at the number that @p try has before the call. malloc'ed, or NULL. */
static char *free_name(const left_over *run, unsigned *try)
{
    for (; *try < TRIES_MAX; (*try)++) {
        char *name = ftr_trace_path_of_process(run->path, (long)run->owner.pid, *try);
        if (name == NULL || !is_taken(name))
            return name;
        free(name);
    }
    return NULL;
}

/* Chooses a new name for the run, or uses the choice of an interrupted recovery. */
static bool choose_name(left_over *run)
{
    unsigned try = run->owner.moved_try;
    if (try > 0) {
        run->name = ftr_trace_path_of_process(run->path, (long)run->owner.pid, try);
        return run->name != NULL;
    }
    try = 1;
    run->name = free_name(run, &try);
    /* Journals of other versions have other fields at this offset. */
    return run->name != NULL &&
           (!run->owner.is_readable || ftr_journal_write_try(run->journal->fd, try) == FTR_OK);
}

/* Renames file number @p number of the run. The file may be missing, because a run can keep only
 * its newest files, and because an interrupted recovery may already have renamed some files. */
static bool move_file(const left_over *run, uint32_t number)
{
    char *from = ftr_trace_path_of_file(run->path, number);
    char *to = ftr_trace_path_of_file(run->name, number);
    bool moved = from != NULL && to != NULL && (rename(from, to) == 0 || errno == ENOENT);
    if (moved)
        ftr_index_rename(from, to);
    free(from);
    free(to);
    return moved;
}

/* Renames the files of the run with numbers below @p before. */
static bool move_files(const left_over *run, uint32_t before)
{
    size_t count;
    bool moved = before <= 1 || move_file(run, 1);
    uint32_t *numbers = ftr_trace_path_list_files(run->path, &count);
    for (size_t i = 0; i < count && moved; i++) {
        if (numbers[i] < before)
            moved = move_file(run, numbers[i]);
    }
    free(numbers);
    return moved;
}

/* Called if the file at the trace's path is not the recorded one: gives this file an unused
 * name. Returns false if this is not possible. A missing file is no error. */
static bool move_other(left_over *run)
{
    unsigned try = 1;
    char *from = ftr_trace_path_of_file(run->path, run->owner.file);
    char *to = free_name(run, &try);
    bool moved = from != NULL && to != NULL && rename(from, to) == 0;
    bool is_missing = !moved && errno == ENOENT;
    if (moved)
        ftr_index_rename(from, to);
    free(from);
    if (moved)
        run->other = to;
    else
        free(to);
    return moved || is_missing;
}

static void report(const left_over *run)
{
    const ftr_recovery *found = &run->found;
    char lacks[700] = "";
    char lost[200] = "";
    if (found->lost > 0 || found->lost_at_most > 0)
        snprintf(lost, sizeof lost,
                 "; " FTR_NOT_RECOVERED ": %llu transactions are lost, and at most %llu of unknown "
                 "number",
                 (unsigned long long)found->lost, (unsigned long long)found->lost_at_most);
    if (run->lacks_trace && run->other != NULL)
        snprintf(lacks, sizeof lacks,
                 "; the file at its path was another one and was renamed to %.300s, so earlier "
                 "transactions are missing",
                 run->other);
    else if (run->lacks_trace)
        snprintf(lacks, sizeof lacks,
                 "; its file was deleted, so earlier transactions are missing");
    ftr_recorder_report(run->rec, FTR_SEVERITY_WARNING,
                        "process %u left %.300s unfinished: recovered to %.300s (%llu transactions "
                        "from its journal, %llu of them still open)%s%s",
                        (unsigned)found->pid, run->path, run->name,
                        (unsigned long long)found->transactions,
                        (unsigned long long)found->unfinished, lacks, lost);
}

static void report_summary(const left_over *run, const char *name)
{
    ftr_recorder_report(run->rec, FTR_SEVERITY_WARNING,
                        "process %u left %.300s unfinished: the summary of its run is recovered to "
                        "%.300s (%llu transactions from its journal, %llu of them still open)",
                        (unsigned)run->found.pid, run->summary, name,
                        (unsigned long long)run->found.transactions,
                        (unsigned long long)run->found.unfinished);
}

/* Recovers the summary of a run that recorded no trace. The summary gets the new name of the
 * run. */
static ftr_status bring_back_summary(left_over *run)
{
    const ftr_status status = ftr_summary_recover(run->journal->path, run->journal->fd, run->name,
                                                  run->name, &run->found);
    if (status == FTR_OK)
        report_summary(run, run->name);
    return status;
}

/* Returns whether the file of the summary is still the one that the killed run left, and the new
 * run will not write to the path of this file. The recovered summary then replaces it. */
static bool is_left_alone(const left_over *run)
{
    char *own = NULL;
    const char *asked = run->rec->options.summary;
    if (asked == NULL || ftr_trace_path_resolve(asked, &own, NULL) != FTR_OK)
        own = NULL;
    const bool is_asked = asked != NULL && strcmp(own != NULL ? own : asked, run->summary) == 0;
    free(own);
    return !is_asked && ftr_summary_is_of_journal(run->summary, run->journal->path);
}

/* Returns an unused name for the summary, with the process id. malloc'ed, or NULL. */
static char *free_summary_name(const left_over *run)
{
    char *name = NULL;
    for (unsigned try = 1; try < TRIES_MAX && (name == NULL || exists(name)); try++) {
        free(name);
        name = ftr_trace_path_of_process(run->summary, (long)run->owner.pid, try);
        if (name == NULL)
            return NULL;
    }
    return name;
}

/* Recovers the summary of a run that also recorded a trace. The recovered trace contains all
 * transactions. The journal will therefore be removed even if the summary cannot be recovered. */
static void bring_back_beside(left_over *run)
{
    char *name = is_left_alone(run) ? strdup(run->summary) : free_summary_name(run);
    if (name == NULL)
        return;
    if (ftr_summary_recover(run->journal->path, run->journal->fd, run->name, name, &run->found) ==
        FTR_OK)
        report_summary(run, name);
    else
        ftr_recorder_report(run->rec, FTR_SEVERITY_WARNING,
                            "the summary of the run of process %u cannot be recovered: %.300s",
                            (unsigned)run->owner.pid, run->found.message);
    free(name);
}

static ftr_status remove_journal(const left_over *run)
{
    ftr_file_remove(run->journal->fd, run->journal->path);
    /* If the directory is not writable, the journal cannot be removed: it is emptied in any case.
     */
    return ftruncate(run->journal->fd, 0) == 0 ? FTR_OK : FTR_ERR_IO;
}

/* Recovers the run under its new name, and removes its journal. */
static ftr_status bring_back(left_over *run)
{
    run->summary = ftr_summary_recovery_path(run->journal->fd);
    if (run->summary != NULL && strcmp(run->summary, run->path) == 0) {
        const ftr_status recovered = bring_back_summary(run);
        return recovered == FTR_OK ? remove_journal(run) : recovered;
    }

    const ftr_recovery_source source = {.journal = run->journal->path,
                                        .journal_fd = run->journal->fd,
                                        .trace = run->path,
                                        .may_lack_trace = true};
    char *out = ftr_trace_path_of_file(run->name, run->owner.file);
    ftr_status status = FTR_ERR_MEMORY;
    if (out != NULL)
        status = ftr_recovery_run_locked(&source, out, &run->found, &run->lacks_trace);
    free(out);
    if (status != FTR_OK)
        return status;
    bool has_file = run->rec->options.sink == NULL;
    if (has_file && ((run->lacks_trace && !move_other(run)) || !move_files(run, run->owner.file))) {
        snprintf(run->found.message, sizeof run->found.message,
                 "its files cannot be renamed to %.300s", run->name);
        return FTR_ERR_IO;
    }
    report(run);
    if (run->summary != NULL)
        bring_back_beside(run);
    return remove_journal(run);
}

/* Returns the path of a journal for the run's new name, in the directory of the present journal.
 * malloc'ed, or NULL. */
static char *new_journal_path(const left_over *run)
{
    char *beside = ftr_journal_path(run->path, NULL);
    bool is_beside = beside != NULL && strcmp(beside, run->journal->path) == 0;
    char *directory = is_beside ? NULL : strdup(run->journal->path);
    char *slash = directory != NULL ? strrchr(directory, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    char *made = is_beside || slash != NULL ? ftr_journal_path(run->name, directory) : NULL;
    free(beside);
    free(directory);
    return made;
}

/* Called for a run that cannot be recovered: renames the files and the journal of the run. They
 * then do not affect the next run, and a later attempt can still recover the run. */
static bool set_aside(const left_over *run)
{
    char *journal = new_journal_path(run);
    bool has_file = run->rec->options.sink == NULL;
    bool moved = journal != NULL && (!has_file || move_files(run, UINT32_MAX)) &&
                 rename(run->journal->path, journal) == 0;
    if (moved)
        ftr_recorder_report(run->rec, FTR_SEVERITY_WARNING,
                            "%.200s is the journal of a crashed run and cannot be recovered: "
                            "%.300s; the run was renamed to %.200s, with %.200s",
                            run->journal->path, run->found.message, run->name, journal);
    free(journal);
    return moved;
}

bool ftr_left_over_recover(ftr_recorder *rec, const char *path, const ftr_journal *journal)
{
    left_over run = {.rec = rec, .path = path, .journal = journal};
    ftr_journal_read_owner(journal->fd, &run.owner);
    ftr_status status = choose_name(&run) ? bring_back(&run) : FTR_ERR_IO;
    bool is_free = status == FTR_OK;
    rec->has_recovered_run |= is_free;
    if (status == FTR_ERR_FORMAT)
        is_free = set_aside(&run);
    if (!is_free)
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s is the journal of a crashed run and could not be recovered: %s",
                            journal->path,
                            run.found.message[0] ? run.found.message : ftr_status_text(status));
    free(run.name);
    free(run.other);
    free(run.summary);
    return is_free;
}

/* ---- files of a run that ended normally ------------------------------------------------------ */

/* Returns whether the file starts like a trace, or is empty. */
static bool is_trace(int fd)
{
    uint8_t bytes[FTR_FILE_MAGIC_SIZE];
    ssize_t size = pread(fd, bytes, sizeof bytes, 0);
    return size == 0 ||
           (size == (ssize_t)sizeof bytes && memcmp(bytes, FTR_FILE_MAGIC, sizeof bytes) == 0);
}

/* Removes a file if it is a trace. Returns false if a process has locked the file, or if the file
 * belongs to this run. */
static bool remove_file(const ftr_run *run, const char *path, bool *removed)
{
    int fd;
    ftr_status status = ftr_file_claim(path, &fd);
    if (fd < 0)
        return status != FTR_ERR_STATE;
    bool is_free = !ftr_run_has_written(run, fd);
    if (is_free && is_trace(fd) && unlink(path) == 0) {
        *removed = true;
        ftr_index_remove(path);
    }
    close(fd);
    return is_free;
}

bool ftr_left_over_remove_files(ftr_recorder *rec, const char *path)
{
    bool is_free = true;
    bool removed = true;
    unsigned count = 0;
    /* Repeated until nothing more is removed, because a process may have begun its next file in the
     * meantime. */
    while (removed && is_free) {
        size_t files;
        uint32_t *numbers = ftr_trace_path_list_files(path, &files);
        removed = false;
        for (size_t i = 0; i < files && is_free; i++) {
            bool this_one = false;
            char *file = ftr_trace_path_of_file(path, numbers[i]);
            is_free = file != NULL && remove_file(&rec->run, file, &this_one);
            count += this_one;
            removed |= this_one;
            free(file);
        }
        free(numbers);
    }
    if (count)
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "%.300s: %u further files of an earlier run were removed", path, count);
    return is_free;
}
