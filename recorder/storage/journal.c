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
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/* Parts begin at multiples of this size, because Linux maps at most this many bytes with one page
 * fault. */
#define FILL_STEP ((size_t)64 << 10)
/* Free space, in bytes, with which a file system is sure to have space for a complete journal. */
#define SPACE_LEAST (UINT64_C(64) << 20)

_Static_assert(sizeof(ftr_journal_header) <= FTR_JOURNAL_HEADER_ROOM &&
                   FTR_JOURNAL_HEADER_ROOM % FILL_STEP == 0,
               "the header has room");

uint64_t ftr_journal_hash(const uint8_t *bytes, size_t size)
{
    return ftr_hash_text(FTR_HASH_SEED, (const char *)bytes, size);
}

/* Returns the texts, one after the other, malloc'ed. Each run calls this function, and the first
 * call of asprintf() takes longer than the rest of the search for journals. */
static char *join(const char *const *texts, size_t count)
{
    size_t size = 1;
    for (size_t i = 0; i < count; i++)
        size += strlen(texts[i]);
    char *joined = malloc(size);
    char *end = joined;
    for (size_t i = 0; i < count && joined != NULL; i++)
        end = stpcpy(end, texts[i]);
    return joined;
}

char *ftr_journal_path(const char *trace, const char *directory)
{
    if (directory == NULL)
        return join((const char *[]){trace, ".journal"}, 2);
    /* Traces with the same name in several directories have their journals in the same directory,
     * so the name of the journal contains a hash of the path. */
    const char *name = strrchr(trace, '/');
    uint64_t hash = ftr_journal_hash((const uint8_t *)trace, strlen(trace));
    char digits[17] = "";
    for (size_t i = sizeof digits - 1; i-- > 0; hash >>= 4)
        digits[i] = "0123456789abcdef"[hash & 15];
    return join(
        (const char *[]){directory, "/", name != NULL ? name + 1 : trace, ".", digits, ".journal"},
        6);
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
 * so the new descriptor cannot be locked and need not be. Returns whether there is a descriptor. */
static bool regain_descriptor(ftr_journal *journal)
{
    int fd = ftr_journal_descriptor(journal);
    if (fd < 0 || is_journal(journal, fd))
        return fd >= 0;
    fd = open(journal->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && !(is_journal(journal, fd) && (ftr_file_lock(fd) || journal->header != NULL))) {
        close(fd);
        fd = -1;
    }
    __atomic_store_n(&journal->fd, fd, __ATOMIC_RELAXED);
    return fd >= 0;
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
    if (fstat(journal->fd, &about) != 0)
        about = (struct stat){0};
    ftr_journal_use(journal, name, journal->fd, &about);
    return FTR_OK;
}

void ftr_journal_use(ftr_journal *journal, char *path, int fd, const struct stat *about)
{
    *journal = (ftr_journal){.fd = fd,
                             .path = path,
                             .size = (uint64_t)about->st_size,
                             .device = about->st_dev,
                             .inode = about->st_ino};
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
static ftr_status allocate(int fd, uint64_t offset, size_t size)
{
    ftr_held_signals held;
    ftr_signals_hold(&held, true);
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
    (void)regain_descriptor(journal);
    const ftr_status status = allocate(ftr_journal_descriptor(journal), journal->size, size);
    if (status == FTR_OK)
        journal->size += size;
    return status;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Writes zeros to [offset, offset + size) of the file. On failure, returns false and sets errno. */
static bool write_zeros(int fd, uint64_t offset, size_t size)
{
    static const uint8_t zeros[FILL_STEP];
    while (size > 0) {
        const ssize_t written = pwrite(fd, zeros, smaller(size, FILL_STEP), (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return true;
}

/* Writes zeros to [offset, offset + size) of the file. Linux then maps up to FILL_STEP bytes with
 * one page fault, and reads no further pages ahead. If the write fails, because the program has
 * limited the size of files since the allocation, pages are mapped one by one. */
static bool fill(int fd, uint64_t offset, size_t size)
{
    ftr_held_signals held;
    ftr_signals_hold(&held, true);
    const bool is_written = write_zeros(fd, offset, size);
    ftr_signals_let_go(&held, is_written);
    return is_written;
}

/* Returns the offset of the next part. */
static uint64_t next_offset(const ftr_journal *journal)
{
    return (journal->size + FILL_STEP - 1) / FILL_STEP * FILL_STEP;
}

/* Sets journal->medium. Returns the type of the file system; 0: unknown, or too little space. */
static long look_at_medium(ftr_journal *journal)
{
    struct statfs system;
    const bool is_known = fstatfs(ftr_journal_descriptor(journal), &system) == 0;
    const bool is_in_memory = is_known && system.f_type == TMPFS_MAGIC;
    atomic_store_explicit(&journal->medium,
                          is_in_memory ? FTR_JOURNAL_IN_MEMORY : FTR_JOURNAL_ON_DISK,
                          memory_order_relaxed);
    const bool has_space =
        is_known && (uint64_t)system.f_bavail * (uint64_t)system.f_bsize >= SPACE_LEAST;
    return has_space ? system.f_type : 0;
}

bool ftr_journal_is_in_memory(ftr_journal *journal)
{
    if (atomic_load_explicit(&journal->medium, memory_order_relaxed) == FTR_JOURNAL_MEDIUM_UNKNOWN)
        (void)look_at_medium(journal);
    return atomic_load_explicit(&journal->medium, memory_order_relaxed) == FTR_JOURNAL_IN_MEMORY;
}

bool ftr_journal_may_complete_later(ftr_journal *journal)
{
    struct rlimit limit;
    /* a file of limited size cannot be extended */
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
        return false;
    const long type = look_at_medium(journal);
    const int fd = ftr_journal_descriptor(journal);
    if (type == TMPFS_MAGIC)
        return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1) == 0;
    /* In an empty file, there is no range to collapse. A file of an ext3 file system, or of another
     * one that cannot allocate space, gives another error. An allocation would also show this, but
     * the end of the file would release the space, for which some devices take a millisecond. */
    return (type == EXT4_SUPER_MAGIC || type == XFS_SUPER_MAGIC) &&
           fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 0, FILL_STEP) != 0 && errno == EINVAL;
}

/* Allocates the first @p parts bytes of the file and, behind them, @p wanted bytes or none. Sets @p
 * added to the bytes behind them. */
static ftr_status allocate_parts(ftr_journal *journal, size_t parts, size_t wanted, size_t *added)
{
    const int fd = ftr_journal_descriptor(journal);
    *added = ftr_journal_is_in_memory(journal) ? 0 : wanted;
    ftr_status status = allocate(fd, 0, parts + *added);
    if (status != FTR_OK && *added > 0) {
        *added = 0;
        status = allocate(fd, 0, parts);
    }
    if (status == FTR_OK)
        journal->allocated = parts + *added;
    return status;
}

ftr_status ftr_journal_complete(ftr_journal *journal, size_t wanted, size_t *added)
{
    const uint64_t size = next_offset(journal);
    *added = journal->allocated > size ? (size_t)(journal->allocated - size) : 0;
    if (journal->allocated > 0)
        return FTR_OK;
    (void)regain_descriptor(journal);
    return allocate_parts(journal, size, wanted, added);
}

/* Writes zeros to the parts of the start of the file that a short run uses. The file system then
 * reserves disk space for them, but need not choose and release the space of a file that lives only
 * for a moment. ftr_journal_may_complete_later() has returned true, so no signal can arrive. */
static ftr_status write_start(int fd, const ftr_journal_memory *memory)
{
    const size_t tables = offsetof(ftr_journal_header, blocks) + FTR_JOURNAL_BLOCKS_AT_START;
    const size_t blocks_at = FTR_JOURNAL_HEADER_ROOM + memory->slots_size;
    const bool is_written =
        write_zeros(fd, 0, tables) &&
        write_zeros(fd, FTR_JOURNAL_HEADER_ROOM, memory->slots_size + memory->used[0]) &&
        write_zeros(fd, blocks_at + memory->used[1], memory->used[2]);
    return is_written ? FTR_OK : FTR_ERR_IO;
}

/* Maps the start of the file. */
static ftr_status map_start(const ftr_journal *journal, const ftr_journal_memory *memory)
{
    const size_t head = FTR_JOURNAL_HEADER_ROOM + memory->slots_size;
    const int protection = PROT_READ | PROT_WRITE;
    uint8_t *blocks = memory->blocks->base + memory->first_block;
    if (mmap(memory->header, head, protection, MAP_SHARED | MAP_FIXED, journal->fd, 0) ==
        MAP_FAILED)
        return FTR_ERR_IO;
    if (mmap(blocks, memory->blocks_size, protection, MAP_SHARED | MAP_FIXED, journal->fd,
             (off_t)head) == MAP_FAILED) {
        const int error = errno;
        (void)mmap(memory->header, head, protection,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        errno = error;
        return FTR_ERR_IO;
    }
    /* In a child that outlives this process, the mapping would keep the lock. The memory between
     * the two mappings is that of further slots. */
    madvise(memory->header, (size_t)(blocks - memory->header) + memory->blocks_size, MADV_DONTFORK);
    return FTR_OK;
}

/* Adds the mapped start of the file to the table of parts. */
static void add_first_parts(ftr_journal_header *header, const ftr_journal_memory *memory)
{
    header->first_parts[0] = (ftr_journal_part){.kind = FTR_JOURNAL_SLOTS,
                                                .file_offset = FTR_JOURNAL_HEADER_ROOM,
                                                .size = memory->slots_size};
    header->first_parts[1] =
        (ftr_journal_part){.kind = FTR_JOURNAL_BLOCKS,
                           .file_offset = FTR_JOURNAL_HEADER_ROOM + memory->slots_size,
                           .offset = memory->first_block,
                           .size = memory->blocks_size};
    atomic_store_explicit(&header->part_count, 2, memory_order_relaxed);
}

ftr_status ftr_journal_start(ftr_journal *journal, const char *trace,
                             const ftr_recorder_options *options, const ftr_journal_memory *memory,
                             size_t wanted, bool is_allocated)
{
    const size_t size = FTR_JOURNAL_HEADER_ROOM + memory->slots_size + memory->blocks_size;
    size_t added;
    if (journal->size > 0 && ftruncate(journal->fd, 0) != 0)
        return FTR_ERR_IO;
    journal->size = size;
    journal->allocated = 0;
    ftr_status status = is_allocated ? allocate_parts(journal, next_offset(journal), wanted, &added)
                                     : write_start(journal->fd, memory);
    if (status == FTR_OK)
        status = map_start(journal, memory);
    if (status != FTR_OK)
        return status;
    journal->header = (ftr_journal_header *)memory->header;
    add_first_parts(journal->header, memory);
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
    (void)regain_descriptor(journal);
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

ftr_status ftr_journal_allocate(ftr_journal *journal, ftr_journal_place place, bool is_filled)
{
    const int fd = ftr_journal_descriptor(journal);
    if (!is_journal(journal, fd)) {
        errno = ESTALE; /* the program has closed the descriptor, and the file is no longer there */
        return FTR_ERR_IO;
    }
    const ftr_status status = allocate(fd, place.offset, place.size);
    /* The program may have closed the descriptor meanwhile, and opened a file of its own. */
    if (status == FTR_OK && is_filled && !ftr_journal_is_in_memory(journal) &&
        is_journal(journal, fd))
        (void)fill(fd, place.offset, place.size);
    return status;
}

ftr_status ftr_journal_map(ftr_journal *journal, uint32_t kind, const ftr_range *range, size_t from,
                           ftr_journal_place place)
{
    ftr_journal_header *header = journal->header;
    uint32_t number = atomic_load_explicit(&header->part_count, memory_order_relaxed);
    if (number == FTR_JOURNAL_PARTS_MAX)
        return FTR_ERR_LIMIT;
    (void)regain_descriptor(journal);
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
    *(ftr_journal_part *)ftr_journal_part_at(header, number) = (ftr_journal_part){
        .kind = kind, .file_offset = place.offset, .offset = from, .size = place.size};
    atomic_store_explicit(&header->part_count, number + 1, memory_order_release);
    return FTR_OK;
}

ftr_journal_place ftr_journal_place_of_blocks(const ftr_journal *journal, size_t from, size_t size)
{
    const ftr_journal_header *header = journal->header;
    const uint32_t count = atomic_load_explicit(&header->part_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        const ftr_journal_part *part = ftr_journal_part_at(header, i);
        if (part->kind == FTR_JOURNAL_BLOCKS && part->offset <= from &&
            from + size <= part->offset + part->size)
            return (ftr_journal_place){part->file_offset + (from - part->offset), size};
    }
    return (ftr_journal_place){0};
}

bool ftr_journal_fill_blocks(ftr_journal *journal, size_t from, size_t size)
{
    const ftr_journal_header *header = journal->header;
    uint32_t count = atomic_load_explicit(&header->part_count, memory_order_acquire);
    const int fd = ftr_journal_descriptor(journal);
    bool is_filled = is_journal(journal, fd);
    for (uint32_t i = count; i-- > 0 && is_filled;) {
        const ftr_journal_part *part = ftr_journal_part_at(header, i);
        if (part->kind != FTR_JOURNAL_BLOCKS || part->offset >= from + size ||
            part->offset + part->size <= from)
            continue;
        uint64_t first = part->offset > from ? part->offset : from;
        uint64_t end =
            part->offset + part->size < from + size ? part->offset + part->size : from + size;
        is_filled = fill(fd, part->file_offset + (first - part->offset), (size_t)(end - first));
    }
    return is_filled;
}

/* Gives an advice for the memory from the header to the end of the blocks. */
static void advise(const ftr_journal *journal, const ftr_range *blocks, int advice)
{
    uint8_t *base = (uint8_t *)journal->header;
    if (base != NULL)
        madvise(base, (size_t)(blocks->base - base) + blocks->committed, advice);
}

void ftr_journal_read_single_pages(const ftr_journal *journal, const ftr_range *blocks)
{
    advise(journal, blocks, MADV_RANDOM);
}

void ftr_journal_share(const ftr_journal *journal, const ftr_range *blocks, bool is_shared)
{
    advise(journal, blocks, is_shared ? MADV_DOFORK : MADV_DONTFORK);
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
    (void)regain_descriptor(journal);
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

/* Returns whether the journal is at its path. */
static bool is_at_path(const ftr_journal *journal)
{
    struct stat named;
    return lstat(journal->path, &named) == 0 && named.st_dev == journal->device &&
           named.st_ino == journal->inode;
}

bool ftr_journal_is_deleted(ftr_journal *journal)
{
    struct stat about;
    journal->is_at_path = journal->header != NULL && is_at_path(journal);
    return journal->header != NULL && !journal->is_at_path &&
           fstat(ftr_journal_descriptor(journal), &about) == 0 && about.st_dev == journal->device &&
           about.st_ino == journal->inode && about.st_nlink == 0;
}

void ftr_journal_discard(ftr_journal *journal)
{
    if (journal->path == NULL || !regain_descriptor(journal))
        return;
    if (journal->is_at_path || is_at_path(journal))
        unlink(journal->path);
    /* Without this, the file system could write the pages of a long journal when the memory is
     * unmapped. */
    if (journal->allocated > 0)
        (void)!ftruncate(journal->fd, 0);
    close(journal->fd);
    journal->fd = -1;
}

void ftr_journal_close(ftr_journal *journal)
{
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
