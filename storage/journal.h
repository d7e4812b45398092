/* The journal: a mapped file that contains the recorded data that is not in the trace yet. The
 * blocks and slots of the arena are in this file, so recording with a journal costs no more than
 * without. The file outlives the process, and recovery.c converts it into transactions. Layout on
 * disk: docs/reliability.md. */
#ifndef FTR_JOURNAL_H
#define FTR_JOURNAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ftr/recorder.h>

#include "address_range.h"
#include "loss.h"

#define FTR_JOURNAL_BLOCKS_MAX 65536
#define FTR_JOURNAL_PARTS_MAX 2048
#define FTR_JOURNAL_PATH_SIZE 4096
#define FTR_JOURNAL_BUFFER_NAME_SIZE 40

/* The contents of a part of the file. */
enum { FTR_JOURNAL_SLOTS = 1, FTR_JOURNAL_BLOCKS = 2 };

typedef struct ftr_journal_part {
    uint32_t kind;
    uint32_t pad;
    uint64_t file_offset;
    uint64_t offset; /* in the slots or blocks of the arena */
    uint64_t size;
} ftr_journal_part;

/* The complete part of the trace, and a hash of its end. A trace may consist of several files;
 * those before the current one are complete. */
typedef struct ftr_journal_commit {
    uint64_t length;    /* bytes of the current file */
    uint64_t tail_hash; /* of the last `tail_size` bytes before `length` */
    uint64_t tail_size;
    uint32_t file;  /* number of the current file, from 1 */
    uint32_t inode; /* of the current file, low 32 bits; 0: unknown */
} ftr_journal_commit;

/* Losses of one file of the trace that recovery cannot count itself, because the journal no longer
 * contains the lost transactions and relations. */
typedef struct ftr_journal_losses {
    uint64_t file;  /* number of the file; 0: invalid */
    uint64_t began; /* tick: the latest end in earlier files */
    uint64_t relations_discarded;
    ftr_loss of[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];
} ftr_journal_losses;

/* An area of the file with the state of the run's summary (journal_state.h). */
typedef struct ftr_journal_state {
    uint64_t offset;
    uint64_t size;
    uint64_t hash;
} ftr_journal_state;

/* The start of the journal's file. */
typedef struct ftr_journal_header {
    char magic[8];   /* stored last */
    uint32_t layout; /* FTR_JOURNAL_LAYOUT */
    uint32_t pid;    /* of the recording process */
    int32_t time_scale;
    uint32_t scale_known;
    int64_t epoch_seconds;
    uint32_t floats;
    uint32_t numbering;
    uint32_t compression;
    uint32_t compression_level;
    uint64_t chunk_size;
    uint32_t may_discard; /* relations may refer to transactions that are not recorded */
    uint32_t may_repeat;  /* a record may be in two blocks */
    /* determines the name of the recovered trace, see ftr_trace_path_of_process(); 0: not chosen
     * yet */
    uint32_t moved_try;
    uint32_t counts_relations; /* relations that are in no file count as losses */
    _Atomic uint32_t commit;   /* index of the valid element of the commits */
    ftr_journal_commit commits[2];
    uint32_t first_definitions; /* block number */
    _Atomic uint32_t slot_count;
    _Atomic uint32_t part_count;
    char trace[FTR_JOURNAL_PATH_SIZE]; /* path of the first file; absolute */
    ftr_journal_part parts[FTR_JOURNAL_PARTS_MAX];
    uint8_t blocks[FTR_JOURNAL_BLOCKS_MAX]; /* FTR_BLOCK_... of each block */
    ftr_journal_losses losses[2];           /* the entry of file N has the index N modulo 2 */
    uint64_t relations_unheld;              /* see ftr_relation_account */
    char buffer_names[FTR_BUFFERS_MAX][FTR_JOURNAL_BUFFER_NAME_SIZE];
    /* path of the run's summary; absolute; empty: none is kept */
    char summary[FTR_JOURNAL_PATH_SIZE];
    uint64_t lost;          /* transactions that are in no file and not in this one */
    _Atomic uint32_t state; /* index of the valid element of the states, or FTR_JOURNAL_STATE_... */
    ftr_journal_state states[2];
} ftr_journal_header;

/* No transaction has left the journal yet. */
#define FTR_JOURNAL_STATE_NONE 2
/* The state could not be written: the summary cannot be recovered. */
#define FTR_JOURNAL_STATE_LOST 3

/* Must change with the layout of any part of the file. */
#define FTR_JOURNAL_LAYOUT 5
#define FTR_JOURNAL_MAGIC "FTRJNL\r\n"

typedef struct ftr_journal {
    int fd;                     /* -1: none */
    char *path;                 /* owned */
    ftr_journal_header *header; /* mapped; NULL: no journal */
    uint64_t size;              /* bytes of the file */
    uint64_t state_room[2];     /* bytes of the areas of states */
    bool is_in_memory;          /* its file system is tmpfs */
    /* identity of the file, because the program may close the descriptor */
    uint64_t device;
    uint64_t inode;
} ftr_journal;

/* Returns the descriptor; -1: none. Any thread that finds it closed by the program replaces it. */
static inline int ftr_journal_descriptor(const ftr_journal *journal)
{
    return __atomic_load_n(&journal->fd, __ATOMIC_RELAXED);
}

/* Opens the journal at @p path, or creates it if @p may_create, and locks it. Does not change its
 * content. If there is no journal and none may be created, @p journal stays closed.
 * @return FTR_OK; FTR_ERR_STATE if another process has locked it; FTR_ERR_ARGUMENT if @p path is a
 *         symbolic link or not a regular file; FTR_ERR_MEMORY; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_journal_lock(ftr_journal *journal, const char *path, bool may_create);

typedef enum ftr_journal_content {
    FTR_JOURNAL_EMPTY,         /* new, or never used */
    FTR_JOURNAL_LEFT_OVER,     /* from a run that did not end normally */
    FTR_JOURNAL_OF_OTHER_USER, /* as above, of another user */
    FTR_JOURNAL_FOREIGN,       /* not a journal: must not be written to */
} ftr_journal_content;

/* The content of the locked file. */
ftr_journal_content ftr_journal_look(const ftr_journal *journal);

/* Converts the locked file into an empty journal, allocated on disk and mapped. FTR_ERR_IO and
 * errno. */
FTR_MUST_USE ftr_status ftr_journal_start(ftr_journal *journal, const char *trace,
                                          const ftr_recorder_options *options);

/* Maps [from, from + size) of @p range to the file. FTR_ERR_IO: no disk space. FTR_ERR_LIMIT: too
 * many parts. */
FTR_MUST_USE ftr_status ftr_journal_back(ftr_journal *journal, uint32_t kind,
                                         const ftr_range *range, size_t from, size_t size);

/* Gives memory to [from, from + size) of a range of the file that was never used. Writing to it
 * then takes a fraction of the page faults. */
void ftr_journal_fill(ftr_journal *journal, uint32_t kind, size_t from, size_t size);

/* Commits: the trace file with inode number @p inode is complete up to @p length. */
void ftr_journal_commit_trace(ftr_journal *journal, uint64_t inode, uint64_t length,
                              const uint8_t *tail, size_t tail_size);

/* Commits: the trace continues in file number @p file, which is still empty. */
void ftr_journal_commit_file(ftr_journal *journal, uint32_t file);

/* Adds @p size bytes to the file, allocated on disk. The caller holds the lock under which parts
 * are added. FTR_ERR_IO and errno. */
FTR_MUST_USE ftr_status ftr_journal_extend(ftr_journal *journal, size_t size);

/* Removes the file and releases its space. Then nothing may use the header and the ranges that are
 * mapped to the file. Has no effect without a journal. */
void ftr_journal_discard(ftr_journal *journal);

/* Closes the file, which stays unless it was discarded. Has no effect without a journal. */
void ftr_journal_close(ftr_journal *journal);

/* In a forked child: closes the file without releasing the parent's lock. */
void ftr_journal_abandon(ftr_journal *journal);

/* The hash of commits. */
uint64_t ftr_journal_hash(const uint8_t *bytes, size_t size);

#define FTR_JOURNAL_NONE "none" /* value in place of a directory: no journal */

/* Returns the path of the journal of @p trace, which is resolved (ftr_trace_path_resolve()): in @p
 * directory or, if NULL, in the directory of the trace. malloc'ed, or NULL. */
char *ftr_journal_path(const char *trace, const char *directory);

/* Returns whether @p error, an errno value of ftr_journal_start(), means that the file system
 * cannot allocate space for a file. */
bool ftr_journal_cannot_allocate(int error);

/* Returns the path of the journal of @p trace in a local directory, for a file system that cannot
 * allocate: $TMPDIR for @p number 0, /dev/shm for 1, NULL after that. Empty if $TMPDIR is not set
 * to an absolute path. malloc'ed, or NULL without memory. */
char *ftr_journal_path_elsewhere(const char *trace, size_t number);

#endif
