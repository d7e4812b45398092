/* Writes an index to a file. The file appears under its name only when it is complete. */
#include "summary_file.h"

#include "atomic_file.h"

ftr_status ftr_summary_index_replace_file(ftr_summary_index *index, const char *path)
{
    ftr_atomic_file file;
    ftr_status status = ftr_atomic_file_create(&file, path, FTR_ATOMIC_FILE_MODE);
    if (status != FTR_OK)
        return status;
    status = ftr_summary_index_write(index, ftr_atomic_file_write, &file);
    if (status == FTR_OK)
        return ftr_atomic_file_commit(&file, true);
    ftr_atomic_file_discard(&file);
    return status;
}
