/* Walks over the parts of a path, as the kernel does, and compares the owners of symbolic links.
 * The kernel option protected_symlinks does the same, but only in sticky directories in which
 * everybody may write. It does not protect in a shared folder without the sticky bit, in the folder
 * of a group, or in a folder of another user.
 *
 * The result is valid only at the time of the call. The caller therefore opens the last part of the
 * path with O_NOFOLLOW, or creates a new file. */
#include "output_path.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 40 /* the same limit as in the kernel */

typedef struct walk {
    unsigned links; /* number of links that were followed */
    char *found;    /* the path of the first link that may not be followed, malloc'ed */
} walk;

bool ftr_is_trusted_owner(uid_t owner)
{
    return owner == geteuid() || owner == 0;
}

static void walk_path(walk *w, const char *path, bool is_folder);

/* Returns the folder that contains the last part of @p path, malloc'ed. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static bool is_in_proc(const char *folder)
{
    struct statfs system;
    return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* Walks over the target of the link at @p path. */
static void walk_target(walk *w, const char *path, const char *folder, bool is_folder)
{
    char target[PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0 || ++w->links > LINKS_MAX)
        return; /* the kernel reports the error */
    target[length] = '\0';
    char *next = NULL;
    if (target[0] != '/' && asprintf(&next, "%s/%s", folder, target) < 0)
        return;
    walk_path(w, next != NULL ? next : target, is_folder);
    free(next);
}

/* Examines one part of a path. @p path is the path up to the end of this part. @p is_folder: the
 * part is a folder on the way. */
static void examine(walk *w, const char *path, bool is_folder)
{
    struct stat link;
    struct stat about;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode))
        return;
    char *folder = folder_of(path);
    if (folder == NULL || is_in_proc(folder)) {
        free(folder);
        return;
    }
    const bool is_of_folder = is_folder && stat(folder, &about) == 0 && about.st_uid == link.st_uid;
    if (ftr_is_trusted_owner(link.st_uid) || is_of_folder)
        walk_target(w, path, folder, is_folder);
    else
        w->found = strdup(path);
    free(folder);
}

/* Examines all parts of @p path. @p is_folder: the last part is a folder, too. */
static void walk_path(walk *w, const char *path, bool is_folder)
{
    char *part = strdup(path);
    char *at = part;
    while (at != NULL && w->found == NULL) {
        at += strspn(at, "/");
        char *end = at + strcspn(at, "/");
        const bool is_last = end[strspn(end, "/")] == '\0';
        if (*at == '\0')
            break;
        const char kept = *end;
        *end = '\0';
        examine(w, part, is_folder || !is_last);
        *end = kept;
        at = is_last ? NULL : end;
    }
    free(part);
}

char *ftr_foreign_link_find(const char *path)
{
    walk w = {0};
    walk_path(&w, path, false);
    return w.found;
}

bool ftr_foreign_link_is_before(const char *path)
{
    walk w = {0};
    char *folder = folder_of(path);
    if (folder != NULL)
        walk_path(&w, folder, true);
    const bool is_found = w.found != NULL;
    free(folder);
    free(w.found);
    if (is_found)
        errno = ELOOP;
    return is_found;
}

bool ftr_parent_directories_create(const char *path)
{
    if (ftr_foreign_link_is_before(path))
        return false;
    char *parent = strdup(path);
    bool ok = parent != NULL;
    char *at = ok && *parent != '\0' ? parent + 1 : NULL; /* the root directory exists */
    while (at != NULL && (at = strchr(at, '/')) != NULL) {
        *at = '\0';
        /* Only the result for the last directory counts: for an existing directory above it,
         * mkdir() may fail with another error, for example on a read-only file system. */
        ok = mkdir(parent, 0777) == 0 || errno == EEXIST;
        *at++ = '/';
    }
    const int cause = errno;
    free(parent);
    errno = cause;
    return ok;
}
