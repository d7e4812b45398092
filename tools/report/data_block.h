/* Columns of numbers, packed into blocks for the page (docs/report-format.md, "Columns").
 *
 * A block latches: after an allocation has failed, columns are ignored and the block cannot be
 * packed. */
#ifndef FTR_DATA_BLOCK_H
#define FTR_DATA_BLOCK_H

#include "json_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `{.name = "overview"}` is an empty block. */
typedef struct ftr_data_block {
    const char *name; /* borrowed */
    uint8_t *bytes;
    size_t size, capacity;
    bool failed; /* out of memory */
} ftr_data_block;

/* The location of a column; `{0}` is a column without values. */
typedef struct ftr_data_column {
    const char *block;
    unsigned value_size; /* bytes: 1, 2, 4 or 8 */
    size_t offset, count;
    bool differences;
} ftr_data_column;

/* The location of the values of a column in memory. */
typedef struct ftr_data_values {
    const void *first;
    size_t stride;       /* bytes from one value to the next */
    unsigned value_size; /* bytes: 1, 2, 4 or 8; integers of the host */
    size_t count;
} ftr_data_values;

/* The values of one member of an array of structs. */
#define FTR_DATA_MEMBER(array, member, count)                                      \
    ((ftr_data_values){(array) != NULL ? &(array)->member : NULL, sizeof *(array), \
                       sizeof(array)->member, (count)})
/* The values of an array of numbers. */
#define FTR_DATA_ARRAY(array, count) \
    ((ftr_data_values){(array), sizeof *(array), sizeof *(array), (count)})

/* Appends a column. @param differences true: stores the difference of each value from the value
 * before it */
ftr_data_column ftr_data_block_put(ftr_data_block *block, ftr_data_values values, bool differences);

/* Reserves @p size bytes for all columns that will be appended. Without this, the block would grow
 * in several steps, and each step would copy the columns that were appended before. */
void ftr_data_block_make_room(ftr_data_block *block, size_t size);

/* Appends a column whose values are stored later, by ftr_data_block_fill(). No column may be
 * appended while ftr_data_block_fill() stores values. */
ftr_data_column ftr_data_block_reserve(ftr_data_block *block, unsigned value_size, size_t count,
                                       bool differences);

/* Stores a part of the values of a reserved column. Several threads may store different parts.
 * @param first number of the first value in the column
 * @param before the value before the first one; 0 if there is none. Only used if the column stores
 * differences */
void ftr_data_block_fill(ftr_data_block *block, const ftr_data_column *column, size_t first,
                         ftr_data_values values, uint64_t before);

/* A block that was compressed with raw deflate. */
typedef struct ftr_packed_block {
    const char *name;
    uint8_t *bytes;
    size_t size;
} ftr_packed_block;

/* Compresses the block. @param threads maximum number of threads; 0: one. @param[out] packed owned
 * by the caller until ftr_packed_block_release()
 * @return false if out of memory */
bool ftr_data_block_pack(const ftr_data_block *block, unsigned threads, ftr_packed_block *packed);

/* Returns the number of base64 characters for @p size bytes. */
static inline size_t ftr_base64_size(size_t size)
{
    return (size + 2) / 3 * 4;
}

/* Removes all columns and keeps the memory. */
void ftr_data_block_clear(ftr_data_block *block);

void ftr_data_block_release(ftr_data_block *block);
void ftr_packed_block_release(ftr_packed_block *packed);

/* Writes the location of a column as a member (docs/report-format.md, "Columns"). */
void ftr_json_column(ftr_json *json, const char *name, ftr_data_column column);

/* Appends a column, and writes its location as a member. */
void ftr_json_values(ftr_json *json, const char *name, ftr_data_block *block,
                     ftr_data_values values, bool differences);

#endif
