// The calls of observed_calls.h, which the TLM links of the adapter use.
#include "recording.hpp"

#include <ftr/detail/observed_calls.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace
{

constexpr std::size_t requests = 3;
constexpr const char *phase_names[FTR_OBSERVED_PHASES] = {"BEGIN_REQ", "END_REQ", "BEGIN_RESP"};

// The hexadecimal text of the first @p count bytes of @p data in memory.
std::string digits_of(std::uint64_t data, unsigned count)
{
    std::string text;
    for (unsigned i = 0; i < count; ++i) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(data >> (8 * i) & 0xff));
        text += two;
    }
    return text;
}

class ObservedCalls : public testing::Test
{
  protected:
    ObservedCalls()
    {
        EXPECT_EQ(ftr_text_define(rec_, "OK", FTR_NUL_TERMINATED, &ok_), FTR_OK);
        for (std::size_t i = 0; i < FTR_OBSERVED_PHASES; ++i)
            EXPECT_EQ(ftr_text_define(rec_, phase_names[i], FTR_NUL_TERMINATED, &phases_[i]),
                      FTR_OK);
        EXPECT_EQ(ftr_relation_define(rec_, "PARENT_CHILD", &relation_), FTR_OK);
        prepared_ = prepare("bus");
        // The first transaction of a thread takes the slow path.
        ftr_tx first{};
        EXPECT_EQ(ftr_tx_begin(rec_, access_, 0, &first), FTR_OK);
        EXPECT_EQ(ftr_tx_end(rec_, first, 0), FTR_OK);
    }

    // Defines the generator of a link.
    ftr_observed_generator prepare(const std::string &name)
    {
        access_ = rec_.generator(rec_.stream(name.c_str()), "read",
                                 {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                  {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                  {"delay", FTR_TYPE_TIME, FTR_CLASS_BEGIN},
                                  {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                  {"response", FTR_TYPE_STRING, FTR_CLASS_END},
                                  {"allowed", FTR_TYPE_BOOLEAN, FTR_CLASS_END},
                                  {"first", FTR_TYPE_TIME, FTR_CLASS_END},
                                  {"second", FTR_TYPE_TIME, FTR_CLASS_END},
                                  {"phase", FTR_TYPE_STRING, FTR_CLASS_END}});
        return ftr_observed_prepare(rec_, access_, relation_, requests, phases_);
    }

    // @p size: bytes of data; 0: none
    bool begin(const std::vector<std::uint64_t> &words, std::uint64_t data = 0, unsigned size = 0,
               const ftr_tx *outer = nullptr)
    {
        const ftr_observed_place at = ftr_observed_is_on(rec_)
                                          ? ftr_observed_find_place(rec_, outer != nullptr)
                                          : ftr_observed_place{};
        slot_ = at.slot;
        if (!slot_)
            return false;
        const std::uint64_t head =
            prepared_.request_head + FTR_OBSERVED_COUNT(words.size() - (requests - 1));
        std::memcpy(at.items, &head, 8);
        std::memcpy(at.items + 8, words.data(), 8 * words.size());
        std::uint8_t *to = at.items + ftr_words_size(words.size());
        if (size)
            to = ftr_observed_put_data(&prepared_, data, size, to);
        ftr_observed_begin(rec_, &prepared_, at, 10, static_cast<std::size_t>(to - at.items), outer,
                           &tx_);
        return true;
    }

    bool end(unsigned is_allowed = 0, std::uint64_t data = 0, unsigned size = 0)
    {
        if (!ftr_observed_is_on(rec_))
            return false;
        ftr_observed_record record =
            ftr_observed_end(rec_, slot_, 20, 3 * FTR_ITEM_SIZE, false, 3 * FTR_ITEM_SIZE);
        if (!record.block)
            return false;
        if (size)
            record.to = ftr_observed_put_data(&prepared_, data, size, record.to);
        record.to = ftr_observed_put_response(&prepared_, ok_, is_allowed != 0, record.to);
        ftr_observed_commit(rec_, slot_, record);
        return true;
    }

    recording rec_;
    ftr_generator access_ = 0;
    ftr_text ok_ = 0;
    ftr_text phases_[FTR_OBSERVED_PHASES]{};
    ftr_relation relation_ = 0;
    ftr_observed_generator prepared_{};
    ftr_slot *slot_ = nullptr;
    ftr_tx tx_{};
};

TEST_F(ObservedCalls, RecordAnAccess)
{
    ASSERT_TRUE(begin({UINT64_MAX, 8, 5}, 0x1122334455667788, 8));
    ASSERT_TRUE(end(1));
    const decoded_file file = rec_.decoded();
    const decoded_transaction &access = file.transaction(tx_.id);
    EXPECT_EQ(access.begin, 10U);
    EXPECT_EQ(access.end, 20U);
    ASSERT_EQ(access.attributes.size(), 6U);
    EXPECT_EQ(access.value("address"), UINT64_MAX);
    EXPECT_EQ(access.value("length"), 8);
    EXPECT_EQ(access.value("delay"), 5);
    EXPECT_EQ(access.value("data"), "8877665544332211");
    EXPECT_EQ(access.value("response"), "OK");
    EXPECT_EQ(access.value("allowed"), true);
}

TEST_F(ObservedCalls, CanGetTheirDataAtTheEndOrNever)
{
    ASSERT_TRUE(begin({1, 2}));
    ASSERT_TRUE(end(0, 0xab, 1));
    const std::uint64_t with_data = tx_.id;
    ASSERT_TRUE(begin({3, 4}));
    ASSERT_TRUE(end());
    const decoded_file file = rec_.decoded();
    EXPECT_EQ(file.transaction(with_data).attributes.size(), 4U);
    EXPECT_EQ(file.transaction(with_data).value("data"), "ab");
    EXPECT_EQ(file.transaction(tx_.id).attributes.size(), 3U);
}

// The encoder copies the bytes of equal words from the previous access. More generators than it
// keeps accesses of are used in turn.
TEST_F(ObservedCalls, KeepTheirValuesBesideEqualOnes)
{
    const std::vector<std::uint64_t> numbers = {
        0, 1, 23, 24, 255, 256, 65535, 65536, UINT32_MAX, 1ULL << 32, UINT64_MAX};
    std::vector<ftr_observed_generator> all = {prepared_};
    for (int i = 0; i < 700; ++i)
        all.push_back(prepare("bus " + std::to_string(i)));
    struct expected_access {
        std::uint64_t id;
        std::vector<std::uint64_t> words;
        std::uint64_t data;
        unsigned size;
        unsigned is_allowed;
    };
    std::vector<expected_access> expected;
    std::mt19937_64 random(1);
    const auto number = [&] { return numbers[random() % numbers.size()]; };
    std::uint64_t address = 1;
    std::uint64_t data = 2;
    for (unsigned i = 0; i < 6000; ++i) {
        prepared_ = all[i < 3000 ? 0 : i < 4500 ? i % 5 : random() % all.size()];
        if (random() % 3 == 0)
            address = number();
        if (random() % 2 == 0)
            data = random() % 2 == 0 ? number() : random();
        expected_access of{0,
                           {address, 8},
                           data,
                           static_cast<unsigned>(random() % 4 ? 8 : random() % 9),
                           static_cast<unsigned>(random() % 8 == 0)};
        if (random() % 4 == 0)
            of.words.push_back(number());
        const bool is_late = random() % 2 == 0;
        ASSERT_TRUE(begin(of.words, data, is_late ? 0 : of.size)) << i;
        while (!end(of.is_allowed, data, is_late ? of.size : 0)) {
            // the block is full: another transaction begins the next one
            ftr_tx other{};
            ASSERT_EQ(ftr_tx_begin(rec_, access_, 0, &other), FTR_OK);
            ASSERT_EQ(ftr_tx_end(rec_, other, 0), FTR_OK);
        }
        of.id = tx_.id;
        expected.push_back(of);
    }
    const decoded_file file = rec_.decoded();
    std::map<std::uint64_t, const decoded_transaction *> by_id;
    for (const decoded_transaction &tx : file.transactions)
        by_id[tx.id] = &tx;
    for (const expected_access &of : expected) {
        const decoded_transaction &tx = *by_id.at(of.id);
        ASSERT_EQ(tx.attributes.size(), of.words.size() + (of.size > 0) + 1 + of.is_allowed);
        EXPECT_EQ(tx.value("address"), of.words[0]);
        EXPECT_EQ(tx.value("length"), 8);
        if (of.words.size() > 2) {
            EXPECT_EQ(tx.value("delay"), of.words[2]);
        }
        if (of.size) {
            EXPECT_EQ(tx.value("data"), digits_of(of.data, of.size));
        }
        EXPECT_EQ(tx.value("response"), "OK");
        if (of.is_allowed) {
            EXPECT_EQ(tx.value("allowed"), true);
        }
    }
}

TEST_F(ObservedCalls, BeginWithinOthers)
{
    ASSERT_TRUE(begin({1, 2}));
    const ftr_tx outer = tx_;
    ASSERT_TRUE(begin({3, 4}, 0, 0, &outer));
    const decoded_file file = rec_.decoded();
    ASSERT_EQ(file.relations.size(), 1U);
    EXPECT_EQ(file.relations[0].from, outer.id);
    EXPECT_EQ(file.relations[0].to, tx_.id);
    EXPECT_EQ(file.transaction(tx_.id).value("unfinished"), true);
    EXPECT_EQ(file.transaction(tx_.id).value("address"), 3);
}

// The phase is an attribute of accesses that do not end, behind all others.
TEST_F(ObservedCalls, HaveTheirLastPhaseIfTheyDoNotEnd)
{
    ASSERT_TRUE(begin({1, 2}));
    ftr_observed_set_phase(slot_, prepared_.phases[0]);
    ftr_observed_keep(slot_,
                      ftr_observed_put(prepared_.time_heads[0], 7, ftr_observed_items_end(slot_)));
    ftr_observed_set_phase(slot_, prepared_.phases[1]);
    const ftr_tx open = tx_;
    ASSERT_TRUE(begin({3, 4}));
    ftr_observed_set_phase(slot_, prepared_.phases[2]);
    ftr_observed_set_phase(slot_, 0);
    ASSERT_TRUE(end());
    const decoded_file file = rec_.decoded();
    const decoded_transaction &unfinished = file.transaction(open.id);
    ASSERT_EQ(unfinished.attributes.size(), 5U);
    EXPECT_EQ(unfinished.value("first"), 7);
    EXPECT_EQ(unfinished.attributes[3].name, "phase");
    EXPECT_EQ(unfinished.value("phase"), "END_REQ");
    EXPECT_EQ(unfinished.value("unfinished"), true);
    EXPECT_EQ(file.transaction(tx_.id).attributes.size(), 3U);
}

TEST_F(ObservedCalls, FindTheSlotOfAnOpenTransaction)
{
    ASSERT_TRUE(begin({1, 2}));
    EXPECT_EQ(ftr_observed_slot_of(rec_, tx_), slot_);
    ASSERT_TRUE(end());
    EXPECT_EQ(ftr_observed_slot_of(rec_, tx_), nullptr);
}

TEST_F(ObservedCalls, DeclineIfAValveIsClosed)
{
    ASSERT_TRUE(begin({1, 2}));
    ftr_recorder_set_recording(rec_, false);
    EXPECT_FALSE(end());
    EXPECT_FALSE(ftr_observed_is_on(rec_));
    ftr_recorder_set_recording(rec_, true);
    EXPECT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_OK);
}

TEST_F(ObservedCalls, DeclineOnOtherThreads)
{
    ASSERT_TRUE(begin({1, 2}));
    std::thread([this] {
        EXPECT_FALSE(end());
        EXPECT_FALSE(ftr_observed_is_on(rec_));
    }).join();
}

TEST_F(ObservedCalls, DeclineIfTheBlockIsFull)
{
    std::size_t count = 0;
    while (begin({1, count}) && end())
        ++count;
    EXPECT_GT(count, 100U);
    EXPECT_EQ(ftr_tx_end(rec_, tx_, 20), FTR_OK);
    const decoded_file file = rec_.decoded();
    EXPECT_EQ(file.transactions.size(), count + 2);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(file.transaction(tx_.id - 1 - i).value("length"), count - 1 - i);
}

TEST_F(ObservedCalls, PrepareOnlyGeneratorsWithEnoughAttributes)
{
    EXPECT_NE(prepared_.generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(rec_, access_, relation_, requests + 1, phases_).generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(rec_, 12345, relation_, requests, phases_).generator, 0U);
    EXPECT_EQ(ftr_observed_prepare(nullptr, access_, relation_, requests, phases_).generator, 0U);
}

// A pattern selects a stream by its own name or by the name of its owner.
TEST(OwnedStreams, AreSelectedByTheNameOfTheirOwner)
{
    struct selection {
        const char *include;
        const char *exclude;
        bool own;
        bool part;
    };
    const selection selections[] = {
        {nullptr, nullptr, true, true},      {"cpu.s", nullptr, true, true},
        {"cpu.s.dmi", nullptr, false, true}, {nullptr, "cpu.s", false, false},
        {nullptr, "*.dmi", true, false},     {"cpu.*", "cpu.s", false, false},
        {"mem", nullptr, false, false}};
    for (const selection &each : selections) {
        ftr_recorder_options options = {};
        options.include = each.include;
        options.exclude = each.exclude;
        recording rec(options);
        EXPECT_EQ(ftr_stream_name_is_recorded(rec, "cpu.s", "cpu.s"), each.own);
        EXPECT_EQ(ftr_stream_name_is_recorded(rec, "cpu.s", "cpu.s.dmi"), each.part);
        ftr_stream part = 0;
        ASSERT_EQ(ftr_stream_define_of(rec, "cpu.s", "cpu.s.dmi", "TLM DMI", &part), FTR_OK);
        EXPECT_EQ(ftr_stream_is_recorded(rec, part), each.part);
    }
}

} // namespace
