/* Owns the bytes of columns and their compression. Does not know the meaning of a column. */
#include "data_block.h"

#include "growing_array.h"

#include <string.h>
#include <zlib.h>

/* Raw deflate with the greatest window. Level 5 saves 8 % and takes twice the time. */
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

ftr_data_column ftr_data_block_put(ftr_data_block *block, ftr_data_values values, bool differences)
{
    const ftr_data_column column = {block->name, values.value_size, block->size, values.count,
                                    differences};
    const size_t size = values.count * values.value_size;
    if (block->failed ||
        !ftr_array_fit(&block->bytes, &block->capacity, block->size + size + 1, 1)) {
        block->failed = true;
        return column;
    }
    uint8_t *planes = block->bytes + block->size;
    const uint8_t *from = values.first;
    uint64_t before = 0;
    for (size_t i = 0; i < values.count; i++, from += values.stride) {
        const uint64_t value = load(from, values.value_size);
        uint64_t stored = differences ? value - before : value;
        before = value;
        for (unsigned k = 0; k < values.value_size; k++, stored >>= 8)
            planes[k * values.count + i] = (uint8_t)stored;
    }
    block->size += size;
    return column;
}

/* ---- packing --------------------------------------------------------------------------------- */

bool ftr_data_block_pack(const ftr_data_block *block, ftr_packed_block *packed)
{
    z_stream stream = {0};
    if (block->failed || deflateInit2(&stream, DEFLATE_LEVEL, Z_DEFLATED, DEFLATE_WINDOW,
                                      DEFLATE_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    *packed = (ftr_packed_block){.name = block->name};
    size_t capacity = 0, left = block->size;
    const uint8_t none = 0;
    const uint8_t *from = block->bytes != NULL ? block->bytes : &none;
    int result = Z_OK;
    while (result == Z_OK) {
        if (!ftr_array_fit(&packed->bytes, &capacity, packed->size + 4096 + left / 16, 1))
            break;
        const size_t room = capacity - packed->size;
        const uInt taken = left < ((uInt)1 << 30) ? (uInt)left : (uInt)1 << 30;
        const uInt given = room < ((uInt)1 << 30) ? (uInt)room : (uInt)1 << 30;
        stream.next_in = (Bytef *)from;
        stream.avail_in = taken;
        stream.next_out = packed->bytes + packed->size;
        stream.avail_out = given;
        result = deflate(&stream, taken == left ? Z_FINISH : Z_NO_FLUSH);
        from += taken - stream.avail_in;
        left -= taken - stream.avail_in;
        packed->size += given - stream.avail_out;
    }
    (void)deflateEnd(&stream);
    if (result == Z_STREAM_END)
        return true;
    ftr_packed_block_release(packed);
    return false;
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
