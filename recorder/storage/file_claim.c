/* Locking and exclusive creation of files. */
#define _GNU_SOURCE
#include "file_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool ftr_file_lock(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool ftr_file_is_at(int fd, const char *path)
{
    struct stat open_file;
    struct stat named;
    return fstat(fd, &open_file) == 0 && lstat(path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

static ftr_status close_with(int fd, ftr_status status)
{
    int error = errno;
    close(fd);
    errno = error;
    return status;
}

ftr_status ftr_file_claim(const char *path, int *fd)
{
    *fd = -1;
    for (;;) {
        /* Without O_NONBLOCK, open() would wait if a FIFO has replaced the file. */
        int found = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat about;
        if (found < 0 && errno == EINTR)
            continue;
        if (found < 0 && errno == ENOENT)
            return FTR_OK;
        if (found < 0)
            return errno == ELOOP || errno == EISDIR || errno == ENXIO ? FTR_ERR_ARGUMENT
                                                                       : FTR_ERR_IO;
        if (fstat(found, &about) != 0)
            return close_with(found, FTR_ERR_IO);
        if (!S_ISREG(about.st_mode))
            return close_with(found, FTR_ERR_ARGUMENT);
        if (!ftr_file_lock(found))
            return close_with(found, FTR_ERR_STATE);
        if (ftr_file_is_at(found, path)) {
            *fd = found;
            return FTR_OK;
        }
        /* another process removed or replaced the file while it held the lock */
        close(found);
    }
}

ftr_status ftr_file_create(const char *path, mode_t mode, int *fd)
{
    int made;
    *fd = -1;
    do
        made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    while (made < 0 && errno == EINTR);
    if (made < 0)
        return errno == EEXIST ? FTR_ERR_STATE : FTR_ERR_IO;
    /* Another process may have opened the new file and locked it first. */
    if (!ftr_file_lock(made) || !ftr_file_is_at(made, path))
        return close_with(made, FTR_ERR_STATE);
    *fd = made;
    return FTR_OK;
}

int ftr_file_create_plain(const char *path, mode_t mode, struct stat *about)
{
    /* RESOLVE_NO_SYMLINKS needs Linux 5.6, and the C library has no function for this call. */
    const struct open_how how = {.flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                                 .mode = mode,
                                 .resolve = RESOLVE_NO_SYMLINKS};
    const int made = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (made < 0)
        return -1;
    /* Another process may have opened the new file first, and locked or removed it. */
    if (ftr_file_lock(made) && fstat(made, about) == 0 && about->st_nlink == 1)
        return made;
    close(made);
    return -1;
}

void ftr_file_remove(int fd, const char *path)
{
    if (ftr_file_is_at(fd, path))
        unlink(path);
}

ftr_status ftr_file_replace(const char *path, mode_t mode, int *fd)
{
    for (;;) {
        int old;
        struct stat about;
        ftr_status status = ftr_file_claim(path, &old);
        if (status == FTR_OK && old >= 0) {
            bool is_known = fstat(old, &about) == 0;
            if (is_known && about.st_uid != geteuid())
                status = FTR_ERR_ARGUMENT;
            else if (!is_known || unlink(path) != 0)
                status = FTR_ERR_IO;
            status = close_with(old, status);
        }
        if (status != FTR_OK)
            return status;
        status = ftr_file_create(path, mode, fd);
        if (status != FTR_ERR_STATE)
            return status;
    }
}

void ftr_file_copy_mode(int from, int to)
{
    struct stat about;
    if (fstat(from, &about) == 0)
        (void)!fchmod(to, about.st_mode & FTR_FILE_MODE);
}
