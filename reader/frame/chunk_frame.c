/* Reads and writes the frames of top-level items. */
#include "chunk_frame.h"

#include "cbor_reader.h"
#include "lz4_block.h"

#include <string.h>

/* Reads the content of a chunk: a byte string that may be truncated. */
static ftr_status get_payload(ftr_cbor_reader *r, ftr_frame *frame)
{
    if (ftr_cbor_peek(r) != FTR_CBOR_BYTES)
        return ftr_cbor_reader_fail(r, r->cursor < r->end ? FTR_ERR_FORMAT : FTR_ERR_TRUNCATED);
    if (ftr_cbor_peek_indefinite(r)) {
        const uint8_t *at = r->cursor;
        if (ftr_cbor_skip(r) != FTR_OK)
            return r->status;
        frame->payload = at;
        frame->payload_size = (uint64_t)(r->cursor - at);
        frame->in_pieces = frame->indefinite = true;
        return FTR_OK;
    }
    ftr_cbor_head head;
    if (ftr_cbor_get_head(r, &head) != FTR_OK)
        return r->status;
    frame->payload = r->cursor;
    frame->payload_size = head.argument;
    if (head.argument > ftr_cbor_reader_left(r))
        return ftr_cbor_reader_fail(r, FTR_ERR_TRUNCATED);
    r->cursor += head.argument;
    return FTR_OK;
}

static ftr_status get_fields(ftr_cbor_reader *r, ftr_frame *frame)
{
    const bool is_transactions = frame->kind == FTR_CHUNK_TRANSACTIONS;
    if (!is_transactions && !frame->compressed) {
        if (frame->kind == FTR_CHUNK_INFO && ftr_cbor_peek(r) == FTR_CBOR_ARRAY) {
            frame->payload = r->cursor;
            frame->bare = true;
            (void)ftr_cbor_skip(r);
            frame->payload_size = (uint64_t)(r->cursor - frame->payload);
            return r->status;
        }
        return get_payload(r, frame);
    }
    const uint64_t expected = (is_transactions ? 4u : 1u) + (frame->compressed ? 1u : 0u);
    uint64_t count = 0;
    if (ftr_cbor_get_array(r, &count) != FTR_OK)
        return r->status;
    frame->indefinite = count == FTR_CBOR_INDEFINITE;
    if (!frame->indefinite && count != expected)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    if (is_transactions) {
        (void)ftr_cbor_get_uint(r, &frame->stream);
        (void)ftr_cbor_get_uint(r, &frame->start);
        (void)ftr_cbor_get_uint(r, &frame->end);
    }
    if (frame->compressed)
        (void)ftr_cbor_get_uint(r, &frame->raw_size);
    if (r->status != FTR_OK || get_payload(r, frame) != FTR_OK)
        return r->status;
    return frame->indefinite && count == FTR_CBOR_INDEFINITE ? ftr_cbor_get_break(r) : FTR_OK;
}

bool ftr_frame_set_kind(ftr_frame *frame, uint64_t tag)
{
    if (tag == FTR_TAG_INFO) {
        frame->kind = FTR_CHUNK_INFO;
        return true;
    }
    if (tag < FTR_TAG_DICTIONARY || tag > FTR_TAG_RELATIONS + FTR_TAG_COMPRESSED)
        return false;
    frame->kind = (ftr_chunk_kind)(FTR_CHUNK_DICTIONARY + (tag - FTR_TAG_DICTIONARY) / 2);
    frame->compressed = tag % 2 != 0;
    return true;
}

ftr_status ftr_frame_parse(const uint8_t *bytes, uint64_t size, ftr_frame *frame)
{
    *frame = (ftr_frame){.kind = FTR_CHUNK_UNKNOWN, .tag = UINT64_MAX};
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, bytes, (size_t)size);
    if (ftr_cbor_at_break(&r))
        return FTR_ERR_END;
    bool known = false;
    if (ftr_cbor_peek(&r) == FTR_CBOR_TAG) {
        uint64_t tag;
        if (ftr_cbor_get_tag(&r, &tag) != FTR_OK)
            return r.status;
        frame->tag = tag;
        known = ftr_frame_set_kind(frame, tag);
    }
    if (known) {
        const ftr_status status = get_fields(&r, frame);
        if (status == FTR_OK) {
            if (!frame->compressed)
                frame->raw_size = frame->payload_size;
            frame->size = ftr_cbor_reader_offset(&r);
            return FTR_OK;
        }
        if (status == FTR_ERR_TRUNCATED)
            return status;
        const uint64_t tag = frame->tag;
        *frame = (ftr_frame){.kind = FTR_CHUNK_UNKNOWN, .malformed = true, .tag = tag};
    }
    /* An unknown item: skip it if it is well-formed. */
    ftr_cbor_reader_init(&r, bytes, (size_t)size);
    const ftr_status status = ftr_cbor_skip(&r);
    if (status != FTR_OK)
        return status == FTR_ERR_TRUNCATED ? status : FTR_ERR_FORMAT;
    frame->size = ftr_cbor_reader_offset(&r);
    return FTR_OK;
}

bool ftr_frame_parse_head(const uint8_t *head, size_t head_size, uint64_t size, ftr_frame *frame)
{
    *frame = (ftr_frame){.kind = FTR_CHUNK_UNKNOWN};
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, head, head_size);
    if (ftr_cbor_get_tag(&r, &frame->tag) != FTR_OK || !ftr_frame_set_kind(frame, frame->tag))
        return false;
    /* The content is usually longer than `head`: get_fields() then returns FTR_ERR_TRUNCATED. */
    const ftr_status status = get_fields(&r, frame);
    if ((status != FTR_OK && status != FTR_ERR_TRUNCATED) || frame->payload == NULL ||
        frame->indefinite || frame->bare)
        return false;
    const uint64_t before = (uint64_t)(frame->payload - head);
    if (before > size || frame->payload_size > size - before)
        return false;
    if (!frame->compressed)
        frame->raw_size = frame->payload_size;
    frame->size = before + frame->payload_size;
    return true;
}

/* Returns true if the content is one well-formed item of the type that its tag requires. */
static bool is_content(ftr_chunk_kind kind, const uint8_t *bytes, size_t size)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, bytes, size);
    const ftr_cbor_type type = ftr_cbor_peek(&r);
    if (type != (kind == FTR_CHUNK_DICTIONARY ? FTR_CBOR_MAP : FTR_CBOR_ARRAY))
        return false;
    return ftr_cbor_skip(&r) == FTR_OK && ftr_cbor_reader_left(&r) == 0;
}

bool ftr_frame_is_likely(const uint8_t *bytes, uint64_t size, uint8_t *scratch, size_t scratch_size,
                         ftr_frame *frame)
{
    if (size < 3 || bytes[0] >> 5 != FTR_CBOR_MAJOR_TAG)
        return false;
    /* Tag 6 or 8 to 15 in one or two bytes; then a byte string or an array. */
    const unsigned tag = bytes[0] == 0xd8 ? bytes[1] : bytes[0] & 31u;
    const uint8_t next = bytes[bytes[0] == 0xd8 ? 2 : 1] >> 5;
    if (tag < FTR_TAG_INFO || tag > FTR_TAG_RELATIONS + FTR_TAG_COMPRESSED ||
        (next != FTR_CBOR_MAJOR_BYTES && next != FTR_CBOR_MAJOR_ARRAY))
        return false;
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, bytes, (size_t)size);
    uint64_t value = 0;
    *frame = (ftr_frame){.kind = FTR_CHUNK_UNKNOWN};
    (void)ftr_cbor_get_tag(&r, &value);
    frame->tag = value;
    /* Strings in pieces are rejected: skipping such a string takes time linear in its size, and
     * this function is called at every position of damaged bytes. */
    if (!ftr_frame_set_kind(frame, value) || ftr_cbor_peek_indefinite(&r) ||
        get_fields(&r, frame) != FTR_OK || frame->in_pieces || frame->bare)
        return false;
    frame->size = ftr_cbor_reader_offset(&r);
    if (!frame->compressed) {
        frame->raw_size = frame->payload_size;
        return is_content(frame->kind, frame->payload, (size_t)frame->payload_size);
    }
    if (!ftr_expansion_is_possible(frame->payload_size, frame->raw_size))
        return false;
    if (frame->raw_size > scratch_size)
        return true;
    return ftr_lz4_expand(frame->payload, (size_t)frame->payload_size, scratch,
                          (size_t)frame->raw_size) == FTR_OK &&
           is_content(frame->kind, scratch, (size_t)frame->raw_size);
}

/* ---- writing --------------------------------------------------------------------------------- */

uint8_t *ftr_chunk_heads_at(uint8_t *p, const ftr_chunk_head *head, size_t raw_size, size_t size)
{
    const size_t elements = (head->has_range ? 3 : 0) + (raw_size ? 2 : 1);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG,
                         raw_size ? head->tag + FTR_TAG_COMPRESSED : head->tag);
    if (elements > 1)
        p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, elements);
    if (head->has_range) {
        p = ftr_cbor_uint_at(p, head->range.stream);
        p = ftr_cbor_uint_at(p, head->range.begin);
        p = ftr_cbor_uint_at(p, head->range.end);
    }
    if (raw_size)
        p = ftr_cbor_uint_at(p, raw_size);
    return ftr_cbor_head_at(p, FTR_CBOR_MAJOR_BYTES, size);
}

uint8_t *ftr_info_chunk_at(uint8_t *p, int time_scale, int64_t epoch_seconds, size_t *content_size)
{
    uint8_t content[4 * FTR_CBOR_HEAD_MAX];
    uint8_t *end = ftr_cbor_head_at(content, FTR_CBOR_MAJOR_ARRAY, 2);
    end = ftr_cbor_int_at(end, time_scale);
    end = ftr_cbor_head_at(end, FTR_CBOR_MAJOR_TAG, FTR_TAG_EPOCH);
    end = ftr_cbor_int_at(end, epoch_seconds);
    *content_size = (size_t)(end - content);
    const ftr_chunk_head head = {.tag = FTR_TAG_INFO};
    p = ftr_chunk_heads_at(p, &head, 0, *content_size);
    memcpy(p, content, *content_size);
    return p + *content_size;
}
