/* libFuzzer target for the reader: any bytes are read in every way within a small budget, and checked.
   Without libFuzzer (fuzz_main.c) it replays a corpus. */
#include <ftr/parser.h>

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool on_begin(void *user, const ftr_transaction *tx)
{
    uint64_t *sum = user;
    *sum += tx->id;
    return true;
}

static void read_transactions(ftr_reader *reader, ftr_order order)
{
    const ftr_query query = {.size = sizeof query, .order = order};
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    uint64_t before = 0;
    if (ftr_cursor_open(reader, &query, &cursor) != FTR_OK)
        return;
    volatile uint64_t sum = 0;
    while (ftr_cursor_next(cursor, &tx) == FTR_OK) {
        while (ftr_reader_next_attribute(reader, &tx, &attribute))
            for (size_t i = 0; i < attribute.name.size; i++)
                sum += (unsigned char)attribute.name.data[i];
        before = tx.begin;
    }
    (void)before;
    ftr_cursor_close(cursor);
}

static void read_relations(ftr_reader *reader)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    for (int by_id = 0; by_id < 2; by_id++) {
        if (ftr_relation_cursor_open(reader, by_id != 0, 1, &cursor) != FTR_OK)
            return;
        while (ftr_relation_cursor_next(cursor, &relation) == FTR_OK)
            ;
        ftr_relation_cursor_close(cursor);
    }
}

static void parse(ftr_reader *reader)
{
    ftr_parser *parser;
    uint64_t sum = 0;
    if (ftr_parser_create(reader, &parser) != FTR_OK)
        return;
    (void)ftr_parser_on_begin(parser, NULL, on_begin, &sum);
    (void)ftr_parser_run(parser);
    ftr_parser_destroy(parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ftr_reader *reader;
    const ftr_reader_options options = {.size = sizeof options, .memory = 1 << 20};
    if (ftr_reader_open_memory(bytes, size, &options, &reader) != FTR_OK)
        return 0;
    read_transactions(reader, FTR_ORDER_STORED);
    read_transactions(reader, FTR_ORDER_BEGIN);
    read_transactions(reader, FTR_ORDER_END);
    read_relations(reader);
    parse(reader);
    if (ftr_reader_check(reader) == FTR_ERR_STATE)
        abort();
    ftr_reader_close(reader);
    return 0;
}
