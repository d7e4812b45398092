/* The journal's file: locking, allocation, mapping, commit points. Knows nothing of records. */
#define _GNU_SOURCE
#include "journal.h"

#include "held_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE ((size_t)4096)
#define HEADER_SIZE ((sizeof(ftr_journal_header) + PAGE - 1) / PAGE * PAGE)

uint64_t ftr_journal_hash(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

char *ftr_journal_path(const char *trace, const char *directory)
{
    char *path = NULL;
    int length;
    if (directory) {
        /* Traces of the same name in different places share the directory. */
        char absolute[PATH_MAX];
        const char *name = strrchr(trace, '/');
        const char *whole = realpath(trace, absolute) ? absolute : trace;
        length =
            asprintf(&path, "%s/%s.%016llx.journal", directory, name ? name + 1 : trace,
                     (unsigned long long)ftr_journal_hash((const uint8_t *)whole, strlen(whole)));
    } else {
        length = asprintf(&path, "%s.journal", trace);
    }
    return length < 0 ? NULL : path;
}

/* Whether @p path still names the open file: whoever had it before may have removed it meanwhile.
 */
static bool is_at_path(int fd, const char *path)
{
    struct stat open_file;
    struct stat named;
    return fstat(fd, &open_file) == 0 && stat(path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/* A lock of the open file, so that a forked child that lets go of it does not unlock it. Where
 * locks do not work, only the pid in a left-over journal tells processes apart. */
static bool lock_file(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

static bool is_journal(const ftr_journal *journal, int fd)
{
    struct stat about;
    return fd >= 0 && fstat(fd, &about) == 0 && about.st_dev == journal->device &&
           about.st_ino == journal->inode;
}

/* Makes sure that the descriptor is the journal's. If the program has closed it, the journal is
 * opened and locked again. */
static void regain_descriptor(ftr_journal *journal)
{
    if (journal->fd < 0 || is_journal(journal, journal->fd))
        return;
    journal->fd = open(journal->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (is_journal(journal, journal->fd) && lock_file(journal->fd))
        return;
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
}

ftr_status ftr_journal_lock(ftr_journal *journal, const char *path)
{
    *journal = (ftr_journal){.fd = -1};
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return FTR_ERR_IO;
        if (!lock_file(fd)) {
            close(fd);
            return FTR_ERR_STATE;
        }
        if (is_at_path(fd, path)) {
            journal->fd = fd;
            break;
        }
        close(fd);
    }
    struct stat about = {0};
    int known = fstat(journal->fd, &about);
    journal->size = (uint64_t)about.st_size;
    journal->device = about.st_dev;
    journal->inode = about.st_ino;
    journal->path = strdup(path);
    if (!journal->path || known != 0) {
        ftr_journal_close(journal, true);
        return FTR_ERR_IO;
    }
    return FTR_OK;
}

bool ftr_journal_is_left_over(const ftr_journal *journal)
{
    char magic[sizeof FTR_JOURNAL_MAGIC - 1];
    return pread(journal->fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
           memcmp(magic, FTR_JOURNAL_MAGIC, sizeof magic) == 0;
}

/* Adds @p size bytes to the file. They are allocated at once: writing to a mapped page the disk has
 * no room for would end the simulation with SIGBUS. */
static ftr_status extend(ftr_journal *journal, size_t size)
{
    ftr_held_signals held;
    regain_descriptor(journal);
    ftr_signals_hold(&held);
    int error = posix_fallocate(journal->fd, (off_t)journal->size, (off_t)size);
    ftr_signals_let_go(&held, error == 0);
    if (error != 0) {
        errno = error;
        return FTR_ERR_IO;
    }
    journal->size += size;
    return FTR_OK;
}

ftr_status ftr_journal_start(ftr_journal *journal, const char *trace,
                             const ftr_recorder_options *options)
{
    if (ftruncate(journal->fd, 0) != 0)
        return FTR_ERR_IO;
    journal->size = 0;
    ftr_status status = extend(journal, HEADER_SIZE);
    if (status != FTR_OK)
        return status;
    void *header = mmap(NULL, HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, journal->fd, 0);
    if (header == MAP_FAILED)
        return FTR_ERR_IO;
    journal->header = header;
    journal->header->layout = FTR_JOURNAL_LAYOUT;
    journal->header->pid = (uint32_t)getpid();
    journal->header->epoch_seconds = options->epoch_seconds;
    journal->header->floats = options->floats;
    journal->header->numbering = options->numbering;
    journal->header->compression = options->compression;
    journal->header->compression_level = (uint32_t)options->compression_level;
    journal->header->chunk_size = options->chunk_size;
    journal->header->may_leave_out = options->when_full == FTR_WHEN_FULL_DROP || options->start ||
                                     options->stop || options->max_size || options->min_free ||
                                     options->mode == FTR_MODE_FLIGHT;
    journal->header->commits[0].file = 1;
    snprintf(journal->header->trace, sizeof journal->header->trace, "%s", trace);
    atomic_thread_fence(memory_order_release);
    memcpy(journal->header->magic, FTR_JOURNAL_MAGIC, sizeof journal->header->magic);
    return FTR_OK;
}

ftr_status ftr_journal_back(ftr_journal *journal, uint32_t kind, const ftr_range *range,
                            size_t from, size_t size)
{
    ftr_journal_header *header = journal->header;
    uint32_t number = atomic_load_explicit(&header->part_count, memory_order_relaxed);
    if (number == FTR_JOURNAL_PARTS_MAX)
        return FTR_ERR_LIMIT;
    uint64_t file_offset = journal->size;
    ftr_status status = extend(journal, size);
    if (status != FTR_OK)
        return status;
    /* A child shall not even be able to write to its parent's journal. */
    if (mmap(range->base + from, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, journal->fd,
             (off_t)file_offset) == MAP_FAILED)
        return FTR_ERR_IO;
    madvise(range->base + from, size, MADV_DONTFORK);
    header->parts[number] =
        (ftr_journal_part){.kind = kind, .file_offset = file_offset, .offset = from, .size = size};
    atomic_store_explicit(&header->part_count, number + 1, memory_order_release);
    return FTR_OK;
}

static void commit(ftr_journal_header *header, ftr_journal_commit commit)
{
    uint32_t next = atomic_load_explicit(&header->commit, memory_order_relaxed) ^ 1;
    header->commits[next] = commit;
    atomic_store_explicit(&header->commit, next, memory_order_release);
}

void ftr_journal_commit_trace(ftr_journal *journal, uint64_t length, const uint8_t *tail,
                              size_t tail_size)
{
    ftr_journal_header *header = journal->header;
    if (!header)
        return;
    regain_descriptor(journal);
    uint32_t now = atomic_load_explicit(&header->commit, memory_order_relaxed);
    commit(header, (ftr_journal_commit){.length = length,
                                        .tail_hash = ftr_journal_hash(tail, tail_size),
                                        .tail_size = tail_size,
                                        .file = header->commits[now].file});
}

void ftr_journal_commit_file(ftr_journal *journal, uint32_t file)
{
    commit(journal->header,
           (ftr_journal_commit){.tail_hash = ftr_journal_hash(NULL, 0), .file = file});
}

void ftr_journal_close(ftr_journal *journal, bool keep)
{
    if (journal->header)
        munmap(journal->header, HEADER_SIZE);
    if (journal->path && !keep)
        unlink(journal->path);
    if (is_journal(journal, journal->fd))
        close(journal->fd);
    free(journal->path);
    *journal = (ftr_journal){.fd = -1};
}

void ftr_journal_abandon(ftr_journal *journal)
{
    if (is_journal(journal, journal->fd))
        close(journal->fd);
    journal->fd = -1;
    journal->header = NULL;
}
