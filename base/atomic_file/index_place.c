/* Names, recognises, removes and renames the index beside a trace. The index of a trace that was
 * replaced would be recognised as stale by every reader, but it would stay beside the new trace. */
#include "index_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *ftr_index_path(const char *trace)
{
    char *path = NULL;
    return asprintf(&path, "%s" FTR_INDEX_SUFFIX, trace) < 0 ? NULL : path;
}

/* Returns true if the regular file at @p path begins like an index. Sets errno otherwise; ENOENT if
 * there is no file. */
static bool is_index(const char *path)
{
    char start[FTR_INDEX_MAGIC_SIZE];
    struct stat about;
    /* O_NONBLOCK: the file may be a FIFO */
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool is_one = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                        read(fd, start, sizeof start) == (ssize_t)sizeof start &&
                        memcmp(start, FTR_INDEX_MAGIC, sizeof start) == 0;
    (void)close(fd);
    errno = EEXIST;
    return is_one;
}

bool ftr_index_is_replaceable(const char *index)
{
    return is_index(index) || errno == ENOENT;
}

void ftr_index_remove(const char *trace)
{
    const int cause = errno;
    char *path = ftr_index_path(trace);
    if (path != NULL && is_index(path))
        (void)unlink(path);
    free(path);
    errno = cause;
}

void ftr_index_rename(const char *from, const char *to)
{
    const int cause = errno;
    char *old_path = ftr_index_path(from);
    char *new_path = ftr_index_path(to);
    if (old_path == NULL || new_path == NULL || !is_index(old_path) ||
        !ftr_index_is_replaceable(new_path) || rename(old_path, new_path) != 0)
        ftr_index_remove(to);
    free(old_path);
    free(new_path);
    errno = cause;
}
