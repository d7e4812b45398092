// Every truncation and every single-bit flip of small files: the reader survives, and a repair
// keeps what is whole and yields a file that the check accepts.
#include "reader_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

using namespace reader_test;

namespace
{

// Reads everything there is in every way. What it finds does not matter, only that it ends.
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
        // In memory where there is such a place: thousands of files are written.
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

    // Repairs these bytes; empty when the repair refuses them.
    Bytes repair(const Bytes &bytes, ftr_repair *report = nullptr) const
    {
        std::ofstream(input(), std::ios::binary)
            .write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        if (ftr_file_repair(input().c_str(), output().c_str(), nullptr, nullptr, report) != FTR_OK)
            return {};
        std::ifstream file(output(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

  private:
    std::string directory_;
};

std::string errors_of(const Bytes &bytes)
{
    Reading r(bytes);
    if (r() == nullptr)
        return "not opened";
    if (ftr_reader_check(r()) != FTR_OK)
        return "not checked";
    std::string result;
    for (const Finding &f : r.findings)
        if (f.severity == FTR_SEVERITY_ERROR)
            result += std::to_string(f.offset) + ": " + f.message + " [" + f.rule + "]\n";
    return result;
}

std::set<uint64_t> ids_of(const Bytes &bytes)
{
    std::set<uint64_t> result;
    Reading r(bytes);
    if (r() != nullptr)
        for (const Transaction &t : transactions(r()))
            result.insert(t.id);
    return result;
}

// Whether the byte at `at` is in the content of a transaction chunk.
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

// The offset of the chunk that a transaction is in.
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

TEST_P(Damage, EveryTruncationIsReadAndRepaired)
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
        // All transactions of the chunks before the cut, and none that was never there.
        const std::vector<Transaction> found = transactions(Reading(repaired)());
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

TEST_P(Damage, EveryBitFlipIsReadAndRepaired)
{
    const Bytes whole = small_file(GetParam());
    const std::set<uint64_t> expected = ids_of(whole);
    const bool plain = GetParam() == FTR_COMPRESSION_NONE;
    const Scratch scratch;
    for (size_t at = 0; at < whole.size(); at++) {
        const bool may_lose = is_in_transactions(whole, at);
        for (unsigned bit = 0; bit < 8; bit++) {
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

TEST_P(Damage, SoundFileIsCopied)
{
    const Bytes whole = small_file(GetParam());
    ftr_repair report{};
    EXPECT_EQ(whole, Scratch().repair(whole, &report));
    EXPECT_TRUE(report.was_sound);
    EXPECT_EQ("", errors_of(whole));
}

INSTANTIATE_TEST_SUITE_P(Files, Damage,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4,
                                         FTR_COMPRESSION_META));

TEST(Repair, CutChunkKeepsItsLeadingTransactions)
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

TEST(Repair, RefusesToWriteOverItsInput)
{
    const Scratch scratch;
    (void)scratch.repair(small_file(FTR_COMPRESSION_NONE));
    EXPECT_EQ(FTR_ERR_ARGUMENT, ftr_file_repair(scratch.input().c_str(), scratch.input().c_str(),
                                                nullptr, nullptr, nullptr));
}

} // namespace
