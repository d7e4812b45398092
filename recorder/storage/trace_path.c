/* Derives file names from the path of a trace, and finds the further files of a trace by their
 * names. */
#define _GNU_SOURCE
#include "trace_path.h"

#include <dirent.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "growing_array.h"

#define FILE_TAG "_file"
#define FILE_DIGITS 4
#define LINKS_MAX 40 /* the same limit as in the kernel */

/* Returns the file name in @p path, without directories. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Returns the length of @p path without the suffix of the file name (the last dot and the text
 * after it). */
static size_t stem_length(const char *path)
{
    const char *name = name_of(path);
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name ? (size_t)(dot - path) : strlen(path);
}

/* Returns the directory of @p path, malloc'ed. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

char *ftr_trace_path_add(const char *path, const char *format, ...)
{
    size_t stem = stem_length(path);
    char *added = NULL;
    char *made = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&added, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    length = asprintf(&made, "%.*s%s%s", (int)stem, path, added, path + stem);
    free(added);
    return length < 0 ? NULL : made;
}

char *ftr_trace_path_of_file(const char *path, uint32_t number)
{
    return number > 1 ? ftr_trace_path_add(path, FILE_TAG "%0*u", FILE_DIGITS, (unsigned)number)
                      : strdup(path);
}

char *ftr_trace_path_of_process(const char *path, long pid, unsigned try)
{
    return try <= 1 ? ftr_trace_path_add(path, "-%ld", pid)
                    : ftr_trace_path_add(path, "-%ld-%u", pid, try);
}

/* ---- the files of a trace -------------------------------------------------------------------- */

/* Returns the number in the file name @p name of a further file of the trace with file name @p
 * trace_name. 0: @p name is not the name of a further file. */
static uint32_t file_number(const char *trace_name, const char *name)
{
    size_t stem = stem_length(trace_name);
    size_t tag = sizeof FILE_TAG - 1;
    if (strncmp(name, trace_name, stem) != 0 || strncmp(name + stem, FILE_TAG, tag) != 0)
        return 0;
    const char *digits = name + stem + tag;
    size_t count = strspn(digits, "0123456789");
    if (count < FILE_DIGITS || count > 10 || (count > FILE_DIGITS && *digits == '0') ||
        strcmp(digits + count, trace_name + stem) != 0)
        return 0;
    unsigned long number = strtoul(digits, NULL, 10);
    return number > 1 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

uint32_t *ftr_trace_path_list_files(const char *path, size_t *count)
{
    uint32_t *numbers = NULL;
    size_t capacity = 0;
    *count = 0;
    char *folder = directory_of(path);
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *entry;
    free(folder);
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        uint32_t number = file_number(name_of(path), entry->d_name);
        if (number != 0 && ftr_array_grow(&numbers, &capacity, *count, sizeof *numbers))
            numbers[(*count)++] = number;
    }
    if (directory != NULL)
        closedir(directory);
    return numbers;
}

/* ---- symbolic links ---------------------------------------------------------------------------
 */

/* Returns the target of the link at @p path in the directory @p folder, as a path that this process
 * can open. malloc'ed. */
static char *follow(const char *path, const char *folder)
{
    char target[PATH_MAX];
    char *followed = NULL;
    ssize_t length = readlink(path, target, sizeof target);
    if (length < 0)
        return NULL;
    if (*target == '/')
        return strndup(target, (size_t)length);
    return asprintf(&followed, "%s/%.*s", folder, (int)length, target) < 0 ? NULL : followed;
}

/* Returns @p path with its directory @p folder made absolute and free of links. malloc'ed. */
static char *with_real_directory(const char *path, const char *folder)
{
    char real[PATH_MAX];
    char *made = NULL;
    if (realpath(folder, real) == NULL)
        return strdup(path);
    return asprintf(&made, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name_of(path)) < 0 ? NULL
                                                                                           : made;
}

char *ftr_trace_path_with_real_folder(const char *path)
{
    char *folder = directory_of(path);
    char *made = folder != NULL ? with_real_directory(path, folder) : NULL;
    free(folder);
    return made;
}

ftr_status ftr_trace_path_resolve(const char *path, char **resolved, bool *is_descriptor)
{
    char *at = strdup(path);
    char *folder = NULL;
    ftr_status status = at != NULL ? FTR_OK : FTR_ERR_MEMORY;
    if (is_descriptor != NULL)
        *is_descriptor = false;
    for (int links = 0; status == FTR_OK; links++) {
        struct stat link;
        struct statfs system;
        free(folder);
        folder = directory_of(at);
        if (folder == NULL)
            status = FTR_ERR_MEMORY;
        if (folder == NULL || lstat(at, &link) != 0 || !S_ISLNK(link.st_mode) || links == LINKS_MAX)
            break;
        if (is_descriptor != NULL && statfs(folder, &system) == 0 &&
            system.f_type == PROC_SUPER_MAGIC)
            *is_descriptor = true;
        char *next = follow(at, folder);
        status = next != NULL ? FTR_OK : FTR_ERR_MEMORY;
        free(at);
        at = next;
    }
    if (status == FTR_OK) {
        *resolved = with_real_directory(at, folder);
        status = *resolved != NULL ? FTR_OK : FTR_ERR_MEMORY;
    }
    free(folder);
    free(at);
    return status;
}
