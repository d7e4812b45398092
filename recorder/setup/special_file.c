/* Opens special files of this user and of root. If the owner were checked before an open() by path,
 * another user could replace the file in between. Therefore the file is first opened without access
 * (O_PATH), which never waits. Then its owner is checked, and the same file is opened again through
 * /proc. */
#define _GNU_SOURCE
#include "found_files.h"

#include "output_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLAGS (O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)

bool ftr_special_file_exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

bool ftr_special_file_is_foreign(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && !ftr_is_trusted_owner(about.st_uid);
}

static int open_for_writing(const char *path)
{
    int fd;
    do
        fd = open(path, FLAGS, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int ftr_special_file_open(const char *path, bool is_descriptor)
{
    struct stat about;
    char opened[64];
    if (is_descriptor)
        return open_for_writing(path);
    const int found = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (found < 0)
        return -1;
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", found);
    int fd = -1;
    if (fstat(found, &about) != 0 || S_ISREG(about.st_mode) || S_ISLNK(about.st_mode) ||
        !ftr_is_trusted_owner(about.st_uid))
        errno = EPERM;
    else
        fd = open_for_writing(opened);
    const int error = errno;
    close(found);
    errno = error;
    return fd;
}
