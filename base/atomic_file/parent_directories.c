/* Owns the creation of the directories above an output. Does not know the output. */
#include "parent_directories.h"

#include "foreign_link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool ftr_parent_directories_create(const char *path)
{
    if (ftr_foreign_link_is_before(path))
        return false;
    char *parent = strdup(path);
    bool ok = parent != NULL;
    char *at = ok && *parent != '\0' ? parent + 1 : NULL; /* the root exists */
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
