/* Completes runs that were killed: finds the journal of a run and adds the run from it.
 *
 * The summary of a run that has not ended contains the paths of the run's journal and trace, as the
 * recorder knew them. The folder of the run may have been moved since then. A journal is only used
 * if it belongs to this summary, because a later run can have a journal of the same name. */
#include "run_inputs.h"

#include "command.h"
#include "input_file.h"

#include <ftr/recovery.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096u

/* ---- adding a journal ------------------------------------------------------------------------ */

/* Copies the runs of a temporary file into the index. The caller can then remove the file. */
static ftr_status add_copies(ftr_summary_index *index, const char *path)
{
    ftr_summary_index *from;
    ftr_summary_problem problem;
    ftr_status status = ftr_summary_index_create(&from);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_add_file(from, path, &problem);
    const size_t count = status == FTR_OK ? ftr_summary_index_settle(from) : 0;
    for (size_t i = 0; i < count && status == FTR_OK; i++) {
        ftr_run_record run;
        const char *ignored_path;
        uint64_t ignored_offset;
        status = ftr_summary_index_read(from, i, &run, &ignored_path, &ignored_offset);
        if (status != FTR_OK)
            break;
        status = ftr_summary_index_add_run(index, &run);
        ftr_run_record_release(&run);
    }
    ftr_summary_index_destroy(from);
    return status;
}

/* Writes the summary in the journal to a temporary file, and adds the runs of this file.
 * @param[out] problem set after an error, and if data is lost; otherwise empty
 * @return FTR_OK; FTR_ERR_STATE: the run is still in progress; other errors */
static ftr_status add_journal(ftr_summary_index *index, const char *path, const char *journal,
                              char problem[FTR_MESSAGE_SIZE])
{
    const char *temporary = secure_getenv("TMPDIR");
    char directory[PATH_SIZE], file[PATH_SIZE + 16];
    ftr_recovery found = {0};
    problem[0] = '\0';
    if (temporary == NULL || *temporary == '\0')
        temporary = "/tmp";
    (void)snprintf(directory, sizeof directory, "%.4000s/ftr-XXXXXX", temporary);
    if (mkdtemp(directory) == NULL) {
        (void)snprintf(problem, FTR_MESSAGE_SIZE, "%.300s: %s", directory, strerror(errno));
        return FTR_ERR_IO;
    }
    (void)snprintf(file, sizeof file, "%s/run.fts", directory);
    ftr_status status = ftr_recovery_summarize(journal, file, &found);
    const bool is_recovered = status == FTR_OK;
    if (is_recovered)
        status = add_copies(index, file);
    (void)unlink(file);
    (void)rmdir(directory);
    if (status == FTR_ERR_STATE && is_recovered)
        status = FTR_ERR_FORMAT;
    if (status == FTR_OK)
        ftr_print_error("%s: the run was killed: %" PRIu64 " transactions, %" PRIu64
                        " of them still open, are added from '%s'",
                        path, found.transactions, found.unfinished, journal);
    if (status == FTR_OK && (found.lost > 0 || found.lost_at_most > 0))
        (void)snprintf(problem, FTR_MESSAGE_SIZE,
                       FTR_NOT_RECOVERED ": %" PRIu64 " transactions are lost, and at most %" PRIu64
                                         " others; %.300s",
                       found.lost, found.lost_at_most, found.message);
    else if (status != FTR_OK && status != FTR_ERR_STATE)
        (void)snprintf(problem, FTR_MESSAGE_SIZE, "its journal '%.300s' is not added: %.150s",
                       journal, found.message[0] != '\0' ? found.message : ftr_status_text(status));
    return status;
}

/* ---- finding a journal ----------------------------------------------------------------------- */

/* Returns whether the journal at @p journal belongs to the summary that was recorded at @p summary.
 */
static bool is_of(const char *journal, const char *summary)
{
    char recorded[PATH_SIZE];
    return journal[0] != '\0' &&
           ftr_recovery_get_summary_path(journal, recorded, sizeof recorded) == FTR_OK &&
           strcmp(recorded, summary) == 0;
}

/* Gets the present path of a file that was moved together with its summary. @p recorded and
 * @p summary are the recorded paths of both, and @p now is the present path of the summary. The
 * relative path from the summary to the file was not changed by the move. */
static bool relocate(const char *recorded, const char *summary, const char *now,
                     char moved[PATH_SIZE])
{
    size_t same = 0;
    for (size_t i = 0; recorded[i] != '\0' && recorded[i] == summary[i]; i++)
        if (recorded[i] == '/')
            same = i + 1;
    const char *slash = strrchr(now, '/');
    size_t size =
        (size_t)snprintf(moved, PATH_SIZE, "%.*s", slash != NULL ? (int)(slash - now) + 1 : 0, now);
    for (const char *at = summary + same; same > 0 && (at = strchr(at, '/')) != NULL; at++)
        size += size < PATH_SIZE ? (size_t)snprintf(moved + size, PATH_SIZE - size, "../") : 0;
    if (same == 0 || size >= PATH_SIZE)
        return false;
    size += (size_t)snprintf(moved + size, PATH_SIZE - size, "%s", recorded + same);
    return size < PATH_SIZE;
}

/* Gets the path of the trace that the run may have written: the path of the summary with the suffix
 * .ftr. */
static bool trace_name(const char *path, char name[PATH_SIZE])
{
    static const char end[] = ".fts";
    const size_t length = strlen(path);
    if (length < sizeof end || strcmp(path + length - (sizeof end - 1), end) != 0 ||
        length >= PATH_SIZE)
        return false;
    memcpy(name, path, length - 1);
    memcpy(name + length - 1, "r", 2);
    return true;
}

/* Finds the journal of a run by the paths that its summary contains. @p journal is empty if none
 * was found. */
static void find(const ftr_run_places *places, const char *now, char journal[PATH_SIZE])
{
    char trace[PATH_SIZE];
    const char *summary = places->summary.bytes;
    (void)snprintf(journal, PATH_SIZE, "%s", places->journal.bytes);
    if (is_of(journal, summary))
        return;
    if (places->journal.size > 0 && relocate(places->journal.bytes, summary, now, journal) &&
        is_of(journal, summary))
        return;
    /* ftr_input_find_journal() also searches the FTR_JOURNAL_DIR of this command. */
    const char *const recorded[] = {places->trace.bytes, places->summary.bytes};
    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        if (recorded[i][0] == '\0')
            continue;
        ftr_input_find_journal(recorded[i], journal, PATH_SIZE);
        if (is_of(journal, summary))
            return;
        if (relocate(recorded[i], summary, now, trace)) {
            ftr_input_find_journal(trace, journal, PATH_SIZE);
            if (is_of(journal, summary))
                return;
        }
    }
    journal[0] = '\0';
}

bool ftr_killed_run_find(ftr_summary_index *index, const char *path, int *status)
{
    char journal[PATH_SIZE], trace[PATH_SIZE], problem[FTR_MESSAGE_SIZE];
    ftr_input_find_journal(path, journal, sizeof journal);
    if (journal[0] == '\0' && trace_name(path, trace))
        ftr_input_find_journal(trace, journal, sizeof journal);
    if (journal[0] == '\0')
        return false;
    const bool is_added = add_journal(index, path, journal, problem) == FTR_OK;
    if (problem[0] != '\0')
        ftr_print_error("%s: %s", path, problem);
    *status = problem[0] == '\0' ? FTR_EXIT_OK : FTR_EXIT_FOUND;
    return is_added;
}

/* ---- runs that have not ended ---------------------------------------------------------------- */

/* Adds the run again, with the reason why it could not be completed. */
static int keep_with_problem(ftr_summary_index *index, size_t at, ftr_run_record *run,
                             const char *path, const char *problem)
{
    ftr_print_error("%s: %s: %s", path, run->file.bytes, problem);
    ftr_status status = ftr_figure_text_set(&run->problem, problem, strlen(problem))
                            ? ftr_summary_index_add_run(index, run)
                            : FTR_ERR_MEMORY;
    if (status == FTR_OK) {
        ftr_summary_index_remove(index, at);
        return FTR_EXIT_FOUND;
    }
    ftr_print_error("%s: %s", path, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* Explains why the journal of a killed run cannot be used. */
static void explain_loss(const ftr_run_record *run, char problem[FTR_MESSAGE_SIZE])
{
    if (run->places.journal.size > 0)
        (void)snprintf(problem, FTR_MESSAGE_SIZE,
                       "its journal '%.300s' was not found: only the %" PRIu64
                       " transactions of the last summary are known",
                       run->places.journal.bytes, run->transactions);
    else
        (void)snprintf(problem, FTR_MESSAGE_SIZE,
                       "it recorded without a journal: only the %" PRIu64
                       " transactions of the last summary are known",
                       run->transactions);
}

/* Completes a run from its journal. The run stays as it is if it is still in progress. */
static int complete(ftr_summary_index *index, size_t at, ftr_run_record *run, const char *path)
{
    char journal[PATH_SIZE], problem[FTR_MESSAGE_SIZE];
    find(&run->places, path, journal);
    if (journal[0] != '\0') {
        const ftr_status status = add_journal(index, path, journal, problem);
        if (status == FTR_OK)
            ftr_summary_index_remove(index, at);
        if (status == FTR_OK && problem[0] != '\0') {
            ftr_print_error("%s: %s", path, problem);
            return FTR_EXIT_FOUND;
        }
        if (status == FTR_OK || status == FTR_ERR_STATE)
            return FTR_EXIT_OK;
        return keep_with_problem(index, at, run, path, problem);
    }
    if (run->problem.size > 0)
        return FTR_EXIT_OK; /* an earlier merge has reported the reason */
    explain_loss(run, problem);
    return keep_with_problem(index, at, run, path, problem);
}

int ftr_killed_runs_complete(ftr_summary_index *index, size_t first, const char *path)
{
    int worst = FTR_EXIT_OK;
    for (size_t i = ftr_summary_index_count(index); i > first; i--) {
        ftr_run_record run;
        const char *ignored_path;
        uint64_t ignored_offset;
        if (!ftr_summary_index_is_open(index, i - 1))
            continue;
        const ftr_status status =
            ftr_summary_index_read(index, i - 1, &run, &ignored_path, &ignored_offset);
        if (status != FTR_OK)
            continue; /* the record is damaged; the command that reads it reports the damage */
        const int result =
            run.places.summary.size > 0 ? complete(index, i - 1, &run, path) : FTR_EXIT_OK;
        worst = result > worst ? result : worst;
        ftr_run_record_release(&run);
    }
    return worst;
}

/* ---- one summary ----------------------------------------------------------------------------- */

/* Reads the only run of a summary. @return false if there are several, or the file is not readable
 */
static bool read_only_run(const char *path, ftr_run_record *run)
{
    ftr_summary_index *index;
    ftr_summary_problem problem;
    const char *ignored_path;
    uint64_t ignored_offset;
    if (ftr_summary_index_create(&index) != FTR_OK)
        return false;
    const bool is_read =
        ftr_summary_index_add_file(index, path, &problem) == FTR_OK &&
        ftr_summary_index_settle(index) == 1 &&
        ftr_summary_index_read(index, 0, run, &ignored_path, &ignored_offset) == FTR_OK;
    ftr_summary_index_destroy(index);
    return is_read;
}

void ftr_killed_run_journal(const char *path, char *journal, size_t size)
{
    ftr_run_record run;
    char found[PATH_SIZE] = "";
    if (read_only_run(path, &run)) {
        if (run.state == FTR_RUN_UNFINISHED && run.places.summary.size > 0)
            find(&run.places, path, found);
        ftr_run_record_release(&run);
    }
    (void)snprintf(journal, size, "%s", found);
}

/* Returns the part of a path behind its last slash. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool ftr_killed_run_lacks_summary(const char *path, const char *journal)
{
    char recorded[PATH_SIZE];
    /* The folder may have moved, so only the names are compared. */
    return journal[0] != '\0' && access(path, F_OK) != 0 &&
           ftr_recovery_get_summary_path(journal, recorded, sizeof recorded) == FTR_OK &&
           strcmp(file_name(recorded), file_name(path)) == 0;
}

void ftr_killed_run_explain(const char *path, char problem[FTR_MESSAGE_SIZE])
{
    ftr_run_record run;
    if (!read_only_run(path, &run)) {
        (void)snprintf(problem, FTR_MESSAGE_SIZE,
                       "not the readable summary of one run; 'ftr summary --merge' lists its runs");
        return;
    }
    if (run.state == FTR_RUN_UNFINISHED && run.places.summary.size > 0)
        explain_loss(&run, problem);
    else
        (void)snprintf(problem, FTR_MESSAGE_SIZE,
                       "a summary with nothing to recover: its run is %s",
                       ftr_run_state_name(run.state));
    ftr_run_record_release(&run);
}
