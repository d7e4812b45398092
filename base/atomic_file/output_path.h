/* The path of a file that this process writes: finds symbolic links of other users on the path, and
 * creates missing folders. */
#ifndef FTR_OUTPUT_PATH_H
#define FTR_OUTPUT_PATH_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns true if @p owner is the user of this process or root. Only these two users may decide
 * where this process writes. */
bool ftr_is_trusted_owner(uid_t owner);

/* Finds a symbolic link that could lead a file of this process to a place that another user has
 * chosen. @p path need not exist. The last part of @p path may be a link of this user or of root. A
 * folder on the way may be a link of this user, of root, or of the owner of the folder that
 * contains the link, because this owner decides about everything in that folder. The same holds for
 * the targets of these links. Links in /proc are not examined: they refer to files that this
 * process has open.
 * @return the path of the first link that is none of these, malloc'ed; equal to @p path if this
 *         link is the last part of @p path. NULL: there is no such link, or there is no memory */
char *ftr_foreign_link_find(const char *path);

/* Like ftr_foreign_link_find(), but only for the folders on the way to @p path; the last part of
 * @p path is not examined. Returns true, with errno ELOOP, if it finds such a link. */
bool ftr_foreign_link_is_before(const char *path);

/* Creates the missing directories above the last part of @p path, with the default permissions.
 * @return false with errno set if the innermost directory does not exist and cannot be created, or
 * (ELOOP) if another user's symbolic link leads there */
bool ftr_parent_directories_create(const char *path);

#endif
