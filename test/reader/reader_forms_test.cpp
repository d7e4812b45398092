// The reader recognises attributes by forms that it met before: files with more names than forms,
// with generators that share a program, and with attributes in any order.
#include "reader_fixture.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace reader_test;

namespace
{

constexpr unsigned NAMES = 1500;
constexpr unsigned GENERATORS = 300;
constexpr unsigned CHUNKS = 12;
constexpr unsigned TRANSACTIONS = 150;

const char *const NAME_PREFIX = "n";

struct Mixed {
    Bytes file;
    std::vector<std::string> attributes; // by transaction, the first one has id 1
};

// A random attribute of class "record", and its text in the fixture's format.
Bytes random_attribute(std::mt19937 &random, std::string &expected)
{
    // Few names are frequent, so that forms are met again; the others evict each other.
    const unsigned name = random() % 4 != 0 ? random() % 8 : random() % NAMES;
    const uint64_t number = uint64_t{random()} >> random() % 32;
    unsigned type = 3; // UNSIGNED
    Bytes value = head(0, number);
    std::string text = std::to_string(number);
    switch (random() % 6) {
    case 0: {
        const unsigned id = 3 + random() % NAMES;
        type = 10; // STRING
        value = head(0, id);
        text = "'" + (NAME_PREFIX + std::to_string(id)) + "'";
        break;
    }
    case 1:
        type = 4; // FLOATING_POINT
        value = {0xfa, 0x3f, 0xc0, 0, 0};
        text = "1.500000";
        break;
    case 2:
        type = 2; // INTEGER
        value = head(1, 41);
        text = "-42";
        break;
    default:
        break;
    }
    expected +=
        NAME_PREFIX + std::to_string(3 + name) + ":" + std::to_string(type) + "/1=" + text + " ";
    return attribute(8, 3 + name, type, value);
}

Mixed mixed_file()
{
    std::mt19937 random(1);
    Mixed mixed;
    std::vector<std::string> texts{"s", "k", "g"};
    for (unsigned i = 0; i < NAMES; i++)
        texts.push_back(NAME_PREFIX + std::to_string(3 + i));
    std::vector<Bytes> entries{head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 1)};
    for (unsigned i = 0; i < GENERATORS; i++)
        entries.push_back(head(6, 17) + head(4, 3) + head(0, 2 + i) + head(0, 2) + head(0, 1));
    mixed.file = beginning() + dictionary(0, texts) + chunk(10, indefinite(entries));
    for (uint64_t i = 0; i < CHUNKS; i++) {
        std::vector<Bytes> body;
        for (uint64_t k = 0; k < TRANSACTIONS; k++) {
            const uint64_t id = i * TRANSACTIONS + k + 1;
            std::vector<Bytes> attributes;
            mixed.attributes.emplace_back();
            for (unsigned left = random() % 30; left > 0; left--)
                attributes.push_back(random_attribute(random, mixed.attributes.back()));
            body.push_back(transaction(id, 2 + random() % GENERATORS, id, id + 5, attributes));
        }
        mixed.file = mixed.file + transaction_chunk(1, i * TRANSACTIONS + 1,
                                                    (i + 1) * TRANSACTIONS + 5, indefinite(body));
    }
    mixed.file.push_back(0xff);
    return mixed;
}

void expect_attributes(const Mixed &mixed, ftr_reader *reader, ftr_order order)
{
    ftr_query query{};
    query.order = order;
    const std::vector<Transaction> all = transactions(reader, query);
    ASSERT_EQ(mixed.attributes.size(), all.size());
    for (const Transaction &t : all)
        ASSERT_EQ(mixed.attributes[t.id - 1], t.attributes) << "transaction " << t.id;
}

std::string names_of(ftr_reader *reader, ftr_transaction &tx)
{
    std::string names;
    ftr_attribute_value value;
    while (ftr_reader_next_attribute(reader, &tx, &value))
        names += text(value.name) + " ";
    return names;
}

TEST(AttributeForms, CanBeReadInAnyOrder)
{
    const Mixed mixed = mixed_file();
    Reading r(mixed.file);
    expect_attributes(mixed, r(), FTR_ORDER_STORED);
    expect_attributes(mixed, r(), FTR_ORDER_BEGIN);
    expect_attributes(mixed, r(), FTR_ORDER_END);
    EXPECT_TRUE(r.findings.empty());
}

TEST(AttributeForms, AreTheSameAfterRewind)
{
    Reading r(mixed_file().file);
    ftr_cursor *cursor;
    ASSERT_EQ(FTR_OK, ftr_cursor_open(r(), nullptr, &cursor));
    ftr_transaction tx;
    while (ftr_cursor_next(cursor, &tx) == FTR_OK) {
        ftr_attribute_value first;
        const bool any = ftr_reader_next_attribute(r(), &tx, &first);
        ftr_transaction_rewind(&tx);
        const std::string names = names_of(r(), tx);
        ASSERT_EQ(any, !names.empty());
        ftr_transaction_rewind(&tx);
        ASSERT_EQ(names, names_of(r(), tx));
    }
    ftr_cursor_close(cursor);
}

// The transactions of two cursors of one reader are read alternately, attribute by attribute.
TEST(AttributeForms, CanBeReadFromTwoTransactionsAtOnce)
{
    const Mixed mixed = mixed_file();
    Reading r(mixed.file);
    ftr_cursor *cursor[2];
    ftr_transaction tx[2];
    for (auto &one : cursor)
        ASSERT_EQ(FTR_OK, ftr_cursor_open(r(), nullptr, &one));
    ASSERT_EQ(FTR_OK, ftr_cursor_next(cursor[1], &tx[1]));
    while (ftr_cursor_next(cursor[0], &tx[0]) == FTR_OK &&
           ftr_cursor_next(cursor[1], &tx[1]) == FTR_OK) {
        std::string names[2];
        ftr_attribute_value value;
        for (bool more = true; more;) {
            more = false;
            for (unsigned i = 0; i < 2; i++)
                if (ftr_reader_next_attribute(r(), &tx[i], &value)) {
                    names[i] += text(value.name) + " ";
                    more = true;
                }
        }
        for (unsigned i = 0; i < 2; i++) {
            ftr_transaction_rewind(&tx[i]);
            ASSERT_EQ(names_of(r(), tx[i]), names[i]);
        }
    }
    for (auto *one : cursor)
        ftr_cursor_close(one);
}

} // namespace
