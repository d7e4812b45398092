// The calls of observed_calls.h: the twin of a call copies the attributes of the call.
#include "recording.hpp"

#include <ftr/detail/observed_calls.h>

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace
{

constexpr std::size_t requests = 2;
// The words of the twin: the address, two words of the response, and the data.
constexpr std::uint64_t with_data =
    FTR_COPIED_RANGE(0, 1, 1) | FTR_COPIED_RANGE(1, 3, 2) | FTR_COPIED_RANGE(2, 2, 1);
constexpr std::uint64_t without_data = FTR_COPIED_RANGE(0, 1, 1) | FTR_COPIED_RANGE(1, 2, 2);

class ObservedCalls : public testing::Test
{
  protected:
    ObservedCalls()
    {
        EXPECT_EQ(ftr_text_define(rec_, "OK", FTR_NUL_TERMINATED, &ok_), FTR_OK);
        EXPECT_EQ(ftr_relation_define(rec_, "PARENT_CHILD", &relation_), FTR_OK);
        prepared_ = prepare("bus");
        // The first transaction of a thread takes the slow path.
        ftr_tx first{};
        EXPECT_EQ(ftr_tx_begin(rec_, call_, 0, &first), FTR_OK);
        EXPECT_EQ(ftr_tx_end(rec_, first, 0), FTR_OK);
    }

    // Defines the generators of a link.
    ftr_observed_generator prepare(const std::string &name,
                                   const ftr_attribute &delay = {"delay", FTR_TYPE_TIME,
                                                                 FTR_CLASS_BEGIN},
                                   const char *address_of_twin = "address")
    {
        const ftr_attribute address = {"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN};
        const ftr_attribute data = {"data", FTR_TYPE_INTEGER, FTR_CLASS_RECORD};
        const ftr_attribute allowed = {"allowed", FTR_TYPE_BOOLEAN, FTR_CLASS_END};
        const ftr_attribute status = {"status", FTR_TYPE_STRING, FTR_CLASS_END};
        const ftr_attribute after = {"delay after", FTR_TYPE_TIME, FTR_CLASS_END};
        call_ = rec_.generator(rec_.stream(name.c_str()), "read",
                               {delay, address, data, allowed, status, after});
        twin_ = rec_.generator(
            rec_.stream((name + " timed").c_str()), "read",
            {{address_of_twin, address.type, address.class_}, allowed, status, data});
        return ftr_observed_prepare(rec_, call_, twin_, relation_, requests);
    }

    bool begin(const std::vector<std::uint64_t> &words, const ftr_tx *outer = nullptr)
    {
        slot_ = ftr_observed_slot(rec_, outer != nullptr);
        if (!slot_)
            return false;
        std::memcpy(ftr_observed_words(slot_), words.data(), 8 * requests);
        std::size_t fill = ftr_words_size(requests);
        if (words.size() > requests) {
            ftr_observed_put_data(&prepared_, words[requests], slot_->items + fill);
            fill += FTR_ITEM_SIZE;
        }
        ftr_observed_begin(rec_, &prepared_, slot_, 10, fill, outer, &tx_);
        return true;
    }

    bool end(std::uint64_t ranges, const std::uint64_t *data = nullptr)
    {
        std::uint8_t *to = ftr_observed_end(rec_, slot_, tx_.id, 20, requests);
        if (!to)
            return false;
        if (data)
            to = ftr_observed_put_data(&prepared_, *data, to);
        to = ftr_observed_put_response(rec_, &prepared_, 1, ok_, 7, to);
        to = ftr_observed_put_twin(rec_, &prepared_, &tx_, 13, 27, ranges, to);
        ftr_observed_commit(rec_, slot_, to);
        return true;
    }

    // Records six calls, of the usual generators and of @p others in turn, with the addresses 1000
    // to 1005. Returns the ids of their twins; fewer if a call fails.
    std::vector<std::uint64_t> alternate(const ftr_observed_generator &others, std::uint64_t delay)
    {
        const ftr_observed_generator usual = prepared_;
        std::vector<std::uint64_t> twins;
        for (std::uint64_t i = 0; i < 6; ++i) {
            prepared_ = i % 2 == 0 ? usual : others;
            if (!begin({delay, 1000 + i, 3}) || !end(with_data))
                break;
            twins.push_back(tx_.id + 1);
        }
        return twins;
    }

    recording rec_;
    ftr_generator call_ = 0;
    ftr_generator twin_ = 0;
    ftr_text ok_ = 0;
    ftr_relation relation_ = 0;
    ftr_observed_generator prepared_{};
    ftr_slot *slot_ = nullptr;
    ftr_tx tx_{};
};

void expect_twin(const decoded_transaction &twin, const nlohmann::json &address, bool has_data)
{
    EXPECT_EQ(twin.stream, "bus timed");
    EXPECT_EQ(twin.begin, 13U);
    EXPECT_EQ(twin.end, 27U);
    ASSERT_EQ(twin.attributes.size(), has_data ? 4U : 3U);
    EXPECT_EQ(twin.value("address"), address);
    EXPECT_EQ(twin.value("allowed"), true);
    EXPECT_EQ(twin.value("status"), "OK");
}

TEST_F(ObservedCalls, HaveTwinsWithTheirAttributes)
{
    ASSERT_TRUE(begin({5, UINT64_MAX, static_cast<std::uint64_t>(-3)}));
    ASSERT_TRUE(end(with_data));
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.transactions.size(), 3U);
    const decoded_transaction &call = file.transaction(tx_.id);
    EXPECT_EQ(call.begin, 10U);
    EXPECT_EQ(call.end, 20U);
    EXPECT_EQ(call.attributes.size(), 6U);
    EXPECT_EQ(call.value("delay"), 5);
    EXPECT_EQ(call.value("data"), -3);
    EXPECT_EQ(call.value("delay after"), 7);
    expect_twin(file.transaction(tx_.id + 1), UINT64_MAX, true);
    EXPECT_EQ(file.transaction(tx_.id + 1).value("data"), -3);
    ASSERT_EQ(file.relations.size(), 1U);
    EXPECT_EQ(file.relations[0].from, tx_.id);
    EXPECT_EQ(file.relations[0].to, tx_.id + 1);
}

TEST_F(ObservedCalls, CanGetTheirDataAtTheEnd)
{
    const std::uint64_t data = 99;
    ASSERT_TRUE(begin({5, 6}));
    ASSERT_TRUE(end(with_data, &data));
    const decoded_file file = rec_.decoded();
    EXPECT_EQ(file.transaction(tx_.id).value("data"), 99);
    EXPECT_EQ(file.transaction(tx_.id + 1).value("data"), 99);
    expect_twin(file.transaction(tx_.id + 1), 6, true);
}

TEST_F(ObservedCalls, CanHaveNoData)
{
    ASSERT_TRUE(begin({5, 6}));
    ASSERT_TRUE(end(without_data));
    const decoded_file file = rec_.decoded();
    EXPECT_EQ(file.transaction(tx_.id).attributes.size(), 5U);
    expect_twin(file.transaction(tx_.id + 1), 6, false);
}

// The encoder copies the bytes of equal words from the previous call or twin. More generators than
// it keeps calls of are used in turn.
TEST_F(ObservedCalls, KeepTheirValuesBesideEqualOnes)
{
    const std::vector<std::uint64_t> numbers = {
        0, 1, 23, 24, 255, 256, 65535, 65536, UINT32_MAX, 1ULL << 32, UINT64_MAX};
    std::vector<ftr_observed_generator> all = {prepared_};
    for (int i = 0; i < 700; ++i)
        all.push_back(prepare("bus " + std::to_string(i)));
    struct expected_call {
        std::uint64_t id, twin, delay, address, data;
        bool has_data;
    };
    std::vector<expected_call> expected;
    std::mt19937 random(1);
    const auto number = [&] { return numbers[random() % numbers.size()]; };
    expected_call call{0, 0, 1, 2, 3, true};
    for (unsigned i = 0; i < 4000; ++i) {
        prepared_ = all[i < 2000 ? 0 : i < 3000 ? i % 5 : random() % all.size()];
        if (random() % 3 == 0)
            call.delay = number();
        if (random() % 3 == 0)
            call.address = number();
        if (random() % 3 == 0)
            call.data = number();
        call.has_data = random() % 16 != 0;
        const bool is_late = random() % 16 == 0;
        if (call.has_data && !is_late)
            ASSERT_TRUE(begin({call.delay, call.address, call.data})) << i;
        else
            ASSERT_TRUE(begin({call.delay, call.address})) << i;
        call.id = tx_.id;
        call.twin = tx_.id + 1;
        while (!end(call.has_data ? with_data : without_data,
                    call.has_data && is_late ? &call.data : nullptr)) {
            // the block is full: another call begins the next one
            ftr_tx other{};
            ASSERT_EQ(ftr_tx_begin(rec_, call_, 0, &other), FTR_OK);
            ASSERT_EQ(ftr_tx_end(rec_, other, 0), FTR_OK);
            call.twin = other.id + 1;
        }
        expected.push_back(call);
    }
    const decoded_file file = rec_.decoded();
    std::map<std::uint64_t, const decoded_transaction *> by_id;
    for (const decoded_transaction &tx : file.transactions)
        by_id[tx.id] = &tx;
    for (const expected_call &of : expected) {
        const decoded_transaction &tx = *by_id.at(of.id);
        const decoded_transaction &twin = *by_id.at(of.twin);
        ASSERT_EQ(tx.attributes.size(), of.has_data ? 6U : 5U);
        EXPECT_EQ(tx.value("delay"), of.delay);
        EXPECT_EQ(tx.value("address"), of.address);
        EXPECT_EQ(tx.value("allowed"), true);
        EXPECT_EQ(tx.value("status"), "OK");
        EXPECT_EQ(tx.value("delay after"), 7);
        ASSERT_EQ(twin.attributes.size(), of.has_data ? 4U : 3U);
        EXPECT_EQ(twin.value("address"), of.address);
        EXPECT_EQ(twin.value("allowed"), true);
        EXPECT_EQ(twin.value("status"), "OK");
        if (!of.has_data)
            continue;
        EXPECT_EQ(tx.value("data"), static_cast<std::int64_t>(of.data));
        EXPECT_EQ(twin.value("data"), static_cast<std::int64_t>(of.data));
    }
}

// The bytes of an original are copied only if the attributes of its twin have the same names.
TEST_F(ObservedCalls, HaveTwinsWithOtherNames)
{
    const std::vector<std::uint64_t> twins = alternate(
        prepare("renamed", {"delay", FTR_TYPE_TIME, FTR_CLASS_BEGIN}, "other address"), 5);
    ASSERT_EQ(twins.size(), 6U);
    const decoded_file file = rec_.decoded();
    for (std::uint64_t i = 0; i < 6; ++i)
        EXPECT_EQ(file.transaction(twins[i]).value(i % 2 == 0 ? "address" : "other address"),
                  1000 + i);
}

// The encoder keeps no items that begin with a real number.
TEST_F(ObservedCalls, HaveTwinsWithoutKeptOriginals)
{
    const std::vector<std::uint64_t> twins =
        alternate(prepare("real", {"real delay", FTR_TYPE_FLOATING_POINT, FTR_CLASS_BEGIN}), 0);
    ASSERT_EQ(twins.size(), 6U);
    const decoded_file file = rec_.decoded();
    for (std::uint64_t i = 0; i < 6; ++i) {
        ASSERT_EQ(file.transaction(twins[i]).attributes.size(), 4U);
        EXPECT_EQ(file.transaction(twins[i]).value("address"), 1000 + i);
    }
}

TEST_F(ObservedCalls, BeginWithinOthers)
{
    ASSERT_TRUE(begin({1, 2}));
    const ftr_tx outer = tx_;
    ASSERT_TRUE(begin({3, 4}, &outer));
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.relations.size(), 1U);
    EXPECT_EQ(file.relations[0].from, outer.id);
    EXPECT_EQ(file.relations[0].to, tx_.id);
    EXPECT_EQ(file.transaction(tx_.id).value("unfinished"), true);
    EXPECT_EQ(file.transaction(tx_.id).value("address"), 4);
}

TEST_F(ObservedCalls, DeclineIfAValveIsClosed)
{
    ASSERT_TRUE(begin({1, 2}));
    ftr_recorder_set_recording(rec_, false);
    EXPECT_FALSE(end(without_data));
    EXPECT_EQ(ftr_observed_slot(rec_, false), nullptr);
    ftr_recorder_set_recording(rec_, true);
    EXPECT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_OK);
}

TEST_F(ObservedCalls, DeclineOnOtherThreads)
{
    ASSERT_TRUE(begin({1, 2}));
    std::thread([this] {
        EXPECT_FALSE(end(without_data));
        EXPECT_EQ(ftr_observed_slot(rec_, false), nullptr);
    }).join();
}

TEST_F(ObservedCalls, DeclineIfTheBlockIsFull)
{
    std::size_t count = 0;
    while (begin({1, count}) && end(without_data))
        ++count;
    EXPECT_GT(count, 100U);
    EXPECT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_OK);
    const decoded_file file = rec_.decoded();
    EXPECT_EQ(file.transactions.size(), 2 * count + 2);
    for (std::size_t i = 0; i < count; ++i)
        expect_twin(file.transaction(tx_.id - 1 - 2 * i), count - 1 - i, false);
}

TEST_F(ObservedCalls, PrepareOnlyGeneratorsWithEnoughAttributes)
{
    EXPECT_NE(prepared_.generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(rec_, call_, 0, relation_, requests).twin_generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(rec_, twin_, 0, relation_, requests).generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(rec_, call_, 12345, relation_, requests).generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(nullptr, call_, 0, relation_, requests).generator, 0U);
}

} // namespace
