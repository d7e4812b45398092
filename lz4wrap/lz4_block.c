/* The calls to liblz4 and the work memory of a compressor. Chooses between liblz4 and the
 * compressor of similar records. Decodes truncated blocks itself, because liblz4 cannot. */
#include "lz4_block.h"

#include "record_blocks.h"

#include <lz4.h>
#include <lz4hc.h>

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Minimum size of a large input in bytes. Large inputs are the bodies of full chunks. They are
 * repetitive enough for acceleration 4 of LZ4_compress_fast(). */
#define LARGE_MIN ((size_t)16 << 10)
/* Maximum size of a small input in bytes. To clear the tables of liblz4, 16 KiB at level 0 and 256
 * KiB at other levels, takes longer than to compress a small input. */
#define SMALL_MAX ((size_t)4 << 10)

#ifdef FTR_RECORD_BLOCKS
/* The choice for the blocks of one kind: whether the compressor of records
 * (ftr_record_block_compress()) is used, and the sizes in the trials that decide this. A trial
 * compresses a block with both compressors. Each trial counts four times as much as the previous
 * trial. */
typedef struct record_choice {
    bool is_used;
    size_t blocks_until_trial;
    /* weighted sums of the compressed sizes in bytes, over all trials; `ours`: of the compressor of
     * records; `theirs`: of liblz4 */
    size_t ours;
    size_t theirs;
} record_choice;

/* Number of blocks of a kind between two trials. It is not a power of 2, because the blocks
 * of several streams often alternate, and all trials could otherwise get blocks of the same
 * stream. */
enum { TRIAL_INTERVAL = 61 };
/* The compressor of records is used if its blocks exceed those of liblz4 by at most a 40th. */
enum { TOLERANCE = 40 };
#endif

struct ftr_lz4_compressor {
    int level;
#ifdef FTR_RECORD_BLOCKS
    record_choice records[FTR_LZ4_KINDS];
    record_choice small_records[FTR_LZ4_KINDS]; /* for blocks up to SMALL_MAX bytes */
    ftr_record_work work;
#endif
    /* LZ4_stream_t at level 0, and LZ4_streamHC_t at other levels */
    void *state;
    bool is_initialised; /* compress_small() can use the state */
};

static size_t size_of_state(int level)
{
    return (size_t)(level == FTR_LZ4_LEVEL_FAST ? LZ4_sizeofState() : LZ4_sizeofStateHC());
}

#ifdef FTR_RECORD_BLOCKS
/* The first large block of a kind is a trial. The first small blocks are not, so that a short run
 * does not use the memory of both compressors. */
static void init_choices(ftr_lz4_compressor *compressor)
{
    memset(compressor->records, 0, sizeof compressor->records);
    for (size_t i = 0; i < FTR_LZ4_KINDS; i++)
        compressor->small_records[i] =
            (record_choice){.is_used = true, .blocks_until_trial = TRIAL_INTERVAL};
}
#endif

ftr_status ftr_lz4_compressor_create(int level, ftr_lz4_compressor **compressor)
{
    if (compressor == NULL || level < FTR_LZ4_LEVEL_FAST || level > FTR_LZ4_LEVEL_MAX)
        return FTR_ERR_ARGUMENT;
    ftr_lz4_compressor *made = malloc(sizeof *made);
    if (made == NULL)
        return FTR_ERR_MEMORY;
    made->level = level;
    made->is_initialised = false;
#ifdef FTR_RECORD_BLOCKS
    init_choices(made);
#endif
    made->state = malloc(size_of_state(level));
    if (made->state == NULL) {
        free(made);
        return FTR_ERR_MEMORY;
    }
    *compressor = made;
    return FTR_OK;
}

void ftr_lz4_compressor_destroy(ftr_lz4_compressor *compressor)
{
    if (compressor == NULL)
        return;
    free(compressor->state);
    free(compressor);
}

size_t ftr_lz4_bound(size_t size)
{
    return size <= LZ4_MAX_INPUT_SIZE ? (size_t)LZ4_compressBound((int)size) : 0;
}

/* Clears the state for compress_small(). The first block of a cleared LZ4_stream_t is compressed in
 * another way than the following ones, because its empty table entries refer to the start of the
 * block. One byte is therefore compressed first, so that the result depends only on the bytes. */
static void init_state(ftr_lz4_compressor *compressor)
{
    const size_t size = size_of_state(compressor->level);
    char block[4];
    if (compressor->level != FTR_LZ4_LEVEL_FAST)
        (void)LZ4_initStreamHC(compressor->state, size);
    else
        (void)LZ4_compress_fast_continue(LZ4_initStream(compressor->state, size), "", block, 1,
                                         sizeof block, 1);
}

/* Compresses a small block with the streaming functions of liblz4, which do not clear their tables
 * between two blocks. After the reset, matches cannot refer to an earlier block, so the blocks are
 * independent. */
static int compress_small(ftr_lz4_compressor *compressor, const char *from, int size, char *to,
                          int room)
{
    int written;
    if (!compressor->is_initialised)
        init_state(compressor);
    if (compressor->level != FTR_LZ4_LEVEL_FAST) {
        LZ4_resetStreamHC_fast(compressor->state, compressor->level);
        written = LZ4_compress_HC_continue(compressor->state, from, to, size, room);
    } else {
        LZ4_resetStream_fast(compressor->state);
        written = LZ4_compress_fast_continue(compressor->state, from, to, size, room, 1);
    }
    compressor->is_initialised = written > 0; /* after an error, the state is invalid */
    return written;
}

/* Compresses with liblz4. Returns the size of the block; 0 if the block does not fit into @p room
 * bytes. */
static int compress_usual(ftr_lz4_compressor *compressor, const char *from, size_t size,
                          uint8_t *to, int room)
{
    if (size <= SMALL_MAX)
        return compress_small(compressor, from, (int)size, (char *)to, room);
    compressor->is_initialised = false;
    if (compressor->level != FTR_LZ4_LEVEL_FAST)
        return LZ4_compress_HC_extStateHC(compressor->state, from, (char *)to, (int)size, room,
                                          compressor->level);
    return LZ4_compress_fast_extState(compressor->state, from, (char *)to, (int)size, room,
                                      size < LARGE_MIN ? 1 : 4);
}

#ifdef FTR_RECORD_BLOCKS
/* Returns whether the compressor of records can be used for a block. */
static bool may_be_records(const ftr_lz4_compressor *compressor, size_t size, int room)
{
    return compressor->level == FTR_LZ4_LEVEL_FAST && size <= FTR_RECORD_BLOCK_MAX &&
           room >= LZ4_compressBound((int)size);
}

/* Chooses the compressor after a trial. @p ours and @p theirs are the sizes to which the compressor
 * of records and liblz4 compressed the same block. */
static void decide(record_choice *choice, size_t ours, size_t theirs)
{
    choice->ours = choice->ours / 4 + ours;
    choice->theirs = choice->theirs / 4 + theirs;
    choice->is_used = choice->ours <= choice->theirs + choice->theirs / TOLERANCE;
    choice->blocks_until_trial = TRIAL_INTERVAL;
}

/* Compresses a block of records with the compressor that was chosen for the blocks of this kind. If
 * a trial is due, compresses the block with both and chooses again. */
static int compress_records(ftr_lz4_compressor *compressor, unsigned kind, const char *from,
                            size_t size, uint8_t *to, int room)
{
    record_choice *choice = (size <= SMALL_MAX ? compressor->small_records : compressor->records) +
                            kind % FTR_LZ4_KINDS;
    const bool is_trial = choice->blocks_until_trial == 0;
    const int theirs =
        is_trial || !choice->is_used ? compress_usual(compressor, from, size, to, room) : 0;
    if (!is_trial)
        choice->blocks_until_trial--;
    if (!is_trial && !choice->is_used)
        return theirs;
    const size_t ours =
        ftr_record_block_compress(&compressor->work, (const uint8_t *)from, size, to);
    if (is_trial)
        decide(choice, ours, (size_t)theirs);
    return choice->is_used ? (int)ours : compress_usual(compressor, from, size, to, room);
}

static int compress_block(ftr_lz4_compressor *compressor, unsigned kind, const char *from,
                          size_t size, uint8_t *to, int room)
{
    return may_be_records(compressor, size, room)
               ? compress_records(compressor, kind, from, size, to, room)
               : compress_usual(compressor, from, size, to, room);
}
#else
static int compress_block(ftr_lz4_compressor *compressor, unsigned kind, const char *from,
                          size_t size, uint8_t *to, int room)
{
    (void)kind;
    return compress_usual(compressor, from, size, to, room);
}
#endif

ftr_status ftr_lz4_compress(ftr_lz4_compressor *compressor, unsigned kind, const uint8_t *bytes,
                            size_t size, uint8_t *to, size_t capacity, size_t *block_size)
{
    assert(compressor != NULL && block_size != NULL);
    if (size > LZ4_MAX_INPUT_SIZE)
        return FTR_ERR_LIMIT;
    /* No block needs more than INT_MAX bytes. */
    const int room = capacity <= INT_MAX ? (int)capacity : INT_MAX;
    const char *from = size > 0 ? (const char *)bytes : "";
    const int written = room > 0 ? compress_block(compressor, kind, from, size, to, room) : 0;
    if (written <= 0)
        return FTR_ERR_LIMIT;
    *block_size = (size_t)written;
    return FTR_OK;
}

ftr_status ftr_lz4_expand(const uint8_t *block, size_t size, uint8_t *to, size_t raw_size)
{
    if (size > INT_MAX || raw_size > INT_MAX)
        return FTR_ERR_LIMIT;
    if (size == 0)
        return FTR_ERR_FORMAT;
    char nothing;
    const int written = LZ4_decompress_safe(
        (const char *)block, raw_size > 0 ? (char *)to : &nothing, (int)size, (int)raw_size);
    return written >= 0 && (size_t)written == raw_size ? FTR_OK : FTR_ERR_FORMAT;
}

/* LZ4_decompress_safe_partial() decodes the beginning of a complete block. A truncated block can
 * end within a length, or a few bytes before a length. The function then returns an error instead
 * of the number of decoded bytes. Truncated blocks are therefore decoded here. A block consists of
 * sequences. A sequence consists of a token, the literals, and the distance of the match in two
 * bytes, little-endian. The token contains the length of the literals and the length of the match
 * minus 4, in four bits each. The value 15 means that the length continues in further bytes, which
 * are all 255 except the last one. The last sequence ends after its literals. */
enum { NIBBLE_MAX = 15, MATCH_MIN = 4, DISTANCE_SIZE = 2 };

/* Returns the length that a nibble of the token and the bytes at *at encode. If the bytes end
 * before the length is complete, returns the sum so far: the caller then stops, because no input is
 * left. */
static size_t read_length(const uint8_t **at, const uint8_t *end, unsigned nibble)
{
    size_t length = nibble;
    uint8_t byte = nibble == NIBBLE_MAX ? UINT8_MAX : 0;
    while (byte == UINT8_MAX && *at < end) {
        byte = *(*at)++;
        length += byte;
    }
    return length;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ftr_lz4_expand_prefix(const uint8_t *block, size_t size, uint8_t *to, size_t capacity)
{
    if (size == 0)
        return 0;
    const uint8_t *p = block;
    const uint8_t *end = block + size;
    size_t written = 0;
    while (p < end && written < capacity) {
        const unsigned token = *p++;
        const size_t announced = read_length(&p, end, token >> 4);
        const size_t literals = smaller(announced, smaller((size_t)(end - p), capacity - written));
        if (literals > 0)
            memcpy(to + written, p, literals);
        p += literals;
        written += literals;
        if (end - p < DISTANCE_SIZE)
            break;
        const size_t distance = p[0] | (size_t)p[1] << 8;
        p += DISTANCE_SIZE;
        if (distance == 0 || distance > written)
            break;
        const size_t length = read_length(&p, end, token & NIBBLE_MAX) + MATCH_MIN;
        size_t match = smaller(length, capacity - written);
        /* A match may overlap its own output, so it is copied byte by byte, in order. */
        for (; match > 0; match--, written++)
            to[written] = to[written - distance];
    }
    return written;
}
