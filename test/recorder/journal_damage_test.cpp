// Damaged fields of a journal: the next run still begins, in bounded time, and recovery drops only
// the damaged records.
#include "killed_process.hpp"
#include "recording.hpp"
#include "scratch_directory.hpp"

#include <ftr/detail/word_calls.h>
#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace
{

// Records some transactions in a child, which is killed. Its journal remains beside the trace.
void leave_journal(const std::string &path)
{
    killed_process([&path] {
        ftr_recorder *rec;
        ftr_stream stream;
        ftr_generator generator;
        ftr_tx tx;
        if (ftr_recorder_open(path.c_str(), nullptr, &rec) != FTR_OK ||
            ftr_stream_define(rec, "bus", "tlm", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "read", nullptr, 0, &generator) != FTR_OK ||
            ftr_tx_begin(rec, generator, 1, &tx) != FTR_OK || ftr_tx_end(rec, tx, 2) != FTR_OK)
            _exit(1);
    });
}

template <typename Number> void overwrite(const std::string &path, long offset, Number number)
{
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(offset);
    file.write(reinterpret_cast<const char *>(&number), sizeof number);
    ASSERT_TRUE(file.good());
}

// Starts the next run at the path, in a child with a time limit.
bool next_run_begins(const std::string &path)
{
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(120);
        ftr_recorder *rec;
        const bool opened = ftr_recorder_open(path.c_str(), nullptr, &rec) == FTR_OK &&
                            ftr_recorder_close(rec) == FTR_OK;
        _exit(opened ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Offsets of the fields of ftr_journal_header and ftr_journal_commit (recorder/storage/journal.h).
constexpr long commits = 72;
constexpr long commit_size = 32;
constexpr long commit_file = 24;

TEST(DamagedJournal, FileNumberDoesNotDelayTheNextRun)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    leave_journal(path);
    // As after a rotation: the file with this number does not exist yet.
    for (int i = 0; i < 2; ++i) {
        const long commit = commits + i * commit_size;
        for (long field = 0; field < commit_file; field += 8)
            overwrite(path + ".journal", commit + field, std::uint64_t{0});
        overwrite(path + ".journal", commit + commit_file, std::uint32_t{0x7fffffff});
    }
    EXPECT_TRUE(next_run_begins(path));
}

constexpr std::uint64_t first_value = 0x0123456789abcdef;
constexpr std::uint64_t first_word = 0xfedcba9876543210;

// Records a transaction with two items, one with a row of two words, and one without attributes, in
// a child that is killed.
void leave_items(const std::string &path)
{
    killed_process([&path] {
        ftr_recorder *rec;
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute attributes[] = {{"a", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                            {"b", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
        const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, first_value),
                                    number_value(FTR_TYPE_UNSIGNED, 7)};
        const std::uint64_t words[] = {first_word, 7};
        ftr_recorder_options options{};
        options.clock = [](void *) -> std::uint64_t { return 0; }; // all data stays in the journal
        if (ftr_recorder_open(path.c_str(), &options, &rec) != FTR_OK ||
            ftr_stream_define(rec, "bus", "tlm", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "read", attributes, 2, &generator) != FTR_OK ||
            ftr_tx_record(rec, generator, 1, 2, values, 2, nullptr) != FTR_OK ||
            ftr_tx_record_words(rec, generator, 3, 4, words, 2, nullptr) != FTR_OK ||
            ftr_tx_record(rec, generator, 5, 6, nullptr, 0, nullptr) != FTR_OK)
            _exit(1);
    });
}

// Returns the offset of the item with this value, the first of its transaction, in a journal.
std::size_t item_with(const std::string &journal, std::uint64_t value)
{
    const std::string bytes(reinterpret_cast<const char *>(&value), sizeof value);
    const std::size_t at = journal.find(bytes);
    EXPECT_NE(at, std::string::npos);
    EXPECT_EQ(journal.find(bytes, at + 1), std::string::npos);
    return at - sizeof value;
}

// Changes one byte of a journal, and expects that recovery drops one transaction.
void expect_one_dropped(const std::string &path, std::size_t offset, char difference)
{
    const std::string whole = contents_of(path + ".journal");
    std::string damaged = whole;
    damaged[offset] = static_cast<char>(damaged[offset] + difference);
    write_contents(path + ".journal", damaged);
    ftr_recovery found{};
    ASSERT_EQ(
        ftr_recovery_run((path + ".journal").c_str(), nullptr, (path + ".sound").c_str(), &found),
        FTR_OK)
        << found.message;
    EXPECT_EQ(found.torn, 1u);
    EXPECT_EQ(found.transactions, 2u);
    EXPECT_EQ(found.lost, 1u);
    std::size_t recovered = 0;
    for (const decoded_transaction &tx : decode(path + ".sound").transactions) {
        recovered += tx.stream != "ftr.losses";
        if (tx.stream == "ftr.losses") {
            EXPECT_EQ(tx.value("count"), 1);
        }
    }
    EXPECT_EQ(recovered, 2u);
    write_contents(path + ".journal", whole);
}

// The offset from which on the records of a block are in no earlier file, in ftr_block
// (recorder/storage/record.h), and the headers of a block and of a transaction.
constexpr std::size_t settled_in_block = 40;
constexpr std::size_t block_header = 64;
constexpr std::size_t record_header = 40;

// If the offset is not that of a record, for example not a multiple of 8, all records are read.
TEST(DamagedJournal, OffsetInABlockIsNotUsedUnlessARecordBeginsThere)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    leave_items(path);
    const std::string journal = contents_of(path + ".journal");
    const std::size_t block = item_with(journal, first_value) - record_header - block_header;
    const auto recovered_with = [&](std::uint32_t offset) {
        overwrite(path + ".journal", static_cast<long>(block + settled_in_block),
                  std::uint64_t{offset} | std::uint64_t{1} << 32);
        ftr_recovery found{};
        EXPECT_EQ(ftr_recovery_run((path + ".journal").c_str(), nullptr, (path + ".sound").c_str(),
                                   &found),
                  FTR_OK)
            << found.message;
        return found;
    };
    const std::uint32_t second = block_header + record_header + 2 * 16; // behind two items
    EXPECT_EQ(recovered_with(second).transactions, 2u);
    EXPECT_EQ(recovered_with(second).torn, 0u);
    for (const std::uint32_t offset :
         {65u, 66u, 68u, 72u, 100u, 101u, second - 8, second + 4, 65535u, 65536u, 0xfffffffcu}) {
        const ftr_recovery found = recovered_with(offset);
        EXPECT_EQ(found.transactions, 3u) << offset;
        EXPECT_EQ(found.torn, 1u) << offset;
    }
}

// Parts tile the blocks and slots: other positions would move each record of the part.
TEST(DamagedJournal, PartsThatDoNotTileAreRefused)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    leave_items(path);
    const std::string whole = contents_of(path + ".journal");
    // The first entry in the table of parts (ftr_journal_part of recorder/storage/journal.h),
    // behind the path of the trace: blocks, at a multiple of 64 KiB in the file, for block 0.
    std::size_t first = whole.find(path) + 4096;
    while (whole.compare(first, 8, std::string("\2\0\0\0\0\0\0\0", 8)) != 0)
        first += 4;
    const struct {
        std::size_t field;
        std::uint64_t value;
    } damages[] = {{0, 3}, {0, 0}, {16, 4}, {16, 65536 - 8}, {24, 65536 + 4}};
    for (const auto &damage : damages) {
        write_contents(path + ".journal", whole);
        overwrite(path + ".journal", static_cast<long>(first + damage.field), damage.value);
        ftr_recovery found{};
        EXPECT_EQ(ftr_recovery_run((path + ".journal").c_str(), nullptr, (path + ".sound").c_str(),
                                   &found),
                  FTR_ERR_FORMAT)
            << damage.field << " " << damage.value;
        EXPECT_NE(std::string(found.message).find("its header is damaged"), std::string::npos);
    }
}

// The attributes of a generator end with a closing entry, which is not an attribute.
TEST(DamagedJournal, ItemsDoNotReferToTheClosingEntryOfTheAttributes)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    leave_items(path);
    const std::string journal = contents_of(path + ".journal");
    const std::size_t item = item_with(journal, first_value);
    const std::size_t row = item_with(journal, first_word);
    const std::size_t name_length = 6;
    expect_one_dropped(path, item, 2);              // attribute 2 of 2
    expect_one_dropped(path, row + name_length, 1); // attributes 0, 1 and 2
}

} // namespace
