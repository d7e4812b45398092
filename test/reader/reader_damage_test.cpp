// Every truncation and every single-bit flip of small files: the reader survives, and a repair
// keeps the undamaged parts and writes a file that the check accepts.
#include "reader_fixture.hpp"
#include "sanitizers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <unistd.h>

using namespace reader_test;

namespace
{

// Reads everything in every way. The result does not matter, only that reading ends.
void read_all(const Bytes &bytes)
{
    Reading r(bytes);
    if (r() == nullptr)
        return;
    for (ftr_order order : {FTR_ORDER_STORED, FTR_ORDER_BEGIN, FTR_ORDER_END}) {
        ftr_query query{};
        query.order = order;
        (void)transactions(r(), query);
    }
    (void)relations(r());
    EXPECT_EQ(FTR_OK, ftr_reader_check(r()));
}

class Scratch
{
  public:
    Scratch()
    {
        // In a file system in memory, if possible: thousands of files are written.
        directory_ = access("/dev/shm", W_OK) == 0 ? "/dev/shm/ftr_damage_XXXXXX"
                                                   : testing::TempDir() + "ftr_damage_XXXXXX";
        if (mkdtemp(directory_.data()) == nullptr)
            throw std::runtime_error("no temporary directory");
    }
    ~Scratch()
    {
        std::remove(input().c_str());
        std::remove(output().c_str());
        std::remove(directory_.c_str());
    }
    std::string input() const { return directory_ + "/in.ftr"; }
    std::string output() const { return directory_ + "/out.ftr"; }

    // Returns the repaired bytes; empty if the repair rejects the input.
    Bytes repair(const Bytes &bytes, ftr_repair *report = nullptr) const
    {
        std::ofstream(input(), std::ios::binary)
            .write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        const Bytes repaired = repair_with(1, report);
        if (repairs_++ % 8 == 0) {
            EXPECT_EQ(repaired, repair_with(3, nullptr));
        }
        return repaired;
    }

  private:
    Bytes repair_with(unsigned threads, ftr_repair *report) const
    {
        ftr_repair_options options{};
        options.threads = threads;
        if (ftr_file_repair_with(input().c_str(), output().c_str(), &options, report) != FTR_OK)
            return {};
        std::ifstream file(output(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::string directory_;
    mutable unsigned repairs_ = 0;
};

// Names are kept even if viewers reject them: a flipped name may equal that of another stream.
bool is_about_names(const Finding &finding)
{
    return finding.rule == "stream-name-unique" || finding.rule == "stream-name-prefix";
}

std::string errors_of(const Bytes &bytes)
{
    Reading r(bytes);
    if (r() == nullptr)
        return "not opened";
    if (ftr_reader_check(r()) != FTR_OK)
        return "not checked";
    std::string result;
    for (const Finding &f : r.findings)
        if (f.severity == FTR_SEVERITY_ERROR && !is_about_names(f))
            result += std::to_string(f.offset) + ": " + f.message + " [" + f.rule + "]\n";
    return result;
}

bool is_loss(const Transaction &t)
{
    return t.stream.rfind("ftr.losses", 0) == 0;
}

// Returns the transactions without the losses that a repair states.
std::vector<Transaction> kept_in(const Bytes &bytes)
{
    Reading r(bytes);
    std::vector<Transaction> result;
    if (r() != nullptr)
        result = transactions(r());
    result.erase(std::remove_if(result.begin(), result.end(), is_loss), result.end());
    return result;
}

std::set<uint64_t> ids_of(const Bytes &bytes)
{
    std::set<uint64_t> result;
    for (const Transaction &t : kept_in(bytes))
        result.insert(t.id);
    return result;
}

// Returns "stream generator [begin, end] attributes" of each loss in a file, one per line.
std::string losses_of(const Bytes &bytes)
{
    std::string result;
    Reading r(bytes);
    for (const Transaction &t : transactions(r()))
        if (is_loss(t))
            result += t.stream + " " + t.generator + " [" + std::to_string(t.begin) + ", " +
                      std::to_string(t.end) + "] " + t.attributes + "\n";
    return result;
}

// Returns true if the byte at `at` is in the content of a transaction chunk.
bool is_in_transactions(const Bytes &bytes, size_t at)
{
    Reading r(bytes);
    ftr_chunk_info info;
    for (size_t i = 0; ftr_reader_get_chunk(r(), i, &info); i++)
        if (info.kind == FTR_CHUNK_TRANSACTIONS && at >= info.offset + 2 &&
            at < info.offset + info.size)
            return true;
    return false;
}

// Returns the offset of the chunk that contains a transaction.
uint64_t chunk_of(ftr_reader *reader, uint64_t id)
{
    ftr_query query{};
    query.by_id = true;
    query.id = id;
    ftr_cursor *cursor;
    ftr_transaction tx{};
    if (ftr_cursor_open(reader, &query, &cursor) == FTR_OK) {
        (void)ftr_cursor_next(cursor, &tx);
        ftr_cursor_close(cursor);
    }
    return tx.chunk_offset;
}

class Damage : public testing::TestWithParam<ftr_compression>
{
};

TEST_P(Damage, ReadsAndRepairsEveryTruncation)
{
    const Bytes whole = small_file(GetParam());
    Reading sound(whole);
    ftr_chunk_info info;
    const Scratch scratch;
    for (size_t size = 0; size < whole.size(); size++) {
        SCOPED_TRACE("cut at byte " + std::to_string(size));
        const Bytes cut(whole.begin(), whole.begin() + static_cast<long>(size));
        read_all(cut);
        const Bytes repaired = scratch.repair(cut);
        if (size < 4) {
            EXPECT_TRUE(repaired.empty());
            continue;
        }
        EXPECT_EQ("", errors_of(repaired));
        // All transactions of the chunks before the cut, and no others.
        const std::vector<Transaction> found = kept_in(repaired);
        EXPECT_NE("", losses_of(repaired));
        size_t whole_chunks = 0;
        for (size_t i = 0; ftr_reader_get_chunk(sound(), i, &info); i++)
            if (info.offset + info.size <= size)
                whole_chunks = i + 1;
        size_t kept = 0;
        ftr_reader_get_chunk(sound(), whole_chunks, &info);
        for (const Transaction &t : transactions(sound())) {
            const bool is_found = std::find(found.begin(), found.end(), t) != found.end();
            kept += is_found;
            if (chunk_of(sound(), t.id) < info.offset) {
                EXPECT_TRUE(is_found) << "transaction " << t.id;
            }
        }
        EXPECT_EQ(kept, found.size());
    }
}

TEST_P(Damage, ReadsAndRepairsEveryBitFlip)
{
    const Bytes whole = small_file(GetParam());
    const std::set<uint64_t> expected = ids_of(whole);
    const bool plain = GetParam() == FTR_COMPRESSION_NONE;
    const Scratch scratch;
    for (size_t at = 0; at < whole.size(); at++) {
        const bool may_lose = is_in_transactions(whole, at);
        // With sanitizers, which make this ten times slower, one bit of each byte.
        const unsigned first = FTR_TEST_IS_SANITIZED ? at % 8 : 0;
        for (unsigned bit = first; bit < 8; bit += FTR_TEST_IS_SANITIZED ? 8 : 1) {
            SCOPED_TRACE("bit " + std::to_string(bit) + " of byte " + std::to_string(at));
            Bytes flipped = whole;
            flipped[at] ^= static_cast<uint8_t>(1u << bit);
            read_all(flipped);
            const Bytes repaired = scratch.repair(flipped);
            if (at < 4) {
                EXPECT_TRUE(repaired.empty());
                continue;
            }
            EXPECT_EQ("", errors_of(repaired));
            const std::set<uint64_t> found = ids_of(repaired);
            const auto lost = static_cast<size_t>(
                std::count_if(expected.begin(), expected.end(),
                              [&](uint64_t id) { return found.count(id) == 0; }));
            if (plain || !may_lose) {
                EXPECT_LE(lost, may_lose ? 1u : 0u);
            }
        }
    }
}

TEST_P(Damage, RepairCopiesASoundFile)
{
    const Bytes whole = small_file(GetParam());
    ftr_repair report{};
    EXPECT_EQ(whole, Scratch().repair(whole, &report));
    EXPECT_TRUE(report.was_sound);
    EXPECT_EQ("", errors_of(whole));
    EXPECT_EQ("", losses_of(whole));
}

INSTANTIATE_TEST_SUITE_P(Files, Damage,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4,
                                         FTR_COMPRESSION_META));

TEST(Repair, KeepsTheFirstTransactionsOfATruncatedChunk)
{
    const Bytes file =
        beginning() + definitions() +
        transaction_chunk(1, 0, 9,
                          indefinite({transaction(1, 2, 0, 5), transaction(2, 2, 1, 6),
                                      transaction(3, 2, 2, 9)}));
    // The chunk's break and the last byte of its last transaction are missing.
    const Bytes cut(file.begin(), file.end() - 2);
    ftr_repair report{};
    const Bytes repaired = Scratch().repair(cut, &report);
    EXPECT_EQ(2u, report.transactions_salvaged);
    EXPECT_EQ((std::set<uint64_t>{1, 2}), ids_of(repaired));
    EXPECT_EQ("", errors_of(repaired));
    EXPECT_FALSE(report.was_sound);
}

// Returns the head of an array with its count in @p width bytes.
Bytes wide_head(unsigned width, uint64_t count)
{
    static const std::map<unsigned, uint8_t> INFO{{1, 24}, {2, 25}, {4, 26}, {8, 27}};
    Bytes result{static_cast<uint8_t>(0x80 | INFO.at(width))};
    for (unsigned i = width; i-- > 0;)
        result.push_back(static_cast<uint8_t>(count >> (8 * i)));
    return result;
}

// Returns a transaction of generator 2 as an array of this many elements; all but the first are
// attributes.
Bytes long_transaction(uint64_t id, const Bytes &array_head, size_t elements)
{
    const Bytes short_one = transaction(id, 2, id, id + 1);
    Bytes result = array_head;
    result.insert(result.end(), short_one.begin() + 1, short_one.end());
    const Bytes one = attribute(8, 0, 3, head(0, 1));
    for (size_t i = 1; i < elements; i++)
        result.insert(result.end(), one.begin(), one.end());
    return result;
}

struct ArrayHead {
    size_t elements;
    unsigned width; // width of the count; 0: the shortest
    friend std::ostream &operator<<(std::ostream &out, const ArrayHead &head)
    {
        return out << head.elements << " elements, width " << head.width;
    }
};

class LongTransactions : public testing::TestWithParam<ArrayHead>
{
  protected:
    static Bytes make(uint64_t id)
    {
        const size_t elements = GetParam().elements;
        const unsigned width = GetParam().width;
        return long_transaction(id, width == 0 ? head(4, elements) : wide_head(width, elements),
                                elements);
    }
};

TEST_P(LongTransactions, AreKeptByTheRepairOfASoundFile)
{
    const Bytes file = beginning() + definitions() +
                       transaction_chunk(1, 1, 4, indefinite({make(1), make(2), make(3)})) +
                       Bytes{0xff};
    ftr_repair report{};
    EXPECT_EQ(file, Scratch().repair(file, &report));
    EXPECT_TRUE(report.was_sound);
    EXPECT_FALSE(report.lost);
}

TEST_P(LongTransactions, AreKeptBesideADamagedTransaction)
{
    Bytes middle = make(2);
    middle[GetParam().width > 0                   ? 1 + GetParam().width
           : GetParam().elements < 24             ? 1
           : GetParam().elements < 256            ? 2
           : GetParam().elements < UINT16_MAX + 1 ? 3
                                                  : 5] =
        0x1c; // its tag is not a valid item any more
    const Bytes file = beginning() + definitions() +
                       transaction_chunk(1, 1, 4, indefinite({make(1), middle, make(3)})) +
                       Bytes{0xff};
    ftr_repair report{};
    EXPECT_EQ((std::set<uint64_t>{1, 3}), ids_of(Scratch().repair(file, &report)));
    EXPECT_EQ(2u, report.transactions_salvaged);
    EXPECT_TRUE(report.lost);
}

INSTANTIATE_TEST_SUITE_P(Heads, LongTransactions,
                         testing::Values(ArrayHead{1, 0}, ArrayHead{22, 0}, ArrayHead{23, 0},
                                         ArrayHead{24, 0}, ArrayHead{255, 0}, ArrayHead{256, 0},
                                         ArrayHead{65535, 0}, ArrayHead{65536, 0}, ArrayHead{2, 1},
                                         ArrayHead{23, 2}, ArrayHead{24, 4}, ArrayHead{300, 8}));

TEST(Repair, KeepsChunksWithLongerHeadsThanNeeded)
{
    // A dictionary of 24 texts with a count of 4 bytes, in a chunk with a damaged tag.
    std::vector<std::string> texts{"s", "k", "g"};
    Bytes map{0xba, 0, 0, 0, 24};
    for (uint64_t id = 0; id < 24; id++)
        map = map + head(0, id) + text_item(id < 3 ? texts[id] : "text " + std::to_string(id));
    Bytes damaged = chunk(8, map);
    damaged[0] = 0xc5;
    const Bytes directory =
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 23),
                              head(6, 17) + head(4, 3) + head(0, 2) + head(0, 2) + head(0, 1)}));
    const Bytes repaired =
        Scratch().repair(beginning() + damaged + directory +
                         transaction_chunk(1, 0, 1, indefinite({transaction(1, 2, 0, 1)})));
    Reading r(repaired);
    ASSERT_EQ(2u, ftr_reader_stream_count(r())) << "s and ftr.losses";
    EXPECT_EQ("s", text(ftr_reader_get_stream(r(), 0)->name));
    EXPECT_EQ("text 23", text(ftr_reader_get_stream(r(), 0)->kind));
}

TEST(Repair, KeepsEmptyAndClashingNames)
{
    const auto stream = [](uint64_t id, uint64_t name, uint64_t kind) {
        return head(6, 16) + head(4, 3) + head(0, id) + head(0, name) + head(0, kind);
    };
    const Bytes file =
        beginning() + dictionary(0, {"", "kind", "a", "a.b"}) +
        chunk(10,
              indefinite({stream(1, 0, 1), stream(2, 2, 1), stream(3, 3, 1), stream(4, 2, 0)})) +
        Bytes{0xff};
    ftr_repair report{};
    EXPECT_EQ(file, Scratch().repair(file, &report));
    EXPECT_TRUE(report.was_sound);
}

TEST(Repair, NamesLostStreamsUniquely)
{
    const auto stream = [](uint64_t id, uint64_t name) {
        return head(6, 16) + head(4, 3) + head(0, id) + head(0, name) + head(0, 1);
    };
    // Stream 7 is not defined; texts 0 and 2 are names of streams that are defined later.
    const Bytes file = beginning() + dictionary(0, {"s", "kind", "t", "free"}) +
                       transaction_chunk(7, 0, 1, indefinite({transaction(1, 2, 0, 1)})) +
                       chunk(10, indefinite({stream(1, 0), stream(2, 2), stream(3, 1)})) +
                       Bytes{0xff};
    ftr_repair report{};
    Reading r(Scratch().repair(file, &report));
    EXPECT_EQ("free", text(ftr_reader_find_stream(r(), 7)->name));
    EXPECT_EQ("s", text(ftr_reader_find_stream(r(), 1)->name));
    EXPECT_EQ("t", text(ftr_reader_find_stream(r(), 2)->name));
    EXPECT_TRUE(report.lost);
    EXPECT_EQ(2u, report.definitions_lost); // and its generator
}

// Only one text is left for three streams, and later dictionaries define no other.
TEST(Repair, NamesMoreLostStreamsThanTexts)
{
    const Bytes file = beginning() + dictionary(0, {"s"}) +
                       transaction_chunk(7, 0, 1, indefinite({transaction(1, 2, 0, 1)})) +
                       transaction_chunk(8, 0, 1, indefinite({transaction(2, 3, 0, 1)})) +
                       transaction_chunk(9, 0, 1, indefinite({transaction(3, 4, 0, 1)})) +
                       Bytes{0xff};
    const Bytes repaired = Scratch().repair(file);
    EXPECT_EQ("", errors_of(repaired));
    Reading r(repaired);
    EXPECT_EQ("s", text(ftr_reader_find_stream(r(), 7)->name));
    EXPECT_EQ("lost text 1", text(ftr_reader_find_stream(r(), 8)->name));
    EXPECT_EQ("lost text 2", text(ftr_reader_find_stream(r(), 9)->name));
}

// The names have ids that no text can have; the definitions are in one chunk.
TEST(Repair, NamesStreamsWithDamagedNamesUniquely)
{
    const auto stream = [](uint64_t id, uint64_t name) {
        return head(6, 16) + head(4, 3) + head(0, id) + head(0, name) + head(0, 0);
    };
    const Bytes file =
        beginning() + dictionary(0, {"s"}) +
        chunk(10, indefinite({stream(1, 1u << 30), stream(2, 1u << 30), stream(3, 0)})) +
        Bytes{0xff};
    const Bytes repaired = Scratch().repair(file);
    EXPECT_EQ("", errors_of(repaired));
    Reading r(repaired);
    EXPECT_EQ("lost text 1", text(ftr_reader_find_stream(r(), 1)->name));
    EXPECT_EQ("lost text 2", text(ftr_reader_find_stream(r(), 2)->name));
    EXPECT_EQ("s", text(ftr_reader_find_stream(r(), 3)->name));
}

TEST(Repair, KeepsTheFirstOfTwoDefinitionsOfOneText)
{
    const Bytes file =
        beginning() + definitions() + dictionary(3, {"first"}) + dictionary(3, {"second"}) +
        transaction_chunk(
            1, 0, 1, indefinite({transaction(1, 2, 0, 1, {attribute(8, 0, 10, head(0, 3))})})) +
        Bytes{0xff};
    Reading before(file);
    EXPECT_TRUE(before.has("text-defined-twice"));
    EXPECT_EQ("s:10/1='first' ", transactions(before()).at(0).attributes);
    const Bytes repaired = Scratch().repair(file);
    EXPECT_EQ("", errors_of(repaired));
    EXPECT_EQ("s:10/1='first' ", transactions(Reading(repaired)()).at(0).attributes);
}

// The name of the stream is read before its dictionary is repaired.
TEST(Repair, KeepsATextInPieces)
{
    // {_ 0: (_ "a", "b"), 0: "c", 1: "k"} in one dictionary
    const Bytes file =
        beginning() +
        chunk(8, Bytes{0xbf, 0x00, 0x7f, 0x61, 'a', 0x61, 'b', 0xff, 0x00, 0x61, 'c', 0x01, 0x61,
                       'k', 0xff}) +
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 0) + head(0, 1)})) +
        BREAK;
    const Scratch scratch;
    const Bytes repaired = scratch.repair(file);
    EXPECT_EQ("", errors_of(repaired));
    Reading r(repaired);
    ASSERT_EQ(1u, ftr_reader_stream_count(r()));
    EXPECT_EQ("ab", text(ftr_reader_get_stream(r(), 0)->name));
    EXPECT_EQ("k", text(ftr_reader_get_stream(r(), 0)->kind));
    ftr_repair again{};
    EXPECT_EQ(repaired, scratch.repair(repaired, &again));
    EXPECT_FALSE(again.lost);
}

TEST(Repair, KeepsTheFirstOfTwoDefinitionsOfOneGenerator)
{
    // Generator 2 belongs to stream 1, then to stream 3: its transactions belong to stream 1.
    const Bytes file =
        beginning() + definitions() +
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 3) + head(0, 2) + head(0, 1),
                              head(6, 17) + head(4, 3) + head(0, 2) + head(0, 2) + head(0, 3)})) +
        transaction_chunk(1, 0, 1, indefinite({transaction(1, 2, 0, 1)})) + Bytes{0xff};
    const Scratch scratch;
    const Bytes repaired = scratch.repair(file);
    EXPECT_EQ("", errors_of(repaired));
    EXPECT_EQ("s", transactions(Reading(repaired)()).at(0).stream);
    ftr_repair again{};
    EXPECT_EQ(repaired, scratch.repair(repaired, &again));
    EXPECT_FALSE(again.lost);
}

TEST(Repair, WritesAnInfoIfTheFirstHasNoTimeScale)
{
    const Bytes magic{0xd9, 0xd9, 0xf7, 0x9f};
    const Bytes sound = beginning();
    const Bytes file = magic + chunk(6, Bytes{0x82, 0xf6, 0xc1, 0x00}) +
                       Bytes(sound.begin() + 4, sound.end()) + definitions() + Bytes{0xff};
    EXPECT_EQ("", errors_of(Scratch().repair(file)));
}

TEST(Repair, DoesNotFillADictionaryUpToALargeId)
{
    const uint64_t far = INT32_MAX;
    const Bytes file =
        beginning() + definitions() + dictionary(far, {"far"}) +
        transaction_chunk(
            1, 0, 1, indefinite({transaction(1, 2, 0, 1, {attribute(8, 0, 10, head(0, far))})}));
    ftr_repair report{};
    const Bytes repaired = Scratch().repair(file, &report);
    ASSERT_LT(file.size(), repaired.size());
    EXPECT_EQ(file, Bytes(repaired.begin(), repaired.begin() + static_cast<long>(file.size())));
    EXPECT_LT(repaired.size(), file.size() + 400);
    EXPECT_EQ("s:10/1='far' ", transactions(Reading(repaired)()).at(0).attributes);
    EXPECT_TRUE(report.was_open);
    EXPECT_EQ(report.texts_lost, 0u);
    // The same id before its definition.
    const Bytes early =
        beginning() + definitions() +
        transaction_chunk(
            1, 0, 1, indefinite({transaction(1, 2, 0, 1, {attribute(8, 0, 10, head(0, far))})})) +
        dictionary(far, {"far"}) + BREAK;
    const Bytes ordered = Scratch().repair(early);
    EXPECT_LT(ordered.size(), early.size() + 50);
    EXPECT_EQ("s:10/1='far' ", transactions(Reading(ordered)()).at(0).attributes);
    Reading checked(ordered);
    EXPECT_EQ(FTR_OK, ftr_reader_check(checked()));
    EXPECT_FALSE(checked.has("undefined-text"));
}

// Another repair must not take the far id for damaged because the ids beside it are in order.
TEST(Repair, KeepsALargeIdBesideTextsThatItDefines)
{
    const uint64_t far = INT32_MAX;
    const Bytes text_0 = head(0, 1) + head(3, 1) + Bytes{'a'};
    const Bytes text_far = head(0, far) + head(3, 3) + Bytes{'f', 'a', 'r'};
    const Bytes file =
        beginning() + chunk(8, head(5, 2) + text_0 + text_far) +
        chunk(10, indefinite({head(6, 16) + head(4, 3) + head(0, 1) + head(0, 1) + head(0, 1),
                              head(6, 17) + head(4, 3) + head(0, 2) + head(0, 2) + head(0, 1)})) +
        transaction_chunk(
            1, 0, 1, indefinite({transaction(1, 2, 0, 1, {attribute(8, 0, 10, head(0, far))})})) +
        BREAK;
    const Scratch scratch;
    const Bytes repaired = scratch.repair(file);
    const Transaction kept = transactions(Reading(repaired)()).at(0);
    EXPECT_EQ("lost text 0:10/1='far' ", kept.attributes);
    EXPECT_EQ("lost text 2", kept.generator);
    ftr_repair again{};
    EXPECT_EQ(repaired, scratch.repair(repaired, &again));
    EXPECT_FALSE(again.lost);
}

// The BOOLEAN of the published numbering is in a transaction that a repair drops. Without it, the
// file no longer shows its numbering.
TEST(Repair, KeepsNegativeValuesIfOnlyLostOnesShowTheNumbering)
{
    const Bytes pointer = transaction(1, 2, 0, 1, {attribute(8, 0, 11, head(1, 4))});
    const Bytes duplicate = transaction(1, 2, 0, 1, {attribute(8, 0, 1, Bytes{0xf5})});
    const Bytes file = beginning() + definitions() +
                       transaction_chunk(1, 0, 1, indefinite({pointer, duplicate})) + BREAK;
    const Scratch scratch;
    ftr_repair report{};
    const Bytes repaired = scratch.repair(file, &report);
    EXPECT_EQ(1u, report.transactions_dropped);
    EXPECT_EQ(0u, report.attributes_dropped);
    ftr_repair again{};
    EXPECT_EQ(repaired, scratch.repair(repaired, &again));
    EXPECT_FALSE(again.lost);
}

// The text of a loss that a repair states.
std::string what(const std::string &lost, const std::string &cause)
{
    return "what:10/0='" + lost + ": not everything can be recovered, because the file " + cause +
           "' ";
}
const std::string no_end =
    what("transactions and relations are lost, their number is not known", "had no end");
const std::string damaged = what("data is lost, its amount is not known", "was damaged");

TEST(Repair, StatesThatTheFileHadNoEnd)
{
    const Bytes file = beginning() + definitions() +
                       transaction_chunk(1, 3, 9, indefinite({transaction(7, 2, 3, 9)}));
    const Scratch scratch;
    ftr_repair report{};
    const Bytes repaired = scratch.repair(file, &report);
    EXPECT_TRUE(report.was_open);
    EXPECT_EQ("", errors_of(repaired));
    EXPECT_EQ("ftr.losses loss [9, 9] " + no_end + "\n", losses_of(repaired));
    EXPECT_EQ(8u, transactions(Reading(repaired)()).at(1).id);
    ftr_repair again{};
    EXPECT_EQ(repaired, scratch.repair(repaired, &again));
    EXPECT_FALSE(again.lost);
    // The end of the repaired file is lost again: both losses are stated.
    Bytes cut = repaired;
    cut.pop_back();
    const Bytes twice = scratch.repair(cut);
    EXPECT_EQ("", errors_of(twice));
    EXPECT_EQ("ftr.losses loss [9, 9] " + no_end + "\nftr.losses#2 loss [9, 9] " + no_end + "\n",
              losses_of(twice));
}

TEST(Repair, StatesThatTheFileWasDamaged)
{
    const Bytes twice = indefinite({transaction(1, 2, 3, 5), transaction(1, 2, 4, 9)});
    const Bytes file = beginning() + definitions() + transaction_chunk(1, 3, 9, twice);
    EXPECT_EQ("ftr.losses loss [3, 5] " + damaged + "\n",
              losses_of(Scratch().repair(file + BREAK)));
    const Bytes both = Scratch().repair(file);
    EXPECT_EQ("", errors_of(both));
    EXPECT_EQ("ftr.losses loss [5, 5] " + no_end + "\nftr.losses loss [3, 5] " + damaged + "\n",
              losses_of(both));
}

// All names and ids that are free in usual files are in use.
TEST(Repair, StatesLossesWithUnusedNamesAndIds)
{
    const auto stream = [](uint64_t id, uint64_t name) {
        return head(6, 16) + head(4, 3) + head(0, id) + head(0, name) + head(0, 1);
    };
    const Bytes generator = head(6, 17) + head(4, 3) + head(0, 2) + head(0, 1) + head(0, 1);
    const Bytes file =
        beginning() + dictionary(0, {"ftr", "k", "ftr/losses", "x"}) + dictionary(7, {"y"}) +
        chunk(10, indefinite({stream(1, 0), generator, stream(4, 2)})) +
        transaction_chunk(1, 0, 4,
                          indefinite({transaction(UINT64_MAX, 2, 0, 3), transaction(1, 2, 0, 4)}));
    const Scratch scratch;
    const Bytes repaired = scratch.repair(file);
    EXPECT_EQ("", errors_of(repaired));
    Reading r(repaired);
    ASSERT_EQ(3u, ftr_reader_stream_count(r()));
    const ftr_stream_info *added = ftr_reader_get_stream(r(), 2);
    EXPECT_EQ("ftr/losses#2", text(added->name));
    EXPECT_EQ("losses", text(added->kind));
    EXPECT_EQ(3u, added->id);
    const std::vector<Transaction> found = transactions(r());
    ASSERT_EQ(3u, found.size());
    EXPECT_EQ(2u, found.back().id);
    EXPECT_EQ(no_end, found.back().attributes);
    ftr_repair again{};
    EXPECT_EQ(repaired, scratch.repair(repaired, &again));
}

TEST(Repair, CountsDiscardedData)
{
    std::vector<Bytes> related;
    for (uint64_t i = 0; i < 100; i++)
        related.push_back(head(4, 5) + head(0, 0) + head(0, 1) + head(0, 1000 + i) + head(0, 1) +
                          head(0, 1));
    const Bytes file =
        beginning() + definitions() +
        transaction_chunk(1, 0, 1,
                          indefinite({transaction(1, 2, 0, 1, {attribute(8, 0, 99, head(0, 3))}),
                                      transaction(1, 2, 0, 1)})) +
        chunk(14, indefinite(related)) + Bytes{0xff};
    const Scratch scratch;
    ftr_repair report{};
    (void)scratch.repair(file, &report);
    EXPECT_EQ(1u, report.transactions_dropped);
    EXPECT_EQ(1u, report.attributes_dropped);
    EXPECT_EQ(100u, report.relations_dropped);
    EXPECT_TRUE(report.lost);
    std::vector<std::string> sentences;
    ASSERT_EQ(FTR_OK, ftr_file_repair(
                          scratch.input().c_str(), scratch.output().c_str(),
                          [](void *user, const char *message) {
                              static_cast<std::vector<std::string> *>(user)->push_back(message);
                          },
                          &sentences, &report));
    EXPECT_LT(sentences.size(), 15u);
    EXPECT_EQ("90 more relations dropped", sentences.back());
}

TEST(Repair, RefusesToWriteOverItsInput)
{
    const Scratch scratch;
    (void)scratch.repair(small_file(FTR_COMPRESSION_NONE));
    EXPECT_EQ(FTR_ERR_ARGUMENT, ftr_file_repair(scratch.input().c_str(), scratch.input().c_str(),
                                                nullptr, nullptr, nullptr));
}

} // namespace
