/* Files that only one process may write. These files are locked while they are open, and are never
 * created or opened through a symbolic link. */
#ifndef FTR_FILE_CLAIM_H
#define FTR_FILE_CLAIM_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <ftr/status.h>

#define FTR_FILE_MODE ((mode_t)0666) /* permissions before the umask is applied */
/* permissions until the owner of the file changes them */
#define FTR_FILE_MODE_PRIVATE ((mode_t)0600)

/* Locks the whole open file for writing. Returns false if the file is already locked through
 * another open file description. Returns true on file systems without locks. The lock belongs to
 * the open file description, so a forked child that closes its copy of @p fd does not release the
 * lock. */
bool ftr_file_lock(int fd);

/* Returns whether @p path still refers to the open file. A symbolic link at @p path counts as
 * another file. */
bool ftr_file_is_at(int fd, const char *path);

/* Opens the regular file at @p path for reading and writing, and locks it.
 * @param[out] fd the locked file; -1 (with FTR_OK) if there is no file at @p path
 * @return FTR_OK; FTR_ERR_STATE if another process has locked the file; FTR_ERR_ARGUMENT if @p path
 *         is a symbolic link or not a regular file; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_file_claim(const char *path, int *fd);

/* Creates and locks a file at the absolute path @p path, if nothing exists there and no part of the
 * path is a symbolic link. Sets @p about to the result of fstat(). Returns -1 if this is not
 * possible, for any reason. */
FTR_MUST_USE int ftr_file_create_plain(const char *path, mode_t mode, struct stat *about);

/* Creates the file at @p path and locks it. The permissions are @p mode without the bits of the
 * umask.
 * @return FTR_OK; FTR_ERR_STATE if @p path exists, or if another process locked or removed the new
 *         file first; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_file_create(const char *path, mode_t mode, int *fd);

/* Removes @p path if it refers to the open file @p fd. Errors are ignored. */
void ftr_file_remove(int fd, const char *path);

/* Removes the file at @p path if it is an unlocked regular file of this user. Then creates a new
 * file like ftr_file_create().
 * @return FTR_OK; FTR_ERR_STATE if a process has the file locked; FTR_ERR_ARGUMENT if it is not a
 *         regular file or belongs to another user; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_file_replace(const char *path, mode_t mode, int *fd);

/* Gives the open file @p to the read and write permissions of the open file @p from, without the
 * permission to execute. Errors are ignored, because they occur only on file systems without
 * permissions. */
void ftr_file_copy_mode(int from, int to);

#endif
