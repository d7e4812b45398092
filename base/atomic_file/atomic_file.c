/* The steps by which a complete file gets its name: creation under a temporary name, sync, rename.
 * Replaces only regular files. */
#include "atomic_file.h"

#include "index_place.h"
#include "output_path.h"

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

/* ---- temporary files of killed processes (PATH.part-PID-N) ----------------------------------- */

/* A temporary file is stale if no other process now has the process id in the name of the file, and
 * no process has locked the file. On file systems without locks, no file is removed. */

/* Maximum size of ".part-PID-NUMBER" in bytes. */
#define SUFFIX_SIZE 40
#define SUFFIX ".part-"

/* The names of the temporary files of a path begin with the first bytes of @p name, the last part
 * of the path. Returns the number of these bytes. */
static int part_name_size(const char *name)
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

/* Locks the open temporary file @p part until @p fd is closed, so that no other process removes the
 * file. Returns true if the file is locked, or if the file system has no locks. Returns false if
 * another process has the lock or has removed the file. */
static bool lock_part(int fd, const char *part)
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
    const size_t size = (size_t)part_name_size(name);
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

/* Removes the temporary files of @p path that were left by processes that no longer run: regular
 * files of this user that are not locked, and whose name does not contain the id of a running
 * process other than this one. Preserves errno. */
static void remove_stale_parts(const char *path)
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

/* ---- the steps of a file --------------------------------------------------------------------- */

/* Maximum number of temporary names to try: killed processes with the same pid may have left files
 * with some of these names. */
#define ATTEMPTS_MAX 1000

char *ftr_atomic_file_temporary_name(const char *path, unsigned number)
{
    const char *slash = strrchr(path, '/');
    const size_t directory = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    const int name = part_name_size(path + directory);
    char *temporary_path = NULL;
    if (directory > INT_MAX || asprintf(&temporary_path, "%.*s%.*s.part-%ld-%u", (int)directory,
                                        path, name, path + directory, (long)getpid(), number) < 0)
        return NULL;
    return temporary_path;
}

mode_t ftr_atomic_file_mode_of_copy(const struct stat *source)
{
    return source->st_mode & (source->st_uid == geteuid() ? 0777 : 0755);
}

/* Returns true if a rename to @p path would replace a regular file or nothing; otherwise sets errno
 * to the reason.
 * @param[out] there the regular file; untouched if there is nothing */
static bool is_replaceable(const char *path, struct stat *there)
{
    if (lstat(path, there) != 0)
        return errno == ENOENT;
    if (S_ISREG(there->st_mode))
        return true;
    if (S_ISLNK(there->st_mode))
        errno = ELOOP;
    else
        errno = S_ISDIR(there->st_mode) ? EISDIR : ENOTSUP;
    return false;
}

/* The permissions of a replaced file of another user are not simply taken over, because the other
 * user can prepare a file with more permissions than this user gives to files. */
static void choose_mode(ftr_atomic_file *file, const struct stat *replaced, mode_t mode)
{
    const bool is_own = S_ISREG(replaced->st_mode) && replaced->st_uid == geteuid();
    if (mode == FTR_ATOMIC_FILE_MODE && is_own)
        mode = replaced->st_mode;
    file->mode = mode == FTR_ATOMIC_FILE_MODE ? mode : mode & 0777;
    file->created = 0666;
    /* Until the file has its final permissions, only the owner may read it. */
    if (file->mode != FTR_ATOMIC_FILE_MODE)
        file->created = 0600;
    else if (S_ISREG(replaced->st_mode))
        file->created = (replaced->st_mode & 0666) | 0600;
}

/* Creates a new file beside the path; never opens an existing file and never follows a link. */
static ftr_status create_temporary_file(ftr_atomic_file *file)
{
    for (unsigned number = 1; number <= ATTEMPTS_MAX && file->fd < 0; number++) {
        free(file->temporary_path);
        file->temporary_path = ftr_atomic_file_temporary_name(file->path, number);
        if (file->temporary_path == NULL)
            return FTR_ERR_MEMORY;
        do
            file->fd = open(file->temporary_path,
                            O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file->created);
        while (file->fd < 0 && errno == EINTR);
        if (file->fd < 0 && errno != EEXIST)
            break;
        if (file->fd >= 0 && !lock_part(file->fd, file->temporary_path)) {
            (void)close(file->fd);
            file->fd = -1;
        }
    }
    return file->fd >= 0 ? FTR_OK : FTR_ERR_IO;
}

static void release(ftr_atomic_file *file)
{
    free(file->path);
    free(file->temporary_path);
    *file = (ftr_atomic_file){.fd = -1};
}

ftr_status ftr_atomic_file_create(ftr_atomic_file *file, const char *path, mode_t mode)
{
    struct stat replaced = {0};
    *file = (ftr_atomic_file){.fd = -1};
    if (*path == '\0') {
        errno = ENOENT;
        return FTR_ERR_IO;
    }
    if (ftr_foreign_link_is_before(path) || !is_replaceable(path, &replaced))
        return FTR_ERR_IO;
    choose_mode(file, &replaced, mode);
    remove_stale_parts(path);
    file->path = strdup(path);
    ftr_status status = file->path != NULL ? create_temporary_file(file) : FTR_ERR_MEMORY;
    if (status == FTR_ERR_IO && errno == ENOENT && ftr_parent_directories_create(path))
        status = create_temporary_file(file);
    if (status != FTR_OK) {
        const int cause = errno;
        release(file);
        errno = cause;
    }
    return status;
}

ftr_status ftr_atomic_file_create_nameless(ftr_atomic_file *file)
{
    *file = (ftr_atomic_file){.fd = ftr_temporary_file(NULL), .mode = FTR_ATOMIC_FILE_MODE};
    return file->fd >= 0 ? FTR_OK : FTR_ERR_IO;
}

int64_t ftr_atomic_file_write(void *file, const void *bytes, size_t size)
{
    ftr_atomic_file *into = file;
    ssize_t written;
    do
        written = write(into->fd, bytes, size);
    while (written < 0 && errno == EINTR);
    if (written >= 0)
        return written;
    if (into->system_error == 0)
        into->system_error = errno;
    return -errno;
}

ftr_status ftr_atomic_file_restart(ftr_atomic_file *file)
{
    file->system_error = 0;
    return ftruncate(file->fd, 0) == 0 && lseek(file->fd, 0, SEEK_SET) == 0 ? FTR_OK : FTR_ERR_IO;
}

/* Renames to a name that must not exist. */
static bool rename_new(const char *from, const char *to)
{
    struct stat there;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* This file system does not support RENAME_NOREPLACE. A check before the rename is the best
     * alternative, although it misses a file that is created between the check and the rename. */
    if (lstat(to, &there) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

ftr_status ftr_atomic_file_rename_new(const char *temporary_path, const char *path)
{
    return rename_new(temporary_path, path) ? FTR_OK : FTR_ERR_IO;
}

static bool rename_complete(const ftr_atomic_file *file, bool replace)
{
    struct stat replaced;
    if (!replace)
        return rename_new(file->temporary_path, file->path);
    if (!is_replaceable(file->path, &replaced) || rename(file->temporary_path, file->path) != 0)
        return false;
    ftr_index_remove(file->path);
    return true;
}

static ftr_status commit(ftr_atomic_file *file, bool replace, bool sync)
{
    const bool ready = (file->mode == FTR_ATOMIC_FILE_MODE || fchmod(file->fd, file->mode) == 0) &&
                       (!sync || fsync(file->fd) == 0);
    if (!ready || !rename_complete(file, replace)) {
        ftr_atomic_file_discard(file);
        return FTR_ERR_IO;
    }
    (void)close(file->fd); /* already synced, or not to be synced: the result does not matter */
    release(file);
    return FTR_OK;
}

ftr_status ftr_atomic_file_commit(ftr_atomic_file *file, bool replace)
{
    return commit(file, replace, true);
}

ftr_status ftr_atomic_file_commit_unsynced(ftr_atomic_file *file)
{
    return commit(file, true, false);
}

void ftr_atomic_file_discard(ftr_atomic_file *file)
{
    const int cause = errno;
    if (file->fd >= 0)
        (void)close(file->fd);
    if (file->fd >= 0 && file->temporary_path != NULL)
        (void)unlink(file->temporary_path);
    release(file);
    errno = cause;
}

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
