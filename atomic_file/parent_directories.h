/* The directories that the path of an output needs. */
#ifndef FTR_PARENT_DIRECTORIES_H
#define FTR_PARENT_DIRECTORIES_H

#include <stdbool.h>

/* Creates the directories above the last part of @p path that do not exist, with the default
 * permissions. @return false with errno set if the innermost directory does not exist and cannot be
 * created */
bool ftr_parent_directories_create(const char *path);

#endif
