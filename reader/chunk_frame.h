/* The frame of one top-level item: what kind of chunk it is, and where its content lies. */
#ifndef FTR_CHUNK_FRAME_H
#define FTR_CHUNK_FRAME_H

#include <ftr/reader.h>

#define FTR_FILE_MAGIC "\xd9\xd9\xf7\x9f"
#define FTR_FILE_MAGIC_SIZE 4

/* The most bytes of a frame before its content. */
#define FTR_FRAME_HEAD_MAX 64

enum {
    FTR_TAG_INFO = 6,
    FTR_TAG_DICTIONARY = 8,
    FTR_TAG_DIRECTORY = 10,
    FTR_TAG_TRANSACTIONS = 12,
    FTR_TAG_RELATIONS = 14,
    FTR_TAG_COMPRESSED = 1 /* added to the four above */
};

typedef struct ftr_frame {
    ftr_chunk_kind kind;
    bool compressed;
    bool malformed;  /* a known tag, but not the fields it should have: kind is UNKNOWN */
    bool indefinite; /* its array or byte string lasts until a break */
    bool in_pieces;  /* its content is a byte string in pieces: payload points at its head */
    bool bare;       /* info: the array is not in a byte string */
    uint64_t tag;    /* UNKNOWN: its tag, or UINT64_MAX */
    uint64_t stream, start, end; /* transactions */
    uint64_t raw_size;           /* of the content expanded */
    const uint8_t *payload;
    uint64_t payload_size;
    uint64_t size; /* of the whole item */
} ftr_frame;

/* Parses the item at @p bytes.
 * FTR_OK; FTR_ERR_END at the break that ends the file; FTR_ERR_TRUNCATED when the bytes end within
 * the item (frame.payload is not NULL if its head was complete); FTR_ERR_FORMAT when it is no
 * well-formed item. */
ftr_status ftr_frame_parse(const uint8_t *bytes, uint64_t size, ftr_frame *frame);

/* The same for a place where a chunk may or may not begin: only a known chunk in definite form is
 * one, and only if its content is what its tag says. @p scratch of @p scratch_size bytes is for
 * expanding; a block that does not fit it is believed. */
bool ftr_frame_is_likely(const uint8_t *bytes, uint64_t size, uint8_t *scratch, size_t scratch_size,
                         ftr_frame *frame);

/* Whether a compressed block of @p size bytes can expand to @p raw_size. */
static inline bool ftr_expansion_is_possible(uint64_t size, uint64_t raw_size)
{
    return raw_size / 255 <= size + 1 && raw_size <= 0x7e000000u;
}

#endif
