/* Temporary files of killed processes (PATH.part-PID-N). */
#ifndef FTR_STALE_PARTS_H
#define FTR_STALE_PARTS_H

#include <stdbool.h>

/* Locks the open temporary file @p part until @p fd is closed, so that no other process removes the
 * file.
 * @return false if another process is just removing the file; true on file systems without locks */
bool ftr_part_lock(int fd, const char *part);

/* Removes the temporary files of @p path that ended processes have left: regular files of this user
 * that no process has locked, and that do not have the id of another running process in their name.
 * Removes nothing on file systems without locks. Preserves errno. */
void ftr_stale_parts_remove(const char *path);

/* Returns the number of bytes of @p name, the last part of a path, with which the names of its
 * temporary files begin. */
int ftr_part_name_size(const char *name);

#endif
