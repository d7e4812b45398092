/* Owns the decision whether a temporary file is stale: no other process has the process id in its
 * name, and no process has locked the file. On file systems without locks, no file is removed. */
#include "stale_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum size of ".part-PID-NUMBER" in bytes. */
#define SUFFIX_SIZE 40
#define SUFFIX ".part-"

int ftr_part_name_size(const char *name)
{
    return (int)strnlen(name, NAME_MAX - SUFFIX_SIZE);
}

static bool is_at(int fd, const char *path)
{
    struct stat opened;
    struct stat named;
    return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static bool lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

bool ftr_part_lock(int fd, const char *part)
{
    if (!lock(fd))
        return errno != EAGAIN && errno != EACCES;
    return is_at(fd, part);
}

/* Returns true if ".part-PID-N" has a valid process id, and no other process has this id now. */
static bool is_of_ended_process(const char *suffix)
{
    char *end;
    if (strncmp(suffix, SUFFIX, sizeof SUFFIX - 1) != 0)
        return false;
    const char *const number = suffix + sizeof SUFFIX - 1;
    if (strspn(number, "0123456789-") != strlen(number))
        return false;
    const long pid = strtol(number, &end, 10);
    if (pid <= 0 || pid > INT_MAX || *end != '-')
        return false;
    return pid == getpid() || (kill((pid_t)pid, 0) != 0 && errno == ESRCH);
}

static void remove_if_free(const char *part)
{
    const int fd = open(part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() && lock(fd) &&
        is_at(fd, part))
        (void)unlink(part);
    (void)close(fd);
}

static void remove_from(DIR *directory, const char *folder, const char *name)
{
    const size_t size = (size_t)ftr_part_name_size(name);
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, name, size) != 0 || !is_of_ended_process(entry->d_name + size))
            continue;
        char *part = NULL;
        if (asprintf(&part, "%s%s", folder, entry->d_name) < 0)
            return;
        remove_if_free(part);
        free(part);
    }
}

void ftr_stale_parts_remove(const char *path)
{
    const int cause = errno;
    const char *const slash = strrchr(path, '/');
    char *const folder = slash != NULL ? strndup(path, (size_t)(slash + 1 - path)) : strdup("./");
    DIR *const directory = folder != NULL ? opendir(folder) : NULL;
    if (directory != NULL) {
        remove_from(directory, folder, slash != NULL ? slash + 1 : path);
        (void)closedir(directory);
    }
    free(folder);
    errno = cause;
}
