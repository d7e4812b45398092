/* The two numberings of attribute types: finds out which one a file uses. */
#include "numbering.h"

#include "cbor_reader.h"
#include "format_tags.h"
#include "reader_state.h"
#include "transaction_walk.h"

/* Maximum number of chunks in the sample; the first chunks of different streams are preferred. */
#define SAMPLE 64

const ftr_type_row ftr_type_rows[2][FTR_STORED_TYPES] = {
    [FTR_NUMBERING_DEPLOYED] =
        {
            {FTR_TYPE_BOOLEAN, FTR_EXPECT_BOOLEAN},
            {FTR_TYPE_ENUMERATION, FTR_EXPECT_TEXT},
            {FTR_TYPE_INTEGER, FTR_EXPECT_INTEGER},
            {FTR_TYPE_UNSIGNED, FTR_EXPECT_NUMBER},
            {FTR_TYPE_FLOATING_POINT, FTR_EXPECT_REAL},
            {FTR_TYPE_BIT_VECTOR, FTR_EXPECT_TEXT},
            {FTR_TYPE_LOGIC_VECTOR, FTR_EXPECT_TEXT},
            {FTR_TYPE_FIXED_POINT_INTEGER, FTR_EXPECT_REAL},
            {FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, FTR_EXPECT_REAL},
            {FTR_TYPE_POINTER, FTR_EXPECT_NUMBER},
            {FTR_TYPE_STRING, FTR_EXPECT_TEXT},
            {FTR_TYPE_TIME, FTR_EXPECT_NUMBER},
            {FTR_TYPE_NONE, FTR_EXPECT_NOTHING},
        },
    [FTR_NUMBERING_SPEC] =
        {
            [0] = {FTR_TYPE_NONE, FTR_EXPECT_NONE},
            [FTR_SPEC_BOOLEAN] = {FTR_TYPE_BOOLEAN, FTR_EXPECT_BOOLEAN},
            [FTR_SPEC_INTEGER] = {FTR_TYPE_INTEGER, FTR_EXPECT_INTEGER},
            [FTR_SPEC_UNSIGNED] = {FTR_TYPE_UNSIGNED, FTR_EXPECT_NUMBER},
            [FTR_SPEC_FLOATING_POINT] = {FTR_TYPE_FLOATING_POINT, FTR_EXPECT_REAL},
            [FTR_SPEC_FIXED_POINT_INTEGER] = {FTR_TYPE_FIXED_POINT_INTEGER, FTR_EXPECT_REAL},
            [FTR_SPEC_UNSIGNED_FIXED_POINT_INTEGER] = {FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER,
                                                       FTR_EXPECT_REAL},
            [FTR_SPEC_ENUMERATION] = {FTR_TYPE_ENUMERATION, FTR_EXPECT_TEXT},
            [FTR_SPEC_BIT_VECTOR] = {FTR_TYPE_BIT_VECTOR, FTR_EXPECT_INTEGER},
            [FTR_SPEC_LOGIC_VECTOR] = {FTR_TYPE_LOGIC_VECTOR, FTR_EXPECT_INTEGER},
            [FTR_SPEC_STRING] = {FTR_TYPE_STRING, FTR_EXPECT_TEXT},
            [FTR_SPEC_POINTER] = {FTR_TYPE_POINTER, FTR_EXPECT_INTEGER},
            [FTR_SPEC_TIME] = {FTR_TYPE_TIME, FTR_EXPECT_INTEGER},
        },
};

const uint32_t ftr_expected_values[FTR_EXPECT_TEXT + 1] = {
    [FTR_EXPECT_NONE] = 1u << FTR_CBOR_NULL | 1u << FTR_CBOR_UNDEFINED,
    [FTR_EXPECT_BOOLEAN] = 1u << FTR_CBOR_BOOL,
    [FTR_EXPECT_INTEGER] = 1u << FTR_CBOR_UINT | 1u << FTR_CBOR_NEGATIVE,
    [FTR_EXPECT_NUMBER] = 1u << FTR_CBOR_UINT,
    [FTR_EXPECT_REAL] = 1u << FTR_CBOR_HALF | 1u << FTR_CBOR_FLOAT | 1u << FTR_CBOR_DOUBLE,
    [FTR_EXPECT_TEXT] = 1u << FTR_CBOR_UINT,
};

static bool fits(ftr_numbering numbering, uint64_t stored, ftr_cbor_type value)
{
    return ftr_expected_fits(ftr_type_rows[numbering][stored].expected, value);
}

unsigned ftr_numbering_of_value(uint64_t stored, ftr_cbor_type value)
{
    if (stored >= FTR_STORED_TYPES)
        return 0;
    /* Types 9 and 11 are unsigned in the deployed numbering only. Some writers of that numbering
     * ignore the sign, so a negative number proves nothing. */
    if (value == FTR_CBOR_NEGATIVE && fits(FTR_NUMBERING_DEPLOYED, stored, FTR_CBOR_UINT))
        return 0;
    const bool deployed = fits(FTR_NUMBERING_DEPLOYED, stored, value);
    const bool spec = fits(FTR_NUMBERING_SPEC, stored, value);
    if (deployed == spec)
        return 0;
    return 1 + (unsigned)(deployed ? FTR_NUMBERING_DEPLOYED : FTR_NUMBERING_SPEC);
}

/* Number of values that prove each numbering. A single value may be damaged, so one number must
 * clearly exceed the other. */
typedef struct votes {
    uint64_t of[2];
} votes;

#define LEAD 16

static bool is_decided(const votes *v)
{
    return v->of[0] >= v->of[1] + LEAD || v->of[1] >= v->of[0] + LEAD;
}

static void vote_value(uint64_t stored, ftr_cbor_type value, votes *v)
{
    const unsigned vote = ftr_numbering_of_value(stored, value);
    if (vote != 0)
        v->of[vote - 1]++;
}

/* Adds the vote of an attribute that need not be in the usual form. Returns the position after the
 * attribute at @p p, or NULL. */
static const uint8_t *vote_any(const uint8_t *p, const uint8_t *last, votes *v)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, p, (size_t)(last - p));
    const ftr_cbor_reader bookmark = r;
    uint64_t tag = 0;
    uint64_t count = 0;
    uint64_t name = 0;
    uint64_t type = UINT64_MAX;
    (void)ftr_cbor_get_tag(&r, &tag);
    (void)ftr_cbor_get_array(&r, &count);
    (void)ftr_cbor_get_uint(&r, &name);
    if (ftr_cbor_get_uint(&r, &type) == FTR_OK)
        vote_value(type, ftr_cbor_peek(&r), v);
    r = bookmark;
    return ftr_cbor_skip(&r) == FTR_OK ? r.cursor : NULL;
}

static void vote_tx(const ftr_tx_head *head, votes *v)
{
    const uint8_t *p = head->first;
    while (p != NULL && p < head->last) {
        ftr_raw_attribute raw;
        uint64_t value;
        const uint8_t *const behind = ftr_take_usual_attribute(p, head->last, &raw, &value);
        if (behind != NULL)
            vote_value(raw.type, FTR_CBOR_UINT, v);
        p = behind != NULL ? behind : vote_any(p, head->last, v);
    }
}

static void vote_chunk(ftr_reader *reader, ftr_chunk *chunk, votes *v)
{
    ftr_content *content;
    if (ftr_chunk_cache_pin(&reader->cache, chunk, &content) != FTR_OK)
        return;
    ftr_tx_walk walk;
    ftr_tx_head head;
    ftr_tx_walk_init(&walk, content->bytes, content->size, &reader->forms);
    while (!is_decided(v)) {
        const ftr_status status = ftr_tx_walk_next(&walk, &head);
        if (status == FTR_OK)
            vote_tx(&head, v);
        else if (status != FTR_ERR_ARGUMENT)
            break;
    }
    ftr_chunk_cache_unpin(&reader->cache, content);
}

void ftr_numbering_sample(ftr_reader *reader)
{
    if (reader->numbering_known || reader->numbering_sampled || reader->source.is_pipe)
        return;
    reader->numbering_sampled = true;
    votes v = {{0, 0}};
    unsigned sampled = 0;
    /* First round: each chunk whose stream has a higher index than the streams of all earlier
     * chunks. This is usually one chunk of each stream; chunks of different streams differ most.
     * Second round: all other chunks. */
    for (int round = 0; round < 2 && !is_decided(&v); round++) {
        uint32_t newest = 0;
        for (size_t i = 0; i < reader->chunk_count && sampled < SAMPLE && !is_decided(&v); i++) {
            ftr_chunk *chunk = ftr_chunk_at(reader, i);
            if (chunk->kind != FTR_CHUNK_TRANSACTIONS || chunk->unusable)
                continue;
            const bool is_first = chunk->stream >= newest;
            if (is_first)
                newest = chunk->stream + 1;
            if (is_first != (round == 0))
                continue;
            sampled++;
            vote_chunk(reader, chunk, &v);
        }
    }
    if (v.of[0] + v.of[1] > 0) {
        reader->numbering = v.of[0] >= v.of[1] ? FTR_NUMBERING_DEPLOYED : FTR_NUMBERING_SPEC;
        reader->numbering_known = true;
    }
}
