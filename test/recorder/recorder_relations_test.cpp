// Relations and events: the true streams of both ends, and dropped relations.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace
{
class RecorderRelations : public testing::Test
{
  protected:
    void open(ftr_recorder_options options = {})
    {
        rec_ = std::make_unique<recording>(options);
        bus_ = rec_->stream("bus");
        memory_ = rec_->stream("memory");
        bus_read_ = rec_->generator(bus_, "read");
        memory_read_ = rec_->generator(memory_, "read");
        follows_ = define("follows");
    }

    ftr_relation define(const char *name)
    {
        ftr_relation relation = 0;
        EXPECT_EQ(ftr_relation_define(*rec_, name, &relation), FTR_OK);
        return relation;
    }

    ftr_tx begin(ftr_generator generator, std::uint64_t time)
    {
        ftr_tx tx = {};
        EXPECT_EQ(ftr_tx_begin(*rec_, generator, time, &tx), FTR_OK);
        return tx;
    }

    ftr_tx record(ftr_generator generator, std::uint64_t begin, std::uint64_t end)
    {
        ftr_tx tx = {};
        EXPECT_EQ(ftr_tx_record(*rec_, generator, begin, end, nullptr, 0, &tx), FTR_OK);
        return tx;
    }

    void end(ftr_tx tx, std::uint64_t time) { EXPECT_EQ(ftr_tx_end(*rec_, tx, time), FTR_OK); }

    void relate(ftr_tx from, ftr_tx to)
    {
        EXPECT_EQ(ftr_relation_put(*rec_, follows_, from, to), FTR_OK);
    }

    // Returns the file's relations as "name from.stream>to.stream".
    static std::multiset<std::string> written(const decoded_file &file)
    {
        std::multiset<std::string> all;
        for (const decoded_relation &relation : file.relations)
            all.insert(text(relation.name, relation.from, relation.from_stream, relation.to,
                            relation.to_stream));
        return all;
    }

    static std::string text(const std::string &name, std::uint64_t from, std::uint64_t from_stream,
                            std::uint64_t to, std::uint64_t to_stream)
    {
        return name + " " + std::to_string(from) + "." + std::to_string(from_stream) + ">" +
               std::to_string(to) + "." + std::to_string(to_stream);
    }

    static std::string text(const std::string &name, ftr_tx from, ftr_tx to)
    {
        return text(name, from.id, ftr_tx_stream(from), to.id, ftr_tx_stream(to));
    }

    std::unique_ptr<recording> rec_;
    ftr_stream bus_ = 0;
    ftr_stream memory_ = 0;
    ftr_generator bus_read_ = 0;
    ftr_generator memory_read_ = 0;
    ftr_relation follows_ = 0;
};

using relations = std::multiset<std::string>;

TEST_F(RecorderRelations, JoinOpenAndEndedTransactionsWithTheirStreams)
{
    open();
    const ftr_tx open_one = begin(bus_read_, 1);
    const ftr_tx ended = begin(memory_read_, 2);
    end(ended, 3);
    const ftr_tx recorded = record(memory_read_, 4, 5);
    const ftr_tx at_close = begin(bus_read_, 6);
    EXPECT_EQ(ftr_tx_stream(open_one), bus_);
    EXPECT_EQ(ftr_tx_stream(recorded), memory_);
    const std::vector<ftr_tx> all = {open_one, ended, recorded, at_close};
    relations expected;
    for (const ftr_tx &from : all) {
        for (const ftr_tx &to : all) {
            relate(from, to);
            expected.insert(text("follows", from, to));
        }
    }
    end(open_one, 9);
    EXPECT_EQ(written(rec_->decoded()), expected);
    EXPECT_EQ(rec_->statistics().relations, 16u);
    EXPECT_EQ(rec_->statistics().relations_discarded, 0u);
}

TEST_F(RecorderRelations, OfOneNameHaveOneHandle)
{
    open();
    EXPECT_EQ(define("follows"), follows_);
    EXPECT_NE(define("precedes"), follows_);
    EXPECT_EQ(define("follows"), follows_);
}

TEST_F(RecorderRelations, CanBePutLongAfterBothEnds)
{
    open();
    const ftr_tx first = record(bus_read_, 1, 2);
    for (int i = 0; i < 10000; ++i)
        record(memory_read_, 3, 4);
    ASSERT_EQ(ftr_recorder_flush(*rec_), FTR_OK);
    const ftr_tx last = record(memory_read_, 5, 6);
    relate(first, last);
    EXPECT_EQ(written(rec_->decoded()), relations{text("follows", first, last)});
}

TEST_F(RecorderRelations, AreStoredAfterTheirTransactions)
{
    ftr_recorder_options options = {};
    options.chunk_size = 256;
    open(options);
    relations expected;
    const ftr_tx whole = begin(bus_read_, 0);
    for (int i = 0; i < 500; ++i) {
        const ftr_tx parent = begin(bus_read_, 10 + i);
        const ftr_tx child = begin(memory_read_, 10 + i);
        relate(parent, child);
        relate(whole, child);
        expected.insert(text("follows", parent, child));
        expected.insert(text("follows", whole, child));
        end(child, 20 + i);
        end(parent, 20 + i);
    }
    const ftr_tx at_close = begin(memory_read_, 600);
    relate(whole, at_close);
    expected.insert(text("follows", whole, at_close));
    EXPECT_EQ(written(rec_->decoded()), expected);
    EXPECT_EQ(findings(rec_->path(), "--web --allow web-compressed,end-order"),
              std::vector<std::string>{});
}

TEST_F(RecorderRelations, OfOpenTransactionsAreWrittenByFlush)
{
    open();
    const ftr_tx whole = begin(bus_read_, 0);
    const ftr_tx part = record(memory_read_, 1, 2);
    relate(whole, part);
    ASSERT_EQ(ftr_recorder_flush(*rec_), FTR_OK);
    end(whole, 3);
    EXPECT_EQ(written(rec_->decoded()), relations{text("follows", whole, part)});
    EXPECT_EQ(findings(rec_->path(), "--web --allow web-compressed").size(), 1u);
}

TEST_F(RecorderRelations, FillSeparateChunks)
{
    ftr_recorder_options options = {};
    options.chunk_size = 256;
    open(options);
    const ftr_tx first = record(bus_read_, 1, 2);
    relations expected;
    for (int i = 0; i < 500; ++i) {
        const ftr_tx next = record(memory_read_, 3, 4);
        relate(first, next);
        expected.insert(text("follows", first, next));
    }
    EXPECT_EQ(written(rec_->decoded()), expected);
    const nlohmann::json chunks = summary_of(rec_->path()).at("chunks_by_tag");
    EXPECT_GT(chunks.value("14", 0) + chunks.value("15", 0), 5);
}

TEST_F(RecorderRelations, ToAFilteredTransactionAreCountedAndNotWritten)
{
    ftr_recorder_options options = {};
    options.exclude = "mem*";
    open(options);
    const ftr_tx seen = record(bus_read_, 1, 2);
    const ftr_tx filtered = begin(memory_read_, 1);
    EXPECT_EQ(filtered.id, FTR_TX_NOT_RECORDED);
    relate(seen, filtered);
    end(filtered, 2);
    relate(filtered, seen);
    relate(filtered, filtered);
    relate(seen, seen);
    EXPECT_EQ(written(rec_->decoded()), relations{text("follows", seen, seen)});
    EXPECT_EQ(rec_->statistics().relations_discarded, 3u);
    EXPECT_EQ(rec_->statistics().relations, 1u);
    EXPECT_EQ(rec_->reports().count("3 relations were discarded"), 1u);
}

// Only the end of a transaction shows whether it is in the window, so relations wait for it.
TEST_F(RecorderRelations, WaitUntilTheWindowDecides)
{
    ftr_recorder_options options = {};
    options.start = "100 ps";
    open(options);
    const ftr_tx early = begin(bus_read_, 10);
    const ftr_tx late = begin(memory_read_, 20);
    const ftr_tx inside = record(bus_read_, 150, 160);
    const ftr_tx at_close = begin(bus_read_, 30);
    relate(early, inside);
    relate(late, inside);
    relate(inside, late);
    relate(at_close, late);
    relate(at_close, early);
    ASSERT_EQ(ftr_recorder_flush(*rec_), FTR_OK);
    EXPECT_EQ(rec_->statistics().relations + rec_->statistics().relations_discarded, 5u);
    end(early, 50);
    end(late, 170);
    relate(late, early);
    const relations expected = {text("follows", late, inside), text("follows", inside, late),
                                text("follows", at_close, late)};
    EXPECT_EQ(written(rec_->decoded()), expected);
    EXPECT_EQ(rec_->statistics().relations, 3u);
    EXPECT_EQ(rec_->statistics().relations_discarded, 3u);
}

TEST_F(RecorderRelations, EventIsATransactionRelatedToItsParent)
{
    open();
    const ftr_generator events =
        rec_->generator(bus_, "phase", {{"name", FTR_TYPE_STRING, FTR_CLASS_RECORD}});
    const ftr_tx parent = begin(bus_read_, 10);
    const ftr_value value = text_value(FTR_TYPE_STRING, "BEGIN_REQ");
    ftr_tx event = {};
    ASSERT_EQ(ftr_tx_event(*rec_, parent, events, 12, &value, 1, &event), FTR_OK);
    end(parent, 20);
    ASSERT_EQ(ftr_tx_event(*rec_, parent, events, 25, nullptr, 0, nullptr), FTR_OK);
    const decoded_file file = rec_->decoded();
    ASSERT_EQ(file.transactions.size(), 3u);
    const decoded_transaction &read = file.transaction(event.id);
    EXPECT_EQ(read.generator, "phase");
    EXPECT_EQ(read.begin, 12u);
    EXPECT_EQ(read.end, 12u);
    EXPECT_EQ(read.value("name"), "BEGIN_REQ");
    ASSERT_EQ(file.relations.size(), 2u);
    for (const decoded_relation &relation : file.relations) {
        EXPECT_EQ(relation.name, "parent_of");
        EXPECT_EQ(relation.from, parent.id);
        EXPECT_EQ(relation.from_stream, bus_);
        EXPECT_EQ(relation.to_stream, bus_);
    }
}

TEST_F(RecorderRelations, EventOnAnUnrecordedTransactionIsNotRecordedButCounted)
{
    ftr_recorder_options options = {};
    options.exclude = "memory";
    open(options);
    const ftr_tx parent = begin(memory_read_, 1);
    ftr_tx event = {};
    ASSERT_EQ(ftr_tx_event(*rec_, parent, bus_read_, 2, nullptr, 0, &event), FTR_OK);
    EXPECT_EQ(event.id, FTR_TX_NOT_RECORDED);
    const ftr_tx seen = record(bus_read_, 3, 4);
    event = {};
    ASSERT_EQ(ftr_tx_event(*rec_, seen, memory_read_, 3, nullptr, 0, &event), FTR_OK);
    EXPECT_EQ(event.id, FTR_TX_NOT_RECORDED);
    const decoded_file file = rec_->decoded();
    EXPECT_EQ(file.transactions.size(), 1u);
    EXPECT_EQ(file.relations.size(), 0u);
    EXPECT_EQ(rec_->statistics().relations_discarded, 2u);
    EXPECT_EQ(rec_->statistics().filtered, 3u);
}
} // namespace
