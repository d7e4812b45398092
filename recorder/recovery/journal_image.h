/* A journal that some process left, read back into memory as that process had it. */
#ifndef FTR_JOURNAL_IMAGE_H
#define FTR_JOURNAL_IMAGE_H

#include "arena.h"
#include "definitions.h"
#include "record.h"

typedef struct ftr_journal_image {
    ftr_journal_header *header; /* a copy; owned */
    ftr_arena arena;
    ftr_definitions definitions;
    uint64_t torn; /* records that were skipped because they are not whole */
} ftr_journal_image;

/* Reads the journal open at @p fd. FTR_ERR_FORMAT: it is none, or of another layout, and @p why
 * says so; FTR_ERR_IO; FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_journal_image_load(ftr_journal_image *image, int fd, const char **why);
void ftr_journal_image_release(ftr_journal_image *image);

/* The blocks with transactions, in the order they were handed out: a malloc'ed list of block
 * numbers. NULL: none, or no memory. */
uint32_t *ftr_journal_image_blocks(const ftr_journal_image *image, size_t *count);

/* Goes through the whole records of a block that are not counted as lost. @p at is 0 for the first
 * one; NULL: there is no further one. Counts what it skips. */
ftr_stored_tx *ftr_journal_image_next(ftr_journal_image *image, uint32_t block, size_t *at);

/* The open transaction in slot @p index, its items made accessible; NULL: none, or not whole. */
const ftr_slot *ftr_journal_image_slot(ftr_journal_image *image, uint32_t index);

/* The number of the trace's file that was written. */
uint32_t ftr_journal_image_file(const ftr_journal_image *image);

#endif
