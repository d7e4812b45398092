/* The index of a trace: the file beside the trace that tells readers where its chunks are, and
 * which transaction ids each chunk contains (docs/index-format.md). The recorder and the reader
 * write it. */
#ifndef FTR_INDEX_FILE_H
#define FTR_INDEX_FILE_H

#include "chunk_frame.h"
#include "index_place.h"

#include <sys/types.h>

#define FTR_INDEX_VERSION 1
#define FTR_INDEX_CHUNKS "chunks"
#define FTR_INDEX_IDS "ids"

/* The index is bound to its trace by the length of the trace, and by a hash of this many bytes at
 * its beginning and at its end. */
#define FTR_INDEX_BOUND_FIRST ((size_t)64)
#define FTR_INDEX_BOUND_LAST ((size_t)4096)

/* Returns the hash of a trace of @p size bytes.
 * @param first its first FTR_INDEX_BOUND_FIRST bytes, or all of them if there are fewer
 * @param last its last FTR_INDEX_BOUND_LAST bytes, or all of them */
uint64_t ftr_index_hash_trace(const uint8_t *first, const uint8_t *last, uint64_t size);

/* Returns the hash of the bytes of a section. */
uint64_t ftr_index_hash_section(const uint8_t *bytes, size_t size);

/* Returns true if transactions or relations are in chunks of this kind. */
static inline bool ftr_chunk_has_ids(ftr_chunk_kind kind)
{
    return kind == FTR_CHUNK_TRANSACTIONS || kind == FTR_CHUNK_RELATIONS;
}

/* A chunk of the trace, as the index describes it. */
typedef struct ftr_indexed_chunk {
    uint64_t tag;     /* with FTR_TAG_COMPRESSED */
    uint64_t head;    /* bytes before its content */
    uint64_t payload; /* bytes of its content in the file */
    uint64_t raw_size;
    uint64_t stream, start, end; /* transactions */
    uint64_t strings;            /* dictionary: number of its entries; their ids are consecutive */
} ftr_indexed_chunk;

/* The state that the encoding of a chunk takes from the chunks before it. `{0}` is the start. */
typedef struct ftr_index_before {
    uint64_t start; /* of the last chunk of transactions */
    uint64_t id;    /* the first id of the last chunk with ids */
} ftr_index_before;

/* An index under construction. Its complete sections are kept in memory up to a limit, then in a
 * temporary file, so that the memory does not grow with the trace. */
typedef struct ftr_index_writer {
    ftr_cbor_writer chunks, ids; /* the sections under construction */
    ftr_index_before before;
    unsigned chunk_count;     /* number of chunks in the sections under construction */
    ftr_cbor_writer complete; /* complete sections that are not in the temporary file */
    /* the temporary file, or -1; `device` and `inode` identify it, because the program may close
     * the descriptor and the number may then refer to another file */
    int spill;
    uint64_t device, inode;
    uint64_t spilled;   /* bytes in the temporary file */
    const char *beside; /* path of a file in the directory for the temporary file; borrowed */
    bool omits_chunks;  /* the index has no section `chunks` */
    ftr_status status;  /* the first error: nothing more is collected */
} ftr_index_writer;

/* @param beside the path of the trace, which must stay valid */
void ftr_index_writer_init(ftr_index_writer *writer, const char *beside);
void ftr_index_writer_release(ftr_index_writer *writer);

/* Forgets all chunks, for another trace. */
void ftr_index_writer_restart(ftr_index_writer *writer, const char *beside);

/* Adds the next chunk of the trace. @p ids are the ids of its transactions, or of the transactions
 * of its relations; not used for other chunks. */
void ftr_index_put(ftr_index_writer *writer, const ftr_indexed_chunk *chunk,
                   const ftr_id_cover *ids);

/* Adds the chunk with the head @p head, whose @p size bytes in the trace are at @p framed. */
void ftr_index_put_framed(ftr_index_writer *writer, const ftr_chunk_head *head,
                          const uint8_t *framed, size_t size);

/* Returns the size that the index has so far in bytes. */
uint64_t ftr_index_writer_size(const ftr_index_writer *writer);

/* Returns the size of the memory of @p writer in bytes. */
size_t ftr_index_writer_memory(const ftr_index_writer *writer);

/* Writes the index of the trace @p trace, which is complete and open for reading as @p fd. The
 * index gets the permissions of the trace, and replaces an older index.
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_MEMORY; the first error of ftr_index_put() */
FTR_MUST_USE ftr_status ftr_index_write(ftr_index_writer *writer, const char *trace, int fd);

#endif
