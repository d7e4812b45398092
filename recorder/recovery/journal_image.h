/* The journal of a process that has ended, loaded into memory with the layout that it had in that
 * process. */
#ifndef FTR_JOURNAL_IMAGE_H
#define FTR_JOURNAL_IMAGE_H

#include "arena.h"
#include "definitions.h"
#include "record.h"

typedef struct ftr_journal_image {
    ftr_journal_header *header; /* a copy; owned */
    ftr_range memory;           /* the mapping with all ranges */
    ftr_arena arena;
    ftr_definitions definitions;
    ftr_range bodies; /* the range for an encoder */
    /* numbers of the blocks with transactions, in the order of their allocation; owned */
    uint32_t *blocks;
    size_t block_count;
    uint64_t torn; /* number of incomplete definitions that were skipped */
    /* The journal does not contain all definitions, so the definition of a text may be missing. */
    bool lacks_definitions;
    /* what the process recorded into blocks and slots that the journal does not contain: the number
     * of transactions that are certainly in no file, and the maximum number of further records and
     * open transactions */
    uint64_t uncovered;
    uint64_t uncovered_at_most;
} ftr_journal_image;

/* The position of one pass over the records and slots of a journal. `{0}` is the start. */
typedef struct ftr_journal_pass {
    size_t block; /* index in `blocks` */
    size_t end;   /* index in `blocks` at which the pass ends; 0: it reads all blocks */
    /* offset of the next record in the block; 0: the first record that is not in an earlier file */
    size_t at;
    uint32_t slot;
    uint64_t torn; /* number of incomplete records and slots that were skipped */
    /* maximum number of records in the parts of blocks that could not be read; with `lists_torn`,
     * also the incomplete records and slots whose ids are not in `torn_ids` */
    uint64_t rest;
    /* ids of the transactions in the incomplete records and slots; owned by the caller; empty if
     * `lists_torn` is false */
    uint64_t *torn_ids;
    size_t torn_count;
    size_t torn_capacity;
    bool lists_torn;
} ftr_journal_pass;

/* Reads the journal open at @p fd. FTR_ERR_FORMAT: the file is not a journal, has another layout,
 * or is damaged. FTR_ERR_IO; FTR_ERR_MEMORY. On error, @p why is a static text with the reason. */
FTR_MUST_USE ftr_status ftr_journal_image_load(ftr_journal_image *image, int fd, const char **why);
void ftr_journal_image_release(ftr_journal_image *image);

/* Returns the next complete record without FTR_RECORD_COUNTED. NULL: there are no more records. */
ftr_stored_tx *ftr_journal_image_next(const ftr_journal_image *image, ftr_journal_pass *pass);

/* Returns the next slot with a complete open transaction; its member `items` is valid in this
 * process. NULL: there are no more slots. */
const ftr_slot *ftr_journal_image_next_slot(const ftr_journal_image *image, ftr_journal_pass *pass);

/* Returns the number of the trace file that the process was writing. */
uint32_t ftr_journal_image_file(const ftr_journal_image *image);

#endif
