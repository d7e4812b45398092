/* Finds journals by their contents. The name of a journal in FTR_JOURNAL_DIR contains a hash of the
 * path that the trace had when it was recorded. This path can differ from the present path of the
 * trace: it can be a path in another container, a path through another mount point, or a path that
 * an older version of this library resolved. */
#define _GNU_SOURCE
#include "journal_search.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_path.h"

#define HASH_DIGITS 16
#define SUFFIX ".journal"
#define TAIL_MAX 4096
/* The content identifies a trace only if at least this number of bytes was committed. The start of
 * a trace up to its first chunk is shorter, and is equal in all traces that began in the same
 * second. */
#define TELLING_LENGTH 64

/* Whether a journal belongs to a trace: no, perhaps, or certainly. */
typedef enum match { IS_OTHER, HAS_SAME_CONTENT, IS_ITS } match;

/* The part of a journal header before the tables. */
typedef union header_start {
    ftr_journal_header header;
    char bytes[offsetof(ftr_journal_header, blocks)];
} header_start;

static header_start *read_start(int fd)
{
    header_start *start = calloc(1, sizeof *start);
    ssize_t size = start != NULL ? pread(fd, start->bytes, sizeof start->bytes, 0) : 0;
    const ftr_journal_header *header = &start->header;
    if (size == (ssize_t)sizeof start->bytes &&
        memcmp(header->magic, FTR_JOURNAL_MAGIC, sizeof header->magic) == 0 &&
        header->layout == FTR_JOURNAL_LAYOUT && header->commit <= 1 &&
        memchr(header->trace, '\0', sizeof header->trace) != NULL)
        return start;
    free(start);
    return NULL;
}

void ftr_journal_read_owner(int fd, ftr_journal_owner *owner)
{
    *owner = (ftr_journal_owner){.file = 1};
    header_start *start = read_start(fd);
    if (start == NULL)
        return;
    const ftr_journal_header *header = &start->header;
    *owner = (ftr_journal_owner){.pid = header->pid,
                                 .file = header->commits[header->commit].file,
                                 .moved_try = header->moved_try,
                                 .is_readable = true};
    free(start);
}

ftr_status ftr_journal_write_try(int fd, uint32_t moved_try)
{
    return pwrite(fd, &moved_try, sizeof moved_try, offsetof(ftr_journal_header, moved_try)) ==
                   (ssize_t)sizeof moved_try
               ? FTR_OK
               : FTR_ERR_IO;
}

/* Compares the bytes of the trace before the committed length with the hash in the journal. Two
 * runs of one program may record the same bytes. In this case the inode number identifies the
 * trace, unless the trace was copied. */
static match match_content(const ftr_journal_header *header, const char *trace)
{
    const ftr_journal_commit *commit = &header->commits[header->commit];
    uint8_t tail[TAIL_MAX];
    if (commit->length == 0 || commit->tail_size > commit->length ||
        commit->tail_size > sizeof tail || commit->tail_size == 0)
        return IS_OTHER;
    char *path = ftr_trace_path_of_file(trace, commit->file);
    int fd = path != NULL ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    struct stat about = {0};
    ssize_t size = -1;
    if (fd >= 0 && fstat(fd, &about) == 0)
        size = pread(fd, tail, commit->tail_size, (off_t)(commit->length - commit->tail_size));
    if (fd >= 0)
        close(fd);
    free(path);
    if (size != (ssize_t)commit->tail_size ||
        ftr_journal_hash(tail, commit->tail_size) != commit->tail_hash)
        return IS_OTHER;
    if (commit->inode != 0 && commit->inode == (uint32_t)about.st_ino)
        return IS_ITS;
    return commit->length >= TELLING_LENGTH ? HAS_SAME_CONTENT : IS_OTHER;
}

static match match_trace(const ftr_journal_header *header, const char *trace)
{
    struct stat recorded;
    struct stat asked;
    if (strcmp(header->trace, trace) == 0)
        return IS_ITS;
    if (stat(header->trace, &recorded) == 0)
        return stat(trace, &asked) == 0 && recorded.st_dev == asked.st_dev &&
                       recorded.st_ino == asked.st_ino
                   ? IS_ITS
                   : IS_OTHER;
    return match_content(header, trace);
}

static match match_journal(const char *path, const char *trace)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    header_start *start = fd >= 0 ? read_start(fd) : NULL;
    match found = start != NULL ? match_trace(&start->header, trace) : IS_OTHER;
    free(start);
    if (fd >= 0)
        close(fd);
    return found;
}

/* Returns whether @p name has the form of the file name of a journal in a shared directory, for a
 * trace with the file name @p trace_name. */
static bool has_form(const char *name, const char *trace_name)
{
    size_t length = strlen(trace_name);
    return strncmp(name, trace_name, length) == 0 && name[length] == '.' &&
           strspn(name + length + 1, "0123456789abcdef") == HASH_DIGITS &&
           strcmp(name + length + 1 + HASH_DIGITS, SUFFIX) == 0;
}

static char **add(char **found, size_t *count, char *path)
{
    char **more = path != NULL ? realloc(found, (*count + 2) * sizeof *more) : NULL;
    if (more == NULL) {
        free(path);
        return found;
    }
    more[(*count)++] = path;
    more[*count] = NULL;
    return more;
}

/* Adds to @p found the journals in @p directory for which match_journal() returns @p wanted, except
 * the journal at @p own. */
static char **add_journals(char **found, size_t *count, const char *directory, const char *trace,
                           const char *own, match wanted)
{
    const char *slash = strrchr(trace, '/');
    DIR *folder = own != NULL ? opendir(directory) : NULL;
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char *path = NULL;
        if (!has_form(entry->d_name, slash != NULL ? slash + 1 : trace) ||
            asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
            continue;
        if (strcmp(path, own) != 0 && match_journal(path, trace) == wanted)
            found = add(found, count, path);
        else
            free(path);
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}

/* Adds to @p found the journals of @p trace in $TMPDIR and /dev/shm, except the one at @p usual. A
 * journal is stored there if the file system of its usual directory does not support allocation. */
static char **add_elsewhere(char **found, size_t *count, const char *trace, const char *usual)
{
    char *path;
    for (size_t i = 0; (path = ftr_journal_path_elsewhere(trace, i)) != NULL; i++) {
        bool is_usual = usual != NULL && strcmp(path, usual) == 0;
        if (path[0] && !is_usual && match_journal(path, trace) == IS_ITS)
            found = add(found, count, path);
        else
            free(path);
    }
    return found;
}

static char **add_in_directories(char **found, size_t *count, const char *trace,
                                 const char *directory, const char *own)
{
    char *beside = ftr_journal_path(trace, NULL);
    if (beside != NULL && access(beside, F_OK) == 0)
        found = add(found, count, beside);
    else
        free(beside);
    if (strcmp(directory, FTR_JOURNAL_NONE) == 0)
        return found;
    size_t before = *count;
    found = add_journals(found, count, directory, trace, own, IS_ITS);
    if (*count == before)
        found = add_journals(found, count, directory, trace, own, HAS_SAME_CONTENT);
    return found;
}

char **ftr_journal_search(const char *trace, const char *directory)
{
    char **found = NULL;
    size_t count = 0;
    char *own = ftr_journal_path(trace, directory);
    if (directory != NULL)
        found = add_in_directories(found, &count, trace, directory, own);
    found = add_elsewhere(found, &count, trace, own);
    free(own);
    return found;
}

void ftr_journal_search_free(char **found)
{
    for (size_t i = 0; found != NULL && found[i] != NULL; i++)
        free(found[i]);
    free(found);
}
