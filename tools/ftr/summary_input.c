/* Reads summaries as inputs. A file that cannot be read becomes a run with a state, so that reports
 * about the night show this file. */
#include "run_inputs.h"

#include "command.h"
#include "run_record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ftr_status add_file(ftr_summary_index *index, const char *path, ftr_summary_problem *problem)
{
    errno = 0;
    const ftr_status status = ftr_summary_index_add_file(index, path, problem);
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: byte %" PRIu64 ": %s", path, problem->offset, problem->message);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return status;
}

bool ftr_summary_input_add_file(ftr_summary_index *index, const char *path)
{
    ftr_summary_problem problem;
    return add_file(index, path, &problem) == FTR_OK;
}

/* Adds a run for a file that is not a readable summary. @return exit status */
static int add_unreadable(ftr_summary_index *index, const char *path, ftr_run_state state,
                          const char *problem)
{
    ftr_run_record run;
    ftr_status status = ftr_run_record_of_missing(path, state, problem, &run);
    if (status == FTR_OK) {
        status = ftr_summary_index_add_run(index, &run);
        ftr_run_record_release(&run);
    }
    if (status == FTR_OK)
        return FTR_EXIT_FOUND;
    ftr_print_error("%s: %s", path, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* Adds a run for a file that could not be read, for the reason @p status. */
static int add_failed(ftr_summary_index *index, const char *path, ftr_status status, int error,
                      const ftr_summary_problem *problem)
{
    char text[sizeof problem->message + 32];
    if (status == FTR_ERR_IO)
        return add_unreadable(index, path, error == ENOENT ? FTR_RUN_ABSENT : FTR_RUN_UNREADABLE,
                              strerror(error));
    if (status != FTR_ERR_FORMAT)
        return FTR_EXIT_TROUBLE;
    (void)snprintf(text, sizeof text, "byte %" PRIu64 ": %s", problem->offset, problem->message);
    return add_unreadable(index, path, problem->offset > 0 ? FTR_RUN_TORN : FTR_RUN_UNREADABLE,
                          text);
}

int ftr_summary_input_add(ftr_summary_index *index, const char *path)
{
    ftr_summary_problem problem = {0};
    const size_t before = ftr_summary_index_count(index);
    const ftr_status status = add_file(index, path, &problem);
    const int error = errno;
    if (status == FTR_OK && ftr_summary_index_count(index) > before)
        return ftr_killed_runs_complete(index, before, path);
    /* There may be a journal if the summary has no run, or was damaged when the machine stopped. */
    int completed;
    if (ftr_killed_run_find(index, path, &completed))
        return completed;
    if (status != FTR_OK)
        return add_failed(index, path, status, error, &problem);
    ftr_print_error("%s: the summary contains no run", path);
    return add_unreadable(index, path, FTR_RUN_UNFINISHED, "the summary contains no run");
}

/* ---- runs ------------------------------------------------------------------------------------ */

bool ftr_summary_read_run(ftr_summary_index *index, size_t at, ftr_run_record *run)
{
    const char *path = "the summary";
    uint64_t offset = 0;
    errno = 0;
    const ftr_status status = ftr_summary_index_read(index, at, run, &path, &offset);
    if (status == FTR_ERR_IO)
        ftr_print_error("%s: %s", path, strerror(errno));
    else if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: byte %" PRIu64 ": the record of a run is damaged", path, offset);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    return status == FTR_OK;
}

void ftr_run_set_close(ftr_run_set *of)
{
    ftr_summary_index_destroy(of->index);
    free(of->folder);
    *of = (ftr_run_set){0};
}

/* Shortens of->folder, the directories that all files share, to the part that @p file also
 * shares. */
static bool share_folder(ftr_run_set *of, const char *file)
{
    if (of->folder == NULL) {
        const char *slash = strrchr(file, '/');
        of->folder_size = slash != NULL ? (size_t)(slash - file) + 1 : 0;
        of->folder = strndup(file, of->folder_size);
        return of->folder != NULL;
    }
    size_t same = 0;
    while (same < of->folder_size && file[same] == of->folder[same])
        same++;
    while (same > 0 && of->folder[same - 1] != '/')
        same--;
    of->folder_size = same;
    return true;
}

bool ftr_run_set_open(ftr_run_set *of, const char *path)
{
    *of = (ftr_run_set){.time_scale = FTR_COARSEST_SCALE};
    const ftr_status status = ftr_summary_index_create(&of->index);
    if (status != FTR_OK) {
        ftr_print_error("%s: %s", path, ftr_status_text(status));
        return false;
    }
    if (!ftr_summary_input_add_file(of->index, path))
        return false;
    of->count = ftr_summary_index_settle(of->index);
    ftr_content_hash hash;
    ftr_content_hash_init(&hash);
    for (size_t i = 0; i < of->count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(of->index, i, &run))
            return false;
        if (ftr_run_state_is_complete(run.state) && run.time_scale < of->time_scale)
            of->time_scale = run.time_scale;
        const bool ok = share_folder(of, run.file.bytes);
        ftr_night_hash_run(&hash, &run);
        ftr_run_record_release(&run);
        if (!ok) {
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
            return false;
        }
    }
    ftr_content_hash_get(&hash, of->identity);
    return true;
}

bool ftr_run_set_for_each(ftr_run_set *of, const char *path, ftr_take_run *take, void *user)
{
    for (size_t i = 0; i < of->count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(of->index, i, &run))
            return false;
        const ftr_status status = take(user, &run, run.file.bytes + of->folder_size);
        if (status != FTR_OK)
            ftr_print_error("%s: %s: %s", path, run.file.bytes, ftr_status_text(status));
        ftr_run_record_release(&run);
        if (status != FTR_OK)
            return false;
    }
    return true;
}
