// The reader with all forms of files, windows, pipes and callbacks.
#include "reader_fixture.hpp"

#include <ftr/parser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace reader_test;

namespace
{

std::string attributes_of(const Bytes &chunk_with_one_transaction)
{
    Reading r(
        beginning() + dictionary(0, {"s", "k", "g", "x"}) +
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 1),
                              head(6, 17) + head(4, 3) + head(0, 2) + head(0, 2) + head(0, 1)})) +
        chunk_with_one_transaction + BREAK);
    const std::vector<Transaction> all = transactions(r());
    return all.size() == 1 ? all[0].attributes : std::to_string(all.size()) + " transactions";
}

Bytes one_attribute(uint64_t type, const Bytes &value)
{
    return transaction_chunk(1, 0, 1,
                             indefinite({transaction(1, 2, 0, 1, {attribute(7, 3, type, value)})}));
}

// ---- forms
// ------------------------------------------------------------------------------------------

TEST(Forms, ReadsFloatsOfAnyWidth)
{
    EXPECT_EQ("x:4/0=1.500000 ", attributes_of(one_attribute(4, {0xf9, 0x3e, 0x00})));
    EXPECT_EQ("x:4/0=1.500000 ", attributes_of(one_attribute(4, {0xfa, 0x3f, 0xc0, 0, 0})));
    EXPECT_EQ("x:4/0=1.500000 ",
              attributes_of(one_attribute(4, {0xfb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0})));
}

TEST(Forms, ReadsIntegersOfAnyWidth)
{
    EXPECT_EQ("x:3/0=7 ", attributes_of(one_attribute(3, {0x1b, 0, 0, 0, 0, 0, 0, 0, 7})));
    EXPECT_EQ("x:3/0=7 ", attributes_of(one_attribute(3, {0x18, 7})));
    EXPECT_EQ("x:3/0=18446744073709551615 ", attributes_of(one_attribute(3, head(0, UINT64_MAX))));
    EXPECT_EQ("x:2/0=-9223372036854775808 ", attributes_of(one_attribute(2, head(1, INT64_MAX))));
}

TEST(Forms, ReadsIndefiniteArraysEverywhere)
{
    const Bytes tx = Bytes{0x9f, 0xc6, 0x9f, 0x01, 0x02, 0x00, 0x05, 0xff,  // [_ 6([_ 1 2 0 5])
                           0xc8, 0x9f, 0x03, 0x03, 0x18, 0x2a, 0xff, 0xff}; //   8([_ 3 3 42])]
    EXPECT_EQ("x:3/1=42 ", attributes_of(transaction_chunk(1, 0, 5, indefinite({tx}))));
    // The body is definite, the chunk's own array indefinite, its content in pieces.
    const Bytes body = head(4, 1) + tx;
    const Bytes first(body.begin(), body.begin() + 5);
    const Bytes rest(body.begin() + 5, body.end());
    EXPECT_EQ("x:3/1=42 ", attributes_of(head(6, 12) + Bytes{0x9f, 0x01, 0x00, 0x05, 0x5f} +
                                         bytes_item(first) + bytes_item(rest) + Bytes{0xff, 0xff}));
}

TEST(Forms, ReadsTextsInPieces)
{
    // {_ 0: (_ "a", "b"), 1: "k", 2: "g"} in one dictionary
    Reading r(
        beginning() +
        chunk(8, Bytes{0xbf, 0x00, 0x7f, 0x61, 'a', 0x61, 'b', 0xff, 0x01, 0x61, 'k', 0x02, 0x61,
                       'g', 0xff}) +
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 1)})) +
        BREAK);
    ASSERT_EQ(1u, ftr_reader_stream_count(r()));
    EXPECT_EQ("ab", text(ftr_reader_get_stream(r(), 0)->name));
    EXPECT_EQ("k", text(ftr_reader_get_stream(r(), 0)->kind));
}

TEST(Forms, ReadsSparseAndRepeatedDictionaryIds)
{
    Reading r(
        beginning() + dictionary(1000000, {"far"}) + dictionary(5, {"five", "six"}) +
        dictionary(5, {"again"}) +
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 1000000) + head(0, 6),
                              head(6, 16) + head(4, 3) + head(0, 2) + head(0, 5) + head(0, 6)})) +
        BREAK);
    ASSERT_EQ(2u, ftr_reader_stream_count(r()));
    EXPECT_EQ("far", text(ftr_reader_get_stream(r(), 0)->name));
    EXPECT_EQ("five", text(ftr_reader_get_stream(r(), 1)->name));
    EXPECT_EQ("six", text(ftr_reader_get_stream(r(), 1)->kind));
}

TEST(Forms, ReadsSectionsInAnyOrder)
{
    const Bytes transactions_first =
        beginning() + transaction_chunk(1, 0, 5, indefinite({transaction(1, 2, 0, 5)})) +
        definitions() + BREAK;
    Reading r(transactions_first);
    const std::vector<Transaction> all = transactions(r());
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("s", all[0].stream);
    EXPECT_EQ("g", all[0].generator);
    EXPECT_TRUE(r.has("undefined-stream")); // nevertheless it is out of order
}

TEST(Forms, SkipsUnknownTags)
{
    Reading r(beginning() + definitions() + head(6, 99) + text_item("what is this") +
              transaction_chunk(1, 0, 5, indefinite({transaction(1, 2, 0, 5)})) + BREAK);
    EXPECT_EQ(1u, transactions(r()).size());
    ASSERT_EQ(1u, r.findings.size());
    EXPECT_EQ("top-level", r.findings[0].rule);
}

TEST(Forms, ReadsRelationsOfThreeAndFiveElements)
{
    Reading r(beginning() + dictionary(0, {"rel"}) +
              chunk(14, indefinite({head(4, 3) + head(0, 0) + head(0, 1) + head(0, 2),
                                    head(4, 5) + head(0, 0) + head(0, 3) + head(0, 4) + head(0, 1) +
                                        head(0, 1)})) +
              BREAK);
    EXPECT_EQ((std::vector<std::string>{"rel 1 2", "rel 3 4"}), relations(r()));
}

TEST(Forms, ReportsAndSkipsMalformedEntries)
{
    Reading r(beginning() + definitions() +
              transaction_chunk(
                  1, 0, 9,
                  indefinite({transaction(1, 2, 0, 5), text_item("no transaction"),
                              transaction(2, 2, 1, 6, {head(0, 3)}), transaction(3, 2, 2, 9)})) +
              BREAK);
    EXPECT_EQ((std::vector<uint64_t>{1, 2, 3}), ids(transactions(r())));
    EXPECT_TRUE(r.has("tx-shape"));
    EXPECT_TRUE(r.has("attribute-shape"));
}

TEST(Forms, ReportsMissingInfoAndDefinitions)
{
    Reading r(Bytes{0xd9, 0xd9, 0xf7, 0x9f} +
              transaction_chunk(7, 0, 5, indefinite({transaction(1, 9, 0, 5)})) + BREAK);
    const std::vector<Transaction> all = transactions(r());
    ASSERT_EQ(1u, all.size());
    EXPECT_EQ("#7", all[0].stream);
    EXPECT_EQ("?", all[0].generator);
    EXPECT_TRUE(r.has("info"));
    EXPECT_TRUE(r.has("undefined-stream"));
    EXPECT_TRUE(r.has("undefined-generator"));
}

TEST(Forms, RefusesFilesThatAreNotTraces)
{
    EXPECT_EQ(FTR_ERR_FORMAT, Reading(Bytes{}).status());
    EXPECT_EQ(FTR_ERR_FORMAT, Reading(Bytes{'n', 'o', ' ', 't'}).status());
}

// ---- numberings
// -------------------------------------------------------------------------------------

TEST(Numbering, IsDetectedFromTheValues)
{
    EXPECT_EQ("x:1/0='s' ", attributes_of(one_attribute(1, head(0, 0)))); // deployed ENUMERATION
    EXPECT_EQ("x:0/0=true ", attributes_of(one_attribute(1, {0xf5})));    // the text's BOOLEAN
    EXPECT_EQ("x:7/0=1.500000 ",
              attributes_of(one_attribute(5, {0xf9, 0x3e, 0x00})));       // fixed point
    EXPECT_EQ("x:5/0=-5 ", attributes_of(one_attribute(8, head(1, 4))));  // the text's BIT_VECTOR
    EXPECT_EQ("x:5/0='s' ", attributes_of(one_attribute(5, head(0, 0)))); // BIT_VECTOR
}

TEST(Numbering, SelectsTheTypeOfAmbiguousValues)
{
    // Type 11 is TIME or POINTER; a BOOLEAN of type 1 in the same file decides between them.
    const Bytes reported = transaction_chunk(
        1, 0, 1,
        indefinite({transaction(
            1, 2, 0, 1, {attribute(7, 3, 11, head(0, 5)), attribute(7, 3, 1, Bytes{0xf5})})}));
    EXPECT_EQ("x:9/0=5 x:0/0=true ", attributes_of(reported));
    EXPECT_EQ("x:11/0=5 ", attributes_of(one_attribute(11, head(0, 5))));
    EXPECT_EQ("x:11/0=-5 ", attributes_of(one_attribute(11, head(1, 4))));
}

TEST(Numbering, CountsEachValueOnce)
{
    const Bytes spec = attribute(7, 3, 1, Bytes{0xf5});
    const Bytes deployed = attribute(7, 3, 1, head(0, 0));
    const auto numbering = [&](const std::vector<Bytes> &first, const std::vector<Bytes> &second) {
        Reading r(beginning() + definitions() +
                  transaction_chunk(1, 0, 1, indefinite({transaction(1, 2, 0, 1, first)})) +
                  transaction_chunk(1, 0, 1, indefinite({transaction(2, 2, 0, 1, second)})) +
                  BREAK);
        bool known = false;
        const ftr_numbering found = ftr_reader_get_numbering(r(), &known);
        EXPECT_TRUE(known);
        return found;
    };
    EXPECT_EQ(FTR_NUMBERING_DEPLOYED, numbering({spec, spec}, {deployed, deployed, deployed}));
    EXPECT_EQ(FTR_NUMBERING_SPEC, numbering({deployed, deployed}, {spec, spec, spec}));
    EXPECT_EQ(FTR_NUMBERING_DEPLOYED, numbering({spec}, {deployed}));
}

TEST(Numbering, CanBeOverridden)
{
    ftr_reader_options options{};
    options.numbering = FTR_READER_NUMBERING_SPEC;
    Reading r(beginning() + definitions() + one_attribute(11, head(0, 5)) + BREAK, options);
    bool known = false;
    EXPECT_EQ(FTR_NUMBERING_SPEC, ftr_reader_get_numbering(r(), &known));
    EXPECT_TRUE(known);
    EXPECT_EQ("?:9/0=5 ", transactions(r())[0].attributes);
}

// ---- selection
// --------------------------------------------------------------------------------------

TEST(Query, WindowExpandsOnlyChunksInside)
{
    // Three chunks; the blocks of the outer two are damaged, so that reading them would be a
    // finding.
    Bytes file = beginning() + definitions();
    const Bytes damaged =
        head(6, 13) + head(4, 5) + head(0, 1) + head(0, 0) + head(0, 9) + head(0, 100);
    file = file + damaged + bytes_item({0x00, 0x01, 0x02}) +
           transaction_chunk(1, 10, 19, indefinite({transaction(1, 2, 10, 19)})) + head(6, 13) +
           head(4, 5) + head(0, 1) + head(0, 20) + head(0, 29) + head(0, 100) +
           bytes_item({0x00, 0x01, 0x02}) + BREAK;
    Reading r(file);
    ftr_query query{};
    query.windowed = true;
    query.from = 10;
    query.to = 19;
    for (ftr_order order : {FTR_ORDER_STORED, FTR_ORDER_BEGIN, FTR_ORDER_END, FTR_ORDER_STREAM}) {
        query.order = order;
        EXPECT_EQ(1u, transactions(r(), query).size());
    }
    EXPECT_TRUE(r.findings.empty());
    EXPECT_EQ(1u, transactions(r()).size());
    EXPECT_TRUE(r.has("chunk-lz4"));
}

TEST(Query, SelectsByIdAndByPredicate)
{
    const Bytes file = small_file(FTR_COMPRESSION_LZ4);
    Reading r(file);
    ftr_query query{};
    query.by_id = true;
    query.id = 5;
    EXPECT_EQ((std::vector<uint64_t>{5}), ids(transactions(r(), query)));
    query.id = 500;
    EXPECT_TRUE(transactions(r(), query).empty());
    ftr_query cpu{};
    cpu.choose_stream = [](void *, const ftr_stream_info *s) { return text(s->name) == "top.cpu"; };
    EXPECT_EQ((std::vector<uint64_t>{1, 4, 7, 10}), ids(transactions(r(), cpu)));
    ftr_query read{};
    read.choose_generator = [](void *, const ftr_generator_info *g) {
        return text(g->name) == "read";
    };
    EXPECT_EQ(8u, transactions(r(), read).size());
}

TEST(Query, ReturnsRelationsInBothDirections)
{
    Reading r(small_file(FTR_COMPRESSION_LZ4));
    for (int pass = 0; pass < 2; pass++) { // the second pass skips chunks by the index
        ftr_relation_cursor *cursor;
        ASSERT_EQ(FTR_OK, ftr_relation_cursor_open(r(), true, 5, &cursor));
        ftr_relation_info relation;
        ASSERT_EQ(FTR_OK, ftr_relation_cursor_next(cursor, &relation));
        EXPECT_EQ(4u, relation.from_tx);
        ASSERT_EQ(FTR_OK, ftr_relation_cursor_next(cursor, &relation));
        EXPECT_EQ(6u, relation.to_tx);
        EXPECT_EQ(FTR_ERR_END, ftr_relation_cursor_next(cursor, &relation));
        ftr_relation_cursor_close(cursor);
    }
}

// ---- bounds
// -----------------------------------------------------------------------------------------

TEST(Budget, DoesNotAllocateAnImpossibleSize)
{
    Reading r(beginning() + definitions() + head(6, 13) + head(4, 5) + head(0, 1) + head(0, 0) +
              head(0, 9) + head(0, 0x7fffffff) + bytes_item({0x10, 0x01}) + BREAK);
    EXPECT_TRUE(transactions(r()).empty());
    EXPECT_TRUE(r.has("chunk-lz4"));
}

TEST(Budget, ReportsAndSkipsAChunkLargerThanTheBudget)
{
    // A text of 4 MiB in one transaction, highly compressible, for a reader with 1 MiB.
    Recording recording;
    ftr_stream stream;
    ftr_generator generator;
    ASSERT_EQ(FTR_OK, ftr_stream_define(recording(), "s", "", &stream));
    ASSERT_EQ(FTR_OK, ftr_generator_define(recording(), stream, "g", nullptr, 0, &generator));
    ftr_tx tx;
    ASSERT_EQ(FTR_OK, ftr_tx_begin(recording(), generator, 0, &tx));
    ftr_value value{};
    value.type = FTR_TYPE_UNSIGNED;
    for (int i = 0; i < 500000; i++) {
        value.as.number = static_cast<uint64_t>(i);
        ASSERT_EQ(FTR_OK, ftr_tx_put_named(recording(), tx, FTR_CLASS_RECORD, "n", &value));
    }
    ASSERT_EQ(FTR_OK, ftr_tx_end(recording(), tx, 5));
    const Bytes file = recording.close();
    ftr_reader_options options{};
    options.memory = 1u << 20;
    Reading little(file, options);
    EXPECT_TRUE(transactions(little()).empty());
    EXPECT_TRUE(little.has("chunk-budget"));
    Reading much(file);
    EXPECT_EQ(1u, transactions(much()).size());
}

TEST(Budget, IsSharedWithTheCaller)
{
    const size_t mib = size_t{1} << 20;
    ftr_reader_options options{};
    options.memory = 8 * mib;
    Reading reading(small_file(FTR_COMPRESSION_LZ4), options);
    ASSERT_TRUE(ftr_reader_reserve(reading(), 6 * mib));
    EXPECT_FALSE(ftr_reader_reserve(reading(), mib)); // an eighth is for the reader
    EXPECT_FALSE(ftr_reader_reserve(reading(), SIZE_MAX));
    EXPECT_EQ(12u, transactions(reading()).size());
    EXPECT_FALSE(reading.has("undefined-text"));
    ftr_reader_give_back(reading(), 2 * mib);
    ASSERT_TRUE(ftr_reader_reserve(reading(), mib));
    ftr_reader_give_back(reading(), 5 * mib);
}

// ---- pipes and growing files
// ------------------------------------------------------------------------

TEST(Pipe, IsReadInStoredOrder)
{
    const Bytes file = small_file(FTR_COMPRESSION_LZ4);
    Reading mapped(file);
    int ends[2];
    ASSERT_EQ(0, pipe(ends));
    std::thread writer([&] {
        for (size_t at = 0; at < file.size(); at += 7) { // in pieces that do not match chunks
            const size_t size = std::min<size_t>(7, file.size() - at);
            EXPECT_EQ(static_cast<ssize_t>(size), write(ends[1], file.data() + at, size));
        }
        close(ends[1]);
    });
    ftr_reader *reader;
    ASSERT_EQ(FTR_OK, ftr_reader_open_fd(ends[0], nullptr, &reader));
    ftr_query ordered{};
    ordered.order = FTR_ORDER_BEGIN;
    ftr_cursor *cursor;
    EXPECT_EQ(FTR_ERR_STATE, ftr_cursor_open(reader, &ordered, &cursor));
    EXPECT_EQ(transactions(mapped()), transactions(reader));
    writer.join();
    ftr_reader_close(reader);
    close(ends[0]);
}

TEST(Growing, CursorContinuesAfterRefresh)
{
    const Bytes file = small_file(FTR_COMPRESSION_NONE);
    const std::string path = testing::TempDir() + "ftr_growing_" + std::to_string(getpid());
    std::ofstream out(path, std::ios::binary);
    const auto put = [&](size_t from, size_t to) {
        out.write(reinterpret_cast<const char *>(file.data() + from),
                  static_cast<std::streamsize>(to - from));
        out.flush();
    };
    put(0, 600); // within the second transaction chunk
    ftr_reader *reader;
    ASSERT_EQ(FTR_OK, ftr_reader_open(path.c_str(), nullptr, &reader));
    ftr_cursor *cursor;
    ASSERT_EQ(FTR_OK, ftr_cursor_open(reader, nullptr, &cursor));
    ftr_transaction tx;
    size_t count = 0;
    while (ftr_cursor_next(cursor, &tx) == FTR_OK)
        count++;
    EXPECT_EQ(3u, count);
    put(600, file.size());
    bool grown = false;
    EXPECT_EQ(FTR_OK, ftr_reader_refresh(reader, &grown));
    EXPECT_TRUE(grown);
    while (ftr_cursor_next(cursor, &tx) == FTR_OK)
        count++;
    EXPECT_EQ(12u, count);
    ftr_file_info info;
    ftr_reader_get_info(reader, &info);
    EXPECT_TRUE(info.ended);
    ftr_reader_close(reader); // frees the cursor, too
    (void)unlink(path.c_str());
}

// ---- callbacks
// --------------------------------------------------------------------------------------

struct Heard {
    std::vector<std::string> events;
};

bool on_begin(void *user, const ftr_transaction *tx)
{
    static_cast<Heard *>(user)->events.push_back("+" + std::to_string(tx->id));
    return true;
}

bool on_end(void *user, const ftr_transaction *tx)
{
    static_cast<Heard *>(user)->events.push_back("-" + std::to_string(tx->id));
    return true;
}

TEST(Parser, CallsInOrderOfTimeAcrossChunks)
{
    // 1 lasts over all others; 2 ends when 3 begins; 4 has no duration.
    Reading r(
        beginning() + definitions() +
        transaction_chunk(1, 5, 8, indefinite({transaction(3, 2, 5, 8), transaction(4, 2, 8, 8)})) +
        transaction_chunk(1, 0, 9, indefinite({transaction(2, 2, 1, 5), transaction(1, 2, 0, 9)})) +
        BREAK);
    Heard heard;
    ftr_parser *parser;
    ASSERT_EQ(FTR_OK, ftr_parser_create(r(), &parser));
    EXPECT_EQ(FTR_OK, ftr_parser_on_begin(parser, nullptr, on_begin, &heard));
    EXPECT_EQ(FTR_OK, ftr_parser_on_end(parser, nullptr, on_end, &heard));
    EXPECT_EQ(FTR_OK, ftr_parser_run(parser));
    EXPECT_EQ((std::vector<std::string>{"+1", "+2", "-2", "+3", "-3", "+4", "-4", "-1"}),
              heard.events);
    ftr_parser_destroy(parser);
}

TEST(Parser, CallsTheRegisteredCallbacksOnly)
{
    Reading r(small_file(FTR_COMPRESSION_LZ4));
    struct Counts {
        int streams = 0, generators = 0, begins = 0, at_begin = 0, later = 0, relations = 0;
    } counts;
    ftr_parser *parser;
    ASSERT_EQ(FTR_OK, ftr_parser_create(r(), &parser));
    const uint64_t cpu = ftr_reader_get_stream(r(), 1)->id;
    ftr_parser_range range{};
    range.stream_first = range.stream_last = cpu;
    ftr_parser_on_stream(
        parser, nullptr,
        [](void *c, const ftr_stream_info *) { return ++static_cast<Counts *>(c)->streams > 0; },
        &counts);
    ftr_parser_on_generator(
        parser, &range,
        [](void *c, const ftr_generator_info *) {
            return ++static_cast<Counts *>(c)->generators > 0;
        },
        &counts);
    ftr_parser_on_begin(
        parser, &range,
        [](void *c, const ftr_transaction *) { return ++static_cast<Counts *>(c)->begins > 0; },
        &counts);
    ftr_parser_on_attribute(
        parser, &range,
        [](void *c, const ftr_transaction *, const ftr_attribute_value *a) {
            auto *counted = static_cast<Counts *>(c);
            (a->class_ == FTR_CLASS_BEGIN ? counted->at_begin : counted->later)++;
            return true;
        },
        &counts);
    ftr_parser_on_relation(
        parser, nullptr,
        [](void *c, const ftr_relation_info *) {
            return ++static_cast<Counts *>(c)->relations > 0;
        },
        &counts);
    EXPECT_EQ(FTR_OK, ftr_parser_run(parser));
    EXPECT_EQ(2, counts.streams);
    EXPECT_EQ(1, counts.generators);
    EXPECT_EQ(4, counts.begins);
    EXPECT_EQ(4, counts.at_begin);
    EXPECT_EQ(4 * 8, counts.later);
    EXPECT_EQ(11, counts.relations);
    ftr_parser_destroy(parser);
}

TEST(Parser, StopsIfACallbackReturnsFalse)
{
    Reading r(small_file(FTR_COMPRESSION_LZ4));
    ftr_parser *parser;
    int left = 3;
    ASSERT_EQ(FTR_OK, ftr_parser_create(r(), &parser));
    ftr_parser_on_begin(
        parser, nullptr,
        [](void *n, const ftr_transaction *) { return --*static_cast<int *>(n) > 0; }, &left);
    EXPECT_EQ(FTR_ERR_END, ftr_parser_run(parser));
    EXPECT_EQ(0, left);
    ftr_parser_destroy(parser);
}

// ---- check
// ------------------------------------------------------------------------------------------

struct BadFile {
    const char *rule;
    Bytes content; // after the beginning, before the break
};

TEST(Check, ReportsAViolationOfEachRule)
{
    const auto one = [](const Bytes &tx) { return transaction_chunk(1, 0, 9, indefinite({tx})); };
    const Bytes stream = head(6, 16) + head(4, 3);
    const std::vector<BadFile> files = {
        {"dictionary-ids", dictionary(3, {"x"})},
        {"utf8", dictionary(0, {"\xff"})},
        {"body-shape", chunk(8, {0xbf, 0x00, 0x61, 'a', 0xff})},
        {"body-shape", definitions() + transaction_chunk(1, 0, 9, head(4, 0))},
        {"body-shape", definitions() + transaction_chunk(1, 0, 9, {})},
        {"dictionary-entry", chunk(8, {0xa1, 0x61, 'a', 0x61, 'b'})},
        {"directory-entry", chunk(10, indefinite({head(0, 1)}))},
        {"defined-twice",
         definitions() + chunk(10, indefinite({stream + head(0, 1) + head(0, 0) + head(0, 1)}))},
        {"undefined-text", chunk(10, indefinite({stream + head(0, 1) + head(0, 0) + head(0, 1)}))},
        {"undefined-generator", definitions() + one(transaction(1, 77, 0, 1))},
        {"undefined-text",
         definitions() + one(transaction(1, 2, 0, 1, {attribute(7, 99, 3, head(0, 1))}))},
        {"tx-times", definitions() + one(transaction(1, 2, 5, 4))},
        {"tx-id", definitions() + one(transaction(1, 2, 0, 1)) + one(transaction(1, 2, 0, 1))},
        {"chunk-range", definitions() + one(transaction(1, 2, 0, 10))},
        {"float-width",
         definitions() + one(transaction(1, 2, 0, 1, {attribute(7, 0, 4, {0xf9, 0, 0})}))},
        {"unsigned-range",
         definitions() + one(transaction(1, 2, 0, 1, {attribute(7, 0, 3, head(0, UINT64_MAX))}))},
        {"attribute-type",
         definitions() + one(transaction(1, 2, 0, 1, {attribute(7, 0, 3, {0xf5})}))},
        {"attribute-shape",
         definitions() + one(transaction(1, 2, 0, 1, {attribute(10, 0, 3, head(0, 1))}))},
        {"relation-elements",
         definitions() + one(transaction(1, 2, 0, 1)) +
             chunk(14, indefinite({head(4, 3) + head(0, 0) + head(0, 1) + head(0, 1)}))},
        {"relation-ends",
         definitions() + chunk(14, indefinite({head(4, 5) + head(0, 0) + head(0, 1) + head(0, 1) +
                                               head(0, 1) + head(0, 1)}))},
        {"relation-streams", definitions() + one(transaction(1, 2, 0, 1)) +
                                 chunk(14, indefinite({head(4, 5) + head(0, 0) + head(0, 1) +
                                                       head(0, 1) + head(0, 1) + head(0, 7)}))},
        {"stream-name-unique",
         definitions() + chunk(10, indefinite({stream + head(0, 5) + head(0, 0) + head(0, 1)}))},
        {"stream-name-prefix",
         dictionary(0, {"a", "a.b"}) +
             chunk(10, indefinite({stream + head(0, 1) + head(0, 0) + head(0, 0),
                                   stream + head(0, 2) + head(0, 1) + head(0, 0)}))},
        {"time-range",
         definitions() + transaction_chunk(1, 0, UINT64_MAX / 2,
                                           indefinite({transaction(1, 2, 0, UINT64_MAX / 2)}))},
        {"top-level", head(6, 7) + head(0, 0)},
        {"damaged", Bytes{0x1c, 0x1d}},
        {"info", chunk(6, {0x82, 0x2b, 0xc1, 0x00})},
    };
    for (const BadFile &file : files) {
        Reading r(beginning() + file.content + BREAK);
        ASSERT_NE(nullptr, r()) << file.rule;
        EXPECT_EQ(FTR_OK, ftr_reader_check(r()));
        EXPECT_TRUE(r.has(file.rule)) << file.rule;
    }
}

TEST(Check, NumbersRulesWithoutGap)
{
    for (unsigned number = 1; number <= ftr_finding_rules(); number++) {
        const char *name = nullptr;
        EXPECT_TRUE(ftr_finding_rule(number, &name, nullptr, nullptr)) << number;
        EXPECT_NE(nullptr, name);
    }
    EXPECT_FALSE(ftr_finding_rule(0, nullptr, nullptr, nullptr));
    EXPECT_FALSE(ftr_finding_rule(ftr_finding_rules() + 1, nullptr, nullptr, nullptr));
}

TEST(Check, ReportsNothingForRecordedFiles)
{
    for (ftr_compression compression :
         {FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4, FTR_COMPRESSION_META}) {
        Reading r(small_file(compression));
        EXPECT_EQ(FTR_OK, ftr_reader_check(r()));
        EXPECT_TRUE(r.findings.empty());
    }
}

} // namespace
