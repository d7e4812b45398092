/* The directories that the path of an output needs. */
#ifndef FTR_PARENT_DIRECTORIES_H
#define FTR_PARENT_DIRECTORIES_H

#include <stdbool.h>

/* Creates the directories above the last part of @p path that do not exist, with the default
 * permissions. @return false with errno set if the innermost directory does not exist and cannot be
 * created, or (ELOOP) if another user's symbolic link leads there (foreign_link.h) */
bool ftr_parent_directories_create(const char *path);

#endif
