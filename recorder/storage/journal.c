/* The file of the journal: locking, allocation, mapping, commits. */
#define _GNU_SOURCE
#include "journal.h"

#include "file_claim.h"
#include "hash.h"
#include "held_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PAGE ((size_t)4096)
/* Parts begin at multiples of this size, because Linux maps at most this many bytes with one page
 * fault. */
#define FILL_STEP ((size_t)64 << 10)
#define HEADER_SIZE ((sizeof(ftr_journal_header) + PAGE - 1) / PAGE * PAGE)

uint64_t ftr_journal_hash(const uint8_t *bytes, size_t size)
{
    return ftr_hash_text(FTR_HASH_SEED, (const char *)bytes, size);
}

char *ftr_journal_path(const char *trace, const char *directory)
{
    char *path = NULL;
    int length;
    if (directory != NULL) {
        /* Traces with the same name in several directories have their journals in the same
         * directory, so the name of the journal contains a hash of the path. */
        const char *name = strrchr(trace, '/');
        length =
            asprintf(&path, "%s/%s.%016llx.journal", directory, name != NULL ? name + 1 : trace,
                     (unsigned long long)ftr_journal_hash((const uint8_t *)trace, strlen(trace)));
    } else {
        length = asprintf(&path, "%s.journal", trace);
    }
    return length < 0 ? NULL : path;
}

char *ftr_journal_path_elsewhere(const char *trace, size_t number)
{
    const char *const directories[] = {getenv("TMPDIR"), "/dev/shm"};
    static char nowhere[1];
    if (number >= sizeof directories / sizeof directories[0])
        return NULL;
    bool is_usable = directories[number] != NULL && directories[number][0] == '/';
    return is_usable ? ftr_journal_path(trace, directories[number]) : strdup(nowhere);
}

static bool is_journal(const ftr_journal *journal, int fd)
{
    struct stat about;
    return fd >= 0 && fstat(fd, &about) == 0 && about.st_dev == journal->device &&
           about.st_ino == journal->inode;
}

/* Makes sure that the descriptor refers to the journal: if the program has closed the descriptor,
 * opens the journal again. While the journal is mapped, the lock of the closed descriptor remains,
 * so the new descriptor cannot be locked and need not be. */
static void regain_descriptor(ftr_journal *journal)
{
    int fd = ftr_journal_descriptor(journal);
    if (fd < 0 || is_journal(journal, fd))
        return;
    fd = open(journal->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && !(is_journal(journal, fd) && (ftr_file_lock(fd) || journal->header != NULL))) {
        close(fd);
        fd = -1;
    }
    __atomic_store_n(&journal->fd, fd, __ATOMIC_RELAXED);
}

/* Returns whether the process that wrote the journal at @p path has ended. Returns false if @p path
 * is not a complete journal. */
static bool has_dead_owner(const char *path)
{
    ftr_journal_header header = {.magic = ""};
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_read = pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header;
    close(fd);
    return is_read && memcmp(header.magic, FTR_JOURNAL_MAGIC, sizeof FTR_JOURNAL_MAGIC - 1) == 0 &&
           header.pid != 0 && kill((pid_t)header.pid, 0) != 0 && errno == ESRCH;
}

ftr_status ftr_journal_claim(const char *path, const char *journal, unsigned *patience, int *fd)
{
    const struct timespec pause = {.tv_nsec = 1000000L}; /* 1 ms */
    ftr_status status = ftr_file_claim(path, fd);
    for (; status == FTR_ERR_STATE && *patience > 0 && has_dead_owner(journal); (*patience)--) {
        (void)nanosleep(&pause, NULL);
        status = ftr_file_claim(path, fd);
    }
    return status;
}

ftr_status ftr_journal_lock(ftr_journal *journal, const char *path, bool may_create,
                            unsigned *patience)
{
    struct stat about;
    ftr_status status = FTR_ERR_MEMORY;
    char *name = strdup(path);
    *journal = (ftr_journal){.fd = -1};
    if (name == NULL)
        return status;
    do {
        status = ftr_journal_claim(path, path, patience, &journal->fd);
        if (status == FTR_OK && journal->fd < 0 && may_create)
            status = ftr_file_create(path, FTR_FILE_MODE_PRIVATE, &journal->fd);
        else
            break;
        /* another process created the file first, and may have removed it again */
    } while (status == FTR_ERR_STATE);
    if (status != FTR_OK || journal->fd < 0) {
        free(name);
        return status;
    }
    journal->path = name;
    if (fstat(journal->fd, &about) == 0) {
        journal->size = (uint64_t)about.st_size;
        journal->device = about.st_dev;
        journal->inode = about.st_ino;
    }
    return FTR_OK;
}

ftr_journal_content ftr_journal_look(const ftr_journal *journal)
{
    static const char nothing[sizeof FTR_JOURNAL_MAGIC - 1];
    char magic[sizeof FTR_JOURNAL_MAGIC - 1] = "";
    struct stat about;
    if (pread(journal->fd, magic, sizeof magic, 0) < 0 || fstat(journal->fd, &about) != 0)
        return FTR_JOURNAL_FOREIGN;
    bool is_ours = about.st_uid == geteuid();
    if (memcmp(magic, FTR_JOURNAL_MAGIC, sizeof magic) == 0)
        return is_ours ? FTR_JOURNAL_LEFT_OVER : FTR_JOURNAL_OF_OTHER_USER;
    /* The magic is stored last: until then, a new journal begins with zeros. */
    bool is_empty = memcmp(magic, nothing, sizeof magic) == 0;
    return is_ours && is_empty && about.st_nlink == 1 ? FTR_JOURNAL_EMPTY : FTR_JOURNAL_FOREIGN;
}

bool ftr_journal_cannot_allocate(int error)
{
    return error == EOPNOTSUPP || error == ENOSYS || error == ENOSPC || error == EDQUOT;
}

/* Allocates disk space before it is needed, because a write to a mapped page without disk space
 * would end the simulation with SIGBUS. */
static ftr_status allocate(const ftr_journal *journal, int fd, uint64_t offset, size_t size)
{
    ftr_held_signals held;
    if (offset + size <= journal->allocated)
        return FTR_OK;
    ftr_signals_hold(&held);
    int error;
    /* Not posix_fallocate(): if the file system does not support allocation, that function writes
     * to every block instead. */
    do
        error = fallocate(fd, 0, (off_t)offset, (off_t)size);
    while (error != 0 && errno == EINTR);
    ftr_signals_let_go(&held, error == 0);
    return error == 0 ? FTR_OK : FTR_ERR_IO;
}

ftr_status ftr_journal_extend(ftr_journal *journal, size_t size)
{
    regain_descriptor(journal);
    const ftr_status status =
        allocate(journal, ftr_journal_descriptor(journal), journal->size, size);
    if (status == FTR_OK)
        journal->size += size;
    return status;
}

/* Writes zeros to [offset, offset + size) of the file in steps. Linux then maps each step with one
 * page fault, and reads no further pages ahead. If the write fails, because the program has limited
 * the size of files since the allocation, pages are mapped one by one. */
static void fill(int fd, uint64_t offset, uint64_t size)
{
    static const uint8_t zeros[FILL_STEP];
    ftr_held_signals held;
    ssize_t written = 1;
    ftr_signals_hold(&held);
    for (uint64_t at = 0; at < size && written > 0; at += FILL_STEP)
        written =
            pwrite(fd, zeros, size - at < FILL_STEP ? size - at : FILL_STEP, (off_t)(offset + at));
    ftr_signals_let_go(&held, written > 0);
}

/* Returns the offset of the next part. */
static uint64_t next_offset(const ftr_journal *journal)
{
    return (journal->size + FILL_STEP - 1) / FILL_STEP * FILL_STEP;
}

/* Allocates the header, @p least bytes for the first parts and, if there is space, @p parts bytes.
 * A single allocation takes less time than several ones, and releasing it does, too. In a file
 * system in memory, parts are allocated only when they are needed, because allocated parts take
 * memory. */
static ftr_status allocate_start(ftr_journal *journal, size_t parts, size_t least)
{
    struct statfs system;
    journal->is_in_memory = fstatfs(journal->fd, &system) == 0 && system.f_type == TMPFS_MAGIC;
    journal->size = HEADER_SIZE;
    journal->allocated = 0;
    uint64_t wanted = next_offset(journal) + (journal->is_in_memory ? least : parts);
    ftr_status status = allocate(journal, journal->fd, 0, wanted);
    if (status != FTR_OK && !journal->is_in_memory) {
        wanted = next_offset(journal) + least;
        status = allocate(journal, journal->fd, 0, wanted);
    }
    if (status == FTR_OK)
        journal->allocated = wanted;
    return status;
}

ftr_status ftr_journal_start(ftr_journal *journal, const char *trace,
                             const ftr_recorder_options *options, size_t parts, size_t least)
{
    if (ftruncate(journal->fd, 0) != 0)
        return FTR_ERR_IO;
    ftr_status status = allocate_start(journal, parts, least);
    if (status != FTR_OK)
        return status;
    void *header = mmap(NULL, HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, journal->fd, 0);
    if (header == MAP_FAILED)
        return FTR_ERR_IO;
    /* Only few pages of the header are used, so Linux should not read further pages ahead. */
    madvise(header, HEADER_SIZE, MADV_RANDOM);
    /* In a child that outlives this process, the mapping would keep the lock. */
    madvise(header, HEADER_SIZE, MADV_DONTFORK);
    journal->header = header;
    journal->header->layout = FTR_JOURNAL_LAYOUT;
    journal->header->pid = (uint32_t)getpid();
    journal->header->epoch_seconds = options->epoch_seconds;
    journal->header->floats = options->floats;
    journal->header->numbering = options->numbering;
    journal->header->compression = options->compression;
    journal->header->compression_level = (uint32_t)options->compression_level;
    journal->header->chunk_size = options->chunk_size;
    journal->header->may_discard = options->when_full == FTR_WHEN_FULL_DROP ||
                                   options->start != NULL || options->stop != NULL ||
                                   options->max_size || options->min_free ||
                                   options->mode == FTR_MODE_FLIGHT;
    journal->header->counts_relations = options->max_files != 0;
    journal->header->commits[0].file = 1;
    journal->header->state = FTR_JOURNAL_STATE_NONE;
    snprintf(journal->header->trace, sizeof journal->header->trace, "%s", trace);
    atomic_thread_fence(memory_order_release);
    memcpy(journal->header->magic, FTR_JOURNAL_MAGIC, sizeof journal->header->magic);
    return FTR_OK;
}

ftr_journal_place ftr_journal_reserve(ftr_journal *journal, size_t size)
{
    regain_descriptor(journal);
    const uint64_t offset = next_offset(journal);
    journal->size = offset + size;
    return (ftr_journal_place){offset, size};
}

void ftr_journal_cancel(ftr_journal *journal, ftr_journal_place place)
{
    /* otherwise, another place was reserved after it */
    if (journal->size == place.offset + place.size)
        journal->size = place.offset;
}

void ftr_journal_mark_short(ftr_journal *journal, ftr_status status)
{
    const bool has_error = status == FTR_ERR_IO && errno != 0;
    atomic_store(&journal->header->cover, has_error ? (uint32_t)errno : FTR_JOURNAL_SHORT);
}

const char *ftr_journal_short_cause(const ftr_journal_header *header)
{
    const uint32_t error = atomic_load(&header->cover);
    const char *cause = error < INT_MAX ? strerrordesc_np((int)error) : NULL;
    return cause != NULL ? cause : "it has its maximum number of parts";
}

ftr_status ftr_journal_allocate(const ftr_journal *journal, ftr_journal_place place, bool is_filled)
{
    const int fd = ftr_journal_descriptor(journal);
    if (!is_journal(journal, fd)) {
        errno = ESTALE; /* the program has closed the descriptor, and the file is no longer there */
        return FTR_ERR_IO;
    }
    const ftr_status status = allocate(journal, fd, place.offset, place.size);
    /* The program may have closed the descriptor meanwhile, and opened a file of its own. */
    if (status == FTR_OK && is_filled && is_journal(journal, fd))
        fill(fd, place.offset, place.size);
    return status;
}

ftr_status ftr_journal_map(ftr_journal *journal, uint32_t kind, const ftr_range *range, size_t from,
                           ftr_journal_place place)
{
    ftr_journal_header *header = journal->header;
    uint32_t number = atomic_load_explicit(&header->part_count, memory_order_relaxed);
    if (number == FTR_JOURNAL_PARTS_MAX)
        return FTR_ERR_LIMIT;
    regain_descriptor(journal);
    const int fd = ftr_journal_descriptor(journal);
    if (!is_journal(journal, fd)) {
        errno = ESTALE;
        return FTR_ERR_IO;
    }
    /* A forked child must not be able to write to the journal of its parent. */
    if (mmap(range->base + from, place.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
             (off_t)place.offset) == MAP_FAILED)
        return FTR_ERR_IO;
    madvise(range->base + from, place.size, MADV_DONTFORK);
    header->parts[number] = (ftr_journal_part){
        .kind = kind, .file_offset = place.offset, .offset = from, .size = place.size};
    atomic_store_explicit(&header->part_count, number + 1, memory_order_release);
    return FTR_OK;
}

ftr_journal_place ftr_journal_place_of_blocks(const ftr_journal *journal, size_t from, size_t size)
{
    const ftr_journal_header *header = journal->header;
    const uint32_t count = atomic_load_explicit(&header->part_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        const ftr_journal_part *part = &header->parts[i];
        if (part->kind == FTR_JOURNAL_BLOCKS && part->offset <= from &&
            from + size <= part->offset + part->size)
            return (ftr_journal_place){part->file_offset + (from - part->offset), size};
    }
    return (ftr_journal_place){0};
}

void ftr_journal_fill_blocks(ftr_journal *journal, size_t from, size_t size)
{
    const ftr_journal_header *header = journal->header;
    uint32_t count = atomic_load_explicit(&header->part_count, memory_order_acquire);
    const int fd = ftr_journal_descriptor(journal);
    if (!is_journal(journal, fd))
        return;
    for (uint32_t i = count; i-- > 0;) {
        const ftr_journal_part *part = &header->parts[i];
        if (part->kind != FTR_JOURNAL_BLOCKS || part->offset >= from + size ||
            part->offset + part->size <= from)
            continue;
        uint64_t first = part->offset > from ? part->offset : from;
        uint64_t end =
            part->offset + part->size < from + size ? part->offset + part->size : from + size;
        fill(fd, part->file_offset + (first - part->offset), end - first);
    }
}

static void commit(ftr_journal_header *header, ftr_journal_commit commit)
{
    uint32_t next = atomic_load_explicit(&header->commit, memory_order_relaxed) ^ 1;
    header->commits[next] = commit;
    atomic_store_explicit(&header->commit, next, memory_order_release);
}

void ftr_journal_commit_trace(ftr_journal *journal, uint64_t inode, uint64_t length,
                              const uint8_t *tail, size_t tail_size)
{
    ftr_journal_header *header = journal->header;
    if (header == NULL)
        return;
    regain_descriptor(journal);
    uint32_t now = atomic_load_explicit(&header->commit, memory_order_relaxed);
    commit(header, (ftr_journal_commit){.length = length,
                                        .tail_hash = ftr_journal_hash(tail, tail_size),
                                        .tail_size = tail_size,
                                        .file = header->commits[now].file,
                                        .inode = (uint32_t)inode});
}

void ftr_journal_commit_file(ftr_journal *journal, uint32_t file)
{
    commit(journal->header,
           (ftr_journal_commit){.tail_hash = ftr_journal_hash(NULL, 0), .file = file});
}

void ftr_journal_discard(ftr_journal *journal)
{
    if (journal->path != NULL)
        regain_descriptor(journal);
    if (!is_journal(journal, journal->fd))
        return;
    ftr_file_remove(journal->fd, journal->path);
    /* Without this, the file system could write the pages of the file when the memory is
     * unmapped. */
    (void)!ftruncate(journal->fd, 0);
}

void ftr_journal_close(ftr_journal *journal)
{
    bool is_open = is_journal(journal, journal->fd);
    /* the mapping may hold the lock, so it must not be removed earlier */
    if (journal->header != NULL)
        munmap(journal->header, HEADER_SIZE);
    if (is_open)
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
