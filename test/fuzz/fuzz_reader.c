/* libFuzzer target for the reader: any bytes are read in every way within a small budget, and
 * checked. Without libFuzzer (fuzz_main.c) it replays a corpus. */
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

/* Reads every byte of a text, so that an invalid view is detected. */
static uint64_t look_at(ftr_view view)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < view.size; i++)
        sum += (unsigned char)view.data[i];
    return sum;
}

static uint64_t read_transactions(ftr_reader *reader, ftr_order order)
{
    const ftr_query query = {.size = sizeof query, .order = order};
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    uint64_t sum = 0;
    if (ftr_cursor_open(reader, &query, &cursor) != FTR_OK)
        return 0;
    while (ftr_cursor_next(cursor, &tx) == FTR_OK)
        while (ftr_reader_next_attribute(reader, &tx, &attribute)) {
            sum += look_at(attribute.name);
            if (attribute.form == FTR_FORM_TEXT)
                sum += look_at(attribute.as.text);
        }
    ftr_cursor_close(cursor);
    return sum;
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
    (void)read_transactions(reader, FTR_ORDER_STORED);
    (void)read_transactions(reader, FTR_ORDER_BEGIN);
    (void)read_transactions(reader, FTR_ORDER_END);
    read_relations(reader);
    parse(reader);
    if (ftr_reader_check(reader) == FTR_ERR_STATE)
        abort();
    ftr_reader_close(reader);
    return 0;
}
