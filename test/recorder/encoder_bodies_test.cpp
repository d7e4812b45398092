// The bodies of many streams: which of them are framed, and in which order. A model that looks at
// all bodies each time gives the expected answers.
#include "bodies_in_c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

namespace
{
struct chunk {
    std::uint32_t stream; // 0: relations
    std::vector<std::uint64_t> numbers;
};

bool operator==(const chunk &a, const chunk &b)
{
    return a.stream == b.stream && a.numbers == b.numbers;
}

// Reads the chunks as docs/format.md describes them.
class chunk_reader
{
  public:
    chunk_reader(const std::uint8_t *bytes, std::size_t size) : at_(bytes), end_(bytes + size) {}

    std::vector<chunk> all()
    {
        std::vector<chunk> chunks;
        while (at_ < end_) {
            const std::uint64_t tag = argument(6);
            chunk read{0, {}};
            if (tag == 12) {
                argument(4);
                read.stream = static_cast<std::uint32_t>(argument(0));
                argument(0);
                argument(0);
            } else if (tag != 14) {
                throw std::runtime_error("unexpected tag");
            }
            const std::uint64_t size = argument(2);
            const std::uint8_t *const end = at_ + size;
            if (*at_++ != 0x9f)
                throw std::runtime_error("no array");
            while (*at_ != 0xff)
                read.numbers.push_back(argument(0));
            if (++at_ != end)
                throw std::runtime_error("wrong size");
            chunks.push_back(read);
        }
        return chunks;
    }

  private:
    std::uint64_t argument(unsigned major)
    {
        const unsigned head = *at_++;
        if (head >> 5 != major)
            throw std::runtime_error("unexpected type");
        const unsigned info = head & 31;
        std::uint64_t value = info;
        if (info >= 24) {
            value = 0;
            for (unsigned i = 0; i < 1u << (info - 24); i++)
                value = value << 8 | *at_++;
        }
        return value;
    }

    const std::uint8_t *at_;
    const std::uint8_t *end_;
};

struct model_body {
    std::vector<std::uint64_t> numbers;
    std::uint64_t ticket = UINT64_MAX;
    std::uint64_t since = 0;
    std::uint64_t order = 0; // position of the first number among all numbers
};

class EncoderBodies : public testing::Test
{
  protected:
    EncoderBodies() : bodies_(test_bodies_create(std::size_t(1) << 20), test_bodies_destroy) {}

    void put(std::uint32_t stream, std::uint64_t ticket)
    {
        ASSERT_TRUE(test_bodies_put(bodies_.get(), stream, ticket, now_, next_));
        model_body &body = model_[stream];
        if (body.numbers.empty())
            body = {{}, ticket, now_, next_};
        body.numbers.push_back(next_++);
        body.ticket = std::min(body.ticket, ticket);
    }

    // Flushes, and compares the chunks with the bodies that are due.
    void flush(std::uint64_t ticket, std::uint64_t before)
    {
        const auto is_due = [&](const model_body &body) {
            return body.ticket <= ticket || body.since < before;
        };
        const auto relations = model_.find(0);
        const bool all = relations != model_.end() && is_due(relations->second);
        std::map<std::uint64_t, std::uint32_t> due; // by the order of their first numbers
        for (const auto &[stream, body] : model_)
            if (stream != 0 && (all || is_due(body)))
                due[body.order] = stream;
        if (all)
            due[UINT64_MAX] = 0;
        std::vector<chunk> expected;
        for (const auto &[order, stream] : due) {
            expected.push_back({stream, model_[stream].numbers});
            model_.erase(stream);
        }
        std::vector<chunk> found;
        for (bool goes_on = true; goes_on;) {
            goes_on = test_bodies_flush_some(bodies_.get(), ticket, before);
            std::size_t size;
            const std::uint8_t *bytes = test_bodies_take(bodies_.get(), &size);
            // a megabyte, and the last body
            ASSERT_LT(size, (1u << 20) + 70000);
            ASSERT_EQ(goes_on, size >= 1u << 20);
            for (const chunk &one : chunk_reader(bytes, size).all())
                found.push_back(one);
        }
        ASSERT_EQ(found, expected);
    }

    void expect_oldest()
    {
        std::uint64_t oldest = UINT64_MAX;
        for (const auto &[stream, body] : model_)
            oldest = std::min(oldest, body.ticket);
        ASSERT_EQ(test_bodies_oldest_ticket(bodies_.get()), oldest);
        ASSERT_EQ(test_bodies_count(bodies_.get()), model_.size());
    }

    std::unique_ptr<test_bodies, decltype(&test_bodies_destroy)> bodies_;
    std::map<std::uint32_t, model_body> model_;
    std::uint64_t now_ = 1000;
    std::uint32_t next_ = 1;
};
} // namespace

TEST_F(EncoderBodies, AreFramedIfTheirTicketsOrAgesRequireIt)
{
    std::mt19937 random(7);
    std::uint64_t newest = 1;
    for (int round = 0; round < 3000; round++) {
        const std::uint32_t streams = random() % 4 == 0 ? 3 : 500;
        for (unsigned i = random() % 60; i > 0; i--) {
            newest += random() % 8 == 0;
            const std::uint64_t behind = random() % 3 ? 0 : random() % 10;
            // relations are rare, because they require that all streams are framed
            const std::uint32_t stream = 1 + random() % streams;
            put(random() % 200 == 0 ? 0 : stream, newest - std::min(newest - 1, behind));
            ASSERT_NO_FATAL_FAILURE(expect_oldest());
        }
        now_ += random() % 100;
        if (random() % 2)
            flush(0, now_ - 400);
        else if (random() % 4 == 0)
            flush(newest - std::min<std::uint64_t>(newest - 1, 20), 0);
        else if (random() % 20 == 0)
            flush(UINT64_MAX, UINT64_MAX);
        expect_oldest();
        ASSERT_FALSE(HasFatalFailure());
    }
}

TEST_F(EncoderBodies, AreFramedInPiecesOfAMegabyte)
{
    for (std::uint32_t stream = 1; stream <= 70000; stream++)
        for (int i = 0; i < 10; i++)
            ASSERT_NO_FATAL_FAILURE(put(stream, 1));
    ASSERT_NO_FATAL_FAILURE(put(0, 1));
    ASSERT_NO_FATAL_FAILURE(flush(1, 0));
    ASSERT_NO_FATAL_FAILURE(expect_oldest());
}

// A full body is framed between two flushes, wherever it is in the list.
TEST_F(EncoderBodies, StayInOrderWhenOneOfThemIsFull)
{
    bodies_.reset(test_bodies_create(600));
    for (std::uint32_t full : {1, 2, 3}) {
        for (std::uint32_t stream = 1; stream <= 3; stream++)
            put(stream, 5);
        std::vector<std::uint64_t> numbers = model_[full].numbers;
        std::size_t size = 0;
        const std::uint8_t *bytes = nullptr;
        while (size == 0) {
            numbers.push_back(next_);
            ASSERT_TRUE(test_bodies_put(bodies_.get(), full, 5, now_, next_++));
            bytes = test_bodies_take(bodies_.get(), &size);
        }
        EXPECT_EQ(chunk_reader(bytes, size).all(), (std::vector<chunk>{{full, numbers}}));
        model_.erase(full);
        ASSERT_NO_FATAL_FAILURE(expect_oldest());
        put(full, 6);
        ASSERT_NO_FATAL_FAILURE(flush(UINT64_MAX, UINT64_MAX));
    }
}
