/* Outputs that are written as they are, not replaced by a new file: pipes, terminals, devices, and
 * descriptors of this process. */
#ifndef FTR_SPECIAL_FILE_H
#define FTR_SPECIAL_FILE_H

#include <stdbool.h>

/* Returns whether there is a file at @p path, without links, that is not a regular file: a journal
 * is then useless. */
bool ftr_special_file_exists(const char *path);

/* Returns whether the special file at @p path belongs to another user, except root. Opening such a
 * FIFO could wait forever, and the data would go to the other user. */
bool ftr_special_file_is_foreign(const char *path);

/* Opens @p path for writing. Waits for a reader of a FIFO.
 * @param is_descriptor whether @p path refers to a descriptor of this process, which may belong to
 *                      any user; otherwise @p path has no links
 * @return the descriptor, or -1 with errno set: EPERM if the file belongs to another user */
int ftr_special_file_open(const char *path, bool is_descriptor);

#endif
