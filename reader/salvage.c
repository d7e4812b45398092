/* Distinguishes whole entries from damaged bytes. Entries are not changed. */
#include "salvage.h"

#include "cbor_reader.h"
#include "chunk_frame.h"
#include "lz4_block.h"
#include "usual_items.h"
#include "transaction_walk.h"

#include <string.h>

/* ---- entries --------------------------------------------------------------------------------- */

static bool are_attributes(const uint8_t *p, const uint8_t *end)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, p, (size_t)(end - p));
    while (ftr_cbor_reader_left(&r) > 0) {
        uint64_t tag = 0;
        uint64_t count = 0;
        uint64_t number;
        (void)ftr_cbor_get_tag(&r, &tag);
        (void)ftr_cbor_get_array(&r, &count);
        (void)ftr_cbor_get_uint(&r, &number);
        (void)ftr_cbor_get_uint(&r, &number);
        if (ftr_cbor_skip(&r) != FTR_OK || tag < FTR_TAG_BEGIN || tag > FTR_TAG_END)
            return false;
        if (count == FTR_CBOR_INDEFINITE ? ftr_cbor_get_break(&r) != FTR_OK : count != 3)
            return false;
    }
    return true;
}

/* Returns the size of the head of an array or map from its first byte: the count occupies 0 to 8
 * further bytes. */
static size_t head_size(uint8_t first)
{
    const unsigned info = first & 31u;
    return info < FTR_CBOR_INFO_8 || info > FTR_CBOR_INFO_64
               ? 1
               : 1 + ((size_t)1 << (info - FTR_CBOR_INFO_8));
}

/* Each of these functions returns the end of the entry at @p p, or NULL. Each sets *cost to the
 * approximate number of bytes that it parsed without success. A search calls these functions at
 * every byte of damaged content, and stops when the sum of the costs is too high. */

static const uint8_t *transaction_end(const uint8_t *p, const uint8_t *end, uint64_t *cost)
{
    *cost = 1;
    if (end - p < 7 || *p >> 5 != FTR_CBOR_MAJOR_ARRAY)
        return NULL;
    const size_t head_bytes = head_size(*p);
    if ((size_t)(end - p) <= head_bytes || p[head_bytes] >> 5 != FTR_CBOR_MAJOR_TAG)
        return NULL;
    *cost = 32;
    ftr_cbor_reader r;
    uint64_t count = 0;
    uint64_t tag = 0;
    uint64_t field[4];
    ftr_cbor_reader_init(&r, p, (size_t)(end - p));
    (void)ftr_cbor_get_array(&r, &count);
    (void)ftr_cbor_get_tag(&r, &tag);
    if (tag != FTR_TAG_TX || ftr_cbor_get_fields(&r, 4, field) != FTR_OK)
        return NULL;
    *cost = (uint64_t)(end - p);
    ftr_tx_head head;
    ftr_tx_walk walk = {.left = 1};
    ftr_cbor_reader_init(&walk.r, p, (size_t)(end - p));
    if (ftr_tx_walk_next(&walk, &head) != FTR_OK || !are_attributes(head.first, head.last))
        return NULL;
    return head.next;
}

static const uint8_t *pair_end(const uint8_t *p, const uint8_t *end, uint64_t *cost)
{
    *cost = 1;
    if (*p >> 5 != FTR_CBOR_MAJOR_UINT)
        return NULL;
    *cost = (uint64_t)(end - p);
    ftr_cbor_reader r;
    uint64_t id;
    ftr_cbor_reader_init(&r, p, (size_t)(end - p));
    if (ftr_cbor_get_uint(&r, &id) != FTR_OK || ftr_cbor_peek(&r) != FTR_CBOR_TEXT ||
        !ftr_cbor_peek_indefinite(&r))
        *cost = 10;
    if (ftr_cbor_peek(&r) != FTR_CBOR_TEXT || ftr_cbor_skip(&r) != FTR_OK)
        return NULL;
    return r.cursor;
}

static const uint8_t *entry_end(ftr_chunk_kind kind, const uint8_t *p, const uint8_t *end,
                                uint64_t *cost)
{
    if (kind == FTR_CHUNK_TRANSACTIONS)
        return transaction_end(p, end, cost);
    if (kind == FTR_CHUNK_DICTIONARY)
        return pair_end(p, end, cost);
    *cost = 32;
    ftr_cbor_reader r;
    uint64_t field[5];
    ftr_cbor_reader_init(&r, p, (size_t)(end - p));
    if (kind == FTR_CHUNK_RELATIONS) {
        unsigned count;
        return *p >> 5 == FTR_CBOR_MAJOR_ARRAY && ftr_relation_parse(&r, field, &count) == FTR_OK
                   ? r.cursor
                   : NULL;
    }
    uint64_t tag = 0;
    (void)ftr_cbor_get_tag(&r, &tag);
    return (tag == FTR_TAG_STREAM || tag == FTR_TAG_GENERATOR) &&
                   ftr_cbor_get_fields(&r, 3, field) == FTR_OK
               ? r.cursor
               : NULL;
}

const uint8_t *ftr_entry_end(ftr_chunk_kind kind, const uint8_t *p, const uint8_t *end)
{
    uint64_t cost;
    return entry_end(kind, p, end, &cost);
}

/* Returns true if the entry before @p next, which was found after damaged bytes, is accepted. A
 * transaction is always accepted. Another entry is accepted if an entry or the end of the content
 * follows it. */
static bool is_credible(ftr_chunk_kind kind, const uint8_t *next, const uint8_t *end)
{
    if (kind == FTR_CHUNK_TRANSACTIONS || next == end || *next == FTR_CBOR_BYTE_BREAK)
        return true;
    return ftr_entry_end(kind, next, end) != NULL;
}

uint64_t ftr_salvage_entries(ftr_chunk_kind kind, const uint8_t *content, size_t size,
                             ftr_entry_take *take, void *user, bool *intact)
{
    const uint8_t *end = content + size;
    ftr_cbor_reader r;
    uint64_t left = 0;
    uint64_t count = 0;
    ftr_cbor_reader_init(&r, content, size);
    bool whole = (kind == FTR_CHUNK_DICTIONARY ? ftr_cbor_get_map(&r, &left)
                                               : ftr_cbor_get_array(&r, &left)) == FTR_OK;
    const bool indefinite = left == FTR_CBOR_INDEFINITE;
    /* If the head of the content is damaged, the search starts after the first byte. */
    const uint8_t *p = whole || size == 0 ? r.cursor : content + 1;
    /* Limit for the number of bytes that are parsed without success: a multiple of the size, so
     * that the time is linear in the size. */
    uint64_t effort = 64 * (uint64_t)size + 4096;
    while (p < end && effort > 0) {
        uint64_t cost;
        const uint8_t *next = entry_end(kind, p, end, &cost);
        if (next != NULL) {
            if (take != NULL)
                take(user, p, (size_t)(next - p));
            count++;
            p = next;
            continue;
        }
        if (*p == FTR_CBOR_BYTE_BREAK && p + 1 == end)
            break;
        whole = false;
        do {
            effort -= effort > cost ? cost : effort;
            p++;
            next = p < end ? entry_end(kind, p, end, &cost) : end;
        } while (p < end && effort > 0 && (next == NULL || !is_credible(kind, next, end)));
    }
    if (intact != NULL)
        *intact = whole && (indefinite ? p + 1 == end : p == end && count == left);
    return count;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Maximum size of the frame before the content of a chunk. */
#define HEAD_MAX FTR_FRAME_HEAD_MAX

static void try_content(const uint8_t *content, size_t size, ftr_salvage *salvage)
{
    static const ftr_chunk_kind ARRAYS[] = {FTR_CHUNK_TRANSACTIONS, FTR_CHUNK_DIRECTORY,
                                            FTR_CHUNK_RELATIONS};
    if (size < 4)
        return;
    const bool is_map = content[0] >> 5 == FTR_CBOR_MAJOR_MAP;
    if (!is_map && content[0] >> 5 != FTR_CBOR_MAJOR_ARRAY)
        return;
    const size_t first = head_size(content[0]);
    if (first >= size)
        return;
    for (unsigned i = 0; i < (is_map ? 1 : 3); i++) {
        const ftr_chunk_kind kind = is_map ? FTR_CHUNK_DICTIONARY : ARRAYS[i];
        /* The first entry determines the kind of the chunk. Without this check, any number could be
         * taken for a part of a dictionary. */
        if (ftr_entry_end(kind, content + first, content + size) == NULL)
            continue;
        const uint64_t count = ftr_salvage_entries(kind, content, size, NULL, NULL, NULL);
        if (count > salvage->count)
            *salvage = (ftr_salvage){kind, content, size, count};
    }
}

void ftr_salvage_content(const uint8_t *content, size_t size, ftr_salvage *salvage)
{
    *salvage = (ftr_salvage){.kind = FTR_CHUNK_UNKNOWN};
    try_content(content, size, salvage);
}

void ftr_salvage_block(const uint8_t *block, size_t size, uint8_t *scratch, size_t scratch_size,
                       ftr_salvage *salvage)
{
    *salvage = (ftr_salvage){.kind = FTR_CHUNK_UNKNOWN};
    const size_t expanded = ftr_lz4_expand_prefix(block, size, scratch, scratch_size);
    try_content(scratch, expanded, salvage);
}

void ftr_salvage_region(const uint8_t *region, size_t size, uint8_t *scratch, size_t scratch_size,
                        ftr_salvage *salvage)
{
    *salvage = (ftr_salvage){.kind = FTR_CHUNK_UNKNOWN};
    size_t best_block = SIZE_MAX;
    for (size_t at = 1; at < HEAD_MAX && at < size; at++) {
        const ftr_salvage before = *salvage;
        try_content(region + at, size - at, salvage);
        if (salvage->count > before.count)
            best_block = SIZE_MAX;
        /* An LZ4 block begins with a token, then literals. So the head of the array or map is the
         * second byte; if there are 15 literals or more, the head comes after further bytes with
         * the number of literals. */
        uint8_t first[16];
        const size_t peek = ftr_lz4_expand_prefix(region + at, size - at, first, sizeof first);
        if (peek < 4 ||
            (first[0] >> 5 != FTR_CBOR_MAJOR_ARRAY && first[0] >> 5 != FTR_CBOR_MAJOR_MAP))
            continue;
        ftr_salvage block;
        ftr_salvage_block(region + at, size - at, scratch, scratch_size, &block);
        if (block.count > salvage->count) {
            *salvage = block;
            best_block = at;
        }
    }
    if (best_block != SIZE_MAX) /* later attempts have overwritten the scratch memory: expand the
                                   best block again */
        ftr_salvage_block(region + best_block, size - best_block, scratch, scratch_size, salvage);
}
