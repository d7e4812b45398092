/* The bytes of columns, and their compression. */
#include "data_block.h"

#include "growing_array.h"
#include "work_queue.h"

#include <string.h>
#include <zlib.h>

/* Raw deflate with the greatest window. Level 5 would save 8 % of the size, but take twice the
 * time. */
#define DEFLATE_LEVEL 2
#define DEFLATE_WINDOW (-15)
#define DEFLATE_MEMORY 9

/* ---- columns --------------------------------------------------------------------------------- */

static uint64_t load(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, at, size); /* little-endian: see cmake/ftr_platform.cmake */
    return value;
}

/* Stores the values as planes of bytes: first the lowest byte of all values, then the next byte of
 * all values, and so on. If @p before is not NULL, stores the difference of each value from the
 * previous value instead of the value. If @p size is a constant, the compiler unrolls the inner
 * loops.
 * @param plane number of bytes of a plane
 * @param before the value before the first one; NULL: the values themselves are stored */
static inline void put_planes(uint8_t *planes, size_t plane, const ftr_data_values *values,
                              const uint64_t *before, unsigned size)
{
    const uint8_t *from = values->first;
    uint64_t latest = before != NULL ? *before : 0;
    for (size_t i = 0; i < values->count; i++, from += values->stride) {
        const uint64_t value = load(from, size);
        uint64_t stored = value - latest;
        latest = before != NULL ? value : 0;
        for (unsigned k = 0; k < size; k++, stored >>= 8)
            planes[k * plane + i] = (uint8_t)stored;
    }
}

void ftr_data_block_make_room(ftr_data_block *block, size_t size)
{
    if (block->failed || size > SIZE_MAX - block->size - 1 ||
        !ftr_array_fit(&block->bytes, &block->capacity, block->size + size + 1, 1))
        block->failed = true;
}

ftr_data_column ftr_data_block_reserve(ftr_data_block *block, unsigned value_size, size_t count,
                                       bool differences)
{
    const ftr_data_column column = {block->name, value_size, block->size, count, differences};
    const size_t size = count * value_size;
    ftr_data_block_make_room(block, size);
    if (!block->failed)
        block->size += size;
    return column;
}

void ftr_data_block_fill(ftr_data_block *block, const ftr_data_column *column, size_t first,
                         ftr_data_values values, uint64_t before)
{
    const uint64_t *const latest = column->differences ? &before : NULL;
    if (block->failed)
        return;
    uint8_t *planes = block->bytes + column->offset + first;
    switch (column->value_size) {
    case 1:
        put_planes(planes, column->count, &values, latest, 1);
        break;
    case 2:
        put_planes(planes, column->count, &values, latest, 2);
        break;
    case 4:
        put_planes(planes, column->count, &values, latest, 4);
        break;
    default:
        put_planes(planes, column->count, &values, latest, 8);
        break;
    }
}

ftr_data_column ftr_data_block_put(ftr_data_block *block, ftr_data_values values, bool differences)
{
    const ftr_data_column column =
        ftr_data_block_reserve(block, values.value_size, values.count, differences);
    ftr_data_block_fill(block, &column, 0, values, 0);
    return column;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* A large block is compressed in pieces, on several threads. The bytes do not depend on the number
 * of threads. */
#define PIECE_SIZE ((size_t)512 << 10)
#define PIECES_MAX 16u

typedef struct packed_piece {
    const uint8_t *from;
    size_t size;
    bool is_last;
    bool failed; /* out of memory */
    uint8_t *bytes;
    size_t packed_size, capacity;
} packed_piece;

typedef struct packing {
    packed_piece pieces[PIECES_MAX];
    size_t count;
} packing;

/* Compresses a piece with @p stream. Enlarges the output if necessary. */
static void deflate_piece(z_stream *stream, packed_piece *piece)
{
    /* A flush ends at a whole byte, so the next piece can follow it. */
    const int flush = piece->is_last ? Z_FINISH : Z_FULL_FLUSH;
    int result = Z_OK;
    stream->next_in = (Bytef *)piece->from;
    stream->avail_in = (uInt)piece->size;
    do {
        if (!ftr_array_fit(&piece->bytes, &piece->capacity,
                           piece->packed_size + 4096 + stream->avail_in / 16, 1)) {
            piece->failed = true;
            return;
        }
        stream->next_out = piece->bytes + piece->packed_size;
        stream->avail_out = (uInt)(piece->capacity - piece->packed_size);
        result = deflate(stream, flush);
        piece->packed_size = piece->capacity - stream->avail_out;
    } while (result == Z_OK && stream->avail_out == 0);
    piece->failed = result != (piece->is_last ? Z_STREAM_END : Z_OK);
}

static void pack_piece(void *user, unsigned thread, size_t number)
{
    packed_piece *piece = &((packing *)user)->pieces[number];
    (void)thread;
    z_stream stream = {0};
    piece->failed = deflateInit2(&stream, DEFLATE_LEVEL, Z_DEFLATED, DEFLATE_WINDOW, DEFLATE_MEMORY,
                                 Z_DEFAULT_STRATEGY) != Z_OK;
    if (piece->failed)
        return;
    deflate_piece(&stream, piece);
    (void)deflateEnd(&stream);
}

/* Divides the block into pieces of equal size. */
static void cut(packing *all, const ftr_data_block *block)
{
    static const uint8_t none = 0;
    const uint8_t *from = block->bytes != NULL ? block->bytes : &none;
    all->count = block->size / PIECE_SIZE + 1;
    all->count = all->count < PIECES_MAX ? all->count : PIECES_MAX;
    size_t begin = 0;
    for (size_t i = 0; i < all->count; i++) {
        const size_t end = block->size / all->count * (i + 1);
        const bool is_last = i + 1 == all->count;
        all->pieces[i] = (packed_piece){.from = from + begin,
                                        .size = (is_last ? block->size : end) - begin,
                                        .is_last = is_last};
        begin = end;
    }
}

/* Joins the pieces. @return false if a piece is missing, or if out of memory */
static bool join(const packing *all, ftr_packed_block *packed)
{
    size_t size = 0;
    bool ok = true;
    for (size_t i = 0; i < all->count; i++) {
        ok = ok && !all->pieces[i].failed;
        size += all->pieces[i].packed_size;
    }
    uint8_t *bytes = ok ? malloc(size + 1) : NULL;
    if (bytes == NULL)
        return false;
    packed->bytes = bytes;
    packed->size = size;
    for (size_t i = 0; i < all->count; i++) {
        memcpy(bytes, all->pieces[i].bytes, all->pieces[i].packed_size);
        bytes += all->pieces[i].packed_size;
    }
    return true;
}

bool ftr_data_block_pack(const ftr_data_block *block, unsigned threads, ftr_packed_block *packed)
{
    packing all = {0};
    *packed = (ftr_packed_block){.name = block->name};
    if (block->failed || block->size > UINT32_MAX)
        return false;
    cut(&all, block);
    ftr_parallel_for(all.count, threads, pack_piece, &all);
    const bool ok = join(&all, packed);
    for (size_t i = 0; i < all.count; i++)
        free(all.pieces[i].bytes);
    return ok;
}

void ftr_data_block_clear(ftr_data_block *block)
{
    block->size = 0;
}

void ftr_data_block_release(ftr_data_block *block)
{
    free(block->bytes);
    *block = (ftr_data_block){.name = block->name};
}

void ftr_packed_block_release(ftr_packed_block *packed)
{
    free(packed->bytes);
    *packed = (ftr_packed_block){0};
}

void ftr_json_column(ftr_json *json, const char *name, ftr_data_column column)
{
    static const char *const types[] = {[1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64"};
    ftr_json_open(json, name, '{');
    ftr_json_string(json, "b", column.block);
    ftr_json_string(json, "t", types[column.value_size]);
    ftr_json_count(json, "o", column.offset);
    ftr_json_count(json, "n", column.count);
    if (column.differences)
        ftr_json_count(json, "d", 1);
    ftr_json_close(json, '}');
}

void ftr_json_values(ftr_json *json, const char *name, ftr_data_block *block,
                     ftr_data_values values, bool differences)
{
    ftr_json_column(json, name, ftr_data_block_put(block, values, differences));
}
