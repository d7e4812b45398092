/* Opens the output of a trace. Handles other processes that use the same path, files of earlier
 * runs, and outputs without a journal.
 *
 * A process that needs a path locks the existing file, then its journal. When it holds both locks,
 * it may recover a crashed run and replace the file by a new one. Programs that still read the old
 * file are not affected. If there is no file, only one process can create it. */
#define _GNU_SOURCE
#include "trace_open.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_claim.h"
#include "found_files.h"
#include "index_place.h"
#include "journal_search.h"
#include "output_path.h"
#include "recorder_options.h"
#include "trace_path.h"

#define NAMES_MAX 1000

/* The result of an attempt to claim a path. CLAIM_TAKEN: the path has a file or journal that must
 * not be replaced, so another path is tried. CLAIM_LOST_RACE: another process has created the file
 * at the same time, so the attempt is repeated. CLAIM_FAILED: an error, described in
 * attempt.failure. */
typedef enum claim { CLAIM_OURS, CLAIM_TAKEN, CLAIM_LOST_RACE, CLAIM_FAILED } claim;

/* One attempt to claim a path. */
typedef struct attempt {
    ftr_recorder *rec;
    const char *path; /* resolved */
    const char *journal_directory;
    unsigned *patience; /* remaining ms to wait for the locks of processes that have ended */
    /* the user gave `path`; false: the path is derived, and no file may exist there */
    bool is_asked_for;
    /* descriptor of the existing file, which is locked; -1: there is no file */
    int old;
    int file;             /* the new file */
    bool is_foreign;      /* the path is taken by a file of another user */
    ftr_failure *failure; /* for CLAIM_FAILED */
} attempt;

static void tell_no_journal(ftr_recorder *rec, const char *journal, const char *why)
{
    ftr_recorder_report(
        rec, FTR_SEVERITY_WARNING,
        "no journal at %.300s: %s; the latest transactions are lost if the process is killed",
        journal, why);
}

/* Removes the claimed journal, which contains no data. */
static void drop_journal(ftr_recorder *rec)
{
    ftr_journal_discard(&rec->journal);
    ftr_journal_close(&rec->journal);
}

/* Continues without the locked journal, because of errno. */
static void give_up_journal(ftr_recorder *rec)
{
    char cause[128];
    tell_no_journal(rec, rec->journal.path, strerror_r(errno, cause, sizeof cause));
    drop_journal(rec);
}

static claim fail(const attempt *at, ftr_status status)
{
    at->failure->status = ftr_output_refuse(at->path, status, at->failure);
    return CLAIM_FAILED;
}

/* ---- journals -------------------------------------------------------------------------------- */

/* Closes the old file if it is no longer at the path, because recovery has renamed it. */
static void close_moved_file(attempt *at)
{
    if (at->old < 0 || ftr_file_is_at(at->old, at->path))
        return;
    close(at->old);
    at->old = -1;
}

/* Recovers the run of the locked journal, if there is one. Returns CLAIM_TAKEN if the run cannot be
 * recovered, or belongs to another user. */
static claim clear_journal(attempt *at, const ftr_journal *journal)
{
    switch (ftr_journal_look(journal)) {
    case FTR_JOURNAL_OF_OTHER_USER:
        ftr_recorder_report(at->rec, FTR_SEVERITY_WARNING,
                            "%.300s is the journal of a crashed run of another user",
                            journal->path);
        return CLAIM_TAKEN;
    case FTR_JOURNAL_LEFT_OVER:
        if (!ftr_left_over_recover(at->rec, at->path, journal))
            return CLAIM_TAKEN;
        close_moved_file(at);
        return CLAIM_OURS;
    default:
        return CLAIM_OURS;
    }
}

/* Recovers the runs of journals of this trace at other paths, where this recorder would not create
 * its own journal. */
static claim clear_other_journals(attempt *at)
{
    claim found = CLAIM_OURS;
    char **others = ftr_journal_search(at->path, at->journal_directory);
    for (size_t i = 0; others != NULL && others[i] != NULL && found == CLAIM_OURS; i++) {
        ftr_journal other;
        ftr_status status = ftr_journal_lock(&other, others[i], false, at->patience);
        if (status == FTR_ERR_STATE || status == FTR_ERR_IO)
            found = CLAIM_TAKEN;
        else if (status == FTR_OK && other.fd >= 0)
            found = clear_journal(at, &other);
        ftr_journal_close(&other);
    }
    ftr_journal_search_free(others);
    return found;
}

/* Called if the journal cannot be opened. If the journal exists, it may contain data of an earlier
 * run, so the path must not be used for recording. */
static claim refuse_journal(const attempt *at, const char *path, ftr_status status)
{
    char cause[128];
    int error = errno;
    if (status == FTR_ERR_ARGUMENT) {
        tell_no_journal(at->rec, path, "it is a symbolic link or a special file");
        return CLAIM_OURS;
    }
    const char *why = strerror_r(error, cause, sizeof cause);
    if (access(path, F_OK) == 0) {
        ftr_recorder_report(at->rec, FTR_SEVERITY_WARNING,
                            "%.300s, possibly the journal of a crashed run, cannot be opened: %s",
                            path, why);
        return CLAIM_TAKEN;
    }
    /* If there is no trace yet, creating it fails, too, and the failure is reported there with the
     * directory that is not writable. With a sink, no trace is created. */
    if (at->old >= 0 || at->rec->options.sink != NULL)
        tell_no_journal(at->rec, path, why);
    return CLAIM_OURS;
}

/* Locks the journal of the path and makes sure that it is empty. If no journal can be created,
 * continues without one. */
static claim take_journal(attempt *at)
{
    ftr_journal *journal = &at->rec->journal;
    if (at->journal_directory != NULL && strcmp(at->journal_directory, FTR_JOURNAL_NONE) == 0)
        return CLAIM_OURS;
    char *path = ftr_journal_path(at->path, at->journal_directory);
    claim found = path != NULL ? CLAIM_OURS : fail(at, FTR_ERR_MEMORY);
    while (path != NULL && found == CLAIM_OURS) {
        ftr_status status = ftr_journal_lock(journal, path, true, at->patience);
        if (status == FTR_ERR_STATE) {
            found = CLAIM_TAKEN;
        } else if (status == FTR_ERR_MEMORY) {
            found = fail(at, status);
        } else if (status != FTR_OK) {
            found = refuse_journal(at, path, status);
            break;
        } else {
            ftr_journal_content content = ftr_journal_look(journal);
            if (content == FTR_JOURNAL_EMPTY)
                break;
            if (content == FTR_JOURNAL_FOREIGN) {
                tell_no_journal(at->rec, path, "the existing file is not a journal of this user");
                ftr_journal_close(journal);
                break;
            }
            /* After the recovery, the journal is removed, and a new one is created. */
            found = clear_journal(at, journal);
            ftr_journal_close(journal);
        }
    }
    free(path);
    return found;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Returns whether a trace of this name has further files. Further files can exist without the first
 * file, because the first file is removed if there are more than max_files. */
static bool has_files(const char *path)
{
    size_t count;
    free(ftr_trace_path_list_files(path, &count));
    return count > 0;
}

/* Locks the existing file at the path. A process that has ended may still hold the lock. The id of
 * this process is in the journal of the trace, which can be in several directories. */
static ftr_status claim_old_file(attempt *at)
{
    char *journal = ftr_journal_path(at->path, at->journal_directory);
    ftr_status status = journal != NULL
                            ? ftr_journal_claim(at->path, journal, at->patience, &at->old)
                            : FTR_ERR_MEMORY;
    free(journal);
    if (status != FTR_ERR_STATE)
        return status;
    char **others = ftr_journal_search(at->path, at->journal_directory);
    for (size_t i = 0; others != NULL && others[i] != NULL && status == FTR_ERR_STATE; i++)
        status = ftr_journal_claim(at->path, others[i], at->patience, &at->old);
    ftr_journal_search_free(others);
    return status;
}

static bool is_of_another_user(const char *path)
{
    int error = errno;
    struct stat about;
    bool is_other = lstat(path, &about) == 0 && about.st_uid != geteuid();
    errno = error;
    return is_other;
}

static claim foreign(attempt *at)
{
    at->is_foreign = true;
    return CLAIM_TAKEN;
}

/* Locks the existing file at the path, if it may be replaced. */
static claim take_old_file(attempt *at)
{
    ftr_status status = claim_old_file(at);
    if (status == FTR_ERR_STATE)
        return CLAIM_TAKEN;
    if (status == FTR_ERR_IO && errno == EACCES && is_of_another_user(at->path))
        return foreign(at);
    if (status != FTR_OK)
        return at->is_asked_for ? fail(at, status) : CLAIM_TAKEN;
    if (!at->is_asked_for && (at->old >= 0 || has_files(at->path)))
        return CLAIM_TAKEN;
    return at->old >= 0 && ftr_run_has_written(&at->rec->run, at->old) ? CLAIM_TAKEN : CLAIM_OURS;
}

/* Creates the file. @p old is the replaced file, or NULL. If the old file belongs to the same user,
 * the new file gets its permissions; otherwise the new file gets no more permissions than the old
 * file had. */
static claim create_file(attempt *at, const struct stat *old)
{
    bool is_own = old != NULL && old->st_uid == geteuid();
    mode_t mode = is_own        ? FTR_FILE_MODE_PRIVATE
                  : old != NULL ? old->st_mode & FTR_FILE_MODE
                                : FTR_FILE_MODE;
    ftr_status status = ftr_file_create(at->path, mode, &at->file);
    if (status == FTR_ERR_STATE)
        return CLAIM_LOST_RACE;
    if (status != FTR_OK)
        return fail(at, status);
    if (is_own)
        ftr_file_copy_mode(at->old, at->file);
    return CLAIM_OURS;
}

/* Replaces the existing file. If the directory is not writable, overwrites the file instead. Never
 * overwrites a file of another user, or a file with several names, because another user may have
 * given the file its name at the path. */
static claim replace_file(attempt *at)
{
    struct stat about;
    if (at->old < 0)
        return create_file(at, NULL);
    if (fstat(at->old, &about) != 0)
        return fail(at, FTR_ERR_IO);
    bool is_own = about.st_uid == geteuid() && about.st_nlink == 1;
    if ((about.st_size > 0 || !is_own) && unlink(at->path) == 0) {
        ftr_index_remove(at->path);
        return create_file(at, &about);
    }
    if (!is_own)
        return foreign(at);
    if (about.st_size > 0 && ftruncate(at->old, 0) != 0)
        return fail(at, FTR_ERR_IO);
    if (about.st_size > 0)
        ftr_index_remove(at->path);
    at->file = at->old;
    at->old = -1;
    return CLAIM_OURS;
}

/* Claims the path, or releases all partial claims. */
static claim claim_path(attempt *at)
{
    bool has_file = at->rec->options.sink == NULL;
    claim found;
    do {
        at->old = -1;
        at->file = -1;
        found = has_file ? take_old_file(at) : CLAIM_OURS;
        if (found == CLAIM_OURS)
            found = clear_other_journals(at);
        if (found == CLAIM_OURS)
            found = take_journal(at);
        if (found == CLAIM_OURS && has_file && !ftr_left_over_remove_files(at->rec, at->path))
            found = CLAIM_TAKEN;
        if (found == CLAIM_OURS && has_file)
            found = replace_file(at);
        if (at->old >= 0)
            close(at->old);
        if (found != CLAIM_OURS)
            drop_journal(at->rec);
    } while (found == CLAIM_LOST_RACE);
    return found;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Opens a pipe, a terminal or a descriptor. */
static ftr_status open_special(ftr_recorder *rec, const char *path, bool is_descriptor)
{
    ftr_failure failure = {0};
    int fd = ftr_special_file_open(path, is_descriptor);
    if (fd >= 0)
        return ftr_output_use_file(&rec->output, path, fd);
    ftr_status status = ftr_output_refuse(path, FTR_ERR_IO, &failure);
    ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s", failure.message);
    return status;
}

bool ftr_trace_may_start_later(const ftr_recorder *rec)
{
    const ftr_recorder_options *options = &rec->options;
    return options->threads && rec->output.is_regular && options->mode == FTR_MODE_FILE &&
           options->summary == NULL;
}

/* Starts the locked, empty journal of the recorder. */
static ftr_status start_locked_journal(const attempt *at)
{
    ftr_recorder *rec = at->rec;
    return ftr_arena_start_journal(&rec->arena, &rec->journal, at->path, &rec->options,
                                   ftr_options_blocks(rec));
}

/* Starts an incomplete journal, if this is possible and the writer thread will complete it. */
static bool start_incomplete_journal(const attempt *at)
{
    ftr_recorder *rec = at->rec;
    return ftr_trace_may_start_later(rec) && ftr_journal_may_complete_later(&rec->journal) &&
           ftr_arena_start_journal(&rec->arena, &rec->journal, at->path, &rec->options, 0) ==
               FTR_OK;
}

/* Starts an empty journal at @p path. Returns false if this is not possible. */
static bool start_journal_at(const attempt *at, const char *path)
{
    ftr_recorder *rec = at->rec;
    if (!path[0] || ftr_journal_lock(&rec->journal, path, true, at->patience) != FTR_OK)
        return false;
    if (rec->output.fd >= 0)
        ftr_file_copy_mode(rec->output.fd, rec->journal.fd);
    bool is_empty = ftr_journal_look(&rec->journal) == FTR_JOURNAL_EMPTY;
    if (is_empty && start_locked_journal(at) == FTR_OK)
        return true;
    if (is_empty)
        ftr_journal_discard(&rec->journal);
    ftr_journal_close(&rec->journal);
    return false;
}

/* Starts the journal in a local directory instead of @p refused, because the file system there
 * cannot allocate space: a mapped file without space would end the simulation with SIGBUS. */
static void start_journal_elsewhere(const attempt *at, const char *refused)
{
    bool is_started = false;
    char *path = NULL;
    for (size_t i = 0; !is_started; i++) {
        free(path);
        path = ftr_journal_path_elsewhere(at->path, i);
        if (path == NULL)
            break;
        is_started = start_journal_at(at, path);
    }
    if (is_started)
        ftr_recorder_report(at->rec, FTR_SEVERITY_NOTE,
                            "the file system cannot allocate space for %.300s: the journal is "
                            "%.300s",
                            refused, path);
    else
        tell_no_journal(at->rec, refused,
                        "its file system cannot allocate space, and $TMPDIR and /dev/shm offer "
                        "none");
    free(path);
}

/* Starts the journal that @p at has claimed. */
static void start_journal(const attempt *at)
{
    ftr_recorder *rec = at->rec;
    if (start_locked_journal(at) == FTR_OK)
        return;
    char *refused = ftr_journal_cannot_allocate(errno) ? strdup(rec->journal.path) : NULL;
    if (refused == NULL) {
        give_up_journal(rec);
        return;
    }
    drop_journal(rec);
    start_journal_elsewhere(at, refused);
    free(refused);
}

/* Opens the output that @p at has claimed. */
static ftr_status use_claim(const attempt *at)
{
    ftr_recorder *rec = at->rec;
    ftr_output *output = &rec->output;
    ftr_status status = FTR_OK;
    if (rec->options.sink != NULL)
        ftr_output_use_sink(output, at->path, rec->options.sink);
    else
        status = ftr_output_use_file(output, at->path, at->file);
    if (status != FTR_OK) {
        drop_journal(rec);
        return status;
    }
    if (rec->journal.fd < 0)
        return FTR_OK;
    if (output->fd >= 0)
        ftr_file_copy_mode(output->fd, rec->journal.fd);
    start_journal(at);
    return FTR_OK;
}

/* ---- the usual case: a new trace ------------------------------------------------------------- */

/* Sets @p absolute to the absolute form of @p path. Returns false if the path is too long, or has
 * empty parts or parts such as "..", so that the form would not be unique. */
static bool make_absolute(const char *path, char absolute[PATH_MAX])
{
    size_t length = 0;
    if (path[0] != '/') {
        if (getcwd(absolute, PATH_MAX) == NULL || absolute[0] != '/')
            return false;
        length = strlen(absolute);
        absolute[length++] = '/';
    }
    const size_t size = strlen(path) + 1;
    if (size > PATH_MAX - length)
        return false;
    memcpy(absolute + length, path, size);
    for (const char *at = absolute; *at != '\0';) {
        const size_t part = strcspn(++at, "/");
        if (part == 0 || strncmp(at, "..", part) == 0)
            return false;
        at += part;
    }
    return true;
}

/* Returns whether a journal of this trace is in another directory than the trace. */
static bool has_other_journals(const char *path)
{
    char **others = ftr_journal_search(path, NULL);
    const bool has_others = others != NULL;
    ftr_journal_search_free(others);
    return has_others;
}

/* Creates a trace and its journal, if neither exists and no symbolic link leads to them. The
 * general way makes ten times as many system calls. The journal is created first: a process that
 * finds it locked does not touch the trace, and if it exists already, this function has nothing to
 * undo. Further files of an earlier run, whose first file was removed, stay; only a recorder that
 * itself writes several files removes them. Returns false if the general way must be used. */
static bool open_new(ftr_recorder *rec, const char *path, const char *directory, ftr_status *status)
{
    char absolute[PATH_MAX];
    struct stat of_journal;
    struct stat of_trace;
    unsigned patience = 0;
    ftr_failure failure = {0};
    attempt at = {.rec = rec,
                  .path = absolute,
                  .patience = &patience,
                  .old = -1,
                  .file = -1,
                  .failure = &failure};
    if (rec->options.sink != NULL || rec->options.max_files || directory != NULL ||
        !make_absolute(path, absolute) || has_other_journals(absolute))
        return false;
    char *journal = ftr_journal_path(absolute, NULL);
    const int fd =
        journal != NULL ? ftr_file_create_plain(journal, FTR_FILE_MODE, &of_journal) : -1;
    if (fd >= 0)
        at.file = ftr_file_create_plain(absolute, FTR_FILE_MODE, &of_trace);
    if (at.file < 0) {
        if (fd >= 0) {
            ftr_file_remove(fd, journal);
            close(fd);
        }
        free(journal);
        return false;
    }
    ftr_journal_use(&rec->journal, journal, fd, &of_journal);
    *status = ftr_output_use_new_file(&rec->output, absolute, at.file, &of_trace);
    if (*status != FTR_OK)
        drop_journal(rec);
    else if (!start_incomplete_journal(&at))
        start_journal(&at);
    return true;
}

/* Claims @p path, or the first unused name derived from it. @p foreign describes an object of
 * another user at @p path, because of which the path cannot be claimed; NULL: there is none. */
static ftr_status open_somewhere(ftr_recorder *rec, const char *path, const char *directory,
                                 const char *foreign)
{
    ftr_failure failure = {.status = FTR_ERR_IO};
    char *other = NULL;
    unsigned patience = FTR_DEAD_LOCK_PATIENCE;
    attempt at = {.rec = rec,
                  .path = path,
                  .journal_directory = directory,
                  .patience = &patience,
                  .is_asked_for = true,
                  .failure = &failure};
    claim found = foreign != NULL ? CLAIM_TAKEN : claim_path(&at);
    if (at.is_foreign)
        foreign = "a file";
    for (unsigned try = 1; found == CLAIM_TAKEN && try < NAMES_MAX; try++) {
        free(other);
        other = ftr_trace_path_of_process(path, (long)getpid(), try);
        if (other == NULL)
            return FTR_ERR_MEMORY;
        at.path = other;
        at.is_asked_for = false;
        found = claim_path(&at);
    }
    if (other != NULL && found == CLAIM_OURS && foreign != NULL)
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s is %s of another user: recording to %.300s", path, foreign,
                            other);
    else if (other != NULL && found == CLAIM_OURS)
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "%.300s belongs to another run: recording to %.300s", path, other);
    ftr_status status = found == CLAIM_OURS ? use_claim(&at) : failure.status;
    if (found != CLAIM_OURS && status != FTR_ERR_MEMORY)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s%.300s",
                            failure.message[0] ? failure.message : "no unused name was found for ",
                            failure.message[0] ? "" : path);
    free(other);
    return status;
}

static ftr_status refuse_link(ftr_recorder *rec, const char *path, const char *link)
{
    ftr_recorder_report(rec, FTR_SEVERITY_ERROR,
                        "%.300s: cannot be opened for recording: the symbolic link %.300s on the "
                        "way belongs to another user",
                        path, link);
    return FTR_ERR_IO;
}

/* Opens @p path, to which no link of another user leads. */
static ftr_status open_trusted(ftr_recorder *rec, const char *path, const char *directory)
{
    char *resolved = NULL;
    bool is_descriptor;
    if (path != NULL && *path == '\0')
        /* An empty path names no file, and is refused. A journal would have the name `.journal`,
         * which another process could have locked for the same reason. */
        return open_somewhere(rec, path, rec->options.sink != NULL ? directory : FTR_JOURNAL_NONE,
                              NULL);
    ftr_status status = ftr_trace_path_resolve(path, &resolved, &is_descriptor);
    if (status != FTR_OK)
        return status;
    const bool is_special = !is_descriptor && ftr_special_file_exists(resolved);
    const bool has_sink = rec->options.sink != NULL;
    if (!has_sink && is_special && ftr_special_file_is_foreign(resolved))
        status = open_somewhere(rec, resolved, directory, "a FIFO, a device or a folder");
    else if (!has_sink && (is_descriptor || is_special))
        status = open_special(rec, is_descriptor ? path : resolved, is_descriptor);
    else
        status = open_somewhere(rec, resolved, directory, NULL);
    free(resolved);
    return status;
}

/* Returns the directory for the journal, or FTR_JOURNAL_NONE if another user's link leads to it.
 * @param[out] real memory for the absolute path: the program may change its working directory */
static const char *trusted_directory(ftr_recorder *rec, char *real)
{
    const char *directory = rec->options.journal_directory;
    if (directory == NULL || strcmp(directory, FTR_JOURNAL_NONE) == 0)
        return directory;
    char *link = ftr_foreign_link_find(directory);
    if (link != NULL)
        tell_no_journal(rec, directory, "a symbolic link on the way belongs to another user");
    const char *trusted = link != NULL                        ? FTR_JOURNAL_NONE
                          : realpath(directory, real) != NULL ? real
                                                              : directory;
    free(link);
    return trusted;
}

ftr_status ftr_trace_open(ftr_recorder *rec, const char *path)
{
    char real[PATH_MAX];
    rec->journal.fd = -1;
    if (path == NULL) {
        ftr_output_use_sink(&rec->output, NULL, rec->options.sink);
        return FTR_OK;
    }
    ftr_status status = FTR_ERR_MEMORY;
    const char *directory = trusted_directory(rec, real);
    if (open_new(rec, path, directory, &status))
        return status;
    char *link = ftr_foreign_link_find(path);
    if (link == NULL)
        return open_trusted(rec, path, directory);
    char *name = ftr_trace_path_with_real_folder(path);
    if (name != NULL)
        status = strcmp(link, path) == 0 ? open_somewhere(rec, name, directory, "a symbolic link")
                                         : refuse_link(rec, path, link);
    free(name);
    free(link);
    return status;
}
