/* Files that only one process may write: locked while they are open, and always created new, never
 * through a symbolic link. */
#ifndef FTR_FILE_CLAIM_H
#define FTR_FILE_CLAIM_H

#include <stdbool.h>
#include <sys/types.h>

#include <ftr/status.h>

#define FTR_FILE_MODE ((mode_t)0666)         /* before the umask is applied */
#define FTR_FILE_MODE_PRIVATE ((mode_t)0600) /* until the owner of the file changes it */

/* Locks the whole open file for writing. Returns false if another open file description has a lock
 * on it. Returns true on file systems without locks. The lock belongs to the open file description:
 * a forked child that closes its copy of @p fd does not release the lock. */
bool ftr_file_lock(int fd);

/* Returns whether @p path still refers to the open file. A symbolic link at @p path counts as
 * another file. */
bool ftr_file_is_at(int fd, const char *path);

/* Opens the regular file at @p path for reading and writing, and locks it.
 * @param[out] fd the locked file, -1 if there is no file at @p path
 * @return FTR_OK; FTR_ERR_STATE if another process has it locked; FTR_ERR_ARGUMENT if it is a
 *         symbolic link or no regular file; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_file_claim(const char *path, int *fd);

/* Creates the file at @p path with the permissions @p mode without those of the umask, and locks
 * it.
 * @return FTR_OK; FTR_ERR_STATE if @p path exists, or another process was faster; FTR_ERR_IO and
 *         errno */
FTR_MUST_USE ftr_status ftr_file_create(const char *path, mode_t mode, int *fd);

/* Removes the file at @p path if it is the open file @p fd. Errors are ignored. */
void ftr_file_remove(int fd, const char *path);

/* Creates the file at @p path as ftr_file_create() does, after it has removed an unlocked regular
 * file of this user from there.
 * @return FTR_OK; FTR_ERR_STATE if a process has the file locked; FTR_ERR_ARGUMENT if it is not a
 *         regular file or belongs to another user; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_file_replace(const char *path, mode_t mode, int *fd);

/* Gives the file @p to the permissions of the file @p from. Errors are ignored, because they only
 * occur on file systems without permissions. */
void ftr_file_copy_mode(int from, int to);

#endif
