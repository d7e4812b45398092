// Transactions that are open at the same time and end in any order, compared with a model.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace
{
// The expected content of the file for one transaction.
struct expectation {
    std::string stream;
    std::string generator;
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<decoded_attribute> attributes;
};

class Model
{
  public:
    explicit Model(recording &rec, unsigned seed) : rec_(rec), random_(seed)
    {
        for (int s = 0; s < 5; ++s) {
            const std::string name = "top.s" + std::to_string(s);
            const ftr_stream stream = rec.stream(name.c_str(), "kind");
            for (int g = 0; g < 3; ++g) {
                const std::string generator = "g" + std::to_string(g);
                generators_.push_back({rec.generator(stream, generator.c_str(),
                                                     {{"count", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                                      {"what", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                                      {"delta", FTR_TYPE_INTEGER, FTR_CLASS_END}}),
                                       name, generator});
            }
        }
    }

    void begin()
    {
        const generator_case &of = generators_[random_() % generators_.size()];
        const std::uint64_t begin = random_() % 100000;
        ftr_tx tx = {};
        ASSERT_EQ(ftr_tx_begin(rec_, of.handle, begin, &tx), FTR_OK);
        ASSERT_EQ(expected_.count(tx.id), 0u);
        expected_[tx.id] = {of.stream, of.generator, begin, 0, {}};
        open_.push_back(tx);
    }

    void put()
    {
        if (open_.empty())
            return;
        const ftr_tx tx = open_[random_() % open_.size()];
        auto &attributes = expected_.at(tx.id).attributes;
        const std::uint64_t number = random_() >> random_() % 32;
        switch (random_() % 4) {
        case 0:
            ASSERT_EQ(ftr_tx_put_number(rec_, tx, 0, number), FTR_OK);
            attributes.push_back({"begin", "count", "UNSIGNED", number});
            break;
        case 1: {
            const std::string text = "text " + std::to_string(number % 1000);
            ASSERT_EQ(ftr_tx_put_text(rec_, tx, 1, text.c_str(), FTR_NUL_TERMINATED), FTR_OK);
            attributes.push_back({"record", "what", "STRING", text});
            break;
        }
        case 2:
            ASSERT_EQ(ftr_tx_put_int(rec_, tx, 2, -std::int64_t(number)), FTR_OK);
            attributes.push_back({"end", "delta", "INTEGER", -std::int64_t(number)});
            break;
        default: {
            const ftr_value value = boolean_value(number % 2);
            ASSERT_EQ(ftr_tx_put_named(rec_, tx, FTR_CLASS_RECORD, "odd", &value), FTR_OK);
            attributes.push_back({"record", "odd", "BOOLEAN", number % 2 == 1});
        }
        }
    }

    void end()
    {
        if (open_.empty())
            return;
        const std::size_t at = random_() % open_.size();
        expectation &ended = expected_.at(open_[at].id);
        ended.end = ended.begin + random_() % 1000;
        ASSERT_EQ(ftr_tx_end(rec_, open_[at], ended.end), FTR_OK);
        open_[at] = open_.back();
        open_.pop_back();
    }

    void record()
    {
        const generator_case &of = generators_[random_() % generators_.size()];
        const std::uint64_t begin = random_() % 100000;
        const ftr_value value = number_value(FTR_TYPE_UNSIGNED, begin);
        ftr_tx tx = {};
        ASSERT_EQ(ftr_tx_record(rec_, of.handle, begin, begin + 3, &value, 1, &tx), FTR_OK);
        ASSERT_EQ(expected_.count(tx.id), 0u);
        expected_[tx.id] = {
            of.stream, of.generator, begin, begin + 3, {{"begin", "count", "UNSIGNED", begin}}};
    }

    // Leaves open transactions to the recorder's close.
    void leave_open()
    {
        std::uint64_t latest = 0;
        for (const auto &[id, one] : expected_)
            latest = std::max({latest, one.begin, one.end});
        for (const ftr_tx &tx : open_) {
            expected_.at(tx.id).end = latest;
            expected_.at(tx.id).attributes.push_back({"end", "unfinished", "BOOLEAN", true});
        }
    }

    std::size_t open_count() const { return open_.size(); }
    std::size_t count() const { return expected_.size(); }

    void expect_in(const decoded_file &file) const
    {
        ASSERT_EQ(file.transactions.size(), expected_.size());
        for (const decoded_transaction &read : file.transactions) {
            const auto found = expected_.find(read.id);
            ASSERT_NE(found, expected_.end()) << read;
            const expectation &one = found->second;
            ASSERT_EQ(read, (decoded_transaction{read.id, one.stream, one.generator, one.begin,
                                                 one.end, one.attributes}));
        }
    }

  private:
    struct generator_case {
        ftr_generator handle;
        std::string stream;
        std::string generator;
    };

    recording &rec_;
    std::mt19937_64 random_;
    std::vector<generator_case> generators_;
    std::map<std::uint64_t, expectation> expected_;
    std::vector<ftr_tx> open_;
};

class RecorderTransactions : public testing::TestWithParam<int>
{
  protected:
    ftr_recorder_options options() const
    {
        ftr_recorder_options options = {};
        options.threads = GetParam();
        return options;
    }
};

TEST_P(RecorderTransactions, ThousandsCanBeOpenAndEndInAnyOrder)
{
    recording rec(options());
    Model model(rec, 1);
    for (int i = 0; i < 4000; ++i)
        model.begin();
    for (int i = 0; i < 20000; ++i)
        model.put();
    EXPECT_EQ(rec.statistics().open_transactions, 4000u);
    while (model.open_count() > 0)
        model.end();
    model.expect_in(rec.decoded());
    EXPECT_EQ(rec.statistics().unfinished, 0u);
}

TEST_P(RecorderTransactions, CanBeRecordedByAllCallsTogether)
{
    ftr_recorder_options small = options();
    small.chunk_size = 1000;
    small.block_memory = 1;
    recording rec(small);
    Model model(rec, 2);
    std::mt19937 random(3);
    for (int i = 0; i < 30000; ++i) {
        switch (random() % 6) {
        case 0:
            model.begin();
            break;
        case 1:
            model.record();
            break;
        case 2:
        case 3:
            model.end();
            break;
        default:
            model.put();
        }
        if (i % 5000 == 0) {
            ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
        }
    }
    model.leave_open();
    const std::size_t open = model.open_count();
    ASSERT_GT(open, 0u);
    model.expect_in(rec.decoded());
    EXPECT_EQ(rec.statistics().unfinished, open);
    EXPECT_EQ(rec.statistics().open_transactions, 0u);
    EXPECT_EQ(rec.statistics().transactions, model.count());
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderTransactions, testing::Values(0, 1));

TEST(RecorderUnfinished, EndsAtTheLatestRecordedTime)
{
    recording rec;
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    ftr_tx first;
    ftr_tx last;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 10, &first), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, generator, 20, 500, nullptr, 0, nullptr), FTR_OK);
    ASSERT_EQ(ftr_tx_begin(rec, generator, 7, &last), FTR_OK);
    const decoded_file file = rec.decoded();
    for (const ftr_tx &tx : {first, last}) {
        EXPECT_EQ(file.transaction(tx.id).end, 500u);
        EXPECT_EQ(file.transaction(tx.id).value("unfinished"), true);
        EXPECT_EQ(file.transaction(tx.id).attributes.at(0).class_, "end");
    }
    EXPECT_EQ(rec.statistics().unfinished, 2u);
    EXPECT_EQ(rec.reports().count("2 transactions were still open"), 1u);
}

TEST(RecorderUnfinished, KeepsTheAttributesPutBeforeClose)
{
    recording rec;
    const ftr_generator generator = rec.generator(
        rec.stream("top"), "g",
        {{"a", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}, {"b", FTR_TYPE_STRING, FTR_CLASS_BEGIN}});
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 3, &tx), FTR_OK);
    ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, 5), FTR_OK);
    const std::string large(100000, 'x');
    ASSERT_EQ(ftr_tx_put_text(rec, tx, 1, large.c_str(), FTR_NUL_TERMINATED), FTR_OK);
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.transaction(tx.id).value("a"), 5);
    EXPECT_EQ(file.transaction(tx.id).value("b"), large);
    EXPECT_EQ(file.transaction(tx.id).begin, 3u);
    EXPECT_EQ(file.transaction(tx.id).end, 3u);
}

TEST(RecorderLimits, RefusesTooManyOpenTransactionsAndContinues)
{
    recording rec;
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    std::vector<ftr_tx> open;
    ftr_tx tx = {};
    ftr_status status;
    while ((status = ftr_tx_begin(rec, generator, open.size(), &tx)) == FTR_OK)
        open.push_back(tx);
    EXPECT_EQ(status, FTR_ERR_LIMIT);
    EXPECT_EQ(open.size(), std::size_t(1) << 18);
    EXPECT_EQ(rec.statistics().open_transactions, open.size());
    ASSERT_EQ(ftr_tx_end(rec, open.back(), open.size()), FTR_OK);
    EXPECT_EQ(ftr_tx_begin(rec, generator, 1, &tx), FTR_OK);
    EXPECT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(rec.statistics().transactions, open.size() + 1);
}

TEST(RecorderLimits, RefusesATransactionThatIsTooLargeAndContinues)
{
    for (int threads : {0, 1}) {
        ftr_recorder_options options = {};
        options.threads = threads;
        options.block_memory = 1 << 20;
        recording rec(options);
        const ftr_generator generator =
            rec.generator(rec.stream("top"), "g", {{"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}});
        // More than all block memory, then more than the rest of its last block.
        const std::string large(std::size_t(3) << 20, 'x');
        for (int round = 0; round < 3; ++round) {
            const ftr_value value = text_value(FTR_TYPE_STRING, large.data(), large.size());
            ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, &value, 1, nullptr), FTR_OK);
            for (int i = 0; i < 5000; ++i)
                ASSERT_EQ(ftr_tx_record(rec, generator, 3, 4, nullptr, 0, nullptr), FTR_OK);
        }
        EXPECT_EQ(rec.decoded().transactions.size(), 15003u);
    }
}
TEST(RecorderDirectory, HasAGeneratorBeforeItsFirstTransaction)
{
    recording rec;
    const ftr_stream first = rec.stream("first");
    rec.generator(first, "never", {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
    const ftr_generator late =
        rec.generator(first, "late", {{"b", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
    const ftr_generator early = rec.generator(rec.stream("second"), "early");
    rec.stream("empty");
    ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, early, 1, 2, nullptr, 0, nullptr), FTR_OK);
    ASSERT_EQ(ftr_recorder_flush(rec), FTR_OK);
    const ftr_value value = integer_value(7);
    ASSERT_EQ(ftr_tx_record(rec, late, 3, 4, &value, 1, nullptr), FTR_OK);
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.stream_names(), (std::vector<std::string>{"first", "second", "empty"}));
    ASSERT_EQ(file.generators.size(), 2u);
    EXPECT_EQ(file.generators.at(0).name, "early");
    EXPECT_EQ(file.generators.at(1).name, "late");
    EXPECT_EQ(findings(rec.path(), "--web"), std::vector<std::string>{});
    EXPECT_EQ(contents_of(rec.path()).find("never"), std::string::npos);
}
} // namespace
