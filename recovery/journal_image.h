/* A journal of another process, loaded into memory with the layout that it had in that process. */
#ifndef FTR_JOURNAL_IMAGE_H
#define FTR_JOURNAL_IMAGE_H

#include "arena.h"
#include "definitions.h"
#include "record.h"

typedef struct ftr_journal_image {
    ftr_journal_header *header; /* a copy; owned */
    ftr_arena arena;
    ftr_definitions definitions;
    uint32_t *blocks; /* those with transactions, in the order of their allocation; owned */
    size_t block_count;
    uint64_t torn; /* number of skipped incomplete definitions */
} ftr_journal_image;

/* One pass over the records and the slots; `{0}` begins it. */
typedef struct ftr_journal_pass {
    size_t block; /* index in `blocks` */
    size_t end;   /* index of the first block that is not read; 0: all are */
    size_t at;    /* offset in the block; 0: its first record */
    uint32_t slot;
    uint64_t torn; /* number of skipped incomplete records and slots */
} ftr_journal_pass;

/* Reads the journal open at @p fd. FTR_ERR_FORMAT: not a journal, or of another layout; @p why
 * contains the reason. FTR_ERR_IO; FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_journal_image_load(ftr_journal_image *image, int fd, const char **why);
void ftr_journal_image_release(ftr_journal_image *image);

/* Returns the next complete record that is not counted as lost. NULL: there are no more. */
ftr_stored_tx *ftr_journal_image_next(const ftr_journal_image *image, ftr_journal_pass *pass);

/* Returns the next slot with a complete open transaction, and makes its items accessible. NULL:
 * there are no more. */
const ftr_slot *ftr_journal_image_next_slot(const ftr_journal_image *image, ftr_journal_pass *pass);

/* The number of the trace file that the process was writing. */
uint32_t ftr_journal_image_file(const ftr_journal_image *image);

#endif
