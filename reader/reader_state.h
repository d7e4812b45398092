/* What a reader is made of: shared by the files that each own a part of it. */
#ifndef FTR_READER_STATE_H
#define FTR_READER_STATE_H

#include "byte_source.h"
#include "chunk_cache.h"
#include "chunk_frame.h"
#include "directory_table.h"
#include "findings.h"
#include "memory_budget.h"
#include "text_table.h"

struct ftr_reader {
    ftr_budget budget;
    ftr_findings findings;
    bool checks_surfer_web;
    ftr_source source;
    ftr_chunk_cache cache;
    ftr_text_table texts;
    ftr_directory directory;
    char *temporaries; /* directory of temporary files, or NULL */

    /* The index: chunks in the order of the file, in segments so that none ever moves. */
    ftr_chunk **segments;
    size_t segment_count, segment_capacity;
    size_t chunk_count;
    uint64_t indexed; /* bytes looked at */
    ftr_summary summary;
    bool magic_seen;
    bool info_is_odd; /* it was read, but is not as it should be */
    bool break_seen;
    bool end_told; /* of a pipe: what is missing at its end */

    ftr_numbering numbering;
    bool numbering_known;  /* asked for, or told by values */
    bool numbering_looked; /* the sample has been looked at */

    struct ftr_cursor *cursors; /* all open ones, so that close can free them */
    struct ftr_relation_cursor *relation_cursors;
};

#define FTR_CHUNKS_A_SEGMENT 1024

static inline ftr_chunk *ftr_chunk_at(const ftr_reader *reader, size_t index)
{
    return &reader->segments[index / FTR_CHUNKS_A_SEGMENT][index % FTR_CHUNKS_A_SEGMENT];
}

/* Indexes what the source has and the index has not. With a pipe: one chunk. FTR_ERR_END when there
 * is nothing new. */
ftr_status ftr_index_extend(ftr_reader *reader);

/* The source has no more: says what is missing. */
void ftr_index_settle(ftr_reader *reader);

#endif
