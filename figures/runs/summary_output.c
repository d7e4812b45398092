/* Writes the file of one run, so that it appears under its name only when it is complete.
 * Recognises such a file after the run was killed. */
#include "summary_file.h"

#include "atomic_file.h"

#include <string.h>

ftr_status ftr_summary_index_write_file(ftr_summary_index *index, const char *path, mode_t mode,
                                        bool replaces)
{
    ftr_atomic_file file;
    ftr_status status = ftr_atomic_file_create(&file, path, mode);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_write(index, ftr_atomic_file_write, &file);
    if (status == FTR_OK)
        return ftr_atomic_file_commit(&file, replaces);
    ftr_atomic_file_discard(&file);
    return status;
}

ftr_status ftr_summary_write_run(const ftr_run_record *run, const char *path, mode_t mode,
                                 bool replaces)
{
    ftr_summary_index *index;
    ftr_status status = ftr_summary_index_create(&index);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_add_run(index, run);
    (void)ftr_summary_index_settle(index);
    if (status == FTR_OK)
        status = ftr_summary_index_write_file(index, path, mode, replaces);
    ftr_summary_index_destroy(index);
    return status;
}

bool ftr_summary_is_of_journal(const char *path, const char *journal)
{
    ftr_summary_index *index;
    ftr_summary_problem problem;
    ftr_run_record run;
    const char *ignored_path;
    uint64_t ignored_offset;
    bool is_found = false;
    if (ftr_summary_index_create(&index) != FTR_OK)
        return false;
    if (ftr_summary_index_add_file(index, path, &problem) == FTR_OK &&
        ftr_summary_index_settle(index) == 1 &&
        ftr_summary_index_read(index, 0, &run, &ignored_path, &ignored_offset) == FTR_OK) {
        is_found =
            run.state == FTR_RUN_UNFINISHED && strcmp(run.places.journal.bytes, journal) == 0;
        ftr_run_record_release(&run);
    }
    ftr_summary_index_destroy(index);
    return is_found;
}
