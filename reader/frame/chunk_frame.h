/* The frame of one top-level item (docs/format.md, "Chunks"): tag, heads, and the location of its
 * content. */
#ifndef FTR_CHUNK_FRAME_H
#define FTR_CHUNK_FRAME_H

#include "cbor_writer.h"
#include "format_tags.h"
#include "id_cover.h"

#include <ftr/reader.h>

/* Maximum size of a frame before its content. */
#define FTR_FRAME_HEAD_MAX 64

typedef struct ftr_frame {
    ftr_chunk_kind kind;
    bool compressed;
    bool malformed;  /* a known tag with the wrong fields: kind is UNKNOWN */
    bool indefinite; /* the array or byte string of the item ends with a break */
    /* the content is a byte string in pieces: `payload` points at the head of this string */
    bool in_pieces;
    bool bare;                   /* info: the array is not inside a byte string */
    uint64_t tag;                /* kind UNKNOWN: tag of the item, or UINT64_MAX */
    uint64_t stream, start, end; /* transactions: fields of the frame */
    uint64_t raw_size;           /* size of the expanded content */
    const uint8_t *payload;      /* the content as it is in the file, perhaps compressed */
    uint64_t payload_size;
    uint64_t size; /* size of the whole item */
} ftr_frame;

/* Sets frame->kind and frame->compressed for the tag of a chunk. @return false for any other tag */
bool ftr_frame_set_kind(ftr_frame *frame, uint64_t tag);

/* Parses the item at @p bytes. Returns FTR_OK, also for a well-formed item that is not a chunk (its
 * kind is UNKNOWN); FTR_ERR_END at the break that ends the file; FTR_ERR_TRUNCATED if the bytes end
 * within the item; FTR_ERR_FORMAT if the item is malformed. After FTR_ERR_TRUNCATED, frame.payload
 * is not NULL if the head of a chunk is complete. */
ftr_status ftr_frame_parse(const uint8_t *bytes, uint64_t size, ftr_frame *frame);

/* Parses the item that begins with the @p head_size bytes at @p head; the file ends @p size bytes
 * after the start of the item. Returns false if the item is not a complete chunk of definite
 * length: ftr_frame_parse() must then parse the whole item. frame.payload points into or behind @p
 * head. */
bool ftr_frame_parse_head(const uint8_t *head, size_t head_size, uint64_t size, ftr_frame *frame);

/* Returns true if a chunk probably begins at @p bytes: a known chunk of definite length, whose
 * content is one item of the type that its tag requires. A compressed content is expanded to @p
 * scratch of @p scratch_size bytes; if it does not fit, it is not checked. */
bool ftr_frame_is_likely(const uint8_t *bytes, uint64_t size, uint8_t *scratch, size_t scratch_size,
                         ftr_frame *frame);

/* Maximum number of bytes of a chunk without its content. */
#define FTR_CHUNK_HEADS_MAX ((size_t)7 * FTR_CBOR_HEAD_MAX)
/* Maximum number of bytes of an info chunk. */
#define FTR_INFO_CHUNK_MAX ((size_t)6 * FTR_CBOR_HEAD_MAX)

/* The fields that precede the content of a transactions chunk: the number of the stream, and the
 * earliest begin and latest end of the transactions in ticks. */
typedef struct ftr_chunk_range {
    uint64_t stream;
    uint64_t begin;
    uint64_t end;
} ftr_chunk_range;

/* All of a chunk that is not its content, and the description of its content for the index beside
 * the file. */
typedef struct ftr_chunk_head {
    uint64_t tag;   /* without FTR_TAG_COMPRESSED */
    bool has_range; /* only chunks of transactions have a range */
    ftr_chunk_range range;
    uint64_t strings; /* dictionary: number of its entries */
    ftr_id_cover ids; /* transactions and relations: the ids of the transactions */
} ftr_chunk_head;

/* Returns the tag of an uncompressed chunk. */
static inline uint64_t ftr_chunk_tag(ftr_chunk_kind kind)
{
    if (kind == FTR_CHUNK_INFO)
        return FTR_TAG_INFO;
    return FTR_TAG_DICTIONARY + 2 * ((uint64_t)kind - FTR_CHUNK_DICTIONARY);
}

/* Writes all parts of a chunk that precede the bytes of its content, at most FTR_CHUNK_HEADS_MAX
 * bytes. @p size is the size of the content in the file. @p raw_size is its size after
 * decompression; 0: the content is not compressed. Returns the end of the written parts. */
uint8_t *ftr_chunk_heads_at(uint8_t *p, const ftr_chunk_head *head, size_t raw_size, size_t size);

/* Writes an info chunk, at most FTR_INFO_CHUNK_MAX bytes. Returns the end of the chunk.
 * @param[out] content_size size of its content in bytes */
uint8_t *ftr_info_chunk_at(uint8_t *p, int time_scale, int64_t epoch_seconds, size_t *content_size);

/* Returns true if a compressed block of @p size bytes can expand to @p raw_size. */
static inline bool ftr_expansion_is_possible(uint64_t size, uint64_t raw_size)
{
    return raw_size / 255 <= size + 1 && raw_size <= 0x7e000000u;
}

#endif
