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
    uint64_t torn; /* number of skipped incomplete records */
} ftr_journal_image;

/* Reads the journal open at @p fd. FTR_ERR_FORMAT: not a journal, or of another layout; @p why
 * contains the reason. FTR_ERR_IO; FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_journal_image_load(ftr_journal_image *image, int fd, const char **why);
void ftr_journal_image_release(ftr_journal_image *image);

/* Returns the blocks with transactions, in the order of their allocation: a malloc'ed list of block
 * numbers. NULL: none, or no memory. */
uint32_t *ftr_journal_image_blocks(const ftr_journal_image *image, size_t *count);

/* Iterates over the complete records of a block that are not counted as lost. @p at is 0 for the
 * first call. Returns NULL after the last record. Counts the records that it skips. */
ftr_stored_tx *ftr_journal_image_next(ftr_journal_image *image, uint32_t block, size_t *at);

/* Returns the open transaction in slot @p index, with accessible items. NULL: none, or
 * incomplete. */
const ftr_slot *ftr_journal_image_slot(ftr_journal_image *image, uint32_t index);

/* The number of the trace file that the process was writing. */
uint32_t ftr_journal_image_file(const ftr_journal_image *image);

#endif
