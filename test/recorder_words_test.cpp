// Transactions recorded as words: the values of declared attributes, texts by handle.
#include "recording.hpp"

#include <gtest/gtest.h>

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
    }

    ftr_status record(std::uint64_t end, const std::vector<std::uint64_t> &words)
    {
        return ftr_tx_record_words(rec_, generator_, 10, end, words.data(), words.size(), &tx_);
    }

    recording rec_;
    ftr_generator generator_ = 0;
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

TEST_F(RecorderWords, AreRefusedWhenThereAreTooManyOrTimeRunsBackwards)
{
    EXPECT_EQ(record(20, {text_, 1, 2, 3}), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(record(9, {text_, 1, 2}), FTR_ERR_ORDER);
    EXPECT_TRUE(rec_.decoded().transactions.empty());
}

TEST_F(RecorderWords, ThatNameNoTextStandForTheEmptyOne)
{
    ASSERT_EQ(record(20, {12345}), FTR_OK);
    EXPECT_EQ(rec_.decoded().transactions.size(), 1U);
}

TEST_F(RecorderWords, BeginATransactionThatGoesOn)
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

TEST_F(RecorderWords, BeginNothingWhenThereAreTooMany)
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
} // namespace
