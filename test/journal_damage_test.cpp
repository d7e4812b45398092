// Damaged fields of a journal: the next run still begins, in bounded time.
#include "killed_process.hpp"
#include "killed_process.hpp"
#include "scratch_directory.hpp"

#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <cstdint>
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
        alarm(30);
        ftr_recorder *rec;
        const bool opened = ftr_recorder_open(path.c_str(), nullptr, &rec) == FTR_OK &&
                            ftr_recorder_close(rec) == FTR_OK;
        _exit(opened ? 0 : 1);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Offsets of the fields of ftr_journal_header and ftr_journal_commit (storage/journal.h).
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

} // namespace
