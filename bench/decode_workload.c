/* Reads every transaction of a file with every attribute through <ftr/reader.h>, and ignores them,
 * so that callgrind counts the cost of decoding.
 *
 *     decode_workload FILE */
#include <stdio.h>

#include <ftr/reader.h>

#include "workload_data.h"

int main(int argc, char **argv)
{
    ftr_reader *reader = NULL;
    ftr_cursor *cursor = NULL;
    const ftr_reader_options options = {.numbering = FTR_READER_NUMBERING_DEPLOYED};
    if (argc != 2 || ftr_reader_open(argv[1], &options, &reader) != FTR_OK ||
        ftr_cursor_open(reader, NULL, &cursor) != FTR_OK) {
        fputs("decode_workload: cannot read the file\n", stderr);
        return 2;
    }
    ftr_transaction tx;
    ftr_status status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        WORKLOAD_USE(tx.begin + tx.end);
        ftr_attribute_value attribute;
        while (ftr_reader_next_attribute(reader, &tx, &attribute)) {
            WORKLOAD_USE(attribute.name.data);
            WORKLOAD_USE(attribute.as.number);
        }
    }
    ftr_cursor_close(cursor);
    ftr_reader_close(reader);
    return status == FTR_ERR_END ? 0 : 1;
}
