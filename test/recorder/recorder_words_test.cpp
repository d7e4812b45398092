// Transactions recorded as words: the values of declared attributes, texts by handle.
#include "recording.hpp"

#include <ftr/detail/word_calls.h>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace
{
class RecorderWords : public testing::Test
{
  protected:
    RecorderWords()
    {
        generator_ = rec_.generator(rec_.stream("bus"), "read",
                                    {{"command", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                     {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                     {"data", FTR_TYPE_INTEGER, FTR_CLASS_END}});
        EXPECT_EQ(ftr_text_define(rec_, "READ", FTR_NUL_TERMINATED, &text_), FTR_OK);
        EXPECT_EQ(ftr_relation_define(rec_, "follows", &follows_), FTR_OK);
    }

    ftr_status record(std::uint64_t end, const std::vector<std::uint64_t> &words)
    {
        return ftr_tx_record_words(rec_, generator_, 10, end, words.data(), words.size(), &tx_);
    }

    ftr_status begin(const std::vector<std::uint64_t> &words, const ftr_tx *from = nullptr)
    {
        return ftr_tx_begin_within(rec_, generator_, 10, words.data(), words.size(), follows_, from,
                                   &tx_);
    }

    ftr_status end(std::uint64_t time, unsigned first, const std::vector<std::uint64_t> &words)
    {
        return ftr_tx_end_words(rec_, tx_, time, first, words.data(), words.size());
    }

    recording rec_;
    ftr_generator generator_ = 0;
    ftr_relation follows_ = 0;
    ftr_text text_ = 0;
    ftr_tx tx_ = {};
};

TEST_F(RecorderWords, AreTheValuesOfDeclaredAttributes)
{
    ASSERT_EQ(record(20, {text_, UINT64_MAX, static_cast<std::uint64_t>(-3)}), FTR_OK);
    ASSERT_EQ(record(30, {text_}), FTR_OK);
    EXPECT_NE(tx_.id, 0U);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 2U);
    EXPECT_EQ(file.transactions[0].attributes.size(), 3U);
    EXPECT_EQ(file.transactions[0].end, 20U);
    EXPECT_EQ(file.transactions[1].attributes.size(), 1U);
}

TEST_F(RecorderWords, AreRefusedIfTooManyOrIfTimeRunsBackwards)
{
    EXPECT_EQ(record(20, {text_, 1, 2, 3}), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(record(9, {text_, 1, 2}), FTR_ERR_ORDER);
    EXPECT_TRUE(rec_.decoded().transactions.empty());
}

TEST_F(RecorderWords, WithAnInvalidTextHandleAreTheEmptyText)
{
    ASSERT_EQ(record(20, {12345}), FTR_OK);
    EXPECT_EQ(rec_.decoded().transactions.size(), 1U);
}

TEST_F(RecorderWords, BeginATransaction)
{
    const std::uint64_t words[] = {text_, 7};
    ASSERT_EQ(ftr_tx_begin_words(rec_, generator_, 10, words, 2, &tx_), FTR_OK);
    ASSERT_EQ(ftr_tx_put_word(rec_, tx_, 2, static_cast<std::uint64_t>(-3)), FTR_OK);
    ASSERT_EQ(ftr_tx_put_word(rec_, tx_, 0, text_), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_OK);
    ASSERT_EQ(ftr_tx_begin_words(rec_, generator_, 30, nullptr, 0, &tx_), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec_, tx_, 30), FTR_OK);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 2U);
    const std::vector<decoded_attribute> attributes = {{"begin", "command", "STRING", "READ"},
                                                       {"begin", "address", "UNSIGNED", 7},
                                                       {"end", "data", "INTEGER", -3},
                                                       {"begin", "command", "STRING", "READ"}};
    EXPECT_EQ(file.transactions[0].attributes, attributes);
    EXPECT_TRUE(file.transactions[1].attributes.empty());
}

TEST_F(RecorderWords, BeginNothingIfTooMany)
{
    const std::uint64_t words[] = {text_, 1, 2, 3};
    EXPECT_EQ(ftr_tx_begin_words(rec_, generator_, 10, words, 4, &tx_), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(ftr_tx_begin_words(rec_, generator_, 10, nullptr, 1, &tx_), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_ERR_UNKNOWN_TX);
    EXPECT_TRUE(rec_.decoded().transactions.empty());
}

TEST_F(RecorderWords, BeginAsManyAsAGeneratorDeclares)
{
    std::vector<ftr_attribute> many(300, {"word", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN});
    const ftr_generator generator = rec_.generator(rec_.stream("wide"), "many", many);
    std::vector<std::uint64_t> words(many.size());
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = i * i;
    ASSERT_EQ(ftr_tx_begin_words(rec_, generator, 10, words.data(), words.size(), &tx_), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_OK);
    ASSERT_EQ(ftr_tx_record_words(rec_, generator, 10, 20, words.data(), words.size(), &tx_),
              FTR_OK);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 2U);
    for (const decoded_transaction &tx : file.transactions) {
        ASSERT_EQ(tx.attributes.size(), words.size());
        for (std::size_t i = 0; i < words.size(); ++i)
            EXPECT_EQ(tx.attributes[i].value, words[i]);
    }
}

TEST_F(RecorderWords, CountByStream)
{
    ASSERT_EQ(record(20, {text_}), FTR_OK);
    std::vector<std::string> streams;
    ASSERT_EQ(ftr_recorder_list_streams(
                  rec_,
                  [](void *user, const char *name, std::uint64_t transactions) {
                      static_cast<std::vector<std::string> *>(user)->push_back(
                          name + (" " + std::to_string(transactions)));
                  },
                  &streams),
              FTR_OK);
    EXPECT_EQ(streams, std::vector<std::string>{"bus 1"});
}

TEST_F(RecorderWords, BeginAndEndATransaction)
{
    ASSERT_EQ(begin({text_, 5}), FTR_OK);
    ASSERT_EQ(end(20, 2, {static_cast<std::uint64_t>(-3)}), FTR_OK);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 1U);
    EXPECT_EQ(file.transactions[0].begin, 10U);
    EXPECT_EQ(file.transactions[0].end, 20U);
    const auto &attributes = file.transactions[0].attributes;
    ASSERT_EQ(attributes.size(), 3U);
    EXPECT_EQ(attributes[0].name, "command");
    EXPECT_EQ(attributes[0].value, "READ");
    EXPECT_EQ(attributes[1].value, 5);
    EXPECT_EQ(attributes[2].name, "data");
    EXPECT_EQ(attributes[2].value, -3);
}

TEST_F(RecorderWords, OmitMissingAttributes)
{
    ASSERT_EQ(begin({text_}), FTR_OK);
    ASSERT_EQ(end(20, 2, {7}), FTR_OK);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 1U);
    ASSERT_EQ(file.transactions[0].attributes.size(), 2U);
    EXPECT_EQ(file.transactions[0].attributes[1].name, "data");
}

TEST_F(RecorderWords, RelateANewTransactionToAnother)
{
    ASSERT_EQ(record(20, {text_}), FTR_OK);
    const ftr_tx first = tx_;
    ASSERT_EQ(begin({text_}, &first), FTR_OK);
    const ftr_tx second = tx_;
    ASSERT_EQ(end(20, 1, {1, 2}), FTR_OK);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.relations.size(), 1U);
    EXPECT_EQ(file.relations[0].name, "follows");
    EXPECT_EQ(file.relations[0].from, first.id);
    EXPECT_EQ(file.relations[0].to, second.id);
}

TEST_F(RecorderWords, DoNotBeginWithinAnotherIfTooMany)
{
    EXPECT_EQ(begin({text_, 1, 2, 3}), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(begin(std::vector<std::uint64_t>(40)), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(ftr_tx_begin_within(rec_, generator_, 10, nullptr, 1, 0, nullptr, &tx_),
              FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_tx_begin_within(rec_, 12345, 10, nullptr, 0, 0, nullptr, &tx_),
              FTR_ERR_UNDEFINED);
    EXPECT_EQ(rec_.statistics().misuses, 4U);
    EXPECT_TRUE(rec_.decoded().transactions.empty());
}

TEST_F(RecorderWords, BeginAnUnrelatedTransactionWithoutAnOuterOne)
{
    const ftr_tx none = {12345, std::uint64_t{1} << 32};
    EXPECT_EQ(begin({text_}, &none), FTR_ERR_UNKNOWN_TX);
    EXPECT_EQ(end(20, 1, {1, 2}), FTR_OK);
    const decoded_file file = rec_.decoded();
    EXPECT_EQ(file.transactions.size(), 1U);
    EXPECT_TRUE(file.relations.empty());
}

TEST_F(RecorderWords, ThatAreRefusedAtTheEndLeaveTheTransactionOpen)
{
    ASSERT_EQ(begin({text_}), FTR_OK);
    EXPECT_EQ(end(20, 1, {1, 2, 3}), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(end(20, 4, {1}), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(end(9, 1, {1}), FTR_ERR_ORDER);
    EXPECT_EQ(ftr_tx_end_words(rec_, tx_, 20, 1, nullptr, 1), FTR_ERR_ARGUMENT);
    EXPECT_EQ(rec_.statistics().misuses, 4U);
    ASSERT_EQ(end(20, 1, {1, 2}), FTR_OK);
    EXPECT_EQ(end(20, 1, {1, 2}), FTR_ERR_UNKNOWN_TX);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 1U);
    EXPECT_EQ(file.transactions[0].attributes.size(), 3U);
}

TEST_F(RecorderWords, FollowAnyNumberOfOtherAttributes)
{
    const std::string bytes(1000, 'b');
    for (std::size_t length : {std::size_t{0}, std::size_t{40}, std::size_t{100}, bytes.size()}) {
        ASSERT_EQ(begin({text_, length}), FTR_OK);
        ftr_value value{};
        value.type = FTR_TYPE_STRING;
        value.text_length = length;
        value.as.text = bytes.data();
        ASSERT_EQ(ftr_tx_put_named(rec_, tx_, FTR_CLASS_RECORD, "bytes", &value), FTR_OK);
        ASSERT_EQ(end(20, 2, {1}), FTR_OK);
    }
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 4U);
    for (const auto &tx : file.transactions) {
        ASSERT_EQ(tx.attributes.size(), 4U);
        EXPECT_EQ(tx.attributes[2].value.get<std::string>().size(),
                  tx.attributes[1].value.get<std::size_t>());
        EXPECT_EQ(tx.attributes[3].value, 1);
    }
}

TEST_F(RecorderWords, CanBeMany)
{
    std::vector<std::string> names;
    for (int i = 0; i < 100; ++i)
        names.push_back("n" + std::to_string(i));
    std::vector<ftr_attribute> attributes;
    for (const std::string &name : names)
        attributes.push_back({name.c_str(), FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN});
    generator_ = rec_.generator(rec_.stream("wide"), "g", attributes);
    ASSERT_EQ(begin(std::vector<std::uint64_t>(60, 1)), FTR_OK);
    ASSERT_EQ(end(20, 60, std::vector<std::uint64_t>(40, 2)), FTR_OK);
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 1U);
    EXPECT_EQ(file.transactions[0].attributes.size(), 100U);
    EXPECT_EQ(file.transactions[0].value("n59"), 1);
    EXPECT_EQ(file.transactions[0].value("n60"), 2);
}

TEST_F(RecorderWords, OfAnUnrecordedTransactionAreDiscarded)
{
    ASSERT_EQ(ftr_recorder_set_recording(rec_, false), FTR_OK);
    ASSERT_EQ(begin({text_}), FTR_OK);
    EXPECT_EQ(tx_.id, FTR_TX_NOT_RECORDED);
    EXPECT_EQ(end(20, 1, {1}), FTR_OK);
    EXPECT_EQ(rec_.statistics().misuses, 0U);
    EXPECT_TRUE(rec_.decoded().transactions.empty());
}

// Rows with equal and different values in any order: the encoder copies the bytes of equal values.
TEST_F(RecorderWords, KeepTheirValuesBesideEqualOnes)
{
    const std::vector<ftr_attribute> declared = {{"command", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                                 {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                                 {"delta", FTR_TYPE_INTEGER, FTR_CLASS_RECORD},
                                                 {"ok", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
                                                 {"at", FTR_TYPE_TIME, FTR_CLASS_END},
                                                 {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_END}};
    const std::vector<std::uint64_t> numbers = {0,   1,     23,         24,        255,
                                                256, 65536, 1ULL << 32, 1ULL << 62};
    const ftr_stream stream = rec_.stream("rows");
    std::vector<ftr_generator> generators;
    for (const char *name : {"a", "b", "c"})
        generators.push_back(rec_.generator(stream, name, declared));
    std::vector<ftr_text> texts(30);
    for (std::size_t i = 0; i < texts.size(); ++i)
        ASSERT_EQ(ftr_text_define(rec_, ("text" + std::to_string(i)).c_str(), FTR_NUL_TERMINATED,
                                  &texts[i]),
                  FTR_OK);
    std::mt19937 random(1);
    std::vector<std::vector<nlohmann::json>> expected;
    std::vector<std::uint64_t> words(declared.size());
    std::vector<nlohmann::json> values(declared.size());
    for (unsigned i = 0; i < 3000; ++i) {
        for (std::size_t k = 0; k < words.size(); ++k) {
            if (i > 0 && random() % 3 > 0)
                continue;
            words[k] = numbers[random() % numbers.size()];
            values[k] = words[k];
            if (k == 0) {
                const std::size_t text = random() % texts.size();
                words[k] = texts[text];
                values[k] = "text" + std::to_string(text);
            } else if (k == 2) {
                words[k] = 0 - words[k];
                values[k] = static_cast<std::int64_t>(words[k]);
            } else if (k == 3) {
                words[k] = random() % 2;
                values[k] = words[k] != 0;
            }
        }
        const std::size_t count = i % 10 == 9 ? 1 + random() % 5 : 6;
        const std::vector<std::uint64_t> row(words.begin(),
                                             words.begin() + static_cast<long>(count));
        ASSERT_EQ(
            ftr_tx_record_words(rec_, generators[i % 3], 10, 20, row.data(), row.size(), &tx_),
            FTR_OK);
        expected.emplace_back(values.begin(), values.begin() + static_cast<long>(count));
    }
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::vector<nlohmann::json> found;
        for (const decoded_attribute &attribute : file.transactions[i].attributes)
            found.push_back(attribute.value);
        ASSERT_EQ(found, expected[i]) << "transaction " << i;
    }
}

// The id of a text differs between two files of a trace: the encoded words of the first file must
// not be copied into the second.
TEST(RecorderWordsOfSeveralFiles, HaveTheTextsOfTheirFile)
{
    ftr_recorder_options options{};
    options.max_size = 64U << 10;
    options.max_files = 10;
    options.compression = FTR_COMPRESSION_NONE;
    recording rec(options);
    const ftr_generator generator =
        rec.generator(rec.stream("bus"), "read",
                      {{"command", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                       {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}});
    ftr_text once = 0;
    ftr_text always = 0;
    ASSERT_EQ(ftr_text_define(rec, "only in the first file", FTR_NUL_TERMINATED, &once), FTR_OK);
    ASSERT_EQ(ftr_text_define(rec, "always", FTR_NUL_TERMINATED, &always), FTR_OK);
    ftr_tx tx = {};
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t words[] = {i > 0 ? always : once, i};
        ASSERT_EQ(ftr_tx_record_words(rec, generator, i, i + 1, words, 2, &tx), FTR_OK);
    }
    ASSERT_EQ(rec.close(), FTR_OK);
    std::size_t found = 0;
    const std::string base = rec.path().substr(0, rec.path().size() - 4);
    for (const char *suffix : {".ftr", "_file0002.ftr", "_file0003.ftr"}) {
        for (const decoded_transaction &read : decode(base + suffix).transactions) {
            EXPECT_EQ(read.attributes[0].value, found > 0 ? "always" : "only in the first file");
            EXPECT_EQ(read.attributes[1].value, found++);
        }
    }
    EXPECT_EQ(found, 5000U);
}
} // namespace
