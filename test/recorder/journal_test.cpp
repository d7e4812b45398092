// The journal and recovery: after any end of a process, the recovered file contains each
// transaction that had ended, once and unchanged. The content is compared by the independent
// decoder.
#include "killed_process.hpp"
#include "killed_run.hpp"
#include "recording.hpp"

#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace
{

// Number of kills for each file system and compression: 200 in all for the soak test.
int kills()
{
    const char *soak = std::getenv("FTR_SOAK");
    return soak && *soak == '1' ? 50 : 2;
}

class Killed : public testing::TestWithParam<ftr_compression>
{
};

TEST_P(Killed, AtAnyInstantLosesNoEndedTransaction)
{
    std::mt19937 random(7 + GetParam());
    for (const std::string &place : places()) {
        for (int i = 0; i < kills(); ++i) {
            scratch_directory directory(place);
            shared_told told;
            std::string trace = directory.path("run.ftr");
            pid_t pid = in_child([&] { record_at_full_speed(trace, GetParam(), *told); });
            while (!told->is_ready.load(std::memory_order_acquire))
                std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 25000));
            kill(pid, SIGKILL);
            wait_for(pid);
            ftr_recovery found = recover(trace, directory.path("sound.ftr"));
            EXPECT_EQ(found.pid, static_cast<std::uint32_t>(pid));
            EXPECT_EQ(found.torn, 0u);
            EXPECT_TRUE(findings(directory.path("sound.ftr"), "--allow end-order").empty());
            expect_everything_that_ended(*told, decode(directory.path("sound.ftr")));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Compressions, Killed,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4));

// The first calls of a run. Records until @p calls of them have returned.
void make_first_calls(const std::string &trace, int calls)
{
    ftr_recorder_options options{};
    options.threads = 1;
    ftr_recorder *rec = nullptr;
    ftr_stream stream = 0;
    ftr_generator generator = 0;
    const ftr_attribute attribute = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
    ftr_tx tx;
    const std::function<ftr_status()> each[] = {
        [&] { return ftr_recorder_open(trace.c_str(), &options, &rec); },
        [&] { return ftr_stream_define(rec, "s", "k", &stream); },
        [&] { return ftr_generator_define(rec, stream, "g", &attribute, 1, &generator); },
        [&] { return ftr_tx_begin(rec, generator, 1, &tx); },
        [&] { return ftr_tx_put_text(rec, tx, 0, "first", 5); },
        [&] { return ftr_tx_end(rec, tx, 9); }};
    for (int i = 0; i < calls; ++i) {
        if (each[i]() != FTR_OK)
            _exit(1);
    }
}

TEST(KilledAfterTheFirstCalls, LosesNothing)
{
    for (const std::string &place : places()) {
        for (int calls = 1; calls <= 6; ++calls) {
            scratch_directory directory(place);
            const std::string trace = directory.path("run.ftr");
            killed_process([&] { make_first_calls(trace, calls); });
            recover(trace, directory.path("sound.ftr"));
            const decoded_file file = decode(directory.path("sound.ftr"));
            ASSERT_EQ(file.transactions.size(), calls < 4 ? 0u : 1u) << calls;
            if (calls >= 5) {
                EXPECT_EQ(file.transactions[0].value("text"), "first");
            }
            if (calls == 6) {
                EXPECT_EQ(file.transactions[0].end, 9u);
            } else if (calls >= 4) {
                EXPECT_EQ(file.transactions[0].value("unfinished"), true);
            }
        }
    }
}

class Ending : public testing::TestWithParam<int>
{
};

TEST_P(Ending, OfAnyKindLosesNoEndedTransaction)
{
    scratch_directory directory;
    shared_told told;
    std::string trace = directory.path("run.ftr");
    pid_t pid = in_child([&] {
        std::signal(SIGALRM, [](int) {
            switch (GetParam()) {
            case SIGABRT:
                std::abort();
            case SIGSEGV:
                std::signal(SIGSEGV, SIG_DFL);
                raise(SIGSEGV);
                break;
            default:
                _exit(1);
            }
        });
        record_at_full_speed(trace, FTR_COMPRESSION_LZ4, *told);
    });
    while (!told->is_ready.load(std::memory_order_acquire))
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(pid, SIGALRM);
    int status = wait_for(pid);
    ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) > 1) << WEXITSTATUS(status);
    recover(trace, directory.path("sound.ftr"));
    EXPECT_TRUE(findings(directory.path("sound.ftr"), "--allow end-order").empty());
    expect_everything_that_ended(*told, decode(directory.path("sound.ftr")));
}

INSTANTIATE_TEST_SUITE_P(Ways, Ending, testing::Values(SIGABRT, SIGSEGV, 0));

TEST(Recovery, CanBeRepeatedAfterAKill)
{
    scratch_directory directory;
    shared_told told;
    std::string trace = directory.path("run.ftr");
    killed_run(trace, *told);
    recover(trace, directory.path("first.ftr"));
    std::mt19937 random(3);
    for (int i = 0; i < 20; ++i) {
        pid_t pid = in_child([&] { recover(trace, directory.path("again.ftr")); });
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
        kill(pid, SIGKILL);
        wait_for(pid);
    }
    recover(trace, directory.path("again.ftr"));
    EXPECT_EQ(contents_of(directory.path("again.ftr")), contents_of(directory.path("first.ftr")));
}

TEST(Recovery, RemovesAnIncompleteAppend)
{
    scratch_directory directory;
    shared_told told;
    std::string trace = directory.path("run.ftr");
    killed_run(trace, *told);
    std::ofstream(trace, std::ios::app | std::ios::binary) << "\xcd\x85\x01half a chunk";
    ftr_recovery found = recover(trace, directory.path("sound.ftr"));
    EXPECT_GE(found.cut, 15u);
    EXPECT_TRUE(findings(directory.path("sound.ftr"), "--allow end-order").empty());
    expect_everything_that_ended(*told, decode(directory.path("sound.ftr")));
}

// Records a transaction with a text of @p size and some more data, flushes them, and is killed.
void leave_flushed_run(const std::string &trace, std::size_t size)
{
    const std::string large(size, 'L');
    killed_process([&] {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute attribute = {"large", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_tx tx;
        ftr_tx next;
        ftr_relation relation;
        if (ftr_recorder_open(trace.c_str(), nullptr, &rec) != FTR_OK ||
            ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &attribute, 1, &generator) != FTR_OK ||
            ftr_relation_define(rec, "next", &relation) != FTR_OK ||
            ftr_tx_begin(rec, generator, 1, &tx) != FTR_OK ||
            ftr_tx_put_text(rec, tx, 0, large.c_str(), large.size()) != FTR_OK ||
            ftr_tx_end(rec, tx, 9) != FTR_OK || ftr_tx_begin(rec, generator, 2, &next) != FTR_OK ||
            ftr_tx_end(rec, next, 10) != FTR_OK ||
            ftr_relation_put(rec, relation, tx, next) != FTR_OK ||
            ftr_recorder_flush(rec) != FTR_OK)
            _exit(1);
    });
}

TEST(Recovery, FindsTransactionsBesideAChunkLargerThanTheMemoryOfTheReader)
{
    scratch_directory directory;
    std::string trace = directory.path("run.ftr");
    const std::size_t size = 40 << 20;
    leave_flushed_run(trace, size);
    ftr_recovery found = recover(trace, directory.path("sound.ftr"));
    EXPECT_EQ(found.transactions, 0u);
    EXPECT_EQ(found.relations, 0u);
    EXPECT_EQ(found.kept, std::filesystem::file_size(trace));
    decoded_file file = decode(directory.path("sound.ftr"));
    ASSERT_EQ(file.transactions.size(), 2u);
    EXPECT_EQ(file.transactions[0].value("large").get<std::string>().size(), size);
    EXPECT_EQ(file.relations.size(), 1u);
}

TEST(Recovery, RefusesATraceWithADamagedChunk)
{
    scratch_directory directory;
    std::string trace = directory.path("run.ftr");
    leave_flushed_run(trace, 100000);
    std::string bytes = contents_of(trace);
    const std::size_t text = bytes.find("LLLL");
    ASSERT_NE(text, std::string::npos);
    bytes.replace(text - 8, 12, 12, '\xff');
    write_contents(trace, bytes);
    ftr_recovery found{};
    EXPECT_EQ(ftr_recovery_run((trace + ".journal").c_str(), nullptr,
                               directory.path("out.ftr").c_str(), &found),
              FTR_ERR_FORMAT);
    EXPECT_NE(std::string(found.message).find("run.ftr: its complete part was not written by"),
              std::string::npos)
        << found.message;
    EXPECT_FALSE(std::filesystem::exists(directory.path("out.ftr")));
}

TEST(Recovery, RefusesAJournalOfAnotherTrace)
{
    scratch_directory directory;
    shared_told told;
    std::string trace = directory.path("run.ftr");
    killed_run(trace, *told);
    write_contents(trace, "something else");
    ftr_recovery found{};
    std::string journal = trace + ".journal";
    if (std::filesystem::file_size(journal) > 0) {
        ftr_status status =
            ftr_recovery_run(journal.c_str(), nullptr, directory.path("out.ftr").c_str(), &found);
        EXPECT_EQ(status, FTR_ERR_FORMAT);
        EXPECT_NE(std::string(found.message).find("belongs to another trace"), std::string::npos)
            << found.message;
    }
    EXPECT_FALSE(std::filesystem::exists(directory.path("out.ftr")));
    EXPECT_EQ(contents_of(trace), "something else");
}

TEST(Recovery, RefusesFilesThatAreNotJournals)
{
    scratch_directory directory;
    write_contents(directory.path("no.journal"), std::string(400000, 'x'));
    ftr_recovery found{};
    EXPECT_EQ(ftr_recovery_run(directory.path("no.journal").c_str(), nullptr,
                               directory.path("out.ftr").c_str(), &found),
              FTR_ERR_FORMAT);
    EXPECT_NE(std::string(found.message).find("it is not a journal"), std::string::npos);
    EXPECT_EQ(ftr_recovery_run(directory.path("missing").c_str(), nullptr,
                               directory.path("out.ftr").c_str(), &found),
              FTR_ERR_IO);
}

// Records three transactions without closing, in a child that is killed; the trace and its journal
// remain.
void leave_three(const std::string &trace)
{
    killed_process([&] {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute attribute = {"name", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_recorder_options options{};
        if (ftr_recorder_open(trace.c_str(), &options, &rec) != FTR_OK ||
            ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &attribute, 1, &generator) != FTR_OK)
            _exit(1);
        for (std::uint64_t i = 1; i <= 3; ++i) {
            ftr_value name = text_value(FTR_TYPE_STRING, i == 2 ? "the one to be torn" : "a name");
            if (ftr_tx_record(rec, generator, i, i, &name, 1, nullptr) != FTR_OK)
                _exit(2);
        }
    });
}

TEST(Recovery, LosesOnlyTheIncompleteRecord)
{
    scratch_directory directory;
    std::string trace = directory.path("run.ftr");
    leave_three(trace);
    std::string journal = contents_of(trace + ".journal");
    std::size_t text = journal.find("the one to be torn");
    ASSERT_NE(text, std::string::npos);
    // The length before the text now points beyond the record.
    journal.replace(text - 8, 8, std::string("\xff\xff\xff\x0f\0\0\0\0", 8));
    write_contents(trace + ".journal", journal);
    ftr_recovery found = recover(trace, directory.path("sound.ftr"));
    EXPECT_EQ(found.torn, 1u);
    EXPECT_EQ(found.transactions, 2u);
    decoded_file file = decode(directory.path("sound.ftr"));
    ASSERT_EQ(file.transactions.size(), 3u);
    EXPECT_EQ(file.transactions[0].begin, 1u);
    EXPECT_EQ(file.transactions[1].begin, 3u);
    EXPECT_EQ(file.transactions[2].stream, "ftr.losses");
    EXPECT_EQ(file.transactions[2].value("count"), 1);
    EXPECT_TRUE(findings(directory.path("sound.ftr")).empty());
}

TEST(Recovery, SurvivesEveryDamagedByteOfAJournal)
{
    scratch_directory directory;
    std::string trace = directory.path("run.ftr");
    leave_three(trace);
    const std::string journal = contents_of(trace + ".journal");
    std::string damaged = trace + ".damaged";
    std::mt19937 random(11);
    // The fields of the header, and all nonzero bytes of the blocks.
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < journal.size(); ++i) {
        if (journal[i] != 0 || i < 200)
            positions.push_back(i);
    }
    const auto recover_damaged = [&](std::size_t position, char difference) {
        std::string bytes = journal;
        bytes[position] = static_cast<char>(bytes[position] ^ difference);
        write_contents(damaged, bytes);
        ftr_recovery found{};
        std::string out = directory.path("out.ftr");
        if (ftr_recovery_run(damaged.c_str(), trace.c_str(), out.c_str(), &found) == FTR_OK)
            EXPECT_LE(found.transactions, 4u);
        else
            EXPECT_STRNE(found.message, "");
    };
    for (std::size_t n = 0; n < 300; ++n)
        recover_damaged(positions[random() % positions.size()],
                        static_cast<char>(1 + random() % 255));
    // Each byte of the header of the block with the transactions, also those that are 0: offsets
    // that are no multiples of 8 lead to misaligned records.
    const std::size_t block = journal.find("the one to be torn") / 65536 * 65536;
    for (std::size_t i = 0; i < 64; ++i)
        recover_damaged(block + i, 0x44);
}

TEST(Journal, IsRemovedAtClose)
{
    recording rec;
    EXPECT_TRUE(std::filesystem::exists(rec.path() + ".journal"));
    EXPECT_EQ(rec.close(), FTR_OK);
    EXPECT_FALSE(std::filesystem::exists(rec.path() + ".journal"));
}

TEST(Journal, IsNotCreatedIfDisabled)
{
    ftr_recorder_options options{};
    options.journal_directory = "none";
    recording rec(options);
    EXPECT_FALSE(std::filesystem::exists(rec.path() + ".journal"));
}

TEST(Journal, IsInTheConfiguredDirectory)
{
    scratch_directory directory;
    std::string where = directory.path();
    ftr_recorder_options options{};
    options.journal_directory = where.c_str();
    recording rec(options);
    char journal[4096];
    ASSERT_EQ(ftr_recovery_find(rec.path().c_str(), where.c_str(), journal, sizeof journal),
              FTR_OK);
    EXPECT_TRUE(std::filesystem::exists(journal)) << journal;
    EXPECT_FALSE(std::filesystem::exists(rec.path() + ".journal"));
}

TEST(Journal, ContainsTransactionsLargerThanABlock)
{
    scratch_directory directory;
    std::string trace = directory.path("run.ftr");
    std::string large(300000, 'L');
    killed_process([&] {
        ftr_recorder *rec = nullptr;
        ftr_stream stream;
        ftr_generator generator;
        const ftr_attribute attribute = {"large", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_recorder_options options{};
        ftr_tx ended;
        ftr_tx open;
        if (ftr_recorder_open(trace.c_str(), &options, &rec) != FTR_OK ||
            ftr_stream_define(rec, "s", "k", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &attribute, 1, &generator) != FTR_OK ||
            ftr_tx_begin(rec, generator, 1, &ended) != FTR_OK ||
            ftr_tx_begin(rec, generator, 2, &open) != FTR_OK ||
            ftr_tx_put_text(rec, ended, 0, large.c_str(), large.size()) != FTR_OK ||
            ftr_tx_put_text(rec, open, 0, large.c_str(), large.size() / 2) != FTR_OK ||
            ftr_tx_end(rec, ended, 9) != FTR_OK)
            _exit(1);
    });
    recover(trace, directory.path("sound.ftr"));
    decoded_file file = decode(directory.path("sound.ftr"));
    ASSERT_EQ(file.transactions.size(), 2u);
    EXPECT_EQ(file.transactions[0].value("large"), large);
    EXPECT_EQ(file.transactions[1].value("large"), large.substr(0, large.size() / 2));
    EXPECT_EQ(file.transactions[1].value("unfinished"), true);
}

} // namespace
