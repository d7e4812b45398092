/* Lists of file names, from the command line and from a file. */
#ifndef FTR_PATH_LIST_H
#define FTR_PATH_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ftr_path_list {
    char **paths;
    size_t count;
    char *text; /* content of the file; the names from the file point into it */
} ftr_path_list;

/* Fills @p list with @p count names of the command line, which are borrowed, and the names in
 * @p file (NULL: none; "-": stdin). The names in the file end with NUL bytes if it contains a NUL
 * byte, otherwise with newlines. Prints a message on failure.
 * @return false if the file cannot be read or memory is exhausted; @p list is then released */
bool ftr_path_list_init(ftr_path_list *list, char *const *paths, size_t count, const char *file);

void ftr_path_list_release(ftr_path_list *list);

#endif
