/* The state of a reader, shared by the files that each own a part of it. */
#ifndef FTR_READER_STATE_H
#define FTR_READER_STATE_H

#include "attribute_forms.h"
#include "byte_source.h"
#include "chunk_cache.h"
#include "chunk_frame.h"
#include "directory_table.h"
#include "findings.h"
#include "memory_budget.h"
#include "text_table.h"

#include <ftr/trace_index.h>

#include <sys/queue.h>

/* The gaps in the ids of chunks: ids that are not in the chunk although they are in its range.
 * `{0}` is empty. */
typedef struct ftr_id_gaps {
    ftr_id_range *list;
    size_t count, capacity;
    ftr_id_index of_chunks; /* from the offset of a chunk to the index of its gap */
} ftr_id_gaps;

/* The first bytes of an item, copied from the file. */
typedef struct ftr_copied_head {
    uint64_t offset; /* offset of the item */
    size_t size;     /* number of bytes copied; 0: none */
    uint8_t bytes[FTR_FRAME_HEAD_MAX];
} ftr_copied_head;

/* Chunks in file order, in segments so that a chunk never moves. */
#define FTR_CHUNKS_A_SEGMENT 1024

typedef struct ftr_chunk_segment {
    ftr_chunk chunks[FTR_CHUNKS_A_SEGMENT];
    /* the ids of all chunks of transactions, and of all chunks of relations; valid if
     * `without_ids` is 0 */
    ftr_id_range transaction_ids, relation_ids;
    uint32_t without_ids; /* number of these chunks with unknown ids */
} ftr_chunk_segment;

struct ftr_reader {
    const ftr_reader *origin; /* the reader of this view (reader_view.c); NULL: not a view */
    ftr_id_index own_chunks; /* view: from the index of a chunk to the address of the view's copy */
    ftr_budget budget;
    ftr_findings findings;
    bool checks_surfer_web;
    unsigned threads; /* for queries that do not state a number of threads */
    /* Frees the chunks that a check has read ahead; NULL: no check reads ahead. */
    void (*release_ahead)(void *user);
    void *release_user;
    ftr_source source;
    ftr_chunk_cache cache;
    ftr_text_table texts;
    ftr_directory directory;
    char *temporaries; /* directory of temporary files, or NULL */

    /* The index. */
    ftr_chunk_segment **segments;
    size_t segment_count, segment_capacity;
    size_t chunk_count;
    uint64_t indexed; /* number of bytes indexed */
    ftr_copied_head copied_head;
    ftr_file_info info;
    bool magic_seen;
    bool info_is_malformed; /* the info was read, but is malformed */
    bool break_seen;
    ftr_index_state index_state; /* of the index beside the file */
    ftr_id_gaps gaps;            /* gaps in the ids of chunks (chunk_ids.h) */
    bool end_reported;           /* pipe: it has been reported that the end is missing */

    ftr_numbering numbering;
    bool numbering_known;   /* requested by the caller, or proven by values */
    bool numbering_sampled; /* the sample has been checked */
    ftr_attribute_forms forms;

    /* all open cursors, for ftr_reader_close() */
    LIST_HEAD(, ftr_cursor) cursors;
    LIST_HEAD(, ftr_relation_cursor) relation_cursors;
};

static inline ftr_chunk *ftr_chunk_at(const ftr_reader *reader, size_t index)
{
    return &reader->segments[index / FTR_CHUNKS_A_SEGMENT]->chunks[index % FTR_CHUNKS_A_SEGMENT];
}

/* Returns true if later values cannot change the numbering. */
static inline bool ftr_numbering_is_final(const ftr_reader *reader)
{
    return reader->numbering_known || (reader->numbering_sampled && !reader->source.is_pipe);
}

/* The part of a chunk that its frame does not contain. */
typedef struct ftr_listed_chunk {
    uint64_t strings; /* dictionary: number of its entries; their ids are consecutive */
} ftr_listed_chunk;

/* Adds the chunk at `indexed`, which the index beside the file lists, without reading its frame.
 * @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_index_add_listed(ftr_reader *reader, const ftr_frame *frame,
                                             const ftr_listed_chunk *listed);

/* Verifies the first bytes of the file. @return FTR_OK; FTR_ERR_FORMAT; FTR_ERR_IO */
FTR_MUST_USE ftr_status ftr_index_begin(ftr_reader *reader);

/* Removes all chunks, streams, generators and texts from the index. No cursor is open. */
void ftr_index_reset(ftr_reader *reader);

/* Indexes the new complete chunks of a file, or waits for one chunk of a pipe and indexes it.
 * @return FTR_OK; FTR_ERR_END if there is no new chunk; FTR_ERR_FORMAT if the file is not a trace;
 *         FTR_ERR_IO with errno set; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
ftr_status ftr_index_extend(ftr_reader *reader);

/* Called at the end of the source. Reports missing parts of the file. */
void ftr_index_settle(ftr_reader *reader);

/* ---- views of further threads (reader_view.c) ------------------------------------------------ */

/* A view of a reader for one further thread: it shares the index, the directory and the dictionary,
 * which must not change while the view is used, and has its own contents, texts, forms and memory.
 * A view only counts findings. If it has counted one, the reader itself must read the same chunk
 * again to report it. */

/* @param memory the budget of the view in bytes
 * @return NULL if out of memory */
ftr_reader *ftr_reader_view_create(ftr_reader *origin, size_t memory);
void ftr_reader_view_destroy(ftr_reader *view);

/* Returns a copy of the members of a chunk that never change. */
ftr_chunk ftr_chunk_copy(const ftr_chunk *chunk);

/* Returns the view's copy of chunk @p index, for its contents; NULL if out of memory. */
ftr_chunk *ftr_reader_view_chunk(ftr_reader *view, size_t index);

#endif
