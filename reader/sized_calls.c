/* Calls from programs that were compiled with structs of another size. These calls pass structs of
 * this library's size to the functions of the same name. */
#include <ftr/reader.h>

#include "struct_size.h"

ftr_status ftr_reader_open_sized(const char *path, const ftr_reader_options *options, size_t size,
                                 ftr_reader **reader)
{
    ftr_reader_options whole;
    if (options != NULL)
        ftr_struct_take(&whole, sizeof whole, options, size);
    return ftr_reader_open(path, options != NULL ? &whole : NULL, reader);
}

ftr_status ftr_reader_open_fd_sized(int fd, const ftr_reader_options *options, size_t size,
                                    ftr_reader **reader)
{
    ftr_reader_options whole;
    if (options != NULL)
        ftr_struct_take(&whole, sizeof whole, options, size);
    return ftr_reader_open_fd(fd, options != NULL ? &whole : NULL, reader);
}

ftr_status ftr_reader_open_memory_sized(const void *bytes, size_t count,
                                        const ftr_reader_options *options, size_t size,
                                        ftr_reader **reader)
{
    ftr_reader_options whole;
    if (options != NULL)
        ftr_struct_take(&whole, sizeof whole, options, size);
    return ftr_reader_open_memory(bytes, count, options != NULL ? &whole : NULL, reader);
}

void ftr_reader_get_info_sized(ftr_reader *reader, ftr_file_info *info, size_t size)
{
    ftr_file_info whole;
    ftr_reader_get_info(reader, &whole);
    ftr_struct_copy(info, size, &whole, sizeof whole);
}

bool ftr_reader_get_chunk_sized(const ftr_reader *reader, size_t index, ftr_chunk_info *chunk,
                                size_t size)
{
    ftr_chunk_info whole;
    if (!ftr_reader_get_chunk(reader, index, &whole))
        return false;
    ftr_struct_copy(chunk, size, &whole, sizeof whole);
    return true;
}

ftr_status ftr_cursor_open_sized(ftr_reader *reader, const ftr_query *query, size_t size,
                                 ftr_cursor **cursor)
{
    ftr_query whole;
    if (query != NULL)
        ftr_struct_take(&whole, sizeof whole, query, size);
    return ftr_cursor_open(reader, query != NULL ? &whole : NULL, cursor);
}

/* The functions without a parameter for the size write the structs of version 0.1. If one of these
 * structs grows, these functions still write the former size, and the header calls the functions
 * with a size instead. */
_Static_assert(sizeof(ftr_transaction) == 96, "ftr_cursor_next() writes the struct of 0.1");
_Static_assert(sizeof(ftr_attribute_value) == 72,
               "ftr_reader_next_attribute() writes the struct of 0.1");
_Static_assert(sizeof(ftr_relation_info) == 72,
               "ftr_relation_cursor_next() writes the struct of 0.1");

/* These functions are called for every transaction and attribute, so structs of this library's size
 * are not copied. */
ftr_status ftr_cursor_next_sized(ftr_cursor *cursor, ftr_transaction *tx, size_t size)
{
    if (size == sizeof *tx || tx == NULL)
        return ftr_cursor_next(cursor, tx);
    ftr_transaction whole;
    const ftr_status status = ftr_cursor_next(cursor, &whole);
    if (status == FTR_OK)
        ftr_struct_copy(tx, size, &whole, sizeof whole);
    return status;
}

ftr_status ftr_cursor_seek_sized(ftr_cursor *cursor, uint64_t chunk_offset, uint64_t chunk_within,
                                 ftr_transaction *tx, size_t size)
{
    ftr_transaction whole;
    const ftr_status status =
        ftr_cursor_seek(cursor, chunk_offset, chunk_within, tx != NULL ? &whole : NULL);
    if (status == FTR_OK && tx != NULL)
        ftr_struct_copy(tx, size, &whole, sizeof whole);
    return status;
}

bool ftr_reader_next_attribute_sized(ftr_reader *reader, ftr_transaction *tx,
                                     ftr_attribute_value *attribute, size_t size)
{
    if (size == sizeof *attribute)
        return ftr_reader_next_attribute(reader, tx, attribute);
    ftr_attribute_value whole;
    if (!ftr_reader_next_attribute(reader, tx, &whole))
        return false;
    ftr_struct_copy(attribute, size, &whole, sizeof whole);
    return true;
}

ftr_status ftr_relation_cursor_next_sized(ftr_relation_cursor *cursor, ftr_relation_info *relation,
                                          size_t size)
{
    if (size == sizeof *relation || relation == NULL)
        return ftr_relation_cursor_next(cursor, relation);
    ftr_relation_info whole;
    const ftr_status status = ftr_relation_cursor_next(cursor, &whole);
    if (status == FTR_OK)
        ftr_struct_copy(relation, size, &whole, sizeof whole);
    return status;
}

ftr_status ftr_file_repair_sized(const char *input, const char *output,
                                 void (*on_message)(void *user, const char *message), void *user,
                                 ftr_repair *repair, size_t size)
{
    ftr_repair whole = {0};
    const ftr_status status =
        ftr_file_repair(input, output, on_message, user, repair != NULL ? &whole : NULL);
    if (status == FTR_OK && repair != NULL)
        ftr_struct_copy(repair, size, &whole, sizeof whole);
    return status;
}
