/* Owns the choice of the directory for temporary files. Other users cannot read these files. */
#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int ftr_temporary_file(const char *directory)
{
    if (directory == NULL)
        directory = secure_getenv("TMPDIR");
    if (directory == NULL || *directory == '\0')
        directory = "/tmp";
    int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* Not every file system supports O_TMPFILE. */
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/ftr-XXXXXX", directory);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(path);
    return fd;
}
