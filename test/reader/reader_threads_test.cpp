// Reading on several threads: the same transactions, prepared bytes and findings as on one thread,
// also where chunks contradict each other.
#include "reader_fixture.hpp"
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace reader_test;

namespace
{

constexpr uint64_t CHUNKS = 40;
constexpr uint64_t TRANSACTIONS = 60;
// Distance of two ids: the reader keeps ids in pages of 4096, and there is more than one page.
constexpr uint64_t SPACING = 7;

// Returns the directory entries of `count` streams without transactions.
Bytes empty_streams(unsigned count)
{
    std::vector<Bytes> entries;
    for (unsigned i = 0; i < count; i++)
        entries.push_back(head(6, 16) + head(4, 3) + head(0, 100 + i) + head(0, 0) + head(0, 1));
    return chunk(10, indefinite(entries));
}

// Returns a chunk of relations. Some are malformed, of three elements, have a kind that is not
// defined, a transaction that is not in the file, or one that is not in the stream of the relation.
Bytes relations_chunk(uint64_t i)
{
    std::vector<Bytes> body;
    for (uint64_t k = 0; k < TRANSACTIONS; k++) {
        const uint64_t from = SPACING * (i * TRANSACTIONS + k) + 1;
        const Bytes ends = head(0, k == 50 && i % 4 == 0 ? 88 : 2) + head(0, from) +
                           head(0, from + SPACING + (k == 20 && i % 3 == 0));
        body.push_back(k == 30 && i % 6 == 0   ? head(4, 3) + ends
                       : k == 40 && i % 7 == 0 ? head(4, 1) + head(0, 5)
                       : k == 45 && i % 7 == 1
                           ? Bytes{0x9f} + ends + head(0, 1) + head(0, 1) + BREAK
                           : head(4, 5) + ends + head(0, k == 10 && i % 5 == 0 ? 2 : 1) +
                                 head(0, 1));
    }
    return chunk(14, indefinite(body));
}

// Chunks overlap in time. Some transactions have the id of an earlier one, an undefined generator,
// or a text that is not defined; names are used with two types, first in chunk 7. Some relations
// contradict the transactions.
Bytes contradicting_file(unsigned further_streams = 0)
{
    Bytes file = beginning() + definitions() + dictionary(3, {"address", "length"});
    if (further_streams > 0)
        file = file + empty_streams(further_streams);
    for (uint64_t i = 0; i < CHUNKS; i++) {
        std::vector<Bytes> body;
        for (uint64_t k = 0; k < TRANSACTIONS; k++) {
            const bool is_twin = i % 9 == 4 && k % 20 == 7;
            const uint64_t id = SPACING * (i * TRANSACTIONS + k - (is_twin ? 100 : 0)) + 1;
            const uint64_t begin = i * 40 + k * 2;
            const uint64_t generator = i == 11 && k == 5 ? 99 : 2;
            const uint64_t type = i >= 7 && k % 2 == 0 ? 10 : 3;
            const uint64_t value = i == 21 && k == 30 ? 77 : type == 10 ? 0 : k;
            body.push_back(transaction(id, generator, begin, begin + 5,
                                       {attribute(7, 3, 3, head(0, i * 1000 + k)),
                                        attribute(9, 4, type, head(0, value))}));
        }
        file = file +
               transaction_chunk(1, i * 40, i * 40 + TRANSACTIONS * 2 + 5, indefinite(body)) +
               relations_chunk(i);
    }
    file.push_back(0xff);
    return file;
}

ftr_reader_options with_threads(unsigned threads)
{
    ftr_reader_options options{};
    options.size = sizeof options;
    options.threads = threads;
    return options;
}

// Options of a reader that has too little memory to read ahead: it decodes each transaction when
// the cursor reaches it.
ftr_reader_options with_little_memory()
{
    ftr_reader_options options = with_threads(1);
    options.memory = 4u << 20;
    return options;
}

std::string messages(const Reading &reading)
{
    std::string all;
    for (const Finding &finding : reading.findings)
        all += std::to_string(finding.offset) + " " + finding.rule + ": " + finding.message + "\n";
    return all;
}

bool prepare(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
             ftr_prepared *prepared)
{
    EXPECT_LT(thread, 4u);
    if (tx->id % 5 == 0)
        return false;
    std::string line = std::to_string(tx->id) + static_cast<const char *>(user);
    ftr_attribute_value value;
    while (ftr_reader_next_attribute(reader, tx, &value))
        line +=
            " " + text(value.name) + "=" +
            (value.form == FTR_FORM_TEXT ? text(value.as.text) : std::to_string(value.as.number));
    void *room = ftr_prepared_append(prepared, line.size());
    if (room == nullptr)
        return false;
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(room) % 8);
    std::memcpy(room, line.data(), line.size());
    return true;
}

std::string prepared_lines(Reading &reading, ftr_order order)
{
    std::string suffix = ":";
    ftr_query query{};
    query.size = sizeof query;
    query.order = order;
    query.prepare = prepare;
    query.prepare_user = suffix.data();
    ftr_cursor *cursor;
    if (ftr_cursor_open(reading(), &query, &cursor) != FTR_OK)
        return "not opened";
    ftr_transaction tx;
    EXPECT_EQ(FTR_ERR_ARGUMENT, ftr_cursor_next(cursor, &tx));
    std::string lines;
    const void *bytes;
    size_t size;
    ftr_status status;
    while ((status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK)
        lines += std::string(static_cast<const char *>(bytes), size) + "\n";
    EXPECT_EQ(FTR_ERR_END, status);
    ftr_cursor_close(cursor);
    return lines;
}

TEST(ReaderThreads, CheckReportsTheSame)
{
    Reading alone(contradicting_file(), with_threads(1));
    Reading together(contradicting_file(), with_threads(4));
    ASSERT_EQ(FTR_OK, ftr_reader_check(alone()));
    ASSERT_EQ(FTR_OK, ftr_reader_check(together()));
    EXPECT_TRUE(alone.has("tx-id"));
    EXPECT_TRUE(alone.has("attribute-name"));
    EXPECT_TRUE(alone.has("undefined-generator"));
    EXPECT_TRUE(alone.has("undefined-text"));
    EXPECT_TRUE(alone.has("relation-ends"));
    EXPECT_TRUE(alone.has("relation-streams"));
    EXPECT_TRUE(alone.has("relation-shape"));
    EXPECT_TRUE(alone.has("relation-elements"));
    EXPECT_EQ(messages(alone), messages(together));
    ASSERT_EQ(FTR_OK, ftr_reader_check(alone()));
    ASSERT_EQ(FTR_OK, ftr_reader_check(together()));
    EXPECT_EQ(messages(alone), messages(together));
}

// The threads stop reading ahead; the rest of the chunks is checked all the same.
TEST(ReaderThreads, CheckReportsTheSameAfterFindingsInARow)
{
    Bytes file = contradicting_file();
    file.pop_back();
    for (int i = 0; i < 20; i++)
        file = file + relations_chunk(420);
    for (uint64_t i = 0; i < 20; i++)
        file = file + relations_chunk(i);
    file.push_back(0xff);
    Reading alone(file, with_threads(1));
    Reading together(file, with_threads(4));
    ASSERT_EQ(FTR_OK, ftr_reader_check(alone()));
    ASSERT_EQ(FTR_OK, ftr_reader_check(together()));
    EXPECT_TRUE(alone.has("relation-ends"));
    EXPECT_EQ(messages(alone), messages(together));
}

// The number of a stream takes two bytes for each transaction.
TEST(ReaderThreads, CheckReportsTheSameForManyStreams)
{
    Reading alone(contradicting_file(300), with_threads(1));
    Reading together(contradicting_file(300), with_threads(4));
    ASSERT_EQ(FTR_OK, ftr_reader_check(alone()));
    ASSERT_EQ(FTR_OK, ftr_reader_check(together()));
    EXPECT_TRUE(alone.has("tx-id"));
    EXPECT_EQ(messages(alone), messages(together));
}

TEST(ReaderThreads, CursorsReturnTheSame)
{
    for (const ftr_order order :
         {FTR_ORDER_STORED, FTR_ORDER_BEGIN, FTR_ORDER_END, FTR_ORDER_STREAM}) {
        Reading alone(contradicting_file(), with_threads(1));
        Reading together(contradicting_file(), with_threads(4));
        ftr_query query{};
        query.order = order;
        const std::vector<Transaction> expected = transactions(alone(), query);
        EXPECT_EQ(CHUNKS * TRANSACTIONS, expected.size());
        EXPECT_EQ(expected, transactions(together(), query));
        EXPECT_EQ(messages(alone), messages(together));
        EXPECT_FALSE(alone.findings.empty());
    }
}

TEST(ReaderThreads, PreparedBytesAreTheSame)
{
    for (const ftr_order order :
         {FTR_ORDER_STORED, FTR_ORDER_BEGIN, FTR_ORDER_END, FTR_ORDER_STREAM}) {
        Reading one_by_one(contradicting_file(), with_little_memory());
        const std::string expected = prepared_lines(one_by_one, order);
        EXPECT_NE(std::string::npos, expected.find("36: address=5 length=5\n"));
        for (const unsigned threads : {1u, 4u}) {
            Reading ahead(contradicting_file(), with_threads(threads));
            EXPECT_EQ(expected, prepared_lines(ahead, order));
            EXPECT_EQ(messages(one_by_one), messages(ahead));
        }
    }
}

// What a thread has prepared since its last conclusion.
struct Prepared {
    uint64_t transactions = 0, ids = 0, returned = 0;
};

struct Concluding {
    bool returns; // some transactions have bytes of their own
    Prepared threads[4];
};

bool prepare_together(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                      ftr_prepared *prepared)
{
    auto *all = static_cast<Concluding *>(user);
    Prepared &own = all->threads[thread];
    ftr_attribute_value value;
    while (ftr_reader_next_attribute(reader, tx, &value)) // with findings, so chunks are read again
        (void)text(value.name);
    own.transactions++;
    own.ids += tx->id;
    if (!all->returns || tx->id % 5 == 0)
        return false;
    own.returned++;
    return ftr_prepared_append(prepared, 1) != nullptr;
}

void conclude(void *user, unsigned thread, ftr_prepared *prepared)
{
    Prepared &own = static_cast<Concluding *>(user)->threads[thread];
    if (own.transactions > 0)
        if (void *room = ftr_prepared_append(prepared, sizeof own))
            std::memcpy(room, &own, sizeof own);
    own = {};
}

// Each transaction is in one conclusion, which comes after the bytes of the transaction.
TEST(ReaderThreads, ConclusionsAreAboutAllTransactions)
{
    Reading expected(contradicting_file(), with_threads(1));
    uint64_t ids = 0;
    for (const Transaction &tx : transactions(expected()))
        ids += tx.id;
    for (const ftr_order order :
         {FTR_ORDER_STORED, FTR_ORDER_BEGIN, FTR_ORDER_END, FTR_ORDER_STREAM}) {
        for (const unsigned threads : {0u, 1u, 2u, 4u}) {
            for (const bool returns : {true, false}) {
                Reading reading(contradicting_file(),
                                threads > 0 ? with_threads(threads) : with_little_memory());
                Concluding all{returns, {}};
                ftr_query query{};
                query.size = sizeof query;
                query.order = order;
                query.prepare = prepare_together;
                query.conclude = conclude;
                query.prepare_user = &all;
                ftr_cursor *cursor;
                ASSERT_EQ(FTR_OK, ftr_cursor_open(reading(), &query, &cursor));
                Prepared sum;
                uint64_t returned = 0;
                const void *bytes;
                size_t size;
                while (ftr_cursor_next_prepared(cursor, &bytes, &size) == FTR_OK) {
                    if (size == 1) {
                        returned++;
                        continue;
                    }
                    Prepared some;
                    ASSERT_EQ(sizeof some, size);
                    ASSERT_EQ(0u, reinterpret_cast<uintptr_t>(bytes) % 8);
                    std::memcpy(&some, bytes, sizeof some);
                    sum.transactions += some.transactions;
                    sum.ids += some.ids;
                    sum.returned += some.returned;
                    EXPECT_LE(sum.returned, returned);
                }
                ftr_cursor_close(cursor);
                EXPECT_EQ(CHUNKS * TRANSACTIONS, sum.transactions);
                EXPECT_EQ(ids, sum.ids);
                EXPECT_EQ(returned, sum.returned);
                EXPECT_EQ(returns, returned > 0);
            }
        }
    }
}

bool count_prepared(void *user, unsigned thread, ftr_reader *, ftr_transaction *,
                    ftr_prepared *prepared)
{
    EXPECT_EQ(0u, thread);
    ++*static_cast<uint64_t *>(user);
    return ftr_prepared_append(prepared, 1) != nullptr;
}

// With one thread, the transactions of a chunk are prepared when the chunk is opened, so that they
// are decoded only once.
TEST(ReaderThreads, OneThreadPreparesAWholeChunk)
{
    Bytes file = beginning() + definitions() + dictionary(3, {"address", "length"});
    for (uint64_t i = 0; i < 3; i++) {
        std::vector<Bytes> body;
        for (uint64_t k = 0; k < TRANSACTIONS; k++)
            body.push_back(
                transaction(i * TRANSACTIONS + k + 1, 2, i * 1000 + k, i * 1000 + k, {}));
        file = file + transaction_chunk(1, i * 1000, i * 1000 + TRANSACTIONS, indefinite(body));
    }
    file.push_back(0xff);
    for (const ftr_order order : {FTR_ORDER_BEGIN, FTR_ORDER_END, FTR_ORDER_STREAM}) {
        Reading reading(file, with_threads(1));
        uint64_t prepared = 0, taken = 0;
        ftr_query query{};
        query.size = sizeof query;
        query.order = order;
        query.prepare = count_prepared;
        query.prepare_user = &prepared;
        ftr_cursor *cursor;
        ASSERT_EQ(FTR_OK, ftr_cursor_open(reading(), &query, &cursor));
        const void *bytes;
        size_t size;
        while (ftr_cursor_next_prepared(cursor, &bytes, &size) == FTR_OK) {
            EXPECT_EQ((taken / TRANSACTIONS + 1) * TRANSACTIONS, prepared);
            taken++;
        }
        EXPECT_EQ(3 * TRANSACTIONS, taken);
        EXPECT_EQ(taken, prepared);
        ftr_cursor_close(cursor);
    }
}

Bytes array_of(const std::vector<uint64_t> &numbers)
{
    Bytes item = head(4, numbers.size());
    for (const uint64_t number : numbers)
        item = item + head(0, number);
    return item;
}

// Chunks of relations with numbers of all sizes, in the usual form with five numbers and with
// three. Chunk 13 has an item that is not a relation, chunk 17 a name that is not defined, chunk 23
// ends early, and chunk 29 has bytes after its end.
Bytes related_file()
{
    Bytes file = beginning() + definitions() + dictionary(3, {"PARENT_CHILD", "NEXT"});
    for (uint64_t i = 0; i < CHUNKS; i++) {
        std::vector<Bytes> items;
        for (uint64_t k = 0; k < TRANSACTIONS; k++) {
            const uint64_t from = (i * TRANSACTIONS + k) << (k * 60 / TRANSACTIONS);
            const uint64_t name = i == 17 && k == 3 ? 99 : 3 + k % 2;
            if (i == 13 && k == 31)
                items.push_back(text_item("no relation"));
            items.push_back(k % 7 == 5 ? array_of({name, from, from + 1})
                                       : array_of({name, from, from + 1, 1, i}));
        }
        Bytes content = indefinite(items);
        if (i == 23)
            content.resize(content.size() - 4);
        if (i == 29)
            content.push_back(0);
        file = file + chunk(14, content);
    }
    file.push_back(0xff);
    return file;
}

TEST(ReaderThreads, RelationsAreTheSame)
{
    Reading alone(related_file(), with_threads(1));
    Reading together(related_file(), with_threads(4));
    const std::vector<std::string> expected = relations(alone());
    EXPECT_EQ(CHUNKS * TRANSACTIONS - 1, expected.size());
    EXPECT_EQ("PARENT_CHILD 0 1", expected.front());
    EXPECT_EQ(expected, relations(together()));
    EXPECT_TRUE(alone.has("relation-shape"));
    EXPECT_TRUE(alone.has("undefined-text"));
    EXPECT_TRUE(alone.has("body-shape"));
    EXPECT_EQ(messages(alone), messages(together));
}

// Returns the number of threads that read ahead in this process.
size_t reader_threads()
{
    size_t count = 0;
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(task.path() / "comm");
        std::string name;
        count += std::getline(file, name) && name == "ftr-reader";
    }
    return count;
}

// A thread that was joined can stay in the list of the kernel for a moment.
bool threads_have_ended()
{
    for (int i = 0; i < 1000 && reader_threads() > 0; i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return reader_threads() == 0;
}

TEST(ReaderThreads, RelationCursorsCanBeClosedAtAnyTime)
{
    for (const uint64_t count : {1, 70, 1000}) {
        Reading reading(related_file(), with_threads(4));
        ftr_relation_cursor *cursor;
        ASSERT_EQ(FTR_OK, ftr_relation_cursor_open(reading(), false, 0, &cursor));
        ftr_relation_info relation;
        for (uint64_t i = 0; i < count; i++)
            ASSERT_EQ(FTR_OK, ftr_relation_cursor_next(cursor, &relation));
        EXPECT_LT(0u, reader_threads());
        if (count == 1)
            continue; // the reader closes the cursor
        ftr_relation_cursor_close(cursor);
        EXPECT_TRUE(threads_have_ended());
    }
    EXPECT_TRUE(threads_have_ended());
}

// Writes `bytes` at the end of a file.
void append(const std::string &path, const uint8_t *bytes, std::size_t size)
{
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char *>(bytes), static_cast<std::streamsize>(size));
}

// A refresh ends the threads only if the file has grown; the cursor continues without them.
TEST(ReaderThreads, RelationCursorsGoOnAfterARefresh)
{
    const scratch_directory directory;
    const std::string path = directory.path("growing.ftr");
    const Bytes file = related_file();
    append(path, file.data(), file.size() - 1); // without the closing break
    const ftr_reader_options options = with_threads(4);
    ftr_reader *reader;
    ASSERT_EQ(FTR_OK, ftr_reader_open(path.c_str(), &options, &reader));
    ftr_relation_cursor *cursor;
    ASSERT_EQ(FTR_OK, ftr_relation_cursor_open(reader, false, 0, &cursor));
    ftr_relation_info relation;
    ftr_status status = FTR_OK;
    uint64_t count = 0;
    for (; (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK; count++) {
        if (count == 100)
            append(path, file.data() + file.size() - 1, 1);
        if (count != 50 && count != 100)
            continue;
        EXPECT_LT(0u, reader_threads());
        EXPECT_EQ(FTR_OK, ftr_reader_refresh(reader, nullptr));
        EXPECT_TRUE(count == 50 || threads_have_ended());
    }
    EXPECT_EQ(FTR_ERR_END, status);
    EXPECT_EQ(CHUNKS * TRANSACTIONS - 1, count);
    ftr_reader_close(reader);
}

// A cursor that is closed early ends its threads; a cursor without `prepare` has no bytes.
TEST(ReaderThreads, CursorsCanBeClosedAtAnyTime)
{
    Reading reading(contradicting_file(), with_threads(4));
    for (unsigned taken = 0; taken < 200; taken += 20) {
        ftr_query query{};
        query.size = sizeof query;
        query.order = FTR_ORDER_BEGIN;
        ftr_cursor *cursor;
        ASSERT_EQ(FTR_OK, ftr_cursor_open(reading(), &query, &cursor));
        ftr_transaction tx;
        for (unsigned i = 0; i < taken; i++)
            ASSERT_EQ(FTR_OK, ftr_cursor_next(cursor, &tx));
        const void *bytes;
        size_t size;
        EXPECT_EQ(FTR_ERR_ARGUMENT, ftr_cursor_next_prepared(cursor, &bytes, &size));
        ftr_cursor_close(cursor);
    }
}

} // namespace
