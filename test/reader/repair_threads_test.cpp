// Repairs on several threads: the same bytes, messages and reports as on one thread. Undamaged
// chunks are kept byte for byte.
#include "reader_fixture.hpp"
#include "sanitizers.hpp"
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace reader_test;

namespace
{
// Returns a file with many short chunks of four streams, new texts in most of them, and relations.
Bytes long_file(ftr_compression compression, bool with_relations)
{
    ftr_recorder_options options{};
    options.compression = compression;
    options.chunk_size = 2000;
    options.clock = [](void *) { return std::uint64_t{1}; };
    Recording r(options);
    const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                        {"text", FTR_TYPE_STRING, FTR_CLASS_END}};
    ftr_generator generators[4];
    ftr_relation follows{};
    bool good = ftr_relation_define(r(), "follows", &follows) == FTR_OK;
    for (unsigned i = 0; i < 4; i++) {
        ftr_stream stream;
        good = good &&
               ftr_stream_define(r(), ("port" + std::to_string(i)).c_str(), "kind", &stream) ==
                   FTR_OK &&
               ftr_generator_define(r(), stream, "read", attributes, 2, &generators[i]) == FTR_OK;
    }
    ftr_tx before{};
    for (std::uint64_t i = 0; good && i < 6000; i++) {
        const std::string text = "text " + std::to_string(i / 7);
        ftr_tx tx;
        good = ftr_tx_begin(r(), generators[i / 100 % 4], i * 100, &tx) == FTR_OK &&
               ftr_tx_put_number(r(), tx, 0, i * 64) == FTR_OK &&
               ftr_tx_put_text(r(), tx, 1, text.c_str(), text.size()) == FTR_OK &&
               ftr_tx_end(r(), tx, i * 100 + i % 300) == FTR_OK &&
               (!with_relations || i == 0 || ftr_relation_put(r(), follows, before, tx) == FTR_OK);
        before = tx;
    }
    EXPECT_TRUE(good);
    return r.close();
}

struct result {
    ftr_status status;
    std::string bytes;
    std::vector<std::string> messages;
    std::vector<std::uint64_t> report;
};

bool operator==(const result &a, const result &b)
{
    return a.status == b.status && a.bytes == b.bytes && a.messages == b.messages &&
           a.report == b.report;
}

class RepairOnThreads : public testing::Test
{
  protected:
    result repair(unsigned threads) const
    {
        result found{};
        ftr_repair_options options{};
        options.threads = threads;
        options.user = &found.messages;
        options.on_message = [](void *user, const char *message) {
            static_cast<std::vector<std::string> *>(user)->push_back(message);
        };
        ftr_repair r{};
        found.status = ftr_file_repair_with(directory.path("in.ftr").c_str(),
                                            directory.path("out.ftr").c_str(), &options, &r);
        found.bytes = found.status == FTR_OK ? contents_of(directory.path("out.ftr")) : "";
        found.report = {r.chunks_kept,
                        r.chunks_salvaged,
                        r.transactions_salvaged,
                        r.relations_salvaged,
                        r.chunks_dropped,
                        r.bytes_in,
                        r.bytes_out,
                        r.bytes_dropped,
                        r.transactions_dropped,
                        r.attributes_dropped,
                        r.relations_dropped,
                        r.definitions_lost,
                        r.texts_lost,
                        r.times_changed,
                        r.was_sound,
                        r.lost,
                        r.was_open};
        return found;
    }

    // Repairs with one thread, and with several threads to the same result.
    result repair_in_all_ways(const std::string &bytes)
    {
        write_contents(directory.path("in.ftr"), bytes);
        const result one = repair(1);
        for (unsigned threads : {0u, 2u, 5u})
            EXPECT_TRUE(repair(threads) == one) << threads << " threads";
        return one;
    }

    scratch_directory directory;
};

std::string as_text(const Bytes &bytes)
{
    return {bytes.begin(), bytes.end()};
}

std::vector<ftr_chunk_info> chunks_of(const Bytes &bytes)
{
    Reading reading(bytes);
    std::vector<ftr_chunk_info> chunks;
    ftr_chunk_info info;
    for (size_t i = 0; ftr_reader_get_chunk(reading(), i, &info); i++)
        chunks.push_back(info);
    return chunks;
}
} // namespace

TEST_F(RepairOnThreads, CopiesASoundFile)
{
    for (ftr_compression compression : {FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4})
        for (bool with_relations : {false, true}) {
            const Bytes whole = long_file(compression, with_relations);
            ASSERT_GT(chunks_of(whole).size(), 100u);
            const result found = repair_in_all_ways(as_text(whole));
            EXPECT_TRUE(found.bytes == as_text(whole));
            EXPECT_TRUE(found.messages.empty());
        }
}

// The chunks before and after a damaged chunk of transactions are kept unchanged and in order. In a
// file without relations, no other chunk refers to the lost transactions.
TEST_F(RepairOnThreads, KeepsUndamagedChunksByteForByte)
{
    for (ftr_compression compression : {FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4}) {
        const Bytes whole = long_file(compression, false);
        const std::vector<ftr_chunk_info> chunks = chunks_of(whole);
        for (size_t damaged = 1; damaged < chunks.size(); damaged += 13) {
            if (chunks[damaged].kind != FTR_CHUNK_TRANSACTIONS)
                continue;
            SCOPED_TRACE(damaged);
            std::string bytes = as_text(whole);
            bytes[chunks[damaged].offset + chunks[damaged].size / 2] ^= 0x55;
            const result found = repair_in_all_ways(bytes);
            size_t at = 0;
            for (size_t i = 0; i < chunks.size(); i++) {
                if (i == damaged)
                    continue;
                const std::string kept = bytes.substr(chunks[i].offset, chunks[i].size);
                at = found.bytes.find(kept, at);
                ASSERT_NE(at, std::string::npos) << i;
                at += kept.size();
            }
        }
    }
}

// A file without end is extended by the losses; its last id and times are those of all chunks.
TEST_F(RepairOnThreads, StatesLossesAfterTheTransactionsOfAllChunks)
{
    for (bool with_relations : {false, true}) {
        const Bytes whole = long_file(FTR_COMPRESSION_LZ4, with_relations);
        const result found = repair_in_all_ways(as_text({whole.begin(), whole.end() - 1}));
        Reading reading({found.bytes.begin(), found.bytes.end()});
        const std::vector<Transaction> read = transactions(reading());
        ASSERT_EQ(read.size(), 6001u);
        EXPECT_EQ(read.back().stream, "ftr.losses");
        std::uint64_t latest = 0;
        for (size_t i = 0; i < 6000; i++) {
            EXPECT_LT(read[i].id, read.back().id);
            latest = std::max(latest, read[i].end);
        }
        EXPECT_EQ(read.back().begin, latest);
        EXPECT_EQ(ftr_reader_check(reading()), FTR_OK);
        EXPECT_TRUE(reading.findings.empty());
    }
}

TEST_F(RepairOnThreads, IsTheSameForDamagedFiles)
{
    std::mt19937 random(3);
    for (ftr_compression compression : {FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4})
        for (bool with_relations : {false, true}) {
            const std::string whole = as_text(long_file(compression, with_relations));
            for (int i = 0; i < (FTR_TEST_IS_SANITIZED ? 8 : 25); i++) {
                SCOPED_TRACE(i);
                std::string bytes = whole;
                const size_t at = 4 + random() % (bytes.size() - 4);
                if (i % 4 == 0)
                    bytes.resize(at);
                else if (i % 4 == 1)
                    bytes.erase(at, 1 + random() % 5000);
                else if (i % 4 == 2)
                    bytes.insert(at, bytes.substr(random() % bytes.size(), 3000));
                else
                    for (int k = 0; k < 5; k++)
                        bytes[4 + random() % (bytes.size() - 4)] ^=
                            static_cast<char>(1 << random() % 8);
                (void)repair_in_all_ways(bytes);
            }
        }
}

TEST_F(RepairOnThreads, KeepsAFileOfManyStreams)
{
    // There are more streams than 16 bits can count; the last two transactions are related.
    Recording r;
    ftr_relation relation;
    ASSERT_EQ(ftr_relation_define(r(), "follows", &relation), FTR_OK);
    ftr_tx before{};
    for (unsigned i = 0; i < 66000; i++) {
        const std::string name = "s" + std::to_string(i);
        ftr_stream stream;
        ftr_generator generator;
        ftr_tx tx;
        ASSERT_EQ(ftr_stream_define(r(), name.c_str(), "kind", &stream), FTR_OK);
        ASSERT_EQ(ftr_generator_define(r(), stream, "g", nullptr, 0, &generator), FTR_OK);
        ASSERT_EQ(ftr_tx_begin(r(), generator, i, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_end(r(), tx, i + 1), FTR_OK);
        if (i == 65999) {
            ASSERT_EQ(ftr_relation_put(r(), relation, before, tx), FTR_OK);
        }
        before = tx;
    }
    const std::string file = as_text(r.close());
    const result found = repair_in_all_ways(file);
    EXPECT_TRUE(found.bytes == file); // it is too long to print
    EXPECT_TRUE(found.messages.empty());
}
