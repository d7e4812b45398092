/* Lists of file names: those of the command line, and those of a file. */
#ifndef FTR_PATH_LIST_H
#define FTR_PATH_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ftr_path_list {
    char **paths;
    size_t count;
    char *text; /* content of the file, in which its names lie */
} ftr_path_list;

/* Fills @p list with @p count names of the command line, which are borrowed, and the names in
 * @p file (NULL: none; "-": stdin). If the file contains a NUL byte, NUL bytes end its names,
 * otherwise newlines do. Prints a message on failure.
 * @return false if the file cannot be read or memory is exhausted; @p list is then released */
bool ftr_path_list_init(ftr_path_list *list, char *const *paths, size_t count, const char *file);

void ftr_path_list_release(ftr_path_list *list);

#endif
