/* The journal: a mapped file that contains the recorded data that is not in the trace yet. The
 * blocks and slots of the arena are in this file, so recording with a journal costs no more than
 * without one. If the process is killed, the file remains, and recovery.c writes its content to a
 * trace. Layout on disk: docs/reliability.md. */
#ifndef FTR_JOURNAL_H
#define FTR_JOURNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <ftr/recorder.h>

#include "address_range.h"
#include "loss.h"

#define FTR_JOURNAL_BLOCKS_MAX 65536
#define FTR_JOURNAL_PARTS_MAX 2048
/* The numbers of parts and blocks for which the header has disk space from the start. */
#define FTR_JOURNAL_FIRST_PARTS 32
#define FTR_JOURNAL_BLOCKS_AT_START 4096
#define FTR_JOURNAL_PATH_SIZE 4096
#define FTR_JOURNAL_BUFFER_NAME_SIZE 40
/* Bytes at the start of the file for the header. */
#define FTR_JOURNAL_HEADER_ROOM ((size_t)192 << 10)

/* The content of a part of the journal. */
enum { FTR_JOURNAL_SLOTS = 1, FTR_JOURNAL_BLOCKS = 2 };

typedef struct ftr_journal_part {
    uint32_t kind;
    uint32_t pad;
    uint64_t file_offset;
    uint64_t offset; /* bytes from the start of the slots or blocks of the arena */
    uint64_t size;
} ftr_journal_part;

/* The length of the trace after its last complete append, and a hash of the bytes before this
 * length. A trace may consist of several files; all files before the current one are complete. */
typedef struct ftr_journal_commit {
    uint64_t length;    /* bytes of the current trace file */
    uint64_t tail_hash; /* hash of the last `tail_size` bytes before `length` */
    uint64_t tail_size;
    uint32_t file;  /* number of the current file, from 1 */
    uint32_t inode; /* inode number of the current file, low 32 bits; 0: unknown */
} ftr_journal_commit;

/* The losses of one file of the trace that recovery cannot count itself, because the lost
 * transactions and relations are no longer in the journal, or are marked with
 * FTR_RECORD_COUNTED. */
typedef struct ftr_journal_losses {
    uint64_t file;  /* number of the trace file; 0: this entry is invalid */
    uint64_t began; /* tick: latest end of all transactions in earlier files */
    uint64_t relations_discarded;
    ftr_loss of[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];
} ftr_journal_losses;

/* An area of the journal for a state of the run's summary (journal_state.h). */
typedef struct ftr_journal_state {
    uint64_t offset;
    uint64_t size;
    uint64_t hash;
} ftr_journal_state;

/* The header at the start of the journal. The members before `blocks` and the uses of the first
 * FTR_JOURNAL_BLOCKS_AT_START blocks are together, because a short run changes no others, and disk
 * space for the others is only allocated later. */
typedef struct ftr_journal_header {
    char magic[8];   /* stored after all other initial values */
    uint32_t layout; /* FTR_JOURNAL_LAYOUT */
    uint32_t pid;    /* id of the recording process */
    int32_t time_scale;
    uint32_t scale_known;
    int64_t epoch_seconds;
    uint32_t floats;
    uint32_t numbering;
    uint32_t compression;
    uint32_t compression_level;
    uint64_t chunk_size;
    uint32_t may_discard; /* not 0: relations may refer to transactions that are not recorded */
    uint32_t may_repeat;  /* not 0: a relation may be in two blocks */
    /* the argument `try` of ftr_trace_path_of_process() for the name of the recovered trace; 0: not
     * chosen yet */
    uint32_t moved_try;
    uint32_t counts_relations; /* not 0: relations that are in no file are counted as losses */
    _Atomic uint32_t commit;   /* index of the valid element of `commits` */
    ftr_journal_commit commits[2];
    uint32_t first_definitions; /* number of the first block of definitions */
    _Atomic uint32_t slot_count;
    _Atomic uint32_t part_count; /* for ftr_journal_part_at() */
    /* FTR_JOURNAL_COVERS, or the reason why the journal could not be extended: an errno value, or
     * FTR_JOURNAL_SHORT. If the journal could not be extended, blocks with the bit
     * FTR_BLOCK_UNCOVERED, and slots that are in no part, are only in the memory of the process. */
    _Atomic uint32_t cover;
    /* not 0: the file has ended after a failure, and `expected` is final */
    uint32_t expected_is_final;
    /* after a failure: number of transactions that are in no file and not counted in `losses`.
     * Recovery must find these transactions in the journal, and counts those that it does not
     * find */
    uint64_t expected;
    /* The full blocks that are not in the journal (recorder/blocks/uncovered_blocks.c): the number
     * of transactions in the blocks that the drain has not begun to read; the number of all other
     * records, some of which can be in the trace; and the number of blocks. */
    uint64_t uncovered_transactions;
    uint64_t uncovered_at_most;
    uint64_t uncovered_full;
    uint64_t relations_unheld; /* see `unheld` of ftr_relation_account */
    /* number of transactions that are neither in a trace file nor in the journal */
    uint64_t lost;
    _Atomic uint32_t state; /* index of the valid element of `states`, or FTR_JOURNAL_STATE_... */
    ftr_journal_state states[2];
    /* with FTR_JOURNAL_STATE_LOST: number of transactions that were added to the summary and are no
     * longer in the journal */
    uint64_t summary_lost;
    char trace[FTR_JOURNAL_PATH_SIZE]; /* absolute path of the first trace file */
    ftr_journal_part first_parts[FTR_JOURNAL_FIRST_PARTS];
    ftr_journal_losses losses[2]; /* index: file number % 2 */
    char buffer_names[FTR_BUFFERS_MAX][FTR_JOURNAL_BUFFER_NAME_SIZE];
    /* absolute path of the run's summary; empty: the run has no summary */
    char summary[FTR_JOURNAL_PATH_SIZE];
    uint8_t blocks[FTR_JOURNAL_BLOCKS_MAX]; /* index: block number; FTR_BLOCK_... */
    ftr_journal_part further_parts[FTR_JOURNAL_PARTS_MAX - FTR_JOURNAL_FIRST_PARTS];
} ftr_journal_header;

/* Returns an entry of the table of parts; @p number is less than `part_count`. */
static inline const ftr_journal_part *ftr_journal_part_at(const ftr_journal_header *header,
                                                          uint32_t number)
{
    return number < FTR_JOURNAL_FIRST_PARTS
               ? &header->first_parts[number]
               : &header->further_parts[number - FTR_JOURNAL_FIRST_PARTS];
}

#define FTR_JOURNAL_COVERS 0
/* A reason without an errno value: the journal has its maximum number of parts. */
#define FTR_JOURNAL_SHORT UINT32_MAX

/* There is no state yet, because no transaction has left the journal. */
#define FTR_JOURNAL_STATE_NONE 2
/* A state could not be written: recovery finds only the transactions that are in the journal. */
#define FTR_JOURNAL_STATE_LOST 3

/* Must be incremented when the layout of any part of the journal changes. */
#define FTR_JOURNAL_LAYOUT 9
#define FTR_JOURNAL_MAGIC "FTRJNL\r\n"

typedef enum ftr_journal_medium {
    FTR_JOURNAL_MEDIUM_UNKNOWN,
    FTR_JOURNAL_ON_DISK,
    FTR_JOURNAL_IN_MEMORY /* tmpfs */
} ftr_journal_medium;

typedef struct ftr_journal {
    int fd;                     /* -1: no open file */
    char *path;                 /* owned */
    ftr_journal_header *header; /* the mapped header; NULL: no journal */
    uint64_t size;              /* bytes of the file that are in use */
    uint64_t allocated;         /* bytes from the start of the file that were allocated at once */
    uint64_t state_room[2];     /* bytes of the two areas for states of the summary */
    /* set by the first call of ftr_journal_is_in_memory() or ftr_journal_may_complete_later() */
    _Atomic ftr_journal_medium medium;
    /* `device` and `inode` identify the file, because the program may close `fd` and the number may
     * then refer to another file */
    uint64_t device;
    uint64_t inode;
    bool is_at_path; /* the last call of ftr_journal_is_deleted() has found the file at its path */
} ftr_journal;

/* Returns the descriptor; -1: no open file. If the program has closed the descriptor, any thread
 * may replace it. */
static inline int ftr_journal_descriptor(const ftr_journal *journal)
{
    return __atomic_load_n(&journal->fd, __ATOMIC_RELAXED);
}

/* Maximum time, in ms, for which a process that has ended may still hold its locks. If the id is
 * that of a process in another PID namespace, this process may be alive, and hold its locks for a
 * longer time. */
#define FTR_DEAD_LOCK_PATIENCE 3000

/* Like ftr_file_claim(), but waits for the lock of a process that has ended: Linux may release the
 * locks of a killed process only a second after the parent process has seen its end. The id of the
 * process is read from the journal. @p path is the path of the journal at @p journal, or of a file
 * of its trace.
 * @param[in,out] patience remaining time, in ms, for all claims together */
FTR_MUST_USE ftr_status ftr_journal_claim(const char *path, const char *journal, unsigned *patience,
                                          int *fd);

/* Opens the journal at @p path and locks it, without changing its content. If there is no file,
 * creates one if @p may_create is true; otherwise returns FTR_OK and @p journal stays closed.
 * @param patience as for ftr_journal_claim()
 * @return FTR_OK; FTR_ERR_STATE if another process has locked the file; FTR_ERR_ARGUMENT if @p path
 *         is a symbolic link or not a regular file; FTR_ERR_MEMORY; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_journal_lock(ftr_journal *journal, const char *path, bool may_create,
                                         unsigned *patience);

/* Uses a new, locked file at @p path, for which fstat() has set @p about. Takes ownership of @p
 * path and @p fd. */
void ftr_journal_use(ftr_journal *journal, char *path, int fd, const struct stat *about);

typedef enum ftr_journal_content {
    FTR_JOURNAL_EMPTY,         /* the journal is new, or was never used */
    FTR_JOURNAL_LEFT_OVER,     /* a journal of a run that did not end normally */
    FTR_JOURNAL_OF_OTHER_USER, /* a journal of a run of another user that did not end normally */
    FTR_JOURNAL_FOREIGN,       /* not a journal: must not be written to */
} ftr_journal_content;

/* Returns the content of the locked file. */
ftr_journal_content ftr_journal_look(const ftr_journal *journal);

/* The memory that a journal is mapped to from its start: the header, directly followed by the first
 * slots; and the first blocks. */
typedef struct ftr_journal_memory {
    uint8_t *header;
    size_t slots_size;
    const ftr_range *blocks;
    size_t first_block; /* offset of the first block in the range */
    size_t blocks_size;
    /* what a short run uses of the blocks: used[0] bytes from their start on, and used[2] bytes
     * from the offset used[1] on */
    size_t used[3];
} ftr_journal_memory;

/* Converts the locked file into a journal for the trace at @p trace, with the first slots and
 * blocks, and maps it. If @p is_allocated is true, allocates disk space for all of it and, if the
 * disk has enough space and is not memory, for @p wanted further bytes. Otherwise, allocates disk
 * space for what a short run uses, and ftr_journal_complete() does the rest.
 * @return FTR_OK; FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_journal_start(ftr_journal *journal, const char *trace,
                                          const ftr_recorder_options *options,
                                          const ftr_journal_memory *memory, size_t wanted,
                                          bool is_allocated);

/* Returns whether ftr_journal_complete() may be called later than ftr_journal_start(): the file
 * system has enough space, and is of a usual type. In other file systems, disk space perhaps cannot
 * be allocated at all, which must be known at the start. */
bool ftr_journal_may_complete_later(ftr_journal *journal);

/* Allocates disk space as ftr_journal_start() with `is_allocated`, unless it has done so.
 * @param[out] added  number of allocated bytes behind the parts
 * @return FTR_OK; FTR_ERR_IO with errno set if the disk has no space for the parts */
FTR_MUST_USE ftr_status ftr_journal_complete(ftr_journal *journal, size_t wanted, size_t *added);

/* Returns whether the file is in a file system in memory, where allocated space takes memory. May
 * be called by any thread. */
bool ftr_journal_is_in_memory(ftr_journal *journal);

/* A place in the file for a part. */
typedef struct ftr_journal_place {
    uint64_t offset;
    size_t size;
} ftr_journal_place;

/* Returns the place of the next part, which has @p size bytes. The caller holds the lock under
 * which parts are added. */
ftr_journal_place ftr_journal_reserve(ftr_journal *journal, size_t size);

/* Gives back a reserved place that was not added to the journal. The caller holds the lock under
 * which parts are added. */
void ftr_journal_cancel(ftr_journal *journal, ftr_journal_place place);

/* Allocates disk space for a reserved place. If @p is_filled is true, also writes zeros to the
 * place, so that Linux has its pages in memory, unless the file is in memory anyway. May be called
 * while another thread adds parts. FTR_ERR_IO: no disk space; errno is set. */
FTR_MUST_USE ftr_status ftr_journal_allocate(ftr_journal *journal, ftr_journal_place place,
                                             bool is_filled);

/* Marks the journal as one that could not be extended. @p status and errno are the reason. */
void ftr_journal_mark_short(ftr_journal *journal, ftr_status status);

/* Returns, as text, the reason why the journal could not be extended. */
const char *ftr_journal_short_cause(const ftr_journal_header *header);

/* Adds the allocated place to the journal as a part for the memory of @p range from offset @p from
 * on, and maps this memory to the place. @p kind is FTR_JOURNAL_SLOTS or FTR_JOURNAL_BLOCKS.
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_LIMIT if the journal has its maximum number of
 *         parts */
FTR_MUST_USE ftr_status ftr_journal_map(ftr_journal *journal, uint32_t kind, const ftr_range *range,
                                        size_t from, ftr_journal_place place);

/* Returns the place in the journal of [from, from + size) of the blocks. The size of the place is 0
 * if no part of the journal contains all these bytes. */
ftr_journal_place ftr_journal_place_of_blocks(const ftr_journal *journal, size_t from, size_t size);

/* Writes zeros to the journal for [from, from + size) of the blocks, which must not have been used
 * yet. Linux then has these pages in memory, so the first writes to them take fewer page faults.
 * May be called while another thread adds parts. Returns false if a part could not be written. */
bool ftr_journal_fill_blocks(ftr_journal *journal, size_t from, size_t size);

/* Makes Linux read only the pages that are used. Without this, the first access to a page that was
 * never written would read many pages, which the end of the journal then releases again. */
void ftr_journal_read_single_pages(const ftr_journal *journal, const ftr_range *blocks);

/* Makes forked children share the memory that is mapped to the journal, or not. Async-signal-safe.
 */
void ftr_journal_share(const ftr_journal *journal, const ftr_range *blocks, bool is_shared);

/* Stores in the journal that the current trace file, with inode number @p inode, has @p length
 * complete bytes. The last @p tail_size of them are at @p tail. Has no effect without a journal. */
void ftr_journal_commit_trace(ftr_journal *journal, uint64_t inode, uint64_t length,
                              const uint8_t *tail, size_t tail_size);

/* Stores in the journal that the trace continues in file number @p file, which is still empty. */
void ftr_journal_commit_file(ftr_journal *journal, uint32_t file);

/* Extends the journal by @p size bytes, allocated on disk. The caller holds the lock under which
 * parts are added. On failure, returns FTR_ERR_IO and sets errno. */
FTR_MUST_USE ftr_status ftr_journal_extend(ftr_journal *journal, size_t size);

/* Returns whether the started journal was deleted. Called at the end of the recording. */
bool ftr_journal_is_deleted(ftr_journal *journal);

/* Closes the file and removes it, with its disk space. After this call, the header and the memory
 * that is mapped to the file must not be used. Has no effect without a journal. */
void ftr_journal_discard(ftr_journal *journal);

/* Closes the file, without removing it. Has no effect without a journal. The mapped memory belongs
 * to the caller. */
void ftr_journal_close(ftr_journal *journal);

/* In a forked child: closes the file without releasing the parent's lock. */
void ftr_journal_abandon(ftr_journal *journal);

/* Returns the hash that is stored in commits. */
uint64_t ftr_journal_hash(const uint8_t *bytes, size_t size);

#define FTR_JOURNAL_NONE "none" /* this name of a directory means that there is no journal */

/* Returns the path of the journal of the trace at @p trace, a path of ftr_trace_path_resolve(). The
 * journal is in @p directory; NULL: beside the trace. malloc'ed, or NULL without memory. */
char *ftr_journal_path(const char *trace, const char *directory);

/* Returns whether @p error, an errno value of ftr_journal_start(), means that the file system does
 * not support the allocation of disk space, or has no free space. */
bool ftr_journal_cannot_allocate(int error);

/* Returns a path for the journal of the trace at @p trace in a local directory, for a trace on a
 * file system that does not support allocation. @p number 0: in $TMPDIR, or an empty path if
 * $TMPDIR is not set to an absolute path; 1: in /dev/shm; higher: NULL. malloc'ed, or NULL without
 * memory. */
char *ftr_journal_path_elsewhere(const char *trace, size_t number);

#endif
