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
