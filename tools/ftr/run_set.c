/* Owns the reading of the runs of a summary. Does not know the use of the runs. */
#include "run_set.h"

#include "command.h"
#include "summary_input.h"
#include "summary_view.h"

#include <stdlib.h>
#include <string.h>

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
    for (size_t i = 0; i < of->count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(of->index, i, &run))
            return false;
        if (ftr_run_state_is_complete(run.state) && run.time_scale < of->time_scale)
            of->time_scale = run.time_scale;
        const bool ok = share_folder(of, run.file.bytes);
        ftr_run_record_release(&run);
        if (!ok) {
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
            return false;
        }
    }
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
