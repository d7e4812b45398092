/* The journal: a file, mapped, that holds what is recorded and not yet in the trace. The blocks and
 * slots of the arena lie in it, so that recording costs no more with it than without; it outlives
 * the process, and recovery.c makes transactions of it again. How it lies on disk:
 * docs/reliability.md. */
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

/* What a part of the file is in memory. */
enum { FTR_JOURNAL_SLOTS = 1, FTR_JOURNAL_BLOCKS = 2 };

typedef struct ftr_journal_part {
    uint32_t kind;
    uint32_t pad;
    uint64_t file_offset;
    uint64_t offset; /* in the slots or blocks of the arena */
    uint64_t size;
} ftr_journal_part;

/* How much of the trace is whole, and what it ends in. A trace may be of several files; those
 * before the one this is about are whole. */
typedef struct ftr_journal_commit {
    uint64_t length;    /* bytes of the trace */
    uint64_t tail_hash; /* of the last tail_size bytes before that */
    uint64_t tail_size;
    uint32_t file;  /* the number of the trace's file that this is about, from 1 */
    uint32_t inode; /* of that file, its low 32 bits; 0: not known */
} ftr_journal_commit;

/* Losses of one file of the trace, as far as recovery cannot count them itself: the journal no
 * longer has the lost transactions and relations. */
typedef struct ftr_journal_losses {
    uint64_t file;  /* its number; 0: invalid */
    uint64_t began; /* tick: the latest end in the files before */
    uint64_t relations_discarded;
    ftr_loss of[FTR_BUFFERS_MAX][FTR_LOSS_CAUSES];
} ftr_journal_losses;

/* The start of the file. */
typedef struct ftr_journal_header {
    char magic[8];   /* stored last */
    uint32_t layout; /* FTR_JOURNAL_LAYOUT */
    uint32_t pid;    /* of the process that records */
    int32_t time_scale;
    uint32_t scale_known;
    int64_t epoch_seconds;
    uint32_t floats;
    uint32_t numbering;
    uint32_t compression;
    uint32_t compression_level;
    uint64_t chunk_size;
    uint32_t may_discard; /* relations may name transactions that are not recorded */
    uint32_t may_repeat;  /* records may be in two blocks */
    uint32_t moved_try;   /* which name the recovered trace gets, see ftr_trace_path_of_process();
                             0: not chosen yet */
    uint32_t counts_relations; /* relations that no file has are losses */
    _Atomic uint32_t commit;   /* which of the two is valid */
    ftr_journal_commit commits[2];
    uint32_t first_definitions; /* block */
    _Atomic uint32_t slot_count;
    _Atomic uint32_t part_count;
    char trace[FTR_JOURNAL_PATH_SIZE]; /* its first file; absolute */
    ftr_journal_part parts[FTR_JOURNAL_PARTS_MAX];
    uint8_t blocks[FTR_JOURNAL_BLOCKS_MAX]; /* FTR_BLOCK_... of each */
    ftr_journal_losses losses[2];           /* of file N at N modulo 2 */
    uint64_t relations_unheld;              /* see ftr_relation_account */
    char buffer_names[FTR_BUFFERS_MAX][FTR_JOURNAL_BUFFER_NAME_SIZE];
} ftr_journal_header;

/* Changes with the layout of anything in the file. */
#define FTR_JOURNAL_LAYOUT 4
#define FTR_JOURNAL_MAGIC "FTRJNL\r\n"

typedef struct ftr_journal {
    int fd;                     /* -1: there is none */
    char *path;                 /* owned */
    ftr_journal_header *header; /* mapped; NULL: there is no journal */
    uint64_t size;              /* bytes of the file */
    uint64_t device;            /* which file it is: the program may close the descriptor */
    uint64_t inode;
} ftr_journal;

/* Opens the journal at @p path, or creates it if @p may_create, and locks it. Its content stays.
 * The journal is closed if there is none and none may be created.
 * @return FTR_OK; FTR_ERR_STATE if another process records there; FTR_ERR_ARGUMENT if @p path is a
 *         symbolic link or no regular file; FTR_ERR_MEMORY; FTR_ERR_IO and errno */
FTR_MUST_USE ftr_status ftr_journal_lock(ftr_journal *journal, const char *path, bool may_create);

typedef enum ftr_journal_content {
    FTR_JOURNAL_EMPTY,         /* new, or never used */
    FTR_JOURNAL_LEFT_OVER,     /* the journal of a run that did not end */
    FTR_JOURNAL_OF_OTHER_USER, /* the same, of another user */
    FTR_JOURNAL_FOREIGN,       /* no journal: not to be written to */
} ftr_journal_content;

/* What the locked file holds. */
ftr_journal_content ftr_journal_look(const ftr_journal *journal);

/* Makes the locked file an empty journal, allocated on disk and mapped. FTR_ERR_IO and errno. */
FTR_MUST_USE ftr_status ftr_journal_start(ftr_journal *journal, const char *trace,
                                          const ftr_recorder_options *options);

/* Makes [from, from + size) of @p range memory of the file. FTR_ERR_IO: the disk has no room, or
 * FTR_ERR_LIMIT: there are too many parts. */
FTR_MUST_USE ftr_status ftr_journal_back(ftr_journal *journal, uint32_t kind,
                                         const ftr_range *range, size_t from, size_t size);

/* The trace, whose file has the number @p inode, is whole up to @p length. */
void ftr_journal_commit_trace(ftr_journal *journal, uint64_t inode, uint64_t length,
                              const uint8_t *tail, size_t tail_size);

/* The trace goes on in file number @p file, of which nothing is written yet. */
void ftr_journal_commit_file(ftr_journal *journal, uint32_t file);

/* Closes the file; @p keep leaves it there. Harmless when there is none. */
void ftr_journal_close(ftr_journal *journal, bool keep);

/* In a forked child: lets go of the file without unlocking it for the parent. */
void ftr_journal_abandon(ftr_journal *journal);

/* The hash that commits use. */
uint64_t ftr_journal_hash(const uint8_t *bytes, size_t size);

#define FTR_JOURNAL_NONE "none" /* in the place of a directory: no journal is wanted */

/* The path of the journal of @p trace, which is resolved (ftr_trace_path_resolve()), in
 * @p directory or, if NULL, beside it. malloc'ed, or NULL. */
char *ftr_journal_path(const char *trace, const char *directory);

#endif
