/* Temporary files of killed processes (PATH.part-PID-N). */
#ifndef FTR_STALE_PARTS_H
#define FTR_STALE_PARTS_H

#include <stdbool.h>

/* Locks the open part for the lifetime of its descriptor, so that no other process removes it.
 * @return false if the part is being removed. True on file systems without locks */
bool ftr_part_lock(int fd, const char *part);

/* Removes the temporary files of @p path whose processes have ended: regular files of this user
 * that nobody has locked, with the id of no other process. Preserves errno. */
void ftr_stale_parts_remove(const char *path);

/* Returns how many bytes of the last part of @p path are in the names of its temporary files. */
int ftr_part_name_size(const char *name);

#endif
